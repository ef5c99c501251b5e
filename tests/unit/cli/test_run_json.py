"""Runs and their events as JSON."""

from __future__ import annotations

import json

from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from tests.kit.runs import started
from workbench.cli.run_json import event_json, kind_of, plain, run_json
from workbench.core.calls import ParseProblem, Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ChunkReceived, ToolFinished
from workbench.core.exchange import TextDelta
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.tools import ToolMode, ToolResult
from workbench.replay.recorded import RecordedStep, RecordedTry


def test_a_chunk_keeps_its_bytes_as_text() -> None:
    event = ChunkReceived(1, 0, 2, "data: é\n".encode(), 77, (TextDelta("é"),), (), "é")
    assert event_json(event) == {
        "event": "chunk_received", "step": 1, "exchange": 0, "index": 2, "data": "data: é\n", "at_us": 77, "shown": "é",
    }  # fmt: skip


def test_binary_bytes_keep_their_value() -> None:
    assert plain(b"\xff\x00") == {"base64": "/wA="}


def test_values_of_all_kinds_are_json() -> None:
    problem = ParseProblem("bad_json", Span(1, 2), "no", None)
    event = ToolFinished(0, 0, "c", ToolResult(True, {1: (2, {"x": None})}, None, ToolMode.MOCK), 5, (problem,))
    found = event_json(event)
    told = {name: found["result"][name] for name in ("success", "result", "error", "source")}
    assert told == {"success": True, "result": {"1": [2, {"x": None}]}, "error": None, "source": "mock"}
    assert found["problems"][0]["span"] == {"start": 1, "end": 2, "source": "text"}
    assert json.loads(json.dumps(found)) == found
    assert kind_of(event) == "tool_finished"


def test_the_document_of_a_good_run() -> None:
    found = run_json(summarize(play(reply("I look. ", CALL), reply("It is clear."))), 7)
    assert json.loads(json.dumps(found)) == found
    assert (found["number"], found["verdict"], found["basis"], found["stop"]) == (7, "pass", "intrinsic", "answer")
    assert found["answer"] == "It is clear."
    (made,) = found["calls"]
    assert (made["step"], made["name"], made["arguments"], made["outcome"]) == (
        0,
        "get_weather",
        {"city": "Rome"},
        "strict",
    )
    assert found["results"] == [
        {"step": 0, "index": 0, "call_id": made["id"], "success": True, "result": {"sky": "clear"}, "error": None}
    ]
    assert [step["raw"] for step in found["steps"]] == [f"I look. {CALL}", "It is clear."]
    assert found["error"] is None
    assert found["loops"] == 1


def test_problems_have_their_step() -> None:
    found = run_json(summarize(play(reply(BROKEN_CALL, finish="length"), reply("Sorry."))), 1)
    assert [(item["step"], item["code"], item["outcome"]) for item in found["problems"]] == [
        (0, "truncated", "reported")
    ]
    assert found["verdict"] == "fail"


def test_an_error_is_in_the_document() -> None:
    failed = RecordedStep((RecordedTry(error=ErrorInfo(ErrorKind.CONNECT, "Refused.", hint="Start it.")),))
    assert run_json(summarize(play(failed)), 3)["error"]["kind"] == "connect"


def test_unfinished_run_has_a_document() -> None:
    found = run_json(summarize([started()]), None)
    assert (found["verdict"], found["answer"], found["seconds"]) == ("running", "", None)
    assert run_json(RunSummary(), None)["id"] is None


def test_times_and_executed_calls_are_in_the_document() -> None:
    found = run_json(summarize(play(reply("I look. ", CALL), reply("It is clear."))), 7)
    assert 0 < found["timing"]["first_token"] < found["timing"]["first_call"] < found["seconds"]
    assert found["timing"]["tokens_per_second"] is None, "the recording counts no tokens"
    assert found["tool_calls"] == {"executed": 1, "tried": 1}
    lost = run_json(summarize(play(reply(BROKEN_CALL, finish="length"), reply("Sorry."))), 1)
    assert lost["tool_calls"] == {"executed": 0, "tried": 1}
    assert lost["timing"]["first_call"] is None
