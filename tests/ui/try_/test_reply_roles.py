"""Reading finished steps: short ones at once, long ones in a thread, unknown formats without a fall."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit import events as kit
from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.core.calls import CallRead
from workbench.core.events import ChunkReceived, StepFinished, StepRole
from workbench.formats import get_format
from workbench.ui.try_.reply_roles import READ_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.core.events import RunEvent
    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def _run(text: str, format_id: str = "qwen_xml") -> list[RunEvent]:
    result = replace(get_format("qwen_xml").parse(text), format=format_id)
    teller = kit.Teller().start().loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request")
    reply = replace(kit.StepReply(text=text, result=result), finish_reason="stop")
    teller.events.append(StepFinished(step, reply, teller.now_us))
    return teller.events


def _call(path: str) -> str:
    return f"<tool_call>\n{json.dumps({'name': 'read_file', 'arguments': {'path': path}})}\n</tool_call>"


@pytest.mark.parametrize("size", [10, READ_AT_ONCE + 1])
def test_arguments_have_their_places(run_async: RunAsync, home: Path, theme: Theme, size: int) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.page.show_events(_run("x" * size + _call("config/app.toml")))
            await until(lambda: page.page.links.index(0).field(0, ("path",)) is not None)
            hit = page.page.links.index(0).field(0, ("path",))
            assert hit is not None
            assert "config/app.toml" in page.page.run.steps[0].text[hit.span.start : hit.span.end]

    run_async(scenario())


@pytest.mark.parametrize("size", [10, READ_AT_ONCE + 1])
def test_missing_format_shows_plain_text(run_async: RunAsync, home: Path, theme: Theme, size: int) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.page.show_events(_run("x" * size, "gone_format"))
            await until(lambda: "gone_format" in page.status[0])
            cells = page.page.area.rows[0].cells
            assert cells is not None
            assert cells.raw.text is not None
            assert cells.raw.text.toPlainText().startswith("xxx")

    run_async(scenario())


def test_a_call_is_coloured_while_the_rest_arrives(run_async: RunAsync, home: Path, theme: Theme) -> None:
    text = "First 😀.\n" + _call("config/app.toml") + "\nThen"
    call = get_format("qwen_xml").parse(text).calls[0]

    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.page.begin()
            page.page.apply([*kit.running(text), ChunkReceived(0, 0, 90, b"", 1, (), (CallRead(0, call),))])
            marks = page.page.area.rows[0].step
            cell = page.page.area.rows[0].cells
            assert cell is not None
            assert cell.raw.text is not None
            shown = cell.raw.text.toPlainText()
            told = [(role, _of(shown, start, end)) for role, start, end in cell.raw.text._marks]
            assert ("marker", "<tool_call>") in told
            assert ("marker", "</tool_call>") in told
            assert ("key", '"arguments"') in told
            assert ("string", '"config/app.toml"') in told
            assert not [text for role, text in told if role == "marker" and "name" in text]
            assert marks.reply is None
            page.page.interrupt()

    run_async(scenario())


def _of(text: str, start: int, end: int) -> str:
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")
