from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.kit.pages import NOW_US
from workbench.ui.widgets.quantities import counted, duration_words, full_time, number, seconds, short_time, size

NOW = datetime.fromtimestamp(NOW_US / 1_000_000, UTC)


def test_times_are_short_and_local() -> None:
    hour = 3_600_000_000
    assert short_time(NOW_US, NOW) == NOW.strftime("%H:%M")
    assert short_time(NOW_US - 48 * hour, NOW) == "18 Nov"
    assert short_time(NOW_US - 400 * 24 * hour, NOW) == "2025-10-16"
    assert full_time(NOW_US, NOW) == NOW.strftime("%Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("microseconds", "shown"), [(214_000, "214 ms"), (1_840_000, "1.8 s"), (125_000_000, "2 min 5 s"), (-5, "0 ms")]
)
def test_durations(microseconds: int, shown: str) -> None:
    assert seconds(microseconds) == shown


def test_sizes_and_counts() -> None:
    assert [size(n) for n in (611, 64_000, 1_200_000)] == ["611 B", "64.0 kB", "1.2 MB"]
    assert counted(1, "call") == "1 call"
    assert counted(2, "entry", "entries") == "2 entries"
    assert number(None) == "–"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (40, "40 s"), (150, "2 min"), (3600, "1 h 00 min"), (4800, "1 h 20 min")]
)
def test_time_left_in_words(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words
