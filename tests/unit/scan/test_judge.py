from __future__ import annotations

from typing import Any

import pytest

from tests.kit.scanning import LEAK, WEATHER, judged
from workbench.core.tools import ToolSpec
from workbench.scan.reply import Channel, FoundReply, Refused, SeenCall

WRITE = ToolSpec(
    "write_file", "", {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}, "required": ["path", "content"]},
)  # fmt: skip
TOOLS = (WEATHER, WRITE)


def kinds(**fields: Any) -> list[str]:
    return [finding.kind for finding in judged([FoundReply("1", **{"tools": TOOLS, **fields})])]


def call(name: str, arguments: Any, **more: Any) -> list[SeenCall]:
    return [SeenCall(name, arguments, "c", **more)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text": f"I look.\n{LEAK}"}, ["tool_markup_in_content"]),
        ({"text": LEAK[:40], "finish": "length"}, ["tool_markup_in_content"]),
        ({"text": "Done.\n</tool_call>", "calls": call("get_weather", '{"city": "Rome"}')}, ["tool_markup_in_content"]),
        ({"text": '{"name": "get_weather", "arguments": {"city": "Rome"}}'}, ["tool_markup_in_content"]),
        ({"text": "[get_weather(city='Rome')]"}, ["tool_markup_in_content"]),
        ({"text": "<<<get_weather || city :: Rome >>>"}, ["tool_markup_in_content"]),
        ({"text": "<think>Hm. " + LEAK + "</think>\nI cannot look."}, ["tool_markup_in_reasoning"]),
        ({"reasoning": f"Now: {LEAK}"}, ["tool_markup_in_reasoning"]),
        ({"calls": call("get_weather", '{"city": "Ro')}, ["malformed_arguments"]),
        ({"calls": call("get_weather", '["Rome"]')}, ["malformed_arguments"]),
        ({"calls": call("toll_bell", "{}")}, ["invented_tool"]),
        ({"calls": call("get_weather", '{"town": "Rome"}')}, ["schema_violation"]),
        ({"calls": call("get_weather", '{"city": ["Rome"]}')}, ["schema_violation"]),
        ({"calls": call("write_file", '{"path": "a</path>\\n<parameter name=\\"content\\">hi"}')}, ["absorbed_parameter", "schema_violation"]),
        ({"output_tokens": 300}, ["all_output_lost"]),
        ({"finish": "tool_calls", "output_tokens": 3}, ["tool_call_dropped"]),
    ],
)  # fmt: skip
def test_each_kind_of_fault(fields: dict[str, Any], expected: list[str]) -> None:
    found = kinds(**fields)
    assert found[:1] == expected[:1]
    assert set(found) <= set(expected)


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "It is sunny."}, {"text": "Use `get_weather(city)` for it."}, {"calls": call("get_weather", '{"city": "Rome"}')},
        {"text": f"Qwen writes:\n```\n{LEAK}\n```\nas its template says."}, {"text": "The tag `<tool_call>` begins a call."},
        {"text": "The <tool_call> tag begins a call, and the </tool_call> tag ends it."},
        {"text": '```json\n{"name": "package", "version": "1"}\n```\nThat is package.json.'},
        {"text": "def get_weather(city):\n    return 1\n\nprint(get_weather('Rome'))"},
        {"reasoning": f"I write {LEAK}", "calls": call("get_weather", '{"city": "Rome"}')},
        {"calls": call("write_file", '{"path": "a.xml", "content": "<parameter name=\\"content\\">x</parameter>\\n<tool_call>{}</tool_call>"}')},
        {"output_tokens": 3, "finish": "stop"}, {"output_tokens": 900, "hidden": True},
        {"text": LEAK, "tools": ()},
    ],
)  # fmt: skip
def test_clean_replies(fields: dict[str, Any]) -> None:
    assert kinds(**fields) == []


def test_a_repeated_call_tells_nothing_new() -> None:
    made = call("get_weather", '{"city": "Rome"}', result="sunny")
    assert kinds(calls=made, before=tuple(call("get_weather", '{"city": "Rome"}', result="sunny"))) == ["repeated_call"]
    assert kinds(calls=made, before=tuple(call("get_weather", '{"city": "Rome"}', result="rain"))) == []
    assert kinds(calls=made, before=tuple(call("get_weather", '{"city": "Rome"}', result="busy", failed=True))) == []


def test_what_a_model_wrote_before_any_parser() -> None:
    assert kinds(text=LEAK, channel=Channel.RAW) == []
    assert kinds(text=LEAK[:40], channel=Channel.RAW) == ["tool_call_dropped"]
    assert kinds(text=LEAK.replace('"', "'"), channel=Channel.RAW) == ["malformed_arguments"]
    assert kinds(text=LEAK.replace("get_weather", "toll_bell"), channel=Channel.RAW) == ["invented_tool"]


def test_what_a_server_could_not_read() -> None:
    (finding,) = judged([FoundReply("1", f"x {LEAK}", channel=Channel.LOST, error="peg")])
    assert (finding.kind, finding.message, finding.tool, finding.format) == (
        "tool_call_dropped",
        "peg",
        "get_weather",
        "qwen_xml",
    )
    assert [one.kind for one in judged([FoundReply("1", "", channel=Channel.LOST, error="x")])] == ["tool_call_dropped"]


def test_the_words_of_a_refusal_are_the_message() -> None:
    (finding,) = judged([FoundReply("1", calls=call("frob", {}, refused=Refused.UNKNOWN_TOOL, why="No such tool"))])
    assert (finding.kind, finding.message, finding.tool) == ("invented_tool", "No such tool", "frob")


def test_where_nobody_declares_tools_only_markers_count() -> None:
    assert kinds(text=LEAK, tools=None) == ["tool_markup_in_content"]
    assert kinds(text='I say: {"name": "x", "arguments": {}} or so.', tools=None) == []
    assert kinds(calls=call("anything", {"x": 1}), tools=None) == []


def test_what_was_seen_of_a_tool_helps_to_see_what_an_argument_swallowed() -> None:
    xml = {"path": "a.xml", "content": '<parameter name="a">1</parameter>\n<parameter name="b">2</parameter>'}
    swallowed = {"path": 'a.txt</parameter>\n<parameter name="content">hi'}
    assert [
        one.kind
        for one in judged([FoundReply("1", calls=call("Write", xml)), FoundReply("2", calls=call("Write", swallowed))])
    ] == ["absorbed_parameter"]


def test_a_leak_says_where_and_how_it_is_written() -> None:
    (finding,) = judged([FoundReply("1", f"I look.\n{LEAK}", tools=TOOLS)])
    assert (finding.tool, finding.format, finding.around) == ("get_weather", "qwen_xml", "text before the call")
    assert finding.raw[finding.span.start : finding.span.end] == LEAK


def test_long_texts_are_read_from_the_first_marker_on_with_spans_of_the_whole() -> None:
    text = "A paragraph of prose that goes on. " * 40 + f"\n\nI look.\n{LEAK}\n\nDone."
    (finding,) = judged([FoundReply("1", text)])
    assert (finding.around, finding.raw[finding.span.start : finding.span.end]) == ("text around the call", LEAK)
