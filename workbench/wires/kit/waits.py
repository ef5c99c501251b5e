"""How long a provider asks us to wait: headers and bodies in all their spellings, as seconds."""

from __future__ import annotations

import math
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from workbench.wires.kit.jsons import as_dict, as_list

if TYPE_CHECKING:
    from workbench.core.exchange import Headers

_DURATION = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(ms|h|m|s|d|us|µs|ns)")
_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_TRY_AGAIN = re.compile(r"(?:try again|retry) in (\d[\d.hms ]{0,20}s)", re.IGNORECASE)


def header(headers: Headers, name: str) -> str:
    """Return a header's value by its lower-case name, or an empty string."""
    return next((value for key, value in headers if key.lower() == name), "")


def duration(text: str) -> float | None:
    """Read `17ms`, `6m0s`, `17.39s`; None for anything else."""
    text = text.strip()
    if not text or _DURATION.sub("", text).strip():
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in _DURATION.findall(text))


def wait_asked(headers: Headers, body: Any = None) -> float | None:
    """Return the seconds that the answer asks for: `retry-after-ms`, `Retry-After`, body, then rate-limit resets."""
    found = _number(header(headers, "retry-after-ms"), 1e-3)
    if found is None:
        found = _retry_after(headers)
    if found is None:
        found = _in_body(body)
    if found is None:
        found = _reset(headers)
    return None if found is None else max(0.0, found)


def _number(text: str, unit: float = 1.0) -> float | None:
    try:
        value = float(text) * unit
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _now(headers: Headers) -> float:
    """Return the server's own time where it says it, so that a wrong clock here does no harm."""
    return _date(header(headers, "date")) or time.time()


def _date(text: str) -> float | None:
    if not text:
        return None
    try:
        when = parsedate_to_datetime(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _retry_after(headers: Headers) -> float | None:
    text = header(headers, "retry-after")
    if (seconds := _number(text)) is not None:
        return seconds
    when = _date(text)
    return None if when is None else when - _now(headers)


def _in_body(body: Any) -> float | None:
    """Gemini's RetryInfo, and sentences such as `Please try again in 7.66s`."""
    error = as_dict(as_dict(body).get("error"))
    for detail in as_list(error.get("details")):
        delay = as_dict(detail).get("retryDelay")
        if isinstance(delay, str) and (seconds := duration(delay)) is not None:
            return seconds
    message = error.get("message")
    if isinstance(message, str) and (match := _TRY_AGAIN.search(message[:2000])):
        return duration(match[1].replace(" ", ""))
    return None


def _reset(headers: Headers) -> float | None:
    """The longest reset among the limits that are used up; among all if none says so."""
    used: list[float] = []
    every: list[float] = []
    for name, value in headers:
        low = name.lower()
        if "ratelimit" not in low or "reset" not in low:
            continue
        seconds = _moment(value, headers)
        if seconds is None:
            continue
        every.append(seconds)
        if header(headers, low.replace("reset", "remaining")).strip() == "0":
            used.append(seconds)
    return max(used or every, default=None)


def _moment(text: str, headers: Headers) -> float | None:
    """Read a duration, seconds, epoch seconds or milliseconds, or an RFC 3339 time, as seconds from now."""
    if (seconds := duration(text)) is not None:
        return seconds
    if (number := _number(text)) is not None:
        if number > 1e11:
            return number / 1000 - _now(headers)
        return number - _now(headers) if number > 1e9 else number
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - _now(headers)
