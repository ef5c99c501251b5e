"""Fields of vendors on tools, choices of a part of the tools, and long names, on every wire."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message, NativeCall, ToolChoice
from workbench.core.tools import ToolSpec, tool_from_json
from workbench.wires import get_wire, table
from workbench.wires.kit.tool_fields import Allowed, allowed_tools, narrowed, vendor_fields
from workbench.wires.kit.tool_names import original_name

NATIVE = [row.id for row in table.WIRES if row.native]
MARKED = {
    "strict": True,
    "cache_control": {"type": "ephemeral"},
    "input_examples": [{"a": 1}],
    "annotations": {"readOnlyHint": True},
    "x_vendor": 1,
}
TOOLS = (ToolSpec("f", "d", extra=MARKED), ToolSpec("g"), ToolSpec("h"))
CHAT_CHOICE = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "f"}}, {"type": "function", "function": {"name": "h"}}]}}  # fmt: skip
FLAT_CHOICE = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]}


def sent(wire: str, choice: ToolChoice = None, tools: tuple[ToolSpec, ...] = TOOLS, **quirks: Any) -> dict[str, Any]:
    request = ChatRequest("m", (Message("user", "hi"),), tools=tools, tool_choice=choice)
    body = get_wire(wire).encode(request, Endpoint("p", wire, "http://h", quirks=quirks)).body
    found: dict[str, Any] = json.loads(body)
    return found


def names_sent(wire: str, body: dict[str, Any]) -> list[str]:
    if wire == "bedrock_converse":
        return [tool["toolSpec"]["name"] for tool in body["toolConfig"]["tools"] if "toolSpec" in tool]
    tools = body["tools"][0]["functionDeclarations"] if wire == "gemini_generate" else body["tools"]
    return [tool.get("function", tool)["name"] for tool in tools]


def test_fields_survive_reading() -> None:
    shapes: list[dict[str, Any]] = [
        {"type": "function", "function": {"name": "f", "strict": True}, "cache_control": {"type": "ephemeral"}},
        {"name": "f", "input_schema": {"type": "object"}, "strict": True, "cache_control": {"type": "ephemeral"}},
    ]
    for shape in shapes:
        assert tool_from_json(shape).extra == {"strict": True, "cache_control": {"type": "ephemeral"}}
    ours = {"type": "function", "function": {"name": "f"}, "mode": "mock", "mock": {"result": 1}, "x-workbench": {}}
    assert tool_from_json(ours).extra == {}


@pytest.mark.parametrize(
    ("wire", "fields"),
    [
        ("openai_responses", {"strict", "x_vendor"}),
        ("anthropic_messages", {"strict", "cache_control", "input_examples", "x_vendor"}),
        ("gemini_generate", {"x_vendor"}),
    ],
)
def test_tool_fields_by_wire(wire: str, fields: set[str]) -> None:
    body = sent(wire)
    tool = body["tools"][0]["functionDeclarations"][0] if wire == "gemini_generate" else body["tools"][0]
    assert set(tool) & set(MARKED) == fields


def test_chat_puts_fields_into_the_function_and_a_cache_mark_beside_it() -> None:
    tool = sent("openai_chat")["tools"][0]
    assert (tool["function"]["strict"], tool["function"]["x_vendor"]) == (True, 1)
    assert "cache_control" not in tool
    routed = sent("openai_chat", tool_fields=["cache_control"])["tools"][0]
    assert routed["cache_control"] == {"type": "ephemeral"}
    assert vendor_fields(ToolSpec("f"), (), Endpoint("p", "w", "http://h")) == {}


def test_choices_are_read_in_both_shapes() -> None:
    assert allowed_tools(CHAT_CHOICE) == Allowed(("f", "h"), "required")
    assert allowed_tools(FLAT_CHOICE) == Allowed(("f",), "auto")
    assert allowed_tools({**FLAT_CHOICE, "mode": None}) == Allowed(("f",), "auto")
    assert allowed_tools("auto") is allowed_tools({"type": "function", "function": {"name": "f"}}) is None


@pytest.mark.parametrize("wire", NATIVE)
def test_choice_of_a_part_leaves_the_others_out(wire: str) -> None:
    body = sent(wire, FLAT_CHOICE)
    assert names_sent(wire, body) == ["f"]
    choice = body.get("tool_choice", body.get("toolConfig"))
    assert "allowed" not in json.dumps(choice)
    refused = {**FLAT_CHOICE, "tools": [{"type": "function", "name": "other"}]}
    with pytest.raises(InvalidInput, match="none of the tools: other"):
        sent(wire, refused)


def test_allowed_tools_by_wire() -> None:
    chat = sent("openai_chat", FLAT_CHOICE, allowed_tools=True)
    assert names_sent("openai_chat", chat) == ["f", "g", "h"]
    assert chat["tool_choice"]["allowed_tools"] == {
        "mode": "auto",
        "tools": [{"type": "function", "function": {"name": "f"}}],
    }
    flat = sent("openai_responses", CHAT_CHOICE, allowed_tools=True)
    assert flat["tool_choice"] == {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}, {"type": "function", "name": "h"}]}  # fmt: skip
    google = sent("gemini_generate", CHAT_CHOICE)
    assert google["toolConfig"]["functionCallingConfig"] == {"mode": "ANY", "allowedFunctionNames": ["f", "h"]}
    assert sent("anthropic_messages", CHAT_CHOICE)["tool_choice"] == {"type": "any"}


def test_other_choices_stay() -> None:
    request = ChatRequest("m", (), tools=TOOLS, tool_choice="auto")
    assert narrowed(request) is request


LONG = "files." + "reader_" * 15


def plain(wire: str) -> bool:
    """Whether the protocol takes plain letters in names only, which its decoder says."""
    return bool(getattr(get_wire(wire).decoder(status=200, headers=(), stream=True), "plain_names", False))


@pytest.mark.parametrize("wire", [wire for wire in NATIVE if plain(wire)])
def test_long_names_are_shortened_and_come_back(wire: str) -> None:
    tools = (ToolSpec(LONG), ToolSpec(LONG + "x"))
    limit = 128 if wire == "anthropic_messages" else 64
    body = sent(wire, {"type": "function", "function": {"name": LONG}}, tools)
    first, second = names_sent(wire, body)
    assert len(first) <= limit
    assert len(second) <= limit
    assert first != second
    assert (original_name(first), original_name(second)) == (LONG, LONG + "x")
    assert json.dumps(body).count(f'"{first}"') == 2
    turn = Message("assistant", "", (NativeCall(0, "c", LONG, "{}"),))
    history = ChatRequest("m", (Message("user", "hi"), turn, Message("tool", "x", tool_call_id="c")), tools=tools)
    assert first in get_wire(wire).encode(history, Endpoint("p", wire, "http://h")).body.decode()


@pytest.mark.parametrize(
    ("choice", "allowed"),
    [
        ({"type": "allowed_tools", "tools": [{"name": "f"}, {"name": ""}, {}, 7, {"function": {"name": "g"}}]}, Allowed(("f", "g"), "auto")),
        ({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"name": "f"}]}}, Allowed(("f",), "required")),
        ({"type": "allowed_tools"}, Allowed((), "auto")),
        ({"type": "function"}, None),
        ("auto", None),
    ],
)  # fmt: skip
def test_which_tools_a_choice_allows(choice: Any, allowed: Allowed | None) -> None:
    assert allowed_tools(choice) == allowed


def test_a_choice_that_allows_nothing_says_what_to_do() -> None:
    asked = ChatRequest("m", (Message("user", "x"),), tools=(ToolSpec("f"),))
    for named, words in (([{"name": "g"}, {"name": "h"}], "g, h"), ([], "none")):
        choice: ToolChoice = {"type": "allowed_tools", "mode": "auto", "tools": named}
        with pytest.raises(InvalidInput) as caught:
            narrowed(replace(asked, tool_choice=choice))
        assert caught.value.message == f"The choice of tools allows none of the tools: {words}."
        assert caught.value.hint == "Name tools of the request."
