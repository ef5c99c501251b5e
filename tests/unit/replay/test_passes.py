"""Whole selections replayed from the store: nothing ends a pass, and every run is told of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.kit import batches
from tests.kit.playback import CALL, play, reply
from workbench.cases.files import save_case
from workbench.core.calls import ParseResult
from workbench.core.case import Case
from workbench.core.errors import InvalidInput
from workbench.core.events import PartyInfo, RunEvent, RunStarted, StepFinished, ToolStarted, VerdictGiven
from workbench.core.messages import Message
from workbench.core.verdict import Basis, VerdictState
from workbench.replay import passes
from workbench.replay.accepting import accept_replayed
from workbench.replay.difference import Change, Difference
from workbench.replay.parity import check_parity
from workbench.replay.passes import (
    PASSES,
    RunSelection,
    all_of,
    cut_again,
    of_suite,
    offline_again,
    offline_once,
    only_failed,
    parse_again,
    size,
    stored_runs,
    suite_selection,
    these,
)
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.schema import JsonSchemaChecker
from workbench.store import Store

CHECK = JsonSchemaChecker()
GOOD = play(reply(CALL), reply("It is clear."))


class Book:
    """A store that runs are written into under ids of their own."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path)
        self.ids: list[str] = []

    def add(self, events: Sequence[RunEvent]) -> str:
        run_id = f"01890000-0000-7000-8000-{len(self.ids) + 1:012}"
        first = events[0]
        if isinstance(first, RunStarted):
            events = [replace(first, run_id=run_id), *events[1:]]
        self.store.record(run_id, events)
        self.ids.append(run_id)
        return run_id


@pytest.fixture
def book(tmp_path: Path):
    made = Book(tmp_path / "t.db")
    yield made
    made.store.close()


def unread(events: Sequence[RunEvent]) -> list[RunEvent]:
    """The run as a parser would have read it that found no call in the first reply."""
    nothing = ParseResult(text="", format="qwen_xml")
    return [
        replace(event, reply=replace(event.reply, result=nothing))
        if isinstance(event, StepFinished) and event.step == 0
        else event
        for event in events
    ]


def of_format(events: Sequence[RunEvent], name: str) -> list[RunEvent]:
    """The run as one of a format that is gone."""

    def gone(info: PartyInfo) -> PartyInfo:
        return replace(info, format=name)

    return [
        replace(event, executor=gone(event.executor))
        if isinstance(event, RunStarted)
        else replace(event, format=name)
        if hasattr(event, "news")
        else event
        for event in events
    ]


def verdicts(found: Iterable[Replayed]) -> list[tuple[int, str]]:
    return [(item.number, item.verdict.value) for item in found]


@pytest.mark.parametrize("mode", list(PASSES))
def test_missing_format_does_not_end_the_pass(book: Book, mode: str) -> None:
    book.add(of_format(GOOD, "of-yesterday"))
    book.add(GOOD)
    found = dict(verdicts(PASSES[mode](book.store, all_of(""), CHECK)))
    assert found == {1: "not_comparable", 2: "same"}


def test_a_stopped_run_is_replayed_to_its_stop(book: Book) -> None:
    book.add(play(reply("I am wri", finish=None, done=False, stopped=True)))
    (found,) = offline_again(book.store, all_of(""), CHECK)
    assert (found.verdict, found.after and found.after.state) == (ReplayVerdict.SAME, VerdictState.CANCELLED)


def test_a_cancel_from_outside_goes_on(book: Book) -> None:
    stored = book.store.load(book.add(play(reply(*"abcdefgh"))))

    async def body() -> None:
        task = asyncio.get_running_loop().create_task(offline_once(stored, CHECK))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(body())


def test_a_record_without_a_beginning_is_not_comparable(book: Book) -> None:
    stored = book.store.load(book.add(GOOD))
    found = asyncio.run(offline_once(replace(stored, events=stored.events[1:]), CHECK))
    assert (found.mode, found.verdict) == ("offline", ReplayVerdict.NOT_COMPARABLE)
    assert (found.before, found.after) == (stored.verdict, None)
    assert "began" in found.note


def test_named_runs_without_replies_are_reported(book: Book) -> None:
    book.add([event for event in GOOD if not isinstance(event, StepFinished)])
    wanted = these([book.store.find(1)])
    assert size(book.store, wanted) == 1
    assert verdicts(parse_again(book.store, wanted, CHECK)) == [(1, "not_comparable")]
    assert verdicts(parse_again(book.store, all_of(""), CHECK)) == []


def test_only_failures_of_a_selection_are_left(book: Book) -> None:
    book.add(GOOD)
    failed = [
        replace(event, verdict=replace(event.verdict, state=VerdictState.FAIL))
        if isinstance(event, VerdictGiven)
        else event
        for event in GOOD
    ]
    book.add(failed)
    store = book.store
    assert size(store, only_failed(store, all_of(""))) == 1
    assert size(store, only_failed(store, all_of("is:real"))) == 1
    wanted = only_failed(store, these([store.find(1), store.find(2)]))
    assert [number for number, _ in verdicts(parse_again(store, wanted, CHECK))] == [2]


