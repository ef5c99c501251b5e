from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.kit.time_zone import local_time
from workbench.store.moments import clock_changes, is_moment, read_moment

NOW_US = 1_790_000_000_000_000
DAY_US = 86_400_000_000


@pytest.mark.parametrize(
    ("text", "back_us"),
    [
        ("now", 0),
        ("30m", 1_800_000_000),
        ("5min", 300_000_000),
        ("2h", 7_200_000_000),
        ("1w", 7 * DAY_US),
        ("1y", 365 * DAY_US),
    ],
)
def test_lengths_count_back_from_now(text: str, back_us: int) -> None:
    assert read_moment(text, NOW_US) == NOW_US - back_us


def test_clock_changes_of_a_zone() -> None:
    with local_time("CET-1CEST,M3.5.0,M10.5.0/3"):
        found = clock_changes()
    hour_us = 3_600_000_000
    assert {change.ahead_us for change in found} == {hour_us, 2 * hour_us}
    spring = next(change for change in found if change.since_us > NOW_US - 250 * DAY_US)
    autumn = found[found.index(spring) + 1]
    told = [datetime.fromtimestamp(one.since_us / 1e6, UTC).isoformat(" ") for one in (spring, autumn)]
    assert told == ["2026-03-29 01:00:00+00:00", "2026-10-25 01:00:00+00:00"]
    with local_time("AHEAD-13"):
        assert [change.ahead_us for change in clock_changes()] == [13 * hour_us]


def test_days_begin_at_local_midnight() -> None:
    local = datetime.fromtimestamp(read_moment("2026-03-01", NOW_US) / 1_000_000).astimezone()

    assert local.strftime("%Y-%m-%d %H:%M:%S") == "2026-03-01 00:00:00"


@pytest.mark.parametrize(("zone", "hours"), [("UTC0", 0), ("AHEAD-13", -13), ("BEHIND+11", 11)])
def test_days_begin_earlier_further_east(zone: str, hours: int) -> None:
    with local_time(zone):
        assert read_moment("2026-03-01", NOW_US) == 1_772_323_200_000_000 + hours * 3_600_000_000
        assert read_moment("2d", NOW_US) == NOW_US - 2 * DAY_US


def test_days_begin_at_midnight_on_the_day_the_clock_is_put_forward_too() -> None:
    """At noon the clock is two hours ahead of UTC, at midnight it was one."""
    noon_us = int(datetime(2026, 3, 29, 10, tzinfo=UTC).timestamp()) * 1_000_000
    with local_time("CET-1CEST,M3.5.0,M10.5.0/3"):
        found = [read_moment(text, noon_us) for text in ("today", "yesterday", "2026-03-29", "2026-03-30")]
    told = [datetime.fromtimestamp(one / 1e6, UTC).strftime("%d %H:%M") for one in found]
    assert told == ["28 23:00", "27 23:00", "28 23:00", "29 22:00"]


def test_a_day_may_have_a_time() -> None:
    assert read_moment("2026-03-01T12:30", NOW_US) - read_moment("2026-03-01", NOW_US) == 45_000 * 1_000_000


def test_yesterday_is_before_today() -> None:
    today, yesterday = read_moment("today", NOW_US), read_moment("yesterday", NOW_US)

    assert 0 <= NOW_US - today < DAY_US
    assert today - yesterday == DAY_US


@pytest.mark.parametrize("text", ["", "7", "d", "7x", "2026-02-30", "0000-01-01", "26-1-1", "9999999d"])
def test_other_texts_name_no_moment(text: str) -> None:
    assert not is_moment(text)


def test_moments_are_known() -> None:
    assert is_moment("7d")
    assert is_moment("999999y")


def test_a_day_begins_at_its_first_microsecond() -> None:
    now_us = int(datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC).timestamp()) * 1_000_000 + 123_456
    day_us = int(datetime(2026, 9, 21, tzinfo=UTC).timestamp()) * 1_000_000
    with local_time("UTC0"):
        assert read_moment("today", now_us) == day_us
        assert read_moment("yesterday", now_us) == day_us - DAY_US
        assert read_moment("2026-09-21 01:02", now_us) == day_us + 3_720_000_000
        assert read_moment("999999w", now_us) == 0
    assert read_moment("3d", now_us) == now_us - 3 * DAY_US


@pytest.mark.parametrize("error", [ValueError, OverflowError, OSError])
def test_what_the_calendar_cannot_do_is_no_moment(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def fails(_value: str, _now_us: int) -> int:
        raise error

    monkeypatch.setattr("workbench.store.moments.read_moment", fails)
    assert not is_moment("2026-01-31")
