"""Today's verdict stands behind the recorded one once it is accepted."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from tests.kit import runs
from workbench.core.events import VerdictGiven
from workbench.core.verdict import VerdictState
from workbench.replay.accepting import AUTHOR, accept, accept_replayed, can_accept, is_accepted
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.store import Store

WRONG = runs.failed("parse.bad_json")


def replayed(mode: str = "parse", verdict: ReplayVerdict = ReplayVerdict.FIXED) -> Replayed:
    return Replayed(1, "a", mode, verdict, WRONG, runs.PASSED)


def test_the_verdict_is_one_more_event(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    store.record("a", runs.make_run("a", verdict=WRONG))
    then = store.load("a").events
    assert not is_accepted(then)
    assert accept(store, [("a", runs.PASSED)]) == 1
    now = store.load("a")
    assert now.events[: len(then)] == then
    assert now.verdict.state is VerdictState.PASS
    assert is_accepted(now.events)
    assert store.check().problems == ()
    store.close()


def test_a_verdict_given_after_the_accepted_one_takes_that_back() -> None:
    given = [VerdictGiven(runs.PASSED, author, at) for at, author in enumerate((AUTHOR, "me"))]
    assert is_accepted(given[:1])
    assert not is_accepted(given)
    assert is_accepted(reversed(given))


def test_what_may_be_accepted() -> None:
    assert can_accept("parse", runs.PASSED)
    assert can_accept("offline", runs.PASSED)
    assert not can_accept("live", runs.PASSED)
    assert not can_accept("parse", None)
    assert "parser" in AUTHOR


def test_a_replay_that_differs_is_taken_over_and_one_that_does_not_is_not(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    store.record("a", runs.make_run("a", verdict=WRONG))
    assert accept_replayed(store, replayed(verdict=ReplayVerdict.SAME)) is False
    assert accept_replayed(store, replayed("live")) is False
    assert accept_replayed(store, replayed())
    assert store.find("a").verdict.state is VerdictState.PASS
    store.close()


def test_an_accepted_verdict_says_by_whom_and_when(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "t.db")) as store:
        store.record("r", runs.make_run("r"))
        before = time.time_ns() // 1000
        assert accept(store, [("r", WRONG)]) == 1
        given = store.load("r").events[-1]
    assert isinstance(given, VerdictGiven)
    assert (given.verdict, given.author) == (WRONG, AUTHOR)
    assert before <= given.at_us <= time.time_ns() // 1000


def test_nothing_is_taken_over_of_a_replay_without_news(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "t.db")) as store:
        for item in (
            Replayed(1, "r", "parse", ReplayVerdict.FIXED),
            Replayed(1, "r", "parse", ReplayVerdict.SAME, runs.PASSED, runs.PASSED),
            Replayed(1, "r", "live", ReplayVerdict.FIXED, WRONG, runs.PASSED),
        ):
            assert not accept_replayed(store, item)


def test_only_the_last_verdict_says_whether_a_parser_was_accepted() -> None:
    mine, other = VerdictGiven(WRONG, AUTHOR), VerdictGiven(WRONG, "somebody")
    assert not is_accepted([])
    assert not is_accepted(runs.make_run(verdict=None))
    assert is_accepted([*runs.make_run(), other, mine, *runs.tool_events()])
    assert not is_accepted([mine, other])
