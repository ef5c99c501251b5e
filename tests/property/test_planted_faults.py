"""Sessions of the three agents with planted faults: what was planted is found, and nothing on clean ones.

`tests/bench/scan.py` does the same over 10,000 sessions and prints the figures.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.kit.scan_sessions import AGENTS, Planted, make_sessions, score, session_of
from tests.kit.scanning import scanned


def test_planted_faults_are_found_and_clean_sessions_are_left_alone(tmp_path: Path) -> None:
    corpus = make_sessions(tmp_path / "in", 240, random.Random(2))
    made = scanned(tmp_path / "in")
    got = score(corpus, made.findings)
    assert got.planted > 15
    assert got.found / got.planted >= 0.99, got.missed
    assert got.false.total() / got.clean <= 0.001, got.false
    assert {source.kind for source in made.sources} == {"claude-code", "codex", "opencode"}


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_each_kind_is_found_in_each_agents_sessions(agent, tmp_path: Path) -> None:
    rng = random.Random(4)
    for number, kind in enumerate(agent.KINDS):
        corpus = make_sessions(tmp_path / f"{number}", 3, rng, only=(agent, kind))
        made = scanned(tmp_path / f"{number}")
        assert score(corpus, made.findings).missed.total() == 0, kind
        assert {one.kind for one in corpus.planted} == {kind}


def test_a_finding_is_told_by_its_session() -> None:
    assert session_of("s4.jsonl:30") == "s4.jsonl"
    assert session_of("opencode.db:s4-m0012") == "opencode.db:s4"
    assert Planted("a", "b") == ("a", "b")