def test_the_case_judges_in_every_mode(book: Book) -> None:
    """Read by the parser of that day the call was missing: by itself the run passed, by its case it failed."""
    book.add(unread(GOOD))
    rome = batches.case("rome")
    wanted = replace(all_of(""), cases=lambda _id: rome)
    (found,) = parse_again(book.store, wanted, CHECK)
    assert (found.case, found.after and found.after.state) == ("rome", VerdictState.PASS)
    (again,) = offline_again(book.store, wanted, CHECK)
    assert (again.case, again.after and again.after.state) == ("rome", VerdictState.PASS)


def test_suite_selection_has_repeats_and_source_runs(book: Book) -> None:
    for _ in range(4):
        book.add(GOOD)
    made = batches.batch({"one": ["pp"]})
    items = [replace(item, run_id=book.ids[at]) for at, item in enumerate(made.items)]
    book.store.batches.add(replace(made, items=tuple(items)))
    kept: dict[str, Case] = {book.ids[2]: batches.case("kept"), book.ids[0]: batches.case("also a repeat")}
    wanted = of_suite(book.store, made.spec.suite, kept.get, (*kept, "gone"))
    assert size(book.store, wanted) == 3
    assert sorted(verdicts(offline_again(book.store, wanted, CHECK))) == [(1, "same"), (2, "same"), (3, "same")]


def test_current_suite_cases_judge_their_source_runs(book: Book, tmp_path: Path) -> None:
    book.add(GOOD)
    made = batches.batch({"one": ["p"]})
    book.store.batches.add(replace(made, items=(replace(made.items[0], run_id=book.add(GOOD)),)))
    save_case(replace(batches.case("oslo"), source_run=book.ids[0]), tmp_path / "mine")
    wanted = suite_selection(book.store, "mine", tmp_path)
    assert size(book.store, wanted) == 1
    kept = wanted.cases(book.ids[0])
    assert kept is not None
    assert kept.id == "oslo"
    assert size(book.store, suite_selection(book.store, made.spec.suite, tmp_path)) == 1


