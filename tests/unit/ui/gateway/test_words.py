from __future__ import annotations

import pytest

from workbench.grading.incidents import KINDS as INCIDENTS
from workbench.ui.gateway.words import (
    GROUPS,
    KINDS,
    ORDER,
    ago,
    clock,
    exchanges,
    finding_words,
    grouped,
    masked,
    milliseconds,
    sums,
    target_words,
)


def test_every_kind_of_incident_has_a_word_and_a_group() -> None:
    assert set(INCIDENTS) <= set(KINDS)
    assert set(INCIDENTS) <= set(GROUPS)
    assert set(GROUPS.values()) == set(ORDER)


def test_findings_are_counted_by_group() -> None:
    found = grouped({"tool_call_dropped": 1, "all_output_lost": 2, "repaired": 3})
    assert found == {"lost": 3, "repaired": 3}
    assert finding_words(found) == [("lost", "3 lost"), ("repaired", "3 repaired")]
    assert finding_words({"refused": 1}) == [("refused", "1 refused by schema")]
    assert sums([{"lost": 1}, {"lost": 2, "leaked": 1}]) == {"lost": 3, "leaked": 1}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "now"), (40, "40 s ago"), (720, "12 min ago"), (7200, "2 h ago"), (200_000, "2 days ago")],
)
def test_how_long_ago(seconds: float, words: str) -> None:
    assert ago(seconds) == words


def test_times() -> None:
    assert (clock(47.2), clock(-1), clock(125)) == ("0:48", "0:00", "2:05")
    assert (milliseconds(None), milliseconds(400), milliseconds(2_400)) == ("–", "0.4 ms", "2 ms")
    assert (exchanges(1), exchanges(2)) == ("1 exchange", "2 exchanges")


def test_a_token_shows_its_end_alone() -> None:
    assert masked("wb-0123456789abcdef") == "•" * 6 + " cdef"
    assert "short" not in masked("short")
    assert "none" in masked("")


def test_a_targets_label_has_room() -> None:
    assert target_words("Work/org/big · auto") == "Work / org/big"
