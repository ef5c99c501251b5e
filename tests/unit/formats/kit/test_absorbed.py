"""A parameter that another one swallowed is a problem, on every wire; a call that is only written about is not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from workbench.core.calls import Outcome, ParsedCall, ParseResult, Span
from workbench.core.messages import NativeCall
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.absorbed import absorbed_parameters
from workbench.formats.kit.toolset import ToolSet

NOTE = ToolSpec(
    "save_note",
    "",
    {
        "type": "object",
        "properties": {"content": {"type": "string"}, "metadata": {"type": "string"}, "tags": {"type": "array"}},
        "required": ["content", "metadata"],
    },
)
SWALLOWED = [
    'long text</content>\n<parameter name="metadata">{"a": 1}',
    'long text</parameter>\n<parameter name="metadata">x</parameter>',
    "long text</parameter><parameter=metadata>x",
    "long text</arg_value>\n<arg_key>metadata</arg_key><arg_value>x",
    "long text</content>\n<metadata>x</metadata>",
    'long text<|"|>,metadata:<|"|>x',
]
DATA = [
    "a <b>bold</b> word and 3 < 4",
    'Say <invoke name="save_note"><parameter name="metadata">x</parameter></invoke> to save.',
    '<param name="colour">red</param>',
    "<function=save_note><parameter=metadata>x</parameter></function>",
    "<metadata>x</metadata>",
    "<![CDATA[x]]>",
    "a</parameter>b </tool_call> c</function> <parameter=x> d",
    'a closing </parent><input name="tags">',
    '<tool_call>\n{"name": "now"}\n</tool_call>\n<tool_call>\n{"name": "now"}\n</tool_call>',
    "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_begin|>functions.now:1",
    "<|start|>assistant<|channel|>commentary<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>x",
    "The template ends with </tool_call> and <tool_call> begins one.",
]


def native(name: str, arguments: dict[str, Any]) -> ParseResult:
    call = NativeCall(0, "c1", "save_note", json.dumps(arguments))
    return get_format(name).read_native("", [call], (NOTE,))


@pytest.mark.parametrize("text", SWALLOWED)
@pytest.mark.parametrize("name", ["native_openai", "native_anthropic", "native_gemini"])
def test_native_arguments(name: str, text: str) -> None:
    result = native(name, {"content": text})
    (problem,) = result.problems
    assert (problem.code, problem.outcome, problem.name) == ("absorbed_parameter", None, "save_note")
    assert "'metadata'" in problem.message
    assert "The schema's 'metadata' is missing." in problem.message
    assert problem.span.source == "call:0"
    assert problem.span.end > problem.span.start
    assert len(result.calls) == 1


@pytest.mark.parametrize(
    ("key", "text", "what"),
    [
        ("content", "Rome</parameter>\n", "its own closing tag"),
        ("content", "Rome</｜DSML｜parameter>\u200b", "its own closing tag"),
        ("content", 'Rome</｜GCML｜parameter>\n＜｜GCML｜parameter name="metadata">x', "its own closing tag"),
        ("content", "Rome<|tool_arg:end|><||tool_arg:start|>metadata", "its own closing tag"),
        ("content", "Rome</parameter>\n<paramet{er=tags>x", "its own closing tag"),
        ("content", 'Rome</param><parm name="tags">x', "its own closing tag"),
        ("content", "Rome</arg_value<>arg_key>tags</arg_key><arg_value>x", "its own closing tag"),
        ("content", "<arg_value>Rome", "its own tag"),
        ("content", 'Rome</parameterrameter name="tags">x', "the tag of another argument"),
        ("content", "Rome\n</paramrameter=tags>\nx", "the tag of another argument"),
        ("content", 'Rome</parameter>< aram name="tags">x', "its own closing tag"),
        (
            "content",
            'Rome</parameter>\n</invoke>\n<invok e name="now">\n<parameter name="zone">CET',
            "its own closing tag",
        ),
        ("content", "<!![CDATA[Rome]]>", "a part of its own CDATA"),
        ("content", "Rome<|close|><|im_end|>argument<|sep|>", "its own closing tag"),
        ("content", "a</content>\n</f>\n<g>\n<content>b", "the argument of another call"),
        ("<arg__key>base", "1", "a part of its own tag"),
        ("base|/arg_key>", "1", "a part of its own tag"),
    ],
)
def test_what_is_left_of_the_tags_around_a_value_is_told(key: str, text: str, what: str) -> None:
    (problem, *_) = native("native_openai", {key: text, "metadata": "m"}).problems
    assert problem.code == "absorbed_parameter"
    assert problem.message.endswith(f"swallowed {what}.")


@pytest.mark.parametrize(
    "text",
    [
        'x</parameter>\n</invoke >\n<invoke name="now">',
        "x</parameter></function><function=now>",
        "x</PARAMETER></Function><function=now>",
        "a <b>bold</b> line\n" * 500 + "</Arg_Value></function><invoke name='now'>",
        'x</｜DSML｜parameter>\n</｜DSML,｜invoke>\n<｜DSML｜invoke name="now">',
        'x"}}\n</tool_call>\n<tool_call>\n{"name": "now", "arguments": {}}',
        "x<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}",
        "x<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}",
        "x<|call|><|start|>assistant<|channel|>commentary to=functions.now<|message|>{}",
        'x<|"|>}<tool_call|><|tool_call>call:now{}',
        'x<|cllose|>argument<|sep|><|close|>call<|sep|><|open|>call tool="now" index="3"<|sep|>',
    ],
)
def test_a_swallowed_call_is_told(text: str) -> None:
    (problem,) = native("native_openai", {"content": text, "metadata": "m", "tags": []}).problems
    assert problem.code == "absorbed_parameter"
    assert "the call that follows" in problem.message


@pytest.mark.parametrize("text", DATA)
def test_markup_inside_values_is_data(text: str) -> None:
    assert not native("native_openai", {"content": text, "metadata": "m"}).problems
    assert not [one for one in native("native_openai", {"content": text}).problems if "invoke" in text]


def test_present_parameter_is_not_swallowed() -> None:
    assert not native("native_openai", {"content": SWALLOWED[0], "metadata": "x"}).problems


def test_arguments_in_text() -> None:
    body = json.dumps({"name": "save_note", "arguments": {"content": SWALLOWED[0]}})
    result = get_format("qwen_xml").parse(f"<tool_call>{body}</tool_call>", (NOTE,))
    assert [problem.code for problem in result.problems] == ["absorbed_parameter"]
    many = "\n".join([f"<tool_call>{body}</tool_call>"] * 3)
    assert len(get_format("qwen_xml").parse(many, (NOTE,)).problems) == 3


def test_nested_values_and_undeclared_tools() -> None:
    result = native(
        "native_openai", {"content": "x", "metadata": "m", "tags": [{"a": "t</parameter><parameter=extra>x"}]}
    )
    assert not result.problems
    call = NativeCall(0, "c1", "any", json.dumps({"deep": {"a": 't</deep>\n<parameter name="next">x'}}))
    found = get_format("native_openai").read_native("", [call], None)
    assert [problem.code for problem in found.problems] == ["absorbed_parameter"]
    assert "'deep.a'" in found.problems[0].message


def test_many_closing_tags_are_looked_through_once() -> None:
    def read(size: int) -> None:
        text = "x</content><b>" * size
        native("native_openai", {"content": text})

    assert growth(read, 4_000) < 8


@pytest.mark.parametrize("left", ["parameter|", "arg_key|", "<|arg_start", "<|open argument", "[ARGUMENT]"])
def test_a_closing_tag_before_what_is_left_of_another_tag_is_told(left: str) -> None:
    problems = native("native_openai", {"content": f"long text</parameter>\n{left}"}).problems
    assert ["own closing tag" in problem.message for problem in problems] == [True]


@pytest.mark.parametrize("left", ["<b>", "and so on", "of all the arguments", "- item"])
def test_a_closing_tag_before_words_is_data(left: str) -> None:
    assert not native("native_openai", {"content": f"long text</parameter>\n{left}"}).problems


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("qwen3_coder_xml", "<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n\nx = 1\n</parameter>\n</function>\n</tool_call>"),
        ("minimax_m2", '<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a</parameter>\nx = 1</parameter>\n</invoke>\n</minimax:tool_call>'),
        ("glm45", "<tool_call>write_file<arg_key>path</arg_key>\nx = 1<arg_value>a</arg_value></tool_call>"),
    ],
)  # fmt: skip
def test_a_tag_in_a_value_is_told_where_a_required_argument_is_missing(form: str, raw: str) -> None:
    result = get_format(form).parse(raw, [*TOOLS.values()])
    assert [problem.code for problem in result.problems] == ["absorbed_parameter"]
    assert [[*call.arguments] for call in result.calls] == [["path"]]


DAMAGED = [
    ("glm45", "<tool_call>save_note<arg_key>content</arg_key>lue>Rome</arg_value></tool_call>", True),
    ("glm45", "<tool_call>save_note<arg_key>content</arg_key>><arg_value>Rome</arg_value></tool_call>", True),
    ("glm45", "<tool_call>save_note<arg_key>content</arg_key><arg_value>Rome</a</tool_call>", True),
    ("gemma4", '<|tool_call>call:save_note{content:|"|>Rome<|"|>}<tool_call|>', True),
    ("gemma4", '<|tool_call>call:save_note{content:<|"|>Rome<|"|>,days2}<tool_call|>', True),
    ("seed_oss", "<seed:tool_call><function=save_note><parameter=content>Rome\n<ter>\n</function></seed:tool_call>", True),
    ("seed_oss", "<seed:tool_call><function=save_note><parameter=content>a <b>b</b>\n</function></seed:tool_call>", False),
    ("seed_oss", "<seed:tool_call><function=save_note><parameter=content>a<br>\n</function></seed:tool_call>", False),
    ("seed_oss", "<seed:tool_call><function=save_note><parameter=content>Rome\n<ter>\n</parameter></function></seed:tool_call>", False),
]  # fmt: skip


@pytest.mark.parametrize(("form", "raw", "torn"), DAMAGED)
def test_what_is_left_of_a_damaged_tag_at_a_values_edge_is_told(form: str, raw: str, torn: bool) -> None:
    tool = ToolSpec("save_note", "", {"type": "object", "properties": {"content": {"type": "string"}}})
    found = get_format(form).parse(raw, [tool], "stop")
    assert len(found.calls) == 1
    assert [problem.code for problem in found.problems] == ["absorbed_parameter"] * torn


def test_an_argument_of_the_call_behind_a_damaged_tag_is_told() -> None:
    raw = (
        "<tool_call>save_note\n<arg_key>content</arg_key>\n<arg_value>Rome</arg_value>\n</tool_caol_call>now\n"
        "<arg_key>zone</arg_key>\n<arg_value>CET</arg_value>\n</tool_call>"
    )
    now = ToolSpec("now", "", {"type": "object", "properties": {"zone": {"type": "string"}}})
    (problem,) = get_format("glm45").parse(raw, [NOTE, now], "stop").problems
    assert problem.message.endswith("swallowed the argument of another call.")


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("qwen3_coder_xml", "<tool_call>\n<function=save_note>\n<§=content>\nx\n</§>\n\n[1, 2]\n</§>\n</function>\n</tool_call>"),
        ("glm47", "<tool_call>save_note<arg_key>content</arg_key><arg_value>x</arg<arg_key>metadata</arg_key><arg_value>y</arg_value></tool_call>"),
        ("qwen3_coder_xml", "<tool_call>\n<function=save_note>\n<§=content>\nx\n</par\n<§=metadata>\ny\n</§>\n</function>\n</tool_call>"),
    ],
)  # fmt: skip
def test_a_further_value_or_half_a_tag_in_a_value_is_told(form: str, raw: str) -> None:
    spec = replace(NOTE, parameters={**NOTE.parameters, "required": ["content"]})
    (problem,) = get_format(form).parse(raw.replace("§", "parameter"), (spec,)).problems
    assert (problem.code, "'content'" in problem.message) == ("absorbed_parameter", True)


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("glm47", "<tool_call>save_note<arg_key>content</arg_key>arg_value>x</arg_value><arg_key>metadata</arg_key><arg_value>y</arg_value></tool_call>"),
        ("glm47", "<tool_call>save_note<arg_key>content</arg_key><arg_x</arg_value><arg_key>metadata</arg_key><arg_value>y</arg_value></tool_call>"),
        ("glm47", "<tool_call>save_note<arg_key>content</arg_key><arg_value>x</arg_<arg_key>metadata</arg_key><arg_value>y</arg_value></tool_call>"),
        ("qwen3_coder_xml", "<tool_call>\n<function=save_note>\n<§=content>\nx\n</para\n<§=metadata>\ny\n</§>\n</function>\n</tool_call>"),
    ],
)  # fmt: skip
def test_half_a_tag_or_more_is_taken_off_and_not_told(form: str, raw: str) -> None:
    found = get_format(form).parse(raw.replace("§", "parameter"), (NOTE,))
    assert [(call.arguments["content"], call.arguments["metadata"]) for call in found.calls] == [("x", "y")]
    assert ("near_miss_tag" in found.calls[0].repairs, found.problems) == (True, ())


def test_words_behind_a_closing_tag_in_a_value_are_data() -> None:
    raw = "<tool_call><function=save_note>\n<§=content>\nThe </§> ends it.\n</§>\n<§=metadata>\ny\n</§>\n</function></tool_call>"
    assert get_format("qwen3_coder_xml").parse(raw.replace("§", "parameter"), (NOTE,)).problems == ()


def swallowed(arguments: dict[str, Any], repairs: str) -> list[str]:
    """What is said of a call of a note with these arguments and repairs."""
    spans = Span(0, 50), Span(5, 9), Span(10, 40)
    call = ParsedCall("save_note", arguments, "", Outcome.RECOVERED, tuple(repairs.split()), *spans, "")
    found = list(absorbed_parameters([call], ToolSet((NOTE, TOOLS["now"]))))
    assert all((one.code, one.name, one.outcome, one.hint) == ("absorbed_parameter", "save_note", None, "The value goes on too far.") for one in found)  # fmt: skip
    assert all(one.span == spans[2] for one in found)
    return [one.message.removeprefix("The argument ") for one in found]


@pytest.mark.parametrize(
    ("arguments", "repairs", "found"),
    [
        ({"content": "x</parameter>"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> "}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> y"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": 'x</parameter>\n<parameter name="metadata">'}, "", ["'content' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": 'x</parameter> <<<parameter name="metadata">'}, "", ["'content' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": 'x</parameter> = <parameter name="metadata">'}, "", ["'content' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": 'x</parameter> y <parameter name="metadata">'}, "", ["'content' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": "x</parameter><metadata=1>"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> metadata: y"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> [1]"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> {}"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> 5"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> tru"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</content>"}, "", []),
        ({"content": "x</content><metadata>y"}, "", ["'content' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": "<content>x</content><metadata>y"}, "", ["'content' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": "x</content> <content>y"}, "", ["'content' of 'save_note' swallowed the argument of another call."]),
        ({"content": "<content>x</content> <content>y"}, "", []),
        ({"content": "x]]>"}, "", []),
        ({"content": "<![CDATA[x"}, "", ["'content' of 'save_note' swallowed a part of its own CDATA."]),
        ({"content": "<![CDATA[x]]>"}, "", []),
        ({"content": "x CDATA ]]>"}, "", []),
        ({"content": "x</parameter=metadata>"}, "", ["'content' of 'save_note' swallowed the tag of another argument."]),
        ({"content": "x</param=other>"}, "", []),
        ({"content": "x</arg_value>"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</arg_value><arg_key>tags</arg_key>"}, "", ["'content' of 'save_note' swallowed the markup of 'tags'. The schema's 'metadata' is missing."]),
        ({"content": "x<arg_key>tags"}, "", ["'content' of 'save_note' swallowed the markup of 'tags'. The schema's 'metadata' is missing."]),
        ({"content": "x</arg_key><arg_value>y"}, "", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": "tags</arg_key><arg_value>y"}, "", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": "<arg_key>tags</arg_key><arg_value>y"}, "", ["'content' of 'save_note' swallowed the markup of 'tags'. The schema's 'metadata' is missing."]),
        ({"content": 'x</parameter></invoke><invoke name="now">'}, "", ["'content' of 'save_note' swallowed the call that follows it."]),
        ({"content": "x</parameter></invoke> and"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": 'a <invoke name="now"> x</parameter></invoke><invoke name="now">'}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter"}, "", []),
        ({"content": "x</para"}, "", []),
        ({"content": "x</"}, "", []),
        ({"content": "x <b>y</b>"}, "", []),
        ({"content": "x <br>"}, "", []),
        ({"content": "<arg_value>x"}, "", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": "<arg_value>x</arg_value>"}, "", []),
        ({"content": "x<|tool_arg:end|>"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "tags<|tool_arg:value|>y"}, "", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": "city<|tool_arg:value|>y"}, "", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": 'x<|"|>,tags:y'}, "", ["'content' of 'save_note' swallowed the markup of 'tags'. The schema's 'metadata' is missing."]),
        ({"content": 'x<|"|>'}, "", []),
        ({"content": '|">x'}, "", []),
        ({"content": "param>x"}, "", []),
        ({"content": "ameter>x"}, "", []),
        ({"content": "<parameter>x"}, "", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": "x >= 3"}, "", []),
        ({"content": "plain"}, "", []),
        ({"content": "x</parameter>"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter><metadata=1>"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</content>"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": 'x</parameter></invoke><invoke name="now">'}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed the call that follows it."]),
        ({"content": "x</parameter></invoke> and"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": 'a <invoke name="now"> x</parameter></invoke><invoke name="now">'}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": "x</para"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": "x</"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": "x <b>y</b>"}, "missing_close_tag open_value", []),
        ({"content": "x <br>"}, "missing_close_tag open_value", []),
        ({"content": "<arg_value>x"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": "<arg_value>x</arg_value>"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": "x<|tool_arg:end|>"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": 'x<|"|>'}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": '|">x'}, "missing_close_tag open_value", []),
        ({"content": "param>x"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": "ameter>x"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed what is left of its own tag."]),
        ({"content": "<parameter>x"}, "missing_close_tag open_value", ["'content' of 'save_note' swallowed its own tag."]),
        ({"content": "x >= 3"}, "missing_close_tag open_value", []),
        ({"content": 'x"\n now(zone=1)'}, "unescaped_quote", ["'content' of 'save_note' swallowed the call that follows it."]),
        ({"content": 'x"\n later(zone=1)'}, "unescaped_quote", []),
        ({"content": 'x"\n now(zone=1)'}, "", []),
        ({"content<": "x"}, "missing_open_tag", ["'content<' of 'save_note' swallowed a part of its own tag."]),
        ({"content</parameter": "x"}, "", ["'content</parameter' of 'save_note' swallowed a part of its own tag."]),
        ({"zone": "x"}, "open_value", ["'zone' of 'save_note' swallowed the argument of another call."]),
        ({"zone": "x"}, "missing_open_tag", []),
        ({"content": ['a</parameter>\n<parameter name="metadata">']}, "", ["'content' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": {"a": 'x</parameter>\n<parameter name="metadata">'}}, "", ["'content.a' of 'save_note' swallowed the markup of 'metadata'. The schema's 'metadata' is missing."]),
        ({"content": "x</parameter>", "metadata": "y"}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": "x</parameter> y", "metadata": "y", "tags": []}, "", []),
        ({"content": 'x</parameter>\n<parameter name="metadata">', "metadata": "y", "tags": []}, "", ["'content' of 'save_note' swallowed its own closing tag."]),
        ({"content": 5}, "", []),
        ({}, "", []),
    ],
)  # fmt: skip
def test_texts_that_hold_the_tags_around_them(arguments: dict[str, Any], repairs: str, found: Any) -> None:
    assert repr(swallowed(arguments, repairs)) == repr(found)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("Rome</city>\n<parameter=days>3</parameter>\n<function=now>", "the markup of 'days'"),
        ('Rome</parameter>\n<parameter name="days">3</parameter></invoke><invoke name="now">', "the markup of 'days'"),
        ("<function=now><parameter=days>3", ""),
    ],
)  # fmt: skip
def test_a_parameter_before_a_call_in_a_text_is_told(value: str, told: str) -> None:
    here = Span(0, 9)
    call = ParsedCall("get_weather", {"city": value}, "", Outcome.STRICT, (), here, here, here, "x")
    messages = [problem.message for problem in absorbed_parameters([call], ToolSet(tuple(TOOLS.values())))]
    assert messages == ([f"The argument 'city' of 'get_weather' swallowed {told}."] if told else [])


@pytest.mark.parametrize(("blanks", "told"), [(0, True), (193, True), (194, False)])
def test_undeclared_tool_with_a_closing_tag_near_its_parameter_is_meant(blanks: int, told: bool) -> None:
    here = Span(0, 9)
    value = f"Rome</city>{' ' * blanks}<parameter=days>3"
    call = ParsedCall("get_weather", {"city": value}, "", Outcome.STRICT, (), here, here, here, "x")
    messages = [
        problem.message for problem in absorbed_parameters([call], ToolSet(None)) if "markup" in problem.message
    ]
    assert bool(messages) is told
