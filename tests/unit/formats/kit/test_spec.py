"""What every format offers by its value alone."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.messages import Message, NativeCall
from workbench.core.tools import ToolResult
from workbench.formats import get_format, list_formats
from workbench.formats.families.json_lists import Granite
from workbench.formats.kit.prompt import choice_sentence, sample_call
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.spec import FormatSpec, compact, result_json
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


CALL = (
    get_format("qwen_xml")
    .parse('<tool_call>{"name": "now", "arguments": {"zone": "Zürich"}}</tool_call>', SPECS)
    .calls[0]
)
WRITTEN = '<tool_call>\n{"name": "now", "arguments": {"zone": "Zürich"}}\n</tool_call>'


def test_texts_are_written_without_escapes() -> None:
    assert compact({"a": "ü", "b": 1}) == '{"a": "ü", "b": 1}'
    assert result_json(ToolResult(True, "ü")) == '{"success": true, "result": "ü", "error": null}'
    assert result_json(ToolResult(True, {1, 2})).startswith('{"success": true, "result": "{1, 2}"')


def test_a_turn_stands_above_its_calls() -> None:
    spec = get_format("qwen_xml")
    assert spec.render_call(CALL) == WRITTEN
    for text in ("", " \n"):
        assert spec.render_turn(text, [CALL]) == Message("assistant", WRITTEN)
    assert spec.render_turn(" I look.\n\n", [CALL]) == Message("assistant", f" I look.\n{WRITTEN}")
    assert spec.render_turn("Bye. ", []) == Message("assistant", "Bye. ")
    assert spec.render_turn("", [CALL, CALL]).text == f"{WRITTEN}\n{WRITTEN}"
    assert get_format("mistral_json").render_turn("", [CALL, CALL]).text.count("[TOOL_CALLS]") == 1
    assert get_format("react").render_turn(" ", [CALL]).text == 'Action: now\nAction Input: {"zone": "Zürich"}'


def test_results_stand_one_below_the_other() -> None:
    spec = get_format("json_scaffold")
    one, other = (
        spec.render_result(CALL, ToolResult(True, 1)),
        spec.render_result(CALL, {"success": False, "error": "x"}),
    )
    assert one != other
    assert spec.render_result(CALL, 1) == one
    given = [(CALL, ToolResult(True, 1)), (CALL, ToolResult(False, None, "x"))]
    assert spec.result_messages(given) == (Message("user", f"{one}\n{other}"),)
    assert spec.result_messages([]) == ()


def test_a_prompt_is_made_where_there_are_tools_to_call() -> None:
    spec = get_format("json_scaffold")
    assert (spec.prompt(()), spec.prompt(SPECS, "none"), get_format("native_openai").prompt(SPECS)) == ("", "", "")
    plain = spec.prompt(SPECS)
    assert plain == spec.prompt(SPECS, "auto") == plain.rstrip()
    assert spec.prompt(SPECS, "required") == f"{plain}\n\n{choice_sentence('required')}"
    assert spec.prompt([tool.to_openai() for tool in SPECS]) == plain


def test_a_prompt_without_words_of_its_own_shows_a_call() -> None:
    for form in ("granite", "apertus", "kimi_k2", "llama3_json"):
        spec = get_format(form)
        assert isinstance(spec, FormatSpec)
        if spec.teach is None:
            sample = sample_call(SPECS[0])
            assert spec.render_turn("", [sample]).text in spec.prompt(SPECS)
            assert ("Make only one call per reply." in spec.prompt(SPECS)) is spec.grammar.single


def test_native_calls_are_judged_and_text_without_them_is_read() -> None:
    native = (NativeCall(0, "a", "now", '{"zone": "CET"'),)
    spec, text = get_format("qwen_xml"), f"Hm. {WRITTEN}"
    assert spec.read_native(text, (), SPECS) == spec.parse(text, SPECS)
    cut = text[:-14]
    assert (
        spec.read_native(cut, (), SPECS, "length") == spec.parse(cut, SPECS, "length") != spec.parse(cut, SPECS, "stop")
    )
    found = spec.read_native("Hm.", native, SPECS, "stop")
    assert [(call.arguments, call.format) for call in found.calls] == [({"zone": "CET"}, "qwen_xml")]
    assert [problem.code for problem in spec.read_native("", native, SPECS, "length").problems] == ["truncated"]
    assert get_format("native_openai").read_native(WRITTEN, (), SPECS).calls == ()


def test_places_of_arguments_and_roles_of_a_format() -> None:
    spec = get_format("qwen_xml")
    raw = f"<think>a</think>{WRITTEN}"
    found = spec.parse(raw, SPECS)
    (field,) = spec.argument_spans(raw, found.calls[0])
    assert (field.path, raw[field.span.start : field.span.end]) == (("zone",), '"Zürich"')
    roles = [(region.role, raw[region.span.start : region.span.end]) for region in spec.regions(raw, found)]
    assert roles[:3] == [("marker", "<think>"), ("reasoning", "a"), ("marker", "</think>")]
    listed = '<tool_calls>[{"name": "now", "arguments": {}}]</tool_calls>'
    other = get_format("tool_calls_json")
    marks = [region for region in other.regions(listed, other.parse(listed, SPECS)) if region.role == "marker"]
    assert [listed[one.span.start : one.span.end] for one in marks] == ["<tool_calls>", "</tool_calls>"]


def test_reasoning_that_is_open_and_calls_in_it() -> None:
    spec, raw = get_format("qwen_xml"), f"Hm. {WRITTEN}</think>Bye."

    def read(**how: bool) -> tuple[str, str, int]:
        parser = spec.parser(SPECS, **how)
        parser.feed(raw)
        parser.finish("stop")
        found = parser.result()
        return found.reasoning, found.text, len(found.calls)

    assert read(think_open=True) == (f"Hm. {WRITTEN}", "Bye.", 0)
    assert read(think_open=True, calls_in_reasoning=True)[1:] == ("Bye.", 1)


def test_a_whole_reply_is_quiet_and_closed_unless_it_was_cut() -> None:
    seen: list[tuple[bool, bool]] = []

    class Looked(Granite):
        def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Any:
            seen.append((scan.whole, scan.watch == ""))
            return super().read(scan, match, kind)

    spec = replace(get_format("granite"), grammar=Looked())  # type: ignore[type-var]
    for reason in (None, "stop", "length"):
        spec.parse('<tool_call>{"name": "now", "arguments": {}}', SPECS, reason)
    assert [whole for whole, _ in seen] == [True, True, False]
