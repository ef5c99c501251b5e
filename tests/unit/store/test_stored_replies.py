from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit import runs
from workbench.core.events import RunStarted, StepRole
from workbench.core.target import FamilyFlags
from workbench.store import Store, journal, stored_replies
from workbench.store.choose_database import database_at
from workbench.store.schema import blobs, events, toolsets


def test_stored_reply_has_all_reparse_data(store: Store) -> None:
    store.record("r", runs.make_run("r"))

    first, second = store.runs_for_reparse()

    assert (first.number, first.run_id, first.step, first.format) == (1, "r", 0, "qwen_xml")
    assert (first.policy, first.parser_version, first.finish_reason) == ("tolerant", "2026.1", "stop")
    assert first.tools == (runs.WEATHER,)
    assert first.flags == FamilyFlags(True, False)
    assert first.text == '<tool_call>{"name": "get_weather"}</tool_call>'
    assert first.native_calls[0].name == "get_weather"
    assert first.reading.calls == (runs.call(),)
    assert second.step == 1


def test_planners_are_left_out(store: Store) -> None:
    events = [runs.started("r"), *runs.step(0, role=StepRole.PLANNER), *runs.step(1), runs.finished()]
    store.record("r", events)

    assert [reply.step for reply in store.runs_for_reparse()] == [1]


def test_all_pages_come_once_and_in_order(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_replies, "PAGE", 3)
    for index in range(5):
        store.record(f"r{index}", runs.make_run(f"r{index}"))

    assert [(reply.number, reply.step) for reply in store.runs_for_reparse()] == [
        (number, step) for number in range(1, 6) for step in (0, 1)
    ]
    assert [reply.number for reply in store.runs_for_reparse(after=3)] == [4, 4, 5, 5]


def test_a_filter_narrows_it(store: Store) -> None:
    store.record("a", runs.make_run("a", model="gemma"))
    store.record("b", runs.make_run("b", prompt="Oslo"))

    assert {reply.run_id for reply in store.runs_for_reparse("model:gemma")} == {"a"}
    assert {reply.run_id for reply in store.runs_for_reparse("prompt:oslo")} == {"b"}


def test_a_reply_that_a_later_version_wrote_is_passed_over(store: Store, records: Path | str) -> None:
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    engine = database_at(records).writing_engine()
    with engine.begin() as connection:
        body = events.update().where(events.c.kind == "step_finished", events.c.number == 1)
        connection.execute(body.values(body='{"reply": 7}', blob_id=None))
    engine.dispose()
    assert [reply.run_id for reply in store.runs_for_reparse()] == ["b", "b"]


def test_a_reply_that_stands_apart_is_read_from_there(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "BLOB_FROM", 600)
    for name in ("a", "b"):
        store.record(name, runs.make_run(name, text=f"{name} " * 1_000, answer="short"))
    assert [(reply.run_id, reply.step, reply.text[:3]) for reply in store.runs_for_reparse()] == [
        ("a", 0, "a a"), ("a", 1, "sho"), ("b", 0, "b b"), ("b", 1, "sho"),
    ]  # fmt: skip


def test_a_reply_whose_body_is_gone_is_passed_over(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "BLOB_FROM", 10)
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    with store._writing.begin() as connection:
        connection.execute(blobs.delete().where(blobs.c.number == 1))
    assert [reply.run_id for reply in store.runs_for_reparse()] == ["b", "b"]


@pytest.mark.parametrize("body", ["{}", "[[7]]", "later"])
def test_tools_that_a_later_version_wrote_are_none(store: Store, database: Path, body: str) -> None:
    store.record("a", runs.make_run("a"))
    with store._writing.begin() as connection:
        connection.execute(toolsets.update().values(body=body))
    assert {reply.tools for reply in store.runs_for_reparse()} == {()}


def test_a_run_without_tools_has_none_to_read_its_replies_with(store: Store, database: Path) -> None:
    begun = runs.started("a", tools=())
    store.record("a", [begun, *runs.make_run("a")[1:]])
    first, _ = store.runs_for_reparse()
    assert (first.tools, first.reasoning) == ((), "")


def test_a_page_that_is_just_full_is_followed_by_an_empty_one(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_replies, "PAGE", 2)
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    assert [(reply.run_id, reply.step) for reply in store.runs_for_reparse()] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]  # fmt: skip


def test_each_replys_flags_and_bodies_are_its_own(store: Store, database: Path) -> None:
    for name, think, calls in (("a", True, False), ("b", False, True)):
        begun, *rest = runs.make_run(name)
        assert isinstance(begun, RunStarted)
        detection = begun.executor.detection
        assert detection is not None
        flagged = replace(begun.executor, detection=replace(detection, flags=FamilyFlags(think, calls)))
        store.record(name, [replace(begun, executor=flagged), *rest])
    assert [(one.run_id, one.flags) for one in store.runs_for_reparse()] == [
        ("a", FamilyFlags(True, False)), ("a", FamilyFlags(True, False)), ("b", FamilyFlags(False, True)), ("b", FamilyFlags(False, True)),
    ]  # fmt: skip
