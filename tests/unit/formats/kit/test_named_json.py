"""A marked name, then JSON."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome
from workbench.core.tools import ToolSpec
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())


@pytest.mark.parametrize(
    ("body", "arguments", "repairs"),
    [
        ('{"city": "Rome"}', {"city": "Rome"}, ()),
        ("{'city': 'Rome'}", {"city": "Rome"}, ("single_quotes",)),
        ('"{\\"city\\": \\"Rome\\"}"', {"city": "Rome"}, ("double_encoded",)),
        ('{"city": "Rome"', {"city": "Rome"}, ("missing_brace",)),
        ('{"city": "Rome"}}', {"city": "Rome"}, ("extra_brace",)),
    ],
)
def test_arguments(body: str, arguments: object, repairs: tuple[str, ...]) -> None:
    raw = f"<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{body}<|call|>"
    (call,) = get_format("harmony").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == (arguments, repairs)
    assert call.span.end == len(raw)
    assert call.outcome is (Outcome.RECOVERED if repairs else Outcome.STRICT)


def test_nothing_follows() -> None:
    raw = "<|channel|>commentary to=functions.get_weather<|message|>"
    assert [problem.code for problem in get_format("harmony").parse(raw, SPECS).problems] == ["truncated"]


CODE = ToolSpec("run", "", {"type": "object", "properties": {"code": {"type": "string"}}})


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("harmony", "<|channel|>commentary to=functions.run code<|message|>print(1)<|call|>"),
        ("kimi_k2", "<|tool_call_begin|>functions.run:0<|tool_call_argument_begin|>print(1)<|tool_call_end|>"),
        ("solar_open", "<|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>run<|tool_call:args|>print(1)<|tool_call:end|>"),
        ("deepseek_v3", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>run\n```json\nprint(1)\n```<｜tool▁call▁end｜>"),
        ("deepseek_v31", "<｜tool▁call▁begin｜>run<｜tool▁sep｜>print(1)<｜tool▁call▁end｜>"),
        ("dspy", "[[ ## next_tool_name ## ]]\nrun\n\n[[ ## next_tool_args ## ]]\nprint(1)\n\n[[ ## completed ## ]]"),
    ],
)
def test_plain_words_become_the_only_string(form: str, raw: str) -> None:
    (call,) = get_format(form).parse(raw, (CODE,)).calls
    assert call.arguments == {"code": "print(1)"}
    assert "schema_coerced" in call.repairs
    result = get_format(form).parse(raw.replace("run", "get_weather"), SPECS)
    assert ([*result.calls], [problem.code for problem in result.problems]) == ([], ["args_not_object"])


def test_names_before_open_braces_are_walked_to_no_end_so_often_only() -> None:
    specs = tuple(TOOLS.values())
    spec = get_format("qwen3_coder_xml")
    assert growth(lambda times: spec.parse("get_weather\n{" * times, specs), 2000) < 9


@pytest.mark.parametrize(
    ("key", "body", "meant"),
    [
        ("city", "Rome", True), ("city", "New York City", True), ("city", "Rome\nOslo", False), ("city", "I will look that up.", False),
        ("city", "<tool_call>", False), ("code", "x = 1\nprint(x)", True), ("code", "I will look that up.", True), ("code", "<|python|>", False),
    ],
)  # fmt: skip
def test_plain_words_are_a_value_and_no_speech_or_markup(key: str, body: str, *, meant: bool) -> None:
    tool = ToolSpec("run", "", {"type": "object", "properties": {key: {"type": "string"}}})
    raw = f"<|channel|>commentary to=functions.run code<|message|>{body}<|call|>"
    found = get_format("harmony").parse(raw, (tool,))
    assert [call.arguments for call in found.calls] == [{key: body}] * meant
    assert [problem.code for problem in found.problems] == ["args_not_object"] * (not meant)


def test_plain_words_fit_no_tool_of_several_parameters_and_no_number() -> None:
    raw = "<|channel|>commentary to=functions.run code<|message|>5<|call|>"
    number, text = {"type": "integer"}, {"type": "string"}
    for properties in ({"a": text, "b": text}, {"a": number}, {}):
        found = get_format("harmony").parse(raw, (ToolSpec("run", "", {"type": "object", "properties": properties}),))
        assert (found.calls, [problem.code for problem in found.problems]) == ((), ["args_not_object"])


def test_plain_words_that_are_cut_off_are_no_call() -> None:
    raw = "<|channel|>commentary to=functions.run code<|message|>print(1"
    found = get_format("harmony").parse(raw, (CODE,), "length")
    assert [(problem.code, problem.name) for problem in found.problems] == [("truncated", "run")]
    assert get_format("harmony").parse(raw, (CODE,)).calls[0].arguments == {"code": "print(1"}
    whole = f"{raw})<|call|>"
    assert get_format("harmony").parse(whole, (CODE,), "length").calls[0].arguments == {"code": "print(1)"}


def test_a_call_whose_end_is_lost_is_no_strict_one() -> None:
    raw = '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome"}<|tool_calls_section_end|>'
    (call,) = get_format("kimi_k2").parse(raw, SPECS).calls
    assert (call.outcome, call.repairs) == (Outcome.RECOVERED, ("missing_close_tag",))


@pytest.mark.parametrize(
    "raw",
    [
        '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}{{"zone": "CET"}}<|call|>',
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}{{"zone": "CET"}}<|tool_call_end|><|tool_calls_section_end|>',
        '[TOOL_CALLS]now[ARGS]{}{{"zone": "CET"}}',
        'Action: now\nAction Input:{}{{"zone": "CET"}}',
        '✿FUNCTION✿: now\n✿ARGS✿:{}{{"zone": "CET"}}',
        '<tool: now>\n{}{{"zone": "CET"}}\n</tool>',
    ],
)
@pytest.mark.parametrize("sign", [":", "\\", ">", "|>", "= ", "\\n"])
def test_signs_before_the_object_are_no_part_of_it(raw: str, sign: str) -> None:
    form = next(name for mark, name in BEGUN.items() if raw.startswith(mark))
    (call,) = get_format(form).parse(raw.format(sign), SPECS).calls
    assert (call.arguments, call.repairs) == ({"zone": "CET"}, ("double_encoded" if "n" in sign else "near_miss_tag",))


BEGUN = {
    "<|channel|>": "harmony", "<|tool_calls": "kimi_k2", "[TOOL": "mistral_args", "Action": "react", "✿": "qwen_agent", "<tool: ": "cwm",
}  # fmt: skip


@pytest.mark.parametrize("body", ["}", '}"zone": "CET"}', '"zone": "CET"}', ",}", "call_end|>"])
def test_what_is_left_of_an_object_is_no_text_argument(body: str) -> None:
    for mark, form in BEGUN.items():
        raw = {
            "<|channel|>": f"<|channel|>commentary to=functions.now <|message|>{body}<|call|>",
            "<|tool_calls": f"<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{body}<|tool_call_end|>",
            "[TOOL": f"[TOOL_CALLS]now[ARGS]{body}", "Action": f"Action: now\nAction Input: {body}",
            "✿": f"✿FUNCTION✿: now\n✿ARGS✿: {body}", "<tool: ": f"<tool: now>\n{body}\n</tool>",
        }[mark]  # fmt: skip
        result = get_format(form).parse(raw, SPECS)
        read = [call.arguments for call in result.calls if call.arguments]
        assert not read or (form, read) == ("react", [{"zone": "CET"}])  # it can do without the brace
        assert result.problems or read


def test_signs_at_the_end_of_a_reply_in_pieces() -> None:
    parser = get_format("qwen_agent").parser(SPECS)
    for char in "✿FUNCTION✿: now\n✿ARGS✿>{":
        parser.feed(char)
    parser.finish("length")
    assert [problem.code for problem in parser.result().problems] == ["truncated"]


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("solar_open", "<|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>now<|tool_call:args|>BODY<|tool_call:end|>"),
        ("deepseek_v3", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\nBODY\n```<｜tool▁call▁end｜>"),
        ("deepseek_v31", "<｜tool▁call▁begin｜>now<｜tool▁sep｜>BODY<｜tool▁call▁end｜>"),
        ("dspy", "[[ ## next_tool_name ## ]]\nnow\n\n[[ ## next_tool_args ## ]]\nBODY\n\n[[ ## completed ## ]]"),
        ("kimi_k2", "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>BODY<|tool_call_end|>"),
    ],
)
def test_a_call_is_not_given_without_what_stands_for_its_arguments(form: str, raw: str) -> None:
    read = get_format(form).parse(raw.replace("BODY", "I will look that up for you now."), SPECS)
    assert not read.calls
    assert [problem.code for problem in read.problems] == ["args_not_object"]
    assert not read.text


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("kimi_k2", "stop", Drawn('⟦<|tool_calls_section_begin|><|tool_call_begin|>functions.‹get_weather›:0<|too_lcall_argument_begin|>«{"city": "Rome"}»<|tool_call_end|><|tool_calls_section_end|>⟧', [("get_weather", {"city": "Rome"}, "name_prefix missing_open_tag")])),
        ("deepseek_v31", "length", Drawn("⟨<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
    ],
)  # fmt: skip
def test_places_of_a_named_call_whose_marker_is_bent_or_whose_object_lacks(
    form: str, reason: str, whole: Drawn
) -> None:
    assert drawn(form, whole.text, reason) == whole
