"""When a failed try is repeated, and after how long: a pure policy, no clock and no dice of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.errors import ErrorInfo, ErrorKind

if TYPE_CHECKING:
    from workbench.core.exchange import Headers

_STATUSES = frozenset({408, 409, 429})
_NEVER = frozenset(
    {
        ErrorKind.AUTH,
        ErrorKind.QUOTA,
        ErrorKind.BAD_REQUEST,
        ErrorKind.CONTEXT_LENGTH,
        ErrorKind.CONTENT_FILTER,
        ErrorKind.MODEL_OUTPUT,
        ErrorKind.NOT_FOUND,
        ErrorKind.CANCELLED,
    }
)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long."""

    retries: int = 2
    first: float = 0.5
    """Seconds before the first repeat; doubles each time."""
    cap: float = 8.0
    """Longest wait that we choose ourselves."""
    asked_cap: float = 60.0
    """Longest wait that a provider may ask for; beyond it the error is given out at once, with the wait named."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What is known of a failed try."""

    error: ErrorInfo
    headers: Headers = ()
    produced: bool = False
    """Text, reasoning or a call was given out already: a repeat would double it."""


def wait_before_retry(policy: RetryPolicy, attempt: int, failure: Failure, jitter: float) -> float | None:
    """Return the seconds to wait before try number `attempt + 1`, or None to give up.

    `attempt` counts from 0, `jitter` is from 0 to 1.
    """
    if attempt >= policy.retries or failure.produced or not _curable(failure):
        return None
    asked = failure.error.retry_after
    if asked is not None:
        return asked if asked <= policy.asked_cap else None
    wait = min(policy.cap, policy.first * 2.0**attempt)
    return wait * (1.0 - 0.25 * jitter)


def _curable(failure: Failure) -> bool:
    said = next((value.strip().lower() for name, value in failure.headers if name.lower() == "x-should-retry"), "")
    if said in ("true", "false"):
        return said == "true"
    error = failure.error
    if error.status in _STATUSES and error.kind not in (ErrorKind.QUOTA, ErrorKind.CONTENT_FILTER):
        return True
    if error.kind in _NEVER or error.permanent:
        return False
    if error.kind is ErrorKind.PROTOCOL:
        return error.status is not None and error.status >= 500
    return True
