"""Events as JSON."""

from __future__ import annotations

import json

from workbench.cli.facts import fact, kind_of, plain
from workbench.core.calls import ParseProblem, Span
from workbench.core.events import ChunkReceived, ToolFinished
from workbench.core.exchange import TextDelta
from workbench.core.tools import ToolMode, ToolResult


def test_a_chunk_keeps_its_bytes_as_text() -> None:
    event = ChunkReceived(1, 0, 2, "data: é\n".encode(), 77, (TextDelta("é"),), (), "é")
    assert fact(event) == {
        "event": "chunk_received", "step": 1, "exchange": 0, "index": 2, "data": "data: é\n", "at_us": 77, "shown": "é",
    }  # fmt: skip


def test_bytes_that_are_no_text_keep_their_value() -> None:
    assert plain(b"\xff\x00") == {"base64": "/wA="}


def test_values_of_all_kinds_are_json() -> None:
    problem = ParseProblem("bad_json", Span(1, 2), "no", None)
    event = ToolFinished(0, 0, "c", ToolResult(True, {1: (2, {"x": None})}, None, ToolMode.MOCK), 5, (problem,))
    found = fact(event)
    assert found["result"] == {"success": True, "result": {"1": [2, {"x": None}]}, "error": None, "source": "mock"}
    assert found["problems"][0]["span"] == {"start": 1, "end": 2, "source": "text"}
    assert json.loads(json.dumps(found)) == found
    assert kind_of(event) == "tool_finished"
