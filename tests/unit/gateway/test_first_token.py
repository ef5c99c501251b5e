from __future__ import annotations

from workbench.core.events import ChunkReceived, ExchangeStarted
from workbench.core.exchange import WireRequest
from workbench.gateway import first_token as module
from workbench.gateway.first_token import AddedTimes, FirstToken

ASKED = ExchangeStarted(0, 0, WireRequest("POST", "http://x"), 1_000)


def chunk(at_us: int) -> ChunkReceived:
    return ChunkReceived(0, 0, 0, b"x", at_us)


def at(monkeypatch, *times_ms: float) -> None:
    ticks = iter(times_ms)
    monkeypatch.setattr(module.time, "perf_counter_ns", lambda: int(next(ticks) * 1_000_000))


def test_the_time_upstream_does_not_count(monkeypatch) -> None:
    at(monkeypatch, 0, 1, 57)
    token = FirstToken()
    for event in (ASKED, chunk(51_000)):
        token.take(event)
    token.out()
    assert token.added_us == 7_000
    token.take(chunk(90_000))
    token.out()
    assert token.added_us == 7_000


def test_repeated_and_held_exchanges_do_not_count(monkeypatch) -> None:
    at(monkeypatch, 0, 1, 2, 3, 4, 5)
    repeated = FirstToken()
    for event in (ASKED, ASKED, chunk(2_000)):
        repeated.take(event)
    repeated.out()
    held = FirstToken()
    held.hold()
    for event in (ASKED, chunk(2_000)):
        held.take(event)
    held.out()
    assert repeated.added_us is held.added_us is None


def test_median_and_p99_of_the_last_exchanges() -> None:
    times = AddedTimes()
    assert times.median is None
    for time_us in range(1, 101):
        times.add(time_us)
    assert (times.median, times.p99, len(times)) == (51, 100, 100)


def test_a_piece_that_is_given_before_it_is_read_counts(monkeypatch) -> None:
    at(monkeypatch, 0, 4, 54, 57)  # made, asked, came, given
    token = FirstToken()
    token.take(ASKED)
    token.came()
    token.out()
    assert token.added_us == 7_000
