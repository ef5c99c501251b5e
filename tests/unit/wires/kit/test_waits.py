"""How long a provider asks us to wait."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.wires.kit.waits import duration, wait_asked

DATE = ("date", "Fri, 20 Nov 2026 10:00:00 GMT")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("17ms", 0.017), ("6m0s", 360), ("17.39s", 17.39), ("1h2m3s", 3723), ("34.4s", 34.4), ("5", None), ("", None), ("soon", None), ("1s later", None)],
)  # fmt: skip
def test_durations(text: str, seconds: float | None) -> None:
    assert duration(text) == (pytest.approx(seconds) if seconds is not None else None)


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ([("retry-after-ms", "1500"), ("Retry-After", "9")], None, 1.5),
        ([("Retry-After", "2.5")], None, 2.5),
        ([DATE, ("Retry-After", "Fri, 20 Nov 2026 10:00:07 GMT")], None, 7),
        ([DATE, ("Retry-After", "Fri, 20 Nov 2026 09:00:00 GMT")], None, 0),
        ([("Retry-After", "-3")], None, 0),
        ([("Retry-After", "nan"), ("retry-after-ms", "inf")], None, None),
        ([("Retry-After", "later")], None, None),
        ([], {"error": {"details": [{"@type": "x/google.rpc.RetryInfo", "retryDelay": "34.4s"}]}}, 34.4),
        ([], {"error": {"message": "Limit reached. Please try again in 7.66s. Visit"}}, 7.66),
        ([], {"error": {"message": "Please try again in 1m3.5s."}}, 63.5),
        ([("x-ratelimit-reset-requests", "1s"), ("x-ratelimit-reset-tokens", "6m0s")], None, 360),
        ([("x-ratelimit-reset-requests", "1s"), ("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-tokens", "6m0s"), ("x-ratelimit-remaining-tokens", "9")], None, 1),
        ([DATE, ("x-ratelimit-reset", "1795168803000")], None, 3),
        ([DATE, ("anthropic-ratelimit-requests-reset", "2026-11-20T10:00:05Z")], None, 5),
        ([("x-ratelimit-reset", "12")], None, 12),
        ([("x-ratelimit-reset", "x")], [1], None),
        ([], None, None),
    ],
)  # fmt: skip
def test_all_spellings(headers: list[tuple[str, str]], body: Any, seconds: float | None) -> None:
    assert wait_asked(tuple(headers), body) == (pytest.approx(seconds) if seconds is not None else None)
