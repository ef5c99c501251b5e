"""What makes an object of JSON a call, by the kinds of its members."""

from __future__ import annotations

import pytest

from workbench.formats.sanitizer.call_shape import DeepFrame, Frame


def _object(**members: str) -> Frame:
    frame = Frame(True)
    for key, kind in members.items():
        frame.key = key
        frame.put(kind)
    return frame


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({"name": "string", "arguments": "scalar"}, "object"),
        ({"name": "string", "arguments": "string"}, "call"),
        ({"recipient_name": "string", "kwargs": "object"}, "call"),
        ({"action": "string", "action_input": "string"}, "call"),
        ({"action": "string", "input": "object"}, "object"),
        ({"calls": "calls"}, "call"),
        ({"tool_uses": "call"}, "call"),
        ({"name": "string", "parameters": "schema"}, "object"),
        ({"properties": "object"}, "schema"),
        ({"name": "string", "input": "object"}, "object"),
        ({"name": "string", "input": "object", "type": "string:tool_use"}, "call"),
        ({"name": "string", "args": "object", "description": "string"}, "object"),
        ({"next_tool_name": "string", "next_tool_args": "object"}, "call"),
        ({"thoughts": "object", "command": "call"}, "call"),
        ({"command": "string", "args": "array"}, "object"),
        ({"call_id": "string", "input": "object"}, "object"),
    ],
)
def test_kind_of_an_object(members: dict[str, str], kind: str) -> None:
    assert _object(**members).kind() == kind


def test_kind_of_a_list() -> None:
    calls = Frame(False)
    assert calls.kind() == "array"
    calls.put("call")
    assert calls.kind() == "calls"
    calls.put("scalar")
    assert calls.kind() == "array"


def test_an_object_whose_arguments_are_awaited_would_be_a_call() -> None:
    frame = _object(tool="string")
    assert not frame.would_call()
    frame.key = "arguments"
    assert frame.would_call()
    assert "arguments" not in frame.keys


def test_deep_brackets_remember_nothing() -> None:
    frame = DeepFrame(True)
    frame.put("call")
    assert (frame.members, frame.kind()) == (0, "object")