def test_a_suite_without_runs_or_without_a_file_is_refused(book: Book, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Nothing of the suite 'demo'"):
        suite_selection(book.store, "demo", tmp_path)
    with pytest.raises(InvalidInput, match="no suite 'nowhere'"):
        suite_selection(book.store, "nowhere", tmp_path)
    made = batches.batch({"one": ["p"]})
    gone = replace(made, spec=replace(made.spec, suite="gone"))
    book.store.batches.add(replace(gone, items=(replace(made.items[0], run_id=book.add(GOOD)),)))
    assert size(book.store, suite_selection(book.store, "gone", tmp_path)) == 1


def test_stored_runs_are_read_page_by_page_newest_first(book: Book) -> None:
    for _ in range(3):
        book.add(GOOD)
    assert [run.number for run in stored_runs(book.store, RunSelection())] == [3, 2, 1]
    assert [run.number for run in stored_runs(book.store, RunSelection(("id:1", "id:3")))] == [1, 3]


def test_cutting_is_told_with_its_count(book: Book) -> None:
    book.add(GOOD)
    (found,) = cut_again(book.store, all_of(""), CHECK)
    ways = sum(check_parity(reply).checked for reply in book.store.runs_for_reparse(""))
    assert (found.verdict, found.note) == (ReplayVerdict.SAME, f"{ways} ways of cutting")


def test_a_run_without_a_text_is_not_called_the_same_however_it_is_cut(book: Book) -> None:
    book.add(play(reply("")))
    (found,) = cut_again(book.store, all_of(""), CHECK)
    assert (found.verdict, found.note) == (ReplayVerdict.NOT_COMPARABLE, "There is no text to cut.")


def test_workers_read_what_one_process_reads(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces are whole runs, in their order; the user's own formats are known to a worker once."""
    monkeypatch.setattr(passes, "RUNS_OF_PIECE", 2)
    for events in (GOOD, unread(GOOD), GOOD):
        book.add(events)
    with ThreadPoolExecutor(1) as workers:
        found = list(parse_again(book.store, all_of(""), CHECK, executor=workers))
    assert verdicts(found) == verdicts(parse_again(book.store, all_of(""), CHECK))
    assert [item.number for item in found] == [1, 2, 3]


def test_a_changed_reading_that_was_accepted_is_the_same(book: Book) -> None:
    run_id = book.add(unread(GOOD))
    (before,) = parse_again(book.store, all_of(""), CHECK)
    assert before.verdict is not ReplayVerdict.SAME
    assert accept_replayed(book.store, before)
    (after,) = parse_again(book.store, all_of(""), CHECK)
    assert (after.verdict, after.note, after.run_id) == (ReplayVerdict.SAME, "accepted with this parser", run_id)
    assert before.replies == after.replies == 2


def test_what_cannot_be_replayed_says_why(book: Book, tmp_path: Path) -> None:
    book.add([event for event in GOOD if not isinstance(event, StepFinished)])
    (found,) = parse_again(book.store, these([book.store.find(1)]), CHECK)
    assert (found.mode, found.run_id, found.note) == ("parse", book.ids[0], "No reply of it can be read.")
    with pytest.raises(InvalidInput) as refused:
        suite_selection(book.store, "demo", tmp_path)
    assert (refused.value.message, refused.value.hint) == (
        "Nothing of the suite 'demo' is recorded here, so there is nothing to replay.",
        "Run it first, or keep a run as a case of it.",
    )
    book.add(of_format(GOOD, "of-yesterday"))
    (gone,) = cut_again(book.store, all_of("id:2"), CHECK)
    assert (gone.mode, gone.run_id, gone.verdict) == ("parity", book.ids[1], ReplayVerdict.NOT_COMPARABLE)
    assert "of-yesterday" in gone.note


def test_a_changed_reading_is_told_with_its_step_and_format(book: Book) -> None:
    book.add(unread(GOOD))
    (found,) = parse_again(book.store, all_of(""), CHECK)
    ((where, difference),) = found.differences
    assert where == "step 0 (qwen_xml) "
    assert {change.path for change in difference.changes} >= {"calls[0]"}
    assert (found.mode, found.run_id, found.case, found.replies) == ("parse", book.ids[0], "", 2)
    assert found.parser_version == book.store.find(1).parser_version


def test_an_offline_replay_says_which_request_is_another(book: Book) -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    book.add([replace(first, messages=(*first.messages, Message("user", "And now?"))), *GOOD[1:]])
    (found,) = offline_again(book.store, all_of(""), CHECK)
    assert (found.verdict, found.note, found.mode) == (ReplayVerdict.SAME, "request_changed", "offline")
    assert [where for where, _ in found.differences] == ["request 1: ", "request 2: "]
    assert (found.run_id, found.parser_version) == (book.ids[0], book.store.find(1).parser_version)


def test_a_run_that_is_named_is_one_whatever_is_counted(book: Book) -> None:
    book.add(GOOD)
    named = these([book.store.find(1)])
    assert (named.filters, named.named) == ((f"id:{book.ids[0]}",), True)
    assert size(book.store, replace(named, filters=("id:77",))) == 1
    assert size(book.store, RunSelection(("id:1", "id:77", ""))) == 2
    failed = only_failed(book.store, all_of("is:real"))
    assert failed.filters == ("is:real verdict:fail,error",)
    assert only_failed(book.store, all_of("")).filters == ("verdict:fail,error",)
    assert only_failed(book.store, named).filters == ()


def test_each_way_of_replaying_is_named_with_its_run(book: Book) -> None:
    book.add(GOOD)
    for mode, again in PASSES.items():
        (found,) = again(book.store, all_of(""), CHECK)
        assert (found.mode, found.number, found.run_id) == (mode, 1, book.ids[0])


def test_by_itself_a_run_is_judged_without_a_case(book: Book) -> None:
    book.add(unread(GOOD))
    (alone,) = parse_again(book.store, all_of(""), CHECK)
    (judged,) = parse_again(book.store, replace(all_of(""), cases=lambda _id: batches.case("rome")), CHECK)
    assert alone.before is not None
    assert judged.before is not None
    assert (alone.before.basis, judged.before.basis) == (Basis.INTRINSIC, Basis.EXPECTATION)


def test_what_was_read_as_equal_offline_is_told_too(book: Book) -> None:
    two = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 1}}\n</tool_call>'
    turned = [
        replace(event, arguments={"days": 1.0, "city": "Rome"}) if isinstance(event, ToolStarted) else event
        for event in play(reply(two), reply("It is clear."))
    ]
    book.add(turned)
    (found,) = offline_again(book.store, all_of(""), CHECK)
    assert found.verdict is ReplayVerdict.SAME
    assert all(where == "" for where, _ in found.differences)


def test_a_cutting_that_matters_is_told_with_its_step(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    class Parity:
        checked = 3
        differing = (SimpleNamespace(name="single characters", difference=Difference((Change("text", 1, 2),))),)

    monkeypatch.setattr(passes, "check_parity", lambda _reply: Parity())
    book.add(play(reply("It is clear.")))
    (found,) = cut_again(book.store, all_of(""), CHECK)
    assert (found.verdict, found.note) == (ReplayVerdict.CHANGED, "3 ways of cutting")
    assert [where for where, _ in found.differences] == ["step 0, single characters: "]


def test_a_worker_knows_the_users_own_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[object] = []
    monkeypatch.setattr(passes, "load_plugins", lambda folder: f"plugins of {folder}")
    monkeypatch.setattr(passes, "install", known.append)
    for folder in (tmp_path, tmp_path, None):
        assert passes.reparse_piece(folder, []) == []
    assert known == [f"plugins of {tmp_path}"], "once"


def test_a_record_that_cannot_be_run_again_says_with_what_it_was_read(book: Book) -> None:
    stored = book.store.load(book.add(GOOD))
    found = asyncio.run(offline_once(replace(stored, events=stored.events[1:]), CHECK))
    assert found == Replayed(
        1, book.ids[0], "offline", ReplayVerdict.NOT_COMPARABLE, stored.verdict, note=found.note,
        parser_version=stored.run.parser_version,
    )  # fmt: skip
