"""What every format offers by its value alone."""

from __future__ import annotations

import random

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.tools import ToolResult
from workbench.formats import get_format, list_formats
from workbench.formats.families.json_lists import Granite
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.toolset import prepared

SPECS = tuple(TOOLS.values())


def test_turns() -> None:
    spec = get_format("qwen_xml")
    call = spec.parse('<tool_call>{"name": "now", "arguments": {}}</tool_call>', SPECS).calls[0]
    assert spec.render_turn("Hi", []).text == "Hi"
    turn = spec.render_turn("I look.", [call, call])
    assert turn.role == "assistant"
    assert turn.text.startswith("I look.\n<tool_call>")
    assert turn.text.count("<tool_call>") == 2
    (message,) = spec.result_messages([(call, ToolResult(False, None, "no clock"))])
    assert message.role == "user"
    assert "no clock" in message.text


def test_react_turn_is_a_thought() -> None:
    spec = get_format("react")
    call = spec.parse("Action: now\nAction Input: {}", SPECS).calls[0]
    for text in ("I look.", " I look.\n\n"):
        assert spec.render_turn(text, [call]).text == "Thought: I look.\nAction: now\nAction Input: {}"


def test_native_turns_carry_structured_calls() -> None:
    spec = get_format("native_openai")
    call = get_format("react").parse("Action: now\nAction Input: {}", SPECS).calls[0]
    turn = spec.render_turn("", [call])
    assert turn.tool_calls[0].name == "now"
    (message,) = spec.result_messages([(call, ToolResult(True, 1))])
    assert (message.role, message.tool_call_id) == ("tool", call.id)


def test_exact_prompt_texts() -> None:
    react = get_format("react").prompt(SPECS)
    assert "Then STOP. The system will execute the tool and provide an Observation." in react
    assert "4. Tool names must be exactly: get_weather, now, write_file" in react
    scaffold = get_format("json_scaffold").prompt(SPECS)
    assert "- `get_weather`: Current weather in a city." in scaffold
    assert '{ "tool": "<name>", "arguments": { ... } }\nand nothing else on that turn.' in scaffold
    assert '<tool_call>{"name": "tool_name", "arguments": {"param": "value"}}</tool_call>' in get_format(
        "qwen_xml"
    ).prompt(SPECS)
    straico = get_format("function_calls_json").prompt(SPECS)
    assert '{"function_calls": [{"name": "func_name", "arguments": {...}}]}' in straico


def test_stop_sequences() -> None:
    assert get_format("react").stop_sequences == ("\nObservation:", "\nObservation")
    assert get_format("native_openai").stop_sequences == ()


@pytest.mark.parametrize("reason", [None, "stop", "length"])
def test_a_whole_reply_is_read_as_one_that_arrives(reason: str | None) -> None:
    dice = random.Random(7)
    specs = [spec for spec in list_formats() if not spec.native]
    for case in dice.sample(cases(), 60):
        for spec in (get_format(case.format), *dice.sample(specs, 3)):
            parser = spec.parser(SPECS)
            parser.feed(case.raw)
            parser.finish(reason)
            assert spec.parse(case.raw, SPECS, reason) == parser.result(), (spec.id, case.raw)


def test_a_whole_reply_takes_no_look_at_what_may_grow() -> None:
    grammar = Granite()
    scan = Scanner(grammar, prepared(SPECS))
    scan.whole = True
    scan.feed('Let me see.\n<tool_call>{"name": "now", "arguments": {}}\nIt is late <tool_c')
    scan.finish()
    assert [call.name for call in scan.result().calls] == ["now"]
    assert "_hold" not in vars(grammar.openers)
    assert "_search" not in vars(grammar.nested), "made when it is first asked for"
