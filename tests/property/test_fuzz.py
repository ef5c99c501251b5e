"""The long run in small: some of its replies, and what it does with a failure."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.fuzz import formats
from tests.fuzz.replies import FORMATS, reply


def test_some_replies_of_every_format() -> None:
    assert formats.block(range(2 * len(FORMATS)), 2026) == []


def test_a_reply_depends_on_seed_and_number_alone() -> None:
    assert reply(1, 77) == reply(1, 77)
    assert len({reply(seed, 77).raw for seed in range(20)}) > 10


def test_a_failure_is_made_smaller_and_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(formats, "sanitize", lambda text: text)
    options = argparse.Namespace(seed=1, start=0, count=40, jobs=1, failures=1, seconds=60, out=tmp_path / "failed")
    assert formats.run(options) == 1
    files = list((tmp_path / "failed").iterdir())
    assert files
    raw = files[0].read_text(encoding="utf-8").splitlines()[1].strip()
    assert len(raw) < 40
    assert "a marker is left" in files[0].read_text(encoding="utf-8")
    assert "go on with --start 40" in capsys.readouterr().out
