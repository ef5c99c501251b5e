"""Numbers, durations, sizes and times in words."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from workbench.ui.theme.translation import tr, translated_count


@lru_cache(4096)  # a row is painted far more often than it is read
def short_time(started_us: int, now: datetime) -> str:
    """`22:30` today, `9 Nov` this year, else the date; in local time."""
    local = datetime.fromtimestamp(started_us / 1_000_000, UTC).astimezone(now.tzinfo)
    if local.date() == now.date():
        return local.strftime("%H:%M")
    if local.year == now.year:
        return f"{local.day} {local:%b}"
    return local.strftime("%Y-%m-%d")


def full_time(started_us: int, now: datetime) -> str:
    """Date and time to the second, local."""
    return datetime.fromtimestamp(started_us / 1_000_000, UTC).astimezone(now.tzinfo).strftime("%Y-%m-%d %H:%M:%S")


def number(value: int | None) -> str:
    """A count with thousands separators; a dash where it is unknown."""
    return "–" if value is None else f"{value:,}"


def seconds(microseconds: int) -> str:
    """A duration: `214 ms`, `1.8 s`, `2 min 5 s`."""
    if microseconds < 1_000_000:
        return tr("{microseconds:.0f} ms", microseconds=max(microseconds, 0) / 1000)
    value = microseconds / 1_000_000
    return (
        f"{value:.1f} s"
        if value < 100
        else tr("{minutes} min {seconds} s", minutes=int(value) // 60, seconds=int(value) % 60)
    )


def size(count: int) -> str:
    """A size in bytes: `611 B`, `64.0 kB`, `1.2 MB`."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def counted(count: int, one: str, many: str = "") -> str:
    """`1 call`, `2 calls`; the nouns are constants, so that they can be translated."""
    return f"{count:,} {translated_count(count, one, many or one + 's')}"


def duration_words(seconds: float) -> str:
    """`40 s`, `2 min`, `1 h 20 min`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return (
        tr("{minutes} min", minutes=minutes)
        if minutes < 60
        else tr("{hours} h {minutes:02d} min", hours=minutes // 60, minutes=minutes % 60)
    )
