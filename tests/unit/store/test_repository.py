from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit import runs
from workbench.core.clock import new_id
from workbench.core.errors import InvalidInput, StoreError
from workbench.core.events import ChunkReceived, RunFinished, VerdictGiven
from workbench.core.exchange import TextDelta
from workbench.core.tools import ToolResult
from workbench.core.verdict import VerdictState
from workbench.store import Store, repository, upgrade
from workbench.store.journal import BLOB_FROM
from workbench.store.sqlite import SqliteFile

Add = Callable[..., int]
SAMPLES = Path(__file__).parents[2] / "data" / "databases"


def test_a_run_comes_back_as_it_was_committed(store: Store) -> None:
    events = [*runs.make_run(planner="plain"), *runs.boosted()]
    run_id = runs.run_id_of(events)

    async def commit_in_pieces() -> None:
        for start in range(0, len(events), 4):
            await store.recorder.commit(run_id, events[start : start + 4])

    asyncio.run(commit_in_pieces())

    stored = store.load(run_id)
    assert stored.events == tuple(events)
    assert stored.opaque == ()
    assert stored.number == 1
    assert stored.verdict == runs.PASSED


def test_run_row_fields(store: Store, add: Add) -> None:
    number = add(planner="thinker", verdict=runs.failed("parse.truncated", "loop.iterations"))

    row = store.find(number)

    assert row.number == number
    assert (row.provider, row.model, row.format, row.mode) == ("Simulator", "qwen-hasty", "qwen_xml", "boost")
    assert (row.planner, row.wire, row.origin, row.simulated) == ("thinker", "openai_chat", "try", True)
    assert row.verdict == runs.failed("parse.truncated", "loop.iterations")
    assert (row.title, row.prompt, row.stop) == ("Weather", "Weather in Rome?", "answer")
    assert (row.steps, row.calls, row.input_tokens, row.output_tokens) == (2, 1, 200, 20)
    assert (row.duration_us, row.tools) == (2_500_000, ("get_weather",))
    assert row.to_json()["started"] == "2026-09-21T14:13:20Z"


def test_a_run_is_listed_while_it_runs(store: Store) -> None:
    events = runs.make_run()
    store.record(runs.run_id_of(events), events[:5])

    (row,) = store.list_runs()

    assert row.verdict.state is VerdictState.RUNNING
    assert row.stop == ""


def test_decoded_deltas_are_not_stored(store: Store) -> None:
    events = runs.make_run(verdict=None)
    run_id = runs.run_id_of(events)
    chunk = ChunkReceived(5, 0, 0, b"x", 70, (TextDelta("x"),), (), "x")

    store.record(run_id, [*events, chunk])

    assert store.load(run_id).events[-1] == ChunkReceived(5, 0, 0, b"x", 70)


def test_chunks_keep_odd_numbers(store: Store) -> None:
    events = runs.make_run(verdict=None)
    run_id = runs.run_id_of(events)
    chunks = [ChunkReceived(5, 0, index, b"%d" % index, 70) for index in (0, 1, -1, 7, 8)]

    store.record(run_id, [*events, *chunks])

    assert list(store.load(run_id).events[-5:]) == chunks


def test_a_payload_too_large_for_its_table_comes_back(store: Store, add: Add) -> None:
    text = "<tool_call>" + "x" * 400_000

    number = add(text=text)

    step = next(event for event in store.load(number).events if type(event).__name__ == "StepFinished")
    assert step.reply.text == text  # type: ignore[union-attr]
    assert next(iter(store.runs_for_reparse())).text == text


def test_lone_surrogates_do_no_harm(store: Store, add: Add) -> None:
    events = runs.make_run(prompt="what \ud800 is", answer="\udfff!", tool="odd\ud801")

    number = add(events)

    assert store.load(number).events == tuple(events)


def test_a_run_is_found_by_number_id_and_beginning(store: Store, add: Add) -> None:
    number = add(runs.make_run("0198aaaa-0000-7000-8000-000000000001"))
    add(runs.make_run("0198bbbb-0000-7000-8000-000000000002"))

    for ref in (number, str(number), f"#{number}", "0198AAAA", "0198aaaa-0000-7000-8000-000000000001"):
        assert store.load(ref).run.id == "0198aaaa-0000-7000-8000-000000000001"


@pytest.mark.parametrize(
    ("ref", "complaint"), [("0198", "More than one"), ("99", "no run"), ("zz", "no run"), ("", "No run")]
)
def test_ambiguous_run_reference_is_refused(store: Store, add: Add, ref: str, complaint: str) -> None:
    add(runs.make_run("0198aaaa-0000-7000-8000-000000000001"))
    add(runs.make_run("0198bbbb-0000-7000-8000-000000000002"))

    with pytest.raises(InvalidInput, match=complaint):
        store.load(ref)


