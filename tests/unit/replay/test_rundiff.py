"""Two runs beside each other: what was asked apart from what came of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from workbench.core.events import RunEvent, RunFinished, RunStarted, VerdictGiven
from workbench.core.messages import Message
from workbench.replay.difference import MISSING, Change, Difference
from workbench.replay.rundiff import SEED, RunDifference, compare_runs
from workbench.store import Store, StoredRun

GOOD = play(reply(CALL), reply("It is clear."))


def roots(found: RunDifference) -> set[str]:
    """The first words of the places where two runs differ."""
    return {re.split(r"[.\[]", change.path)[0] for change in found.changes}


@pytest.fixture
def stored(tmp_path: Path):
    store = Store.open(tmp_path / "t.db")
    numbers = iter(range(1, 99))

    def record(events: Sequence[RunEvent]) -> StoredRun:
        run_id = f"01890000-0000-7000-8000-{next(numbers):012}"
        first = events[0]
        if isinstance(first, RunStarted):
            events = [replace(first, run_id=run_id), *events[1:]]
        return store.load(store.record(run_id, events))

    yield record
    store.close()


def test_ids_and_times_are_no_difference(stored) -> None:
    found = compare_runs(stored(GOOD), stored(GOOD))
    assert not found
    assert (found.word, found.changes, found.folded) == ("same", (), ())


def test_differences_are_listed_by_place(stored) -> None:
    found = compare_runs(stored(GOOD), stored(play(reply(BROKEN_CALL), reply("No."), reply("No."))))
    assert found.word == "changed"
    assert not found.asked
    assert {"verdict", "calls[0]", "answer"} <= {change.path for change in found.changes}


def test_another_configuration_is_said_apart(stored) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    asked = replace(first, messages=(Message("user", "And in Oslo?"),), target=replace(first.target, format="hermes"))
    found = compare_runs(stored(GOOD), stored([asked, *GOOD[1:]]))
    assert found.word == "config differed"
    assert "configuration.format" in {change.path for change in found.asked.changes}
    assert not found.came


def test_order_of_keys_is_folded_and_listed(stored) -> None:
    two = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 1}}\n</tool_call>'
    turned = two.replace('{"city": "Rome", "days": 1}', '{"days": 1.0, "city": "Rome"}')
    found = compare_runs(stored(play(reply(two), reply("a"))), stored(play(reply(turned), reply("a"))))
    assert any("key order" in place for place in found.folded)
    assert {change.path for change in found.changes} <= {"replies[0]"}


def test_another_seed_alone_is_a_repeat(stored) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    target = replace(first.target, sampling=replace(first.target.sampling, seed=9))
    found = compare_runs(stored(GOOD), stored([replace(first, target=target), *GOOD[1:]]))
    assert found.word == "changed"
    assert [change.path for change in found.changes] == [SEED]


def test_all_that_came_of_a_run_is_compared(stored) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    other = replace(first, executor=replace(first.executor, format="hermes"))
    assert [change.path for change in compare_runs(stored(GOOD), stored([other, *GOOD[1:]])).came.changes] == ["format"]
    short, failed = play(reply(CALL), reply("Clear.")), play(reply(BROKEN_CALL), reply(BROKEN_CALL))
    assert roots(compare_runs(stored(GOOD), stored(short))) == {"answer", "replies"}
    everything = {"verdict", "codes", "stop", "calls", "problems", "results", "answer", "replies"}
    assert roots(compare_runs(stored(GOOD), stored(failed))) == everything


def test_of_a_call_name_arguments_and_way_of_reading_are_compared(stored) -> None:
    broken = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}\n</tool_call>'
    changes = compare_runs(stored(GOOD), stored(play(reply(broken), reply("It is clear.")))).came.changes
    found = {change.path for change in changes}
    assert {"calls[0].arguments.city", "calls[0].outcome"} <= found
    assert "calls[0].repairs[0]" in found


def test_a_record_without_its_beginning_can_be_compared(stored) -> None:
    class Headless:
        def __init__(self, run: StoredRun) -> None:
            self.verdict, self._summary = run.verdict, replace(run.summary(), started=None)

        def summary(self) -> object:
            return self._summary

    found = compare_runs(Headless(stored(GOOD)), Headless(stored(GOOD)))
    assert not found.asked


@pytest.mark.parametrize(
    ("change", "paths"),
    [
        ({"messages": (Message("user", "And?"),)}, {"messages"}),
        ({"tools": ()}, {"tools"}),
        ({"tool_choice": "required"}, {"tool_choice"}),
        ({"parser_version": "2099.1"}, {"parser_version"}),
        ({"title": "Another title", "origin": "cli", "started_us": 5}, set()),
    ],
)
def test_what_was_asked_differently(stored, change: dict[str, object], paths: set[str]) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    found = compare_runs(stored(GOOD), stored([replace(first, **change), *GOOD[1:]]))  # type: ignore[arg-type]
    assert roots(found) == paths
    assert found.word == ("config differed" if paths else "same")
    assert not found.came


def test_models_are_compared_by_name(stored) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    executor = first.target.executor._replace(model="other")
    target = replace(first.target, executor=executor, planner=executor)
    changes = compare_runs(stored(GOOD), stored([replace(first, target=target), *GOOD[1:]])).asked.changes
    assert [(change.path, change.after) for change in changes] == [
        ("configuration.executor.model", "other"),
        ("configuration.planner", executor._asdict()),
    ]


def test_of_a_problem_code_and_outcome_are_compared(stored) -> None:
    def lost(text: str) -> StoredRun:
        run: StoredRun = stored(play(reply(text), reply(text)))
        return run

    unknown = '<tool_call>\n{"name": "fly", "arguments": {}}\n</tool_call>'
    changes = compare_runs(lost(unknown), lost(BROKEN_CALL)).came.changes
    assert {change.path for change in changes if change.path.startswith("problems")} == {
        "problems[0].code",
        "problems[1].code",
    }


def test_an_unfinished_run_has_no_stop_and_no_answer(stored) -> None:
    begun = [event for event in GOOD if not isinstance(event, RunFinished | VerdictGiven)]
    changes = compare_runs(stored(GOOD), stored(begun)).came.changes
    found = {change.path: (change.before, change.after) for change in changes}
    assert found["stop"] == ("answer", None)
    assert found["answer"] == ("It is clear.", None)
    assert found["verdict"] == ("pass", "running")


def test_what_came_of_a_run_without_a_beginning_has_no_format(stored) -> None:
    class Headless:
        def __init__(self, run: StoredRun) -> None:
            self.verdict, self._summary = run.verdict, replace(run.summary(), started=None)

        def summary(self) -> object:
            return self._summary

    found = compare_runs(stored(GOOD), Headless(stored(GOOD)))
    assert [(change.path, change.after) for change in found.came.changes] == [("format", None)]
    assert {change.after for change in found.asked.changes} == {MISSING}


def test_words_for_what_differs() -> None:
    seed, other = Difference((Change(SEED, 1, 2),)), Difference((Change("messages", 1, 2),), ("a",))
    came = Difference((Change("answer", 1, 2),), ("b",))
    words = [
        RunDifference(asked, after).word
        for asked, after in ((Difference(), Difference()), (seed, Difference()), (Difference(), came), (other, came))
    ]
    assert words == ["same", "changed", "changed", "config differed"]
    both = RunDifference(other, came)
    assert (both.changes, both.folded) == ((*other.changes, *came.changes), ("a", "b"))
    assert not RunDifference(Difference(folded=("a",)), Difference())
