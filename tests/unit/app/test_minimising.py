"""A reply or a request made small, offline by reading and live by asking again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.kit.app import draft, with_workbench
from tests.kit.fakes import READ_FILE, WEATHER
from tests.kit.new_dialects import DIALECTS
from tests.kit.new_dialects import TOOLS as DECLARED
from workbench.app import Workbench
from workbench.app.forensics import Specimen, TextChunk
from workbench.app.live import draft_of
from workbench.app.minimising import (
    LiveMinimising,
    best_format,
    failing_specimen,
    reply_of,
    search_live,
    search_smaller,
)
from workbench.core.errors import InvalidInput
from workbench.core.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'


def test_pieces_are_those_of_the_stream() -> None:
    chunks = (TextChunk(0, CALL[:9], 9), TextChunk(1, "", 0), TextChunk(2, CALL[9:], 60))
    assert reply_of(Specimen(CALL, chunks=chunks)).pieces == (CALL[:9], CALL[9:])
    assert reply_of(Specimen("other", chunks=chunks)).pieces == ("other",)


def test_format_is_the_one_asked_for_else_the_best() -> None:
    assert best_format(Specimen(CALL)) == "qwen_xml"
    assert best_format(Specimen("Hello.")) == ""
    assert best_format(Specimen(DIALECTS[0].rome, tools=DECLARED)) == "native_openai"
    assert search_smaller(Specimen(f"Well. {CALL}", tools=(WEATHER,))).fault.words == "strict, of get_weather"
    lost = search_smaller(Specimen(CALL, "native_openai", (WEATHER,)))
    assert lost.fault.words.startswith("native_openai gives out no get_weather")


@pytest.mark.parametrize("name", ["", "native_openai"])
@pytest.mark.parametrize("before", ["Well, I look.\n", ""])
@pytest.mark.parametrize("call", [DIALECTS[1].oslo, DIALECTS[3].oslo, '{{#tool get_weather {"city": "Rome"} }}'])
def test_markup_that_no_parser_sees_stays_while_the_rest_goes(call: str, before: str, name: str) -> None:
    search = search_smaller(Specimen(f"{before}{call}\n\nWe shall see.", tools=DECLARED), name)
    assert search.run() == call
    assert search.fault.words == "reported: unknown format, of get_weather, as it is written"


@pytest.mark.parametrize("name", ["", "qwen_xml"])
def test_prose_has_nothing_to_keep(name: str) -> None:
    with pytest.raises(InvalidInput, match="nothing that could be kept"):
        search_smaller(Specimen("Hello."), name)


def record(home: Path, target: str, **rates: float) -> str:
    async def body(wb: Workbench) -> str:
        asked = draft(target, rates={"*": 0, **{name.replace("_", " "): rate for name, rate in rates.items()}})
        history = (Message("system", "Be brief."), Message("user", "Hello."), Message("assistant", "Hello!"))
        handle = await wb.runs.start(replace(asked, messages=(*history, *asked.messages)))
        await handle.wait()
        return handle.run_id

    return with_workbench(home, body)


def search(home: Path, run: str, most: int, **options: object) -> tuple[LiveMinimising, str]:
    async def body(wb: Workbench) -> tuple[LiveMinimising, str]:
        stored = await wb.load(run)
        asked = draft_of(stored)
        assert asked is not None
        found = search_live(wb.runs, stored.events, asked, most=most, **options)  # type: ignore[arg-type]
        await found.run()
        return found, (await wb.load(found.failing_run)).run.origin

    return with_workbench(home, body)


def test_request_shrinks_to_what_the_failure_needs(home: Path) -> None:
    run = record(home, "model=gemma-tiny", argument_missing=1.0)
    found, origin = search(home, run, 40)
    assert found.fault == "schema.required"
    assert found.complete
    assert origin == "minimise"
    assert [message.role for message in found.draft.messages] == ["user"]
    assert [setup.spec.name for setup in found.draft.tools] == [READ_FILE.name]
    assert found.draft.tools[0].spec.description == ""


def test_runs_are_limited_and_what_was_found_stands(home: Path) -> None:
    run = record(home, "model=gemma-tiny", argument_missing=1.0)
    found, _ = search(home, run, 2)
    assert (found.asked, found.complete) == (2, False)
    assert len(found.draft.messages) < 4


def test_failure_must_come_back(home: Path) -> None:
    good = record(home, "model=gemma-tiny")
    with pytest.raises(InvalidInput, match="Nothing is wrong"):
        search(home, good, 5)
    failed = record(home, "model=gemma-tiny", argument_missing=1.0)
    with pytest.raises(InvalidInput, match="did not fail by 'unknown_tool'"):
        search(home, failed, 5, code="unknown_tool")

    async def body(wb: Workbench) -> None:
        stored = await wb.load(failed)
        cured = draft("model=gemma-tiny", rates={"*": 0})
        await search_live(wb.runs, stored.events, cured, most=4, each=2).run()

    with pytest.raises(InvalidInput, match="did not come back in 2 runs"):
        with_workbench(home, body)


def test_step_that_failed_is_found(home: Path) -> None:
    run = record(home, "model=gemma-tiny", argument_missing=1.0)

    async def body(wb: Workbench) -> Specimen | None:
        return failing_specimen((await wb.load(run)).events, wb.check)

    found = with_workbench(home, body)
    assert found is not None
    assert found.text.startswith("<function_call>")