def test_events_without_a_run_start_are_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="no run"):
        store.record("nobody", [runs.finished()])

    assert store.count() == 0


def test_the_same_run_twice_is_refused_and_the_first_stays(store: Store, add: Add) -> None:
    events = runs.make_run()
    add(events)

    with pytest.raises(StoreError):
        store.record(runs.run_id_of(events), events)

    assert store.load(1).events == tuple(events)


def test_a_verdict_can_be_corrected_later(store: Store, add: Add) -> None:
    events = runs.make_run()
    number = add(events)

    store.record(runs.run_id_of(events), [VerdictGiven(runs.failed("parse.truncated"))])

    assert store.find(number).verdict == runs.failed("parse.truncated")
    assert [row.number for row in store.list_runs("Rome code:parse.truncated")] == [number]
    assert store.load(number).events[:-1] == tuple(events)


def test_the_bin_hides_restores_and_is_emptied(store: Store, add: Add) -> None:
    first, second = add(), add(prompt="Weather in Oslo?")

    assert store.delete([first, second]) == 2
    assert store.count() == 0
    assert store.count("is:binned") == 2
    assert store.restore([second]) == 1
    assert [row.number for row in store.list_runs()] == [second]
    assert store.empty_bin() == 1
    assert store.count("is:binned") == 0
    with pytest.raises(InvalidInput):
        store.load(first)
    assert store.load(second).events
    assert store.check().problems == ()


def test_an_edited_reply_is_one_line_and_goes_with_its_run(store: Store) -> None:
    store.record("model", runs.make_run("model"))
    store.record("given", runs.edit_of("given", "model"))
    (row,) = store.list_runs()
    assert (row.id, row.edited, store.find("given").edit_of) == ("model", 2, 1)
    assert row.to_json()["edited"] == 2
    assert (store.count(), [facet.runs for facet in store.facets()["model"]]) == (1, [1])
    assert [one.id for one in store.list_runs("is:edited")] == ["model"]
    assert [one.id for one in store.list_runs('is:edit "it rains"')] == ["given"]

    store.delete(["model"])
    assert [one.id for one in store.list_runs("is:binned")] == ["model"]
    assert store.count() == store.count("is:edit") == 0
    store.restore(["model"])
    assert (store.count(), store.count("is:edit")) == (1, 1)
    store.remove(["model"])
    assert store.held(["given", "model"]) == {}
    assert store.check().problems == ()


def test_an_edited_reply_whose_run_is_not_kept_stands_by_itself(store: Store) -> None:
    store.record("given", runs.edit_of("given", "elsewhere"))
    assert [(row.id, row.edit_of) for row in store.list_runs()] == [("given", None)]


def test_a_number_is_never_given_twice(store: Store, add: Add) -> None:
    first = add()
    store.delete([first])
    store.empty_bin()

    assert add() == first + 1


def test_orphaned_run_is_closed_on_open(store: Store, records: Path | str) -> None:
    unfinished, unjudged = runs.make_run(), runs.make_run(verdict=None)
    store.record(runs.run_id_of(unfinished), unfinished[:8])
    store.record(runs.run_id_of(unjudged), unjudged)
    store.close()

    again = Store.open(records)
    try:
        cut, done = again.load(runs.run_id_of(unfinished)), again.load(runs.run_id_of(unjudged))
        assert cut.verdict.state is VerdictState.CANCELLED
        assert cut.verdict.codes == ("execution.process_ended",)
        assert cut.verdict.reason == "The process ended."
        assert cut.events == tuple(unfinished[:8])
        assert done.verdict.state is VerdictState.NOT_GRADABLE
        assert isinstance(done.events[-1], RunFinished)
        assert again.count("Rome") == 2
        assert again.recover() == ()
    finally:
        again.close()


