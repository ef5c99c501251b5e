"""A pasted reply as a run: read by the real engine, judged, kept as a case; nothing is sent and nothing executed."""

from __future__ import annotations

import asyncio

import pytest

from tests.kit.fakes import WEATHER
from workbench.app.forensics import Specimen, TextChunk
from workbench.app.pasted import UNKNOWN_PROMPT, play_reply, tools_of
from workbench.cases.from_run import case_from_run
from workbench.core.events import RunFinished, RunStarted, StepFinished, StopReason
from workbench.core.tools import ToolMode
from workbench.core.verdict import VerdictState
from workbench.formats import get_format
from workbench.schema import JsonSchemaChecker
from workbench.store.rows import StoredRun

GOOD = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}\n</tool_call>'


def _play(specimen: Specimen, format_id: str = "qwen_xml") -> StoredRun:
    return asyncio.run(play_reply(specimen, format_id, JsonSchemaChecker()))


def _reply(stored: StoredRun) -> StepFinished:
    return next(event for event in stored.events if isinstance(event, StepFinished))


def test_a_good_reply_becomes_a_run_with_its_call() -> None:
    stored = _play(Specimen(f"Now 😀.\n{GOOD}", tools=(WEATHER,), title="Weather in Rome?"))
    assert _reply(stored).reply.text == f"Now 😀.\n{GOOD}"
    assert [call.arguments for call in _reply(stored).reply.result.calls] == [{"city": "Rome", "days": 3}]
    finished = next(event for event in stored.events if isinstance(event, RunFinished))
    assert finished.stop is StopReason.RECORDED
    assert stored.number == 0
    case = case_from_run(stored.events)
    assert case.messages[0].text == "Weather in Rome?"
    assert case.expectation is not None
    assert [call.name for call in case.expectation.calls] == ["get_weather"]


def test_pasted_bad_reply_is_a_failing_run() -> None:
    stored = _play(Specimen(GOOD[:60], reason="length", tools=(WEATHER,)))
    assert stored.verdict.state is VerdictState.FAIL
    assert _reply(stored).reply.finish_reason == "length"
    started = next(event for event in stored.events if isinstance(event, RunStarted))
    assert started.messages[0].text == UNKNOWN_PROMPT


def test_pasted_calls_define_missing_tools() -> None:
    stored = _play(Specimen(GOOD))
    started = next(event for event in stored.events if isinstance(event, RunStarted))
    (setup,) = started.tools
    assert setup.mode is ToolMode.RECORD
    assert setup.spec.parameters["properties"] == {"city": {"type": "string"}, "days": {"type": "integer"}}
    calls = get_format("qwen_xml").parse(GOOD + GOOD.replace('"days"', '"when"')).calls
    (tool,) = tools_of(calls)
    assert set(tool.properties) == {"city", "days", "when"}


@pytest.mark.parametrize("format_id", ["react", "json_scaffold", "pythonic"])
def test_every_format_reads_it_in_its_own_way(format_id: str) -> None:
    assert _reply(_play(Specimen("Just words."), format_id)).reply.result.calls == ()


def test_recorded_chunks_stay_apart() -> None:
    pieces = (GOOD[:20], "", GOOD[20:])
    chunks = tuple(TextChunk(number, piece, len(piece)) for number, piece in enumerate(pieces))
    whole, split = _play(Specimen(GOOD)), _play(Specimen(GOOD, chunks=chunks))
    assert _reply(whole).reply.text == _reply(split).reply.text == GOOD
    assert len(split.events) == len(whole.events) + 1
