"""Recorded failures: what each file states is what really comes out."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path

import pytest

from workbench.app.examples import Example, Examples
from workbench.cli.output import LOOKS
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.events import ChunkReceived, RunEvent, RunFinished, RunStarted, StepFinished, VerdictGiven
from workbench.core.resources import resource_path
from workbench.formats.sanitize import leaked_markers
from workbench.schema import JsonSchemaChecker
from workbench.store import Store, StoredRun
from workbench.tools.runner import Tools

NAMES = [path.stem for path in sorted(resource_path("examples").glob("*.json"))]


def examples(folder: Path | None = None) -> Examples:
    return Examples(Tools(), JsonSchemaChecker(), folder)


@cache
def opened(name: str) -> StoredRun:
    return asyncio.run(examples().open(name))


@pytest.fixture(scope="module")
def listed() -> dict[str, Example]:
    return {item.id: item for item in examples().list()}


def test_there_are_about_a_dozen(listed: dict[str, Example]) -> None:
    assert list(listed) == NAMES
    assert 11 <= len(NAMES) <= 16


@pytest.mark.parametrize("name", NAMES)
def test_example_states_and_codes(name: str, listed: dict[str, Example]) -> None:
    example, stored = listed[name], opened(name)
    assert stored.verdict.state.value == example.state, stored.verdict
    repairs = {
        f"recovered.{repair}"
        for event in replies(stored)
        for call in event.reply.result.calls
        for repair in call.repairs
    }
    ending = next(event for event in stored.events if isinstance(event, RunFinished))
    said = {*stored.verdict.codes, *repairs, f"stopped by {ending.cancel}"}
    assert (example.code in said) if example.code else not (set(stored.verdict.codes) | repairs)
    if example.state == "fail":
        assert stored.verdict.codes[0] == example.code


def replies(stored: StoredRun) -> list[StepFinished]:
    return [event for event in stored.events if isinstance(event, StepFinished)]


@pytest.mark.parametrize("name", NAMES)
def test_every_one_is_explained(name: str, listed: dict[str, Example]) -> None:
    example = listed[name]
    assert example.state in LOOKS
    for text in (example.title, example.subtitle, example.headline, example.what, example.where, example.next):
        assert text.strip()
    assert example.headline.endswith((".", "!"))


@pytest.mark.parametrize("name", NAMES)
def test_shown_examples_hold_no_marker(name: str) -> None:
    for event in replies(opened(name)):
        assert not leaked_markers(event.reply.sanitized)
    ending = next(event for event in opened(name).events if isinstance(event, RunFinished))
    assert not leaked_markers(ending.answer)


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_request_is_used(name: str) -> None:
    document = json.loads((resource_path("examples") / f"{name}.json").read_text(encoding="utf-8"))
    assert len(replies(opened(name))) == len(document["exchanges"])


def test_opening_one_twice_gives_the_same() -> None:
    again = asyncio.run(examples().open(NAMES[0]))
    assert without_parser_time(again.events) == without_parser_time(opened(NAMES[0]).events)


def without_parser_time(events: tuple[RunEvent, ...]) -> list[object]:
    return [event.reply.result if isinstance(event, StepFinished) else event for event in events]


def test_a_played_example_looks_like_a_stored_run(tmp_path: Path) -> None:
    stored = opened("05-two-calls-and-an-answer")
    assert isinstance(stored.events[0], RunStarted)
    assert isinstance(stored.events[-1], VerdictGiven)
    assert stored.run.origin == "example"
    assert (stored.run.steps, stored.run.calls, stored.number) == (2, 2, 0)
    assert any(isinstance(event, ChunkReceived) and event.deltas for event in stored.events)
    store = Store.open(tmp_path / "t.db")
    try:
        number = store.record(stored.run.id, stored.events)
        row = store.load(number).run
    finally:
        store.close()
    for field in ("title", "prompt", "model", "format", "mode", "verdict", "steps", "calls", "tools", "stop", "target"):
        assert getattr(row, field) == getattr(stored.run, field)


def test_unknown_and_broken_ones_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="recorded example 'nothing'"):
        asyncio.run(examples().open("nothing"))
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(InvalidInput, match=r"bad\.json"):
        examples(tmp_path).list()
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(InvalidInput, match="not an object"):
        examples(tmp_path).list()


def test_a_cancel_from_outside_is_not_swallowed() -> None:
    async def interrupted() -> None:
        async with asyncio.timeout(0):
            await examples().open(NAMES[0])

    with pytest.raises(TimeoutError):
        asyncio.run(interrupted())