def test_of_two_programs_that_open_at_the_same_time_one_closes_an_orphaned_run(
    store: Store, records: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unfinished = runs.make_run()
    store.record(runs.run_id_of(unfinished), unfinished[:8])
    store.close()

    one, other = Store.open(records), Store.open(records)
    try:
        monkeypatch.setattr(other, "left_behind", lambda: [runs.run_id_of(unfinished)])  # it had looked before
        assert other.recover() == ()
        assert other.count("Rome") == 1
        assert other.check().problems == ()
    finally:
        one.close()
        other.close()


def test_a_run_of_another_living_program_is_left_alone(store: Store, records: Path | str) -> None:
    events = runs.make_run()
    store.record(runs.run_id_of(events), events[:5])

    other = Store.open(records)
    other.close()

    assert store.list_runs()[0].verdict.state is VerdictState.RUNNING
    store.record(runs.run_id_of(events), events[5:])
    assert store.load(1).events == tuple(events)


def test_two_programs_write_one_file(store: Store, records: Path | str) -> None:
    other = Store.open(records)
    try:
        for index in range(10):
            writer = (store, other)[index % 2]
            events = runs.make_run()
            writer.record(runs.run_id_of(events), events)
        assert store.count() == other.count() == 10
        assert [row.number for row in other.list_runs()] == list(range(10, 0, -1))
    finally:
        other.close()


def test_a_closed_store_says_so(records: Path | str) -> None:
    opened = Store.open(records)
    opened.close()

    with pytest.raises(StoreError, match="closed"):
        opened.record("x", runs.make_run("x"))


def test_an_event_of_a_later_version_is_kept_and_shown_as_it_is(store: Store, database: Path, add: Add) -> None:
    events = runs.make_run()
    number = add(events)
    with sqlite3.connect(database) as raw:
        raw.execute("INSERT INTO events VALUES (1, 1000, 'coffee_made', '{\"cups\": 2}', NULL)")
    raw.close()

    stored = store.load(number)

    assert stored.events == tuple(events)
    assert [(event.kind, event.body) for event in stored.opaque] == [("coffee_made", '{"cups": 2}')]
    store.record(runs.run_id_of(events), [VerdictGiven(runs.PASSED)])
    assert store.load(number).events[-1] == VerdictGiven(runs.PASSED)


def test_a_copy_holds_everything_and_overwrites_nothing(store: Store, database: Path, add: Add, tmp_path: Path) -> None:
    add()
    copy = store.backup(tmp_path / "copies" / "a.db")

    with pytest.raises(InvalidInput, match="exists"):
        store.backup(copy)
    other = Store.open(copy)
    try:
        assert other.load(1).events == store.load(1).events
    finally:
        other.close()


def test_a_sound_file_passes_the_check(store: Store, add: Add) -> None:
    add()

    report = store.check()

    assert report.problems == ()
    assert report.runs == 1
    assert report.size > 10_000


def test_uncreatable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(StoreError, match="file"):
        Store.open(tmp_path / "file" / "workbench.db")


def test_ids_are_uuids_and_sort_by_time(store: Store, add: Add) -> None:
    ids = [new_id(at) for at in (1_000_000, 2_000_000_000, 3_000_000_000)]
    for run_id in ids:
        add(runs.make_run(run_id))

    assert [row.id for row in store.list_runs()] == sorted(ids, reverse=True)


def test_a_large_event_lies_in_a_blob_and_comes_back(store: Store, database: Path) -> None:
    small, large = (
        [*runs.make_run()[:-2], *runs.tool_events(7, ToolResult(True, "x" * size)), *runs.make_run()[-2:]]
        for size in (1000, BLOB_FROM)
    )
    for events in (small, large):
        number = store.record(runs.run_id_of(events), events)
        assert store.load(number).events == tuple(events)
    with closing(sqlite3.connect(database)) as raw:
        assert raw.execute("SELECT number, length(data) > ? FROM blobs", (BLOB_FROM,)).fetchall() == [(2, 1)]
        assert raw.execute("SELECT number FROM events WHERE body IS NULL").fetchall() == [(2,)]


def test_duplicate_codes_are_kept_once(store: Store, add: Add) -> None:
    add(verdict=runs.failed("parse.truncated", "loop.iterations", "parse.truncated"))
    assert store.list_runs()[0].verdict.codes == ("parse.truncated", "loop.iterations")


def test_an_id_that_another_one_begins_with_names_its_own_run(store: Store) -> None:
    for name in ("ab", "abc"):
        store.record(name, runs.make_run(name))
    assert [store.find(ref).id for ref in ("ab", "abc")] == ["ab", "abc"]
    with pytest.raises(InvalidInput, match="More than one run id begins with 'a'"):
        store.find("a")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Somebody keeps the write lock; how long was waited for it each time."""
    waited: list[float] = []

    def held_by(_file: SqliteFile, wait_s: float) -> str:
        waited.append(wait_s)
        return "another program keeps the database locked."

    monkeypatch.setattr(SqliteFile, "held_by", held_by)
    return waited


def test_a_file_that_somebody_holds_is_not_opened(tmp_path: Path, held: list[float]) -> None:
    shutil.copy(SAMPLES / f"{upgrade.HEAD}.db", tmp_path / "w.db")
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path / "w.db")
    assert caught.value.message == (
        f"The database {str(tmp_path / 'w.db')!r} cannot be written: another program keeps the database locked."
    )
    assert caught.value.hint == "Close it, then try again."
    assert held == [0.8]


def test_who_looks_asks_for_the_lock_before_the_first_write_alone(tmp_path: Path, held: list[float]) -> None:
    shutil.copy(SAMPLES / f"{upgrade.HEAD}.db", tmp_path / "w.db")
    with closing(Store.look(tmp_path / "w.db")) as store:
        assert held == [0.1], "a run was left behind"
        assert store.find(2).verdict.state is VerdictState.RUNNING, "it cannot be closed"
        with pytest.raises(StoreError, match="cannot be written"):
            store.record("r", runs.make_run("r"))
        assert held == [0.1, 0.8]


def test_who_looks_closes_what_was_left_behind(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / f"{upgrade.HEAD}.db", tmp_path / "w.db")
    with closing(Store.look(tmp_path / "w.db")) as store:
        assert store.left_behind() == []
        assert store.find(2).verdict.codes == ("execution.process_ended",)


def test_who_looks_asks_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(tmp_path / "w.db").close()
    asked: list[str] = []
    monkeypatch.setattr(repository, "_refuse_where_held", lambda database: asked.append(database.name))
    with closing(Store.look(tmp_path / "w.db")) as store:
        assert asked == []
        for name in ("a", "b"):
            store.record(name, runs.make_run(name))
    assert asked == [str(tmp_path / "w.db")]


def test_a_file_of_a_newer_version_is_not_looked_at_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(tmp_path / "w.db").close()
    monkeypatch.setattr(upgrade, "HEAD", "r0000")
    monkeypatch.setattr(upgrade, "is_known", lambda _revision: False)
    with pytest.raises(StoreError, match="was written by a newer version") as caught:
        Store.look(tmp_path / "w.db")
    assert caught.value.hint == "Install that version, or give another data folder."


def test_where_no_copy_fits_the_room_that_it_takes_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("The disk is full.")

    shutil.copy(SAMPLES / "r0001.db", tmp_path / "w.db")
    monkeypatch.setattr(SqliteFile, "keep_copy", refuse)
    monkeypatch.setattr(SqliteFile, "copy_elsewhere", refuse)
    monkeypatch.setattr(SqliteFile, "size", lambda _file: 2_000_000_000)
    with pytest.raises(StoreError) as caught:
        Store.look(tmp_path / "w.db")
    assert caught.value.message == (
        "The disk is full. It is of an older version, and no copy could be made to read it: The disk is full."
    )
    assert caught.value.hint == (
        "Set TMPDIR to a folder on another disk with 4,001 MB free, or copy the data folder there."
    )
    monkeypatch.setattr(SqliteFile, "copy_elsewhere", lambda _file: None)
    with pytest.raises(StoreError, match=r"^The disk is full\.$"):
        Store.look(tmp_path / "w.db")


def test_a_run_under_way_is_named_by_its_number(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "w.db")) as store:
        store.record("open", [runs.started("open")])
        with pytest.raises(InvalidInput) as caught:
            store.remove(["open"])
        assert (caught.value.message, caught.value.hint) == (
            "Run 1 is under way.",
            "Stop it, or wait for its end.",
        )
        store.record("whole", runs.make_run("whole"))
        store.close_run("whole")
        assert store.find("whole").verdict == runs.PASSED
        store.close_run("open")
        assert store.find("open").verdict.codes == ("execution.process_ended",)


def test_a_chain_is_known_by_the_beginning_of_a_hash(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "w.db")) as store:
        store.record("r", runs.make_run("r"))
        head = store.check().chain.head
        assert store.holds(head)
        assert store.holds(head[:12].upper())
        assert not store.holds("zz")
        assert not store.holds("%")
        assert not store.holds("")


def test_the_bin_is_emptied_in_pieces_that_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.store.retention._AT_ONCE", 2)
    told: list[int] = []
    with closing(Store.open(tmp_path / "w.db")) as store:
        names = [f"r{number}" for number in range(4)]
        for name in names:
            store.record(name, runs.make_run(name))
        store.delete(names[:3])
        assert store.empty_bin(told.append) == 3
        assert (told, store.recorded()) == ([2, 1], 1)
        assert store.empty_bin(told.append) == 0
