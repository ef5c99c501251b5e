"""How long a provider asks us to wait."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.kit.time_zone import local_time
from workbench.wires.kit.waits import duration, header, wait_asked

DATE = ("date", "Fri, 20 Nov 2026 10:00:00 GMT")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("17ms", 0.017), ("6m0s", 360), ("17.39s", 17.39), ("1h2m3s", 3723), ("34.4s", 34.4), ("5", None), ("", None), ("soon", None), ("1s later", None),
     ("1d", 86400), ("2us", 2e-6), ("2µs", 2e-6), ("3ns", 3e-9), (" 1h 30m ", 5400), ("1.s", None), ("-1s", None)],
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


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ([("RETRY-AFTER-MS", "250")], None, 0.25),
        ([("retry-after-ms", "soon"), ("retry-after", "4")], {"error": {"message": "retry in 9s"}}, 4),
        ([("x-ratelimit-reset", "8")], {"error": {"message": "retry in 9s"}}, 9),
        ([("x-ratelimit-reset", "8")], {"error": {"message": ["retry in 9s"]}}, 8),
        ([("x-ratelimit-reset", "-8")], None, 0),
        ([("x-ratelimit-remaining", "0"), ("x-window-reset", "7")], None, None),
        ([("x-ratelimit-reset-a", "x"), ("X-RateLimit-Reset-B", "3"), ("x-ratelimit-remaining-b", " 0 ")], None, 3),
        ([("x-ratelimit-reset-a", "9"), ("x-ratelimit-remaining-a", "10"), ("x-ratelimit-reset-b", "3")], None, 9),
        ([("x-ratelimit-reset-a", "2"), ("x-ratelimit-remaining-a", "0"), ("x-ratelimit-reset-b", "4"), ("x-ratelimit-remaining-b", "0")], None, 4),
        ([DATE, ("x-ratelimit-reset", "1795168803")], None, 3),
        ([DATE, ("x-ratelimit-reset", "1795168803500")], None, 3.5),
        ([DATE, ("x-ratelimit-reset", "1000000000")], None, 1e9),
        ([DATE, ("x-ratelimit-reset", " 2026-11-20T10:00:05 ")], None, 5),
        ([DATE, ("x-ratelimit-reset", "2026-11-20T12:00:05+02:00")], None, 5),
        ([DATE, ("retry-after", "Fri, 20 Nov 2026 10:00:07 -0000")], None, 7),
        ([], {"error": {"details": [{"retryDelay": 5}, {"retryDelay": "x"}, "2s", {"retryDelay": "3s"}, {"retryDelay": "4s"}]}}, 3),
        ([], {"error": {"details": [{"retryDelay": "x"}], "message": "Try Again In 1m 3s"}}, 63),
        ([], {"error": {"message": "x" * 1900 + " try again in 7s"}}, 7),
        ([], {"error": {"message": "x" * 2000 + " try again in 7s"}}, None),
        ([], {"error": "try again in 7s"}, None),
        ([("retry-after", "")], None, None),
    ],
)  # fmt: skip
def test_what_is_asked_for_first_counts(headers: list[tuple[str, str]], body: Any, seconds: float | None) -> None:
    assert wait_asked(tuple(headers), body) == (pytest.approx(seconds) if seconds is not None else None)


@pytest.mark.parametrize("date", [[], [("date", "")], [("date", "today")], [("date", "Fri, 99 Nov 2026 10:00:00 GMT")]])
def test_own_clock_counts_where_the_server_tells_no_time(
    date: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1795168790.0)
    assert wait_asked((*date, ("retry-after", "Fri, 20 Nov 2026 10:00:07 GMT"))) == 17


def test_a_header_is_found_in_any_case_and_its_first_value_counts() -> None:
    headers = (("X-A", "1"), ("x-a", "2"), ("x-b", "3"))
    assert [header(headers, name) for name in ("x-a", "x-b", "x-c")] == ["1", "3", ""]


def test_words_in_the_first_two_thousand_characters_count() -> None:
    for before, seconds in ((1985, 7), (1986, None)):
        body = {"error": {"message": "x" * before + "try again in 7s"}}
        assert wait_asked((), body) == seconds, before


@pytest.mark.parametrize("header", ["Retry-After", "x-ratelimit-reset"])
def test_a_time_without_a_zone_is_universal(header: str) -> None:
    written = {"Retry-After": "Fri, 20 Nov 2026 10:00:07 -0000", "x-ratelimit-reset": "2026-11-20T10:00:07"}[header]
    with local_time("XXX-13"):
        assert wait_asked((DATE, (header, written))) == pytest.approx(7)
