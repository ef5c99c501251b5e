"""Live replay: what counts as same, fixed, regressed, changed or not comparable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit import batches
from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import RunEvent, RunStarted, StepFinished
from workbench.core.tools import ToolSetup, ToolSpec
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.replay.live import ONE_EACH, LiveReplay, compare_live, live_result, not_sent
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.schema import JsonSchemaChecker
from workbench.store import Store, StoredRun

CHECK = JsonSchemaChecker()
GOOD = play(reply(CALL), reply("It is clear."))
OTHER_CITY = play(reply(CALL.replace("Rome", "Oslo")), reply("It is clear."))
LOST = play(reply(BROKEN_CALL), reply(BROKEN_CALL), reply(BROKEN_CALL))
DOWN = play(reply(error=ErrorInfo(ErrorKind.CONNECT, "Nobody answers."), finish=None, done=False))

MORE_TOOLS = (*(GOOD[0].tools if isinstance(GOOD[0], RunStarted) else ()), ToolSetup(ToolSpec("another")))


@pytest.fixture
def stored(tmp_path: Path):
    store = Store.open(tmp_path / "t.db")
    numbers = iter(range(1, 99))

    def record(events: Sequence[RunEvent]) -> StoredRun:
        run_id = f"01890000-0000-7000-8000-{next(numbers):012}"
        first = events[0]
        assert isinstance(first, RunStarted)
        return store.load(store.record(run_id, [replace(first, run_id=run_id), *events[1:]]))

    yield record
    store.close()


def compared(stored, before: Sequence[RunEvent], after: Sequence[RunEvent], **case) -> LiveReplay:
    return compare_live(stored(before), stored(after), CHECK, **case)


def test_the_same_deeds_in_other_words_are_the_same(stored) -> None:
    found = compared(stored, GOOD, play(reply("Let me see. ", CALL), reply("The sky is clear over Rome.")))
    assert found.verdict is ReplayVerdict.SAME
    assert "Other words" in found.note
    assert {change.path for change in found.difference.changes} >= {"answer"}
    assert not compared(stored, GOOD, GOOD).note


def test_different_but_equal_call_is_changed(stored) -> None:
    assert compared(stored, GOOD, OTHER_CITY).verdict is ReplayVerdict.CHANGED


def test_with_a_case_the_expectation_decides(stored) -> None:
    rome = batches.case("rome")
    found = compared(stored, GOOD, OTHER_CITY, case=rome)
    assert (found.verdict, found.before.state, found.after.state) == (
        ReplayVerdict.REGRESSED, VerdictState.PASS, VerdictState.FAIL,
    )  # fmt: skip
    assert compared(stored, OTHER_CITY, GOOD, case=rome).verdict is ReplayVerdict.FIXED
    assert ONE_EACH in found.note


def test_a_lost_call_regresses_and_a_found_one_is_fixed(stored) -> None:
    assert compared(stored, GOOD, LOST).verdict is ReplayVerdict.REGRESSED
    assert compared(stored, LOST, GOOD).verdict is ReplayVerdict.FIXED


def test_provider_failure_is_not_comparable(stored) -> None:
    for before, after, when in ((DOWN, GOOD, "then"), (GOOD, DOWN, "now")):
        found = compared(stored, before, after)
        assert found.verdict is ReplayVerdict.NOT_COMPARABLE
        assert f"{when} the provider failed" in found.note
    moved = replace(GOOD[0], messages=())
    told = compared(stored, DOWN, [moved, *GOOD[1:]]).note
    assert told.startswith("Nothing to compare: then the provider failed. The case asks something else"), told


def test_live_replay_lists_changed_settings(stored) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    moved = replace(first, executor=replace(first.executor, base_url="https://elsewhere.invalid/v1"), messages=())
    found = compared(stored, GOOD, [moved, *GOOD[1:]])
    assert "The address was 'https://recorded.invalid/v1', now it is 'https://elsewhere.invalid/v1'." in found.note
    assert "asks something else" in found.note
    boosted = play(reply(CALL), reply("Done."), planner=[reply("GUIDANCE:\n1. get_weather Rome")])
    planner = boosted[0]
    assert isinstance(planner, RunStarted)
    assert planner.planner is not None
    other = replace(planner, planner=replace(planner.planner, wire="anthropic_messages"))
    assert "The planner's protocol was" in compared(stored, boosted, [other, *boosted[1:]]).note
    one, two = (
        [
            replace(event, reply=replace(event.reply, served_model=name)) if isinstance(event, StepFinished) else event
            for event in GOOD
        ]
        for name in ("m-1", "m-2")
    )
    assert "The served model was 'm-1', now it is 'm-2'." in compared(stored, one, two).note


def test_the_result_names_the_new_run_and_the_case(stored) -> None:
    before, after = stored(GOOD), stored(GOOD)
    found = live_result(before, after, CHECK, batches.case("rome"))
    assert (found.number, found.new_number, found.new_id, found.case) == (1, 2, after.run.id, "rome")
    refused = not_sent(before, "There is no provider 'Recorded'.")
    assert (refused.verdict, refused.after, refused.note) == (
        ReplayVerdict.NOT_COMPARABLE, None, "There is no provider 'Recorded'.",
    )  # fmt: skip


def test_all_that_is_another_setting_now_is_said_in_order(stored) -> None:
    boosted = play(reply(CALL), reply("Done."), planner=[reply("GUIDANCE:\n1. get_weather Rome")])
    first = boosted[0]
    assert isinstance(first, RunStarted)
    assert first.planner is not None
    changed = {"format": "glm45", "wire": "ollama_chat", "base_url": "https://elsewhere.invalid/v1"}
    moved = replace(first, executor=replace(first.executor, **changed), planner=replace(first.planner, **changed))
    found = compared(stored, boosted, [moved, *boosted[1:]])
    was = {"format": first.executor.format, "protocol": first.executor.wire, "address": first.executor.base_url}
    was |= {
        "planner's format": first.planner.format,
        "planner's protocol": first.planner.wire,
        "planner's address": first.planner.base_url,
    }
    now = dict(zip(was, [*changed.values()] * 2, strict=True))
    assert found.note == " ".join(f"The {name} was {was[name]!r}, now it is {now[name]!r}." for name in was)
    simulated = [replace(one, executor=replace(one.executor, simulated=True)) for one in (first, moved)]
    told = compared(stored, *([one, *boosted[1:]] for one in simulated)).note
    assert "The address" not in told, "a simulator's port says nothing"


def test_what_stopped_is_named_for_each_of_the_two(stored) -> None:
    found = compared(stored, DOWN, DOWN)
    assert found.note == "Nothing to compare: then the provider failed, now the provider failed."


def test_the_result_holds_all_that_was_found(stored) -> None:
    before, after = stored(GOOD), stored(OTHER_CITY)
    found, compared_ = live_result(before, after, CHECK), compare_live(before, after, CHECK)
    assert found == Replayed(
        1, before.run.id, "live", ReplayVerdict.CHANGED, compared_.before, compared_.after, (("", compared_.difference),),
        compared_.note, before.run.parser_version, 2, after.run.id, "",
    )  # fmt: skip
    assert compared_.note == "", "other deeds are no other words"
    refused = not_sent(after, "Gone.")
    assert (refused.number, refused.run_id, refused.mode, refused.before, refused.parser_version) == (
        2, after.run.id, "live", after.verdict, after.run.parser_version,
    )  # fmt: skip


def test_one_run_against_one_is_said_where_the_verdict_turned(stored) -> None:
    for before, after, notes in (
        (GOOD, LOST, [ONE_EACH]),
        (LOST, GOOD, [ONE_EACH]),
        (GOOD, OTHER_CITY, []),
        (GOOD, GOOD, []),
    ):
        assert compared(stored, before, after).note == " ".join(notes)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (VerdictState.ERROR, "the provider failed"),
        (VerdictState.CANCELLED, "it was stopped"),
        (VerdictState.RUNNING, "it has not ended"),
    ],
)
def test_what_says_nothing_of_the_model_is_named(stored, monkeypatch, state: VerdictState, words: str) -> None:
    silent = Verdict(state, Basis.INTRINSIC, "")
    monkeypatch.setattr("workbench.replay.live.then", lambda *_: silent)
    found = compared(stored, GOOD, OTHER_CITY)
    assert (found.verdict, found.note) == (ReplayVerdict.NOT_COMPARABLE, f"Nothing to compare: then {words}.")
    assert found.difference


@pytest.mark.parametrize("change", [{"messages": ()}, {"tools": MORE_TOOLS}, {"tool_choice": "required"}])
def test_whatever_else_was_asked_is_said(stored, change: dict[str, object]) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    found = compared(stored, GOOD, [replace(first, **change), *GOOD[1:]])  # type: ignore[arg-type]
    assert (found.verdict, found.note) == (
        ReplayVerdict.SAME,
        "The case asks something else than was asked then.",
    )


def test_runs_without_a_beginning_are_compared_by_what_they_did(stored) -> None:
    class Headless:
        def __init__(self, run: StoredRun) -> None:
            self.verdict, self.events, self.run, self.number = run.verdict, run.events, run.run, run.number
            self._summary = replace(run.summary(), started=None)

        def summary(self) -> object:
            return self._summary

    found = compare_live(Headless(stored(GOOD)), Headless(stored(OTHER_CITY)), CHECK)  # type: ignore[arg-type]
    assert (found.verdict, found.note) == (ReplayVerdict.CHANGED, "")
