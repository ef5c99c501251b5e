"""Times in filters: `7d`, `today`, `2026-01-31`, in the user's own time zone."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from typing import NamedTuple

_UNITS = {"min": "minutes", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SPAN = re.compile(r"(\d{1,6})(min|m|h|d|w|y)")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?")


def is_moment(value: str) -> bool:
    """Whether a text names a moment."""
    try:
        read_moment(value, 1_700_000_000_000_000)
    except (ValueError, OverflowError, OSError):
        return False
    return True


def read_moment(value: str, now_us: int) -> int:
    """UTC microseconds of a moment; a length of time counts back from now. Raise ValueError or OverflowError."""
    now = datetime.fromtimestamp(now_us / 1_000_000).astimezone()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if value == "now":
        return now_us
    if value in ("today", "yesterday"):
        days = 0 if value == "today" else 1
        return _us((midnight - timedelta(days=days)).replace(tzinfo=None).astimezone())
    if span := _SPAN.fullmatch(value):
        return max(0, now_us - _length_us(int(span[1]), span[2]))
    if day := _DAY.fullmatch(value):
        parts = [int(part) for part in day.groups() if part is not None]
        return _us(datetime(*parts).astimezone())  # type: ignore[arg-type]
    raise ValueError(value)


def _length_us(count: int, unit: str) -> int:
    length = timedelta(days=365 * count) if unit == "y" else timedelta(**{_UNITS[unit]: count})
    return int(length.total_seconds()) * 1_000_000


def _us(moment: datetime) -> int:
    return int(moment.timestamp()) * 1_000_000


class ClockChange(NamedTuple):
    """From a moment on the local clock is so far ahead of UTC."""

    since_us: int
    ahead_us: int


def clock_changes() -> list[ClockChange]:
    """When the local clock is put forward or back, from 2015 to the year after next, oldest first; never empty."""
    found = [ClockChange(_FIRST_S * 1_000_000, _ahead_us(_FIRST_S))]
    end = int(time.time()) + 2 * 366 * 86_400
    for begun in range(_FIRST_S, end, _STEP_S):
        low, high = begun, begun + _STEP_S
        ahead = _ahead_us(high)
        if ahead == found[-1].ahead_us:
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if _ahead_us(middle) == ahead else (middle, high)
        found.append(ClockChange(high * 1_000_000, ahead))
    return found


_FIRST_S = 1_420_070_400
"""2015-01-01 UTC: no run is older."""
_STEP_S = 10 * 86_400
"""Shorter than the shortest summer time that there is."""


def _ahead_us(moment_s: int) -> int:
    return time.localtime(moment_s).tm_gmtoff * 1_000_000
