from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from tests.kit.simulated import ASK, LIST, READ, TOOLS, planner_request
from workbench.core.calls import Outcome
from workbench.core.errors import InvalidInput
from workbench.core.messages import ChatRequest, Message
from workbench.core.protocols import Format
from workbench.core.tools import ToolResult, ToolSpec
from workbench.formats import get_format
from workbench.simulate.compose import compose
from workbench.simulate.find_format import text_formats
from workbench.simulate.personas import PERSONAS

CLEAN = {"*": 0.0}
GREENHOUSE = ToolSpec(
    "water_orchids",
    "Water the orchids of a greenhouse bay",
    {
        "type": "object",
        "properties": {
            "bay": {"type": "string", "enum": ["north", "south", "east"]},
            "litres": {"type": "number", "minimum": 0.5, "maximum": 20},
            "mist": {"type": "boolean"},
            "schedule": {
                "type": "object",
                "properties": {"start_date": {"type": "string", "format": "date"}, "times": {"type": "integer"}},
                "required": ["start_date"],
                "additionalProperties": False,
            },
        },
        "required": ["bay", "litres", "schedule"],
        "additionalProperties": False,
    },
)
ARCHIVE = ToolSpec(
    "stamp_parchment",
    "Stamp a parchment with seals of an archive",
    {
        "type": "object",
        "properties": {
            "parchment_code": {"type": "string", "pattern": "^[A-Z]{2}-\\d+$"},
            "seals": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
        "required": ["parchment_code", "seals"],
    },
)
NEVER_SEEN = (GREENHOUSE, ARCHIVE)
WATER = "Water the orchids in the south bay with 7 litres, schedule from 2026-03-01."
STAMP = "Stamp parchment QX-42 with the seals 'lion' and 'rose'."
WANTED = {
    WATER: ("water_orchids", {"bay": "south", "litres": 7, "schedule": {"start_date": "2026-03-01"}}),
    STAMP: ("stamp_parchment", {"parchment_code": "QX-42", "seals": ["lion", "rose"]}),
}


def _in_text(fmt: Format, ask: str, tools: tuple[ToolSpec, ...] = TOOLS) -> ChatRequest:
    return ChatRequest("m", (Message("system", f"Be careful.\n\n{fmt.prompt(tools)}"), Message("user", ask)))


def _native(ask: str, tools: tuple[ToolSpec, ...] = TOOLS, **fields: Any) -> ChatRequest:
    return ChatRequest("m", (Message("user", ask),), tools, **fields)


@pytest.mark.parametrize("ask", [WATER, STAMP])
@pytest.mark.parametrize("fmt", text_formats(), ids=lambda fmt: fmt.id)
def test_never_seen_tools_get_schema_valid_calls_in_every_format(fmt: Format, ask: str) -> None:
    reply = compose(PERSONAS["qwen-hasty"], _in_text(fmt, ask, NEVER_SEEN), "key", CLEAN)
    (call,) = fmt.parse(reply.text, NEVER_SEEN).calls
    assert call.outcome is Outcome.STRICT
    assert (call.name, call.arguments) == WANTED[ask]
    tool = next(tool for tool in NEVER_SEEN if tool.name == call.name)
    jsonschema.validate(call.arguments, tool.parameters)


@pytest.mark.parametrize("ask", [WATER, STAMP, "Hello!", "???", "water stamp orchids seals"])
@pytest.mark.parametrize("name", [name for name, persona in PERSONAS.items() if persona.native])
def test_native_calls_of_never_seen_tools_are_schema_valid(name: str, ask: str) -> None:
    for choice in (None, "auto", "required", {"type": "function", "function": {"name": "stamp_parchment"}}):
        reply = compose(PERSONAS[name], _native(ask, NEVER_SEEN, tool_choice=choice), "key", CLEAN)
        assert len(reply.calls) >= (choice not in (None, "auto"))
        for call in reply.calls:
            tool = next(tool for tool in NEVER_SEEN if tool.name == call.name)
            jsonschema.validate(json.loads(call.arguments), tool.parameters)
        if ask in WANTED and choice in (None, "auto", "required"):
            assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [WANTED[ask]]


def test_tool_choice_none_means_words() -> None:
    reply = compose(PERSONAS["mistral-steady"], _native(ASK, tool_choice="none"), "key", CLEAN)
    assert reply.calls == ()
    assert reply.text


def test_a_persona_without_native_calls_writes_them_into_the_text() -> None:
    reply = compose(PERSONAS["qwen-hasty"], _native(ASK), "key", CLEAN)
    assert reply.calls == ()
    assert get_format("qwen_xml").parse(reply.text, TOOLS).calls[0].arguments == {
        "path": "config/app.toml",
        "lines": 40,
    }


def test_a_planner_refuses_the_tools_field() -> None:
    with pytest.raises(InvalidInput, match="tools"):
        compose(PERSONAS["plain"], _native(ASK), "key")


def test_a_planner_follows_the_wrapper() -> None:
    assert "GUIDANCE:\n1. read_file" in compose(PERSONAS["plain"], planner_request(), "key", CLEAN).text
    assert compose(PERSONAS["plain"], planner_request("Say hello."), "key", CLEAN).text.startswith("SUMMARY:")


@pytest.mark.parametrize("fmt", text_formats(), ids=lambda fmt: fmt.id)
def test_answer_quotes_tool_results(fmt: Format) -> None:
    request = _in_text(fmt, "List the files in config and then read config/app.toml.")
    given = {"list_directory": "app.toml", "read_file": "port = 8080"}
    called: list[str] = []
    for _ in range(4):
        reply = compose(PERSONAS["gemma-sloppy"], request, "key", CLEAN)
        result = fmt.parse(reply.text, TOOLS)
        if not result.calls:
            break
        called += [call.name for call in result.calls]
        back = fmt.result_messages([(call, ToolResult(success=True, result=given[call.name])) for call in result.calls])
        request = replace(request, messages=(*request.messages, Message("assistant", reply.text), *back))
    assert called == ["list_directory", "read_file"]
    assert "port = 8080" in reply.text
    assert not result.problems


def test_native_results_lead_to_an_answer() -> None:
    request = _native("List config and then read config/app.toml.")
    first = compose(PERSONAS["mistral-steady"], request, "key", CLEAN)
    assert [call.name for call in first.calls] == ["list_directory", "read_file"]
    back = [Message("tool", f"result {call.number}", tool_call_id=call.id) for call in first.calls]
    request = replace(request, messages=(*request.messages, Message("assistant", None, first.calls), *back))
    last = compose(PERSONAS["mistral-steady"], request, "key", CLEAN)
    assert last.calls == ()
    assert "result 0" in last.text
    assert "result 1" in last.text


def test_one_call_at_a_time_on_request() -> None:
    request = _native("List config and then read config/app.toml.", parallel_tool_calls=False)
    assert [call.name for call in compose(PERSONAS["mistral-steady"], request, "key", CLEAN).calls] == [
        "list_directory"
    ]


def test_a_correction_leads_to_the_call_again() -> None:
    fmt = get_format("qwen_xml")
    request = _in_text(fmt, ASK)
    told = Message("user", "Your tool call could not be executed:\n- The JSON is broken.")
    request = replace(request, messages=(*request.messages, Message("assistant", "<tool_call>{"), told))
    assert fmt.parse(compose(PERSONAS["qwen-hasty"], request, "key", CLEAN).text, TOOLS).calls[0].name == "read_file"


def test_stubborn_persona_follows_the_second_guidance() -> None:
    guided = f"{ASK}\n\nGUIDANCE:\n1. read_file path=config/app.toml"
    always = {"guidance ignored": 1.0}
    first = compose(PERSONAS["aux-stubborn"], _native(guided), "key", always)
    assert (first.calls, first.faults) == ((), ("guidance ignored",))
    again = _native(f"{guided}\n\nAn earlier attempt called no tool.")
    assert [call.name for call in compose(PERSONAS["aux-stubborn"], again, "key", always).calls] == ["read_file"]


def test_another_format_is_really_another_one() -> None:
    reply = compose(
        PERSONAS["llama-polyglot"], _in_text(get_format("qwen_xml"), ASK), "key", {"*": 0, "other format": 1}
    )
    assert reply.faults == ("other format",)
    assert "<tool_call>" not in reply.text


def test_the_same_key_gives_the_same_reply() -> None:
    request = _in_text(get_format("qwen_xml"), ASK)
    for persona in PERSONAS.values():
        replies = [compose(persona, request, f"key {number}") for number in range(20)]
        assert replies == [compose(persona, request, f"key {number}") for number in range(20)]


def test_chatter_makes_replies_long() -> None:
    short = compose(PERSONAS["mistral-steady"], _native("Say hello."), "key", CLEAN)
    long = compose(PERSONAS["mistral-flash"], _native("Say hello."), "key", CLEAN)
    assert len(long.text) > len(short.text) + 1500
    assert len(compose(PERSONAS["mistral-steady"], _native(ASK), "key", CLEAN, chatter=50).text) > 100


def test_tools_from_an_unknown_scaffold() -> None:
    text = f"Tools: {json.dumps([READ.to_openai(), LIST.to_openai()])}. Use them."
    request = ChatRequest("m", (Message("system", text), Message("user", ASK)))
    assert "read_file" in compose(PERSONAS["gemma-sloppy"], request, "key", CLEAN).text
