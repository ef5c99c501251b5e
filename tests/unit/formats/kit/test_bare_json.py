"""Calls without markers among ordinary JSON and prose."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.core.calls import Outcome
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
NOW = '{"name": "now", "arguments": {}}'


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (NOW, ["now"]),
        (f"{NOW}, {NOW}; {NOW}", ["now"] * 3),
        (f"A set {{a}} and {{b: then {NOW}", ["now"]),
        ('{"person": {"name": "now", "arguments": {}}}', []),
        ('{"name": "now"}', []),
        ('{"id": 1, "type": "x"}', []),
        ("{'name': 'now', 'arguments': {}}", ["now"]),
        (", ".join([NOW] * 2000), ["now"] * 2000),
        (f'{{"response": "", "tool_calls": [{NOW}]}}', ["now"]),
        ('{"next_thought": "t", "next_tool_name": "now", "next_tool_args": {}}', ["now"]),
        (f'{{"plan": "p", "steps": [{NOW}]}}', ["now"]),
        ('{"response": "now", "answer": {}}', []),
        (f'{NOW}\n{{"name": "now"}}', ["now", "now"]),
        (f"To run it by hand, send {NOW} to the server.", []),
        (f"I will run {NOW} to see.", ["now"]),
        ("[now] {} [/now]", ["now"]),
        ('I\'ll look.\n```tool now\n{"zone": "CET"}\n```\nDone.', ["now"]),
        ("Calling tool: 'now' with arguments: {'zone': 'CET'}", ["now"]),
        ("[now]\n{}\n[END_TOOL_REQUEST]", ["now"]),
        (f"Sure.\n```function-call\n{NOW}\n```\nDone.", ["now"]),
        (f"```json:mcp:clock\n{NOW}\n```", ["now"]),
        (f"Here is how the format works:\n```tool_call\n{NOW}\n```", []),
    ],
)
def test_calls(raw: str, names: list[str]) -> None:
    result = get_format("bare_json").parse(raw, SPECS)
    assert [call.name for call in result.calls] == names
    if not names:
        assert result.text == raw


def test_non_call_data_is_text_byte_for_byte() -> None:
    raw = 'Data: {"name": "x", "items": [1, {"type": "y"}]} end.'
    assert get_format("bare_json").parse(raw, SPECS).text == raw


def test_a_call_in_the_middle_of_a_sentence_is_no_sure_one() -> None:
    for before, repairs in (("I considered ", ("text_around",)), ("I call this: ", ()), ("I call this\n", ())):
        (call,) = get_format("bare_json").parse(before + NOW, SPECS).calls
        assert call.repairs == repairs


def test_a_repeated_definition_is_text_unless_a_marker_stands_before_it() -> None:
    schema = '{"type": "object", "properties": {"city": {"type": "string"}}}'
    raw = f'{{"name": "get_weather", "description": "Current weather.", "parameters": {schema}}}'
    for form, before, text in (("bare_json", "", raw), ("llama3_json", "", raw), ("llama3_json", "<|python_tag|>", "")):
        result = get_format(form).parse(before + raw, SPECS)
        assert (result.text, result.calls) == (text, ())
        assert [(problem.code, problem.outcome) for problem in result.problems] == [("mentioned", Outcome.IGNORED)]


N = '{"name": "now", "arguments": {}}'
G = '{"name": "get_weather", "arguments": {"city": "Rome"}}'
X = '{"name": "other", "arguments": {"a": 1}}'


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("bare_json", N, Told([("now", {}, "", N)])),
        ("bare_json", f"{N}, {G}", Told([("now", {}, "", N), ("get_weather", {"city": "Rome"}, "", G)])),
        ("bare_json", f"{N}; {N} and more", Told([("now", {}, "", N), ("now", {}, "", N)], "and more")),
        ("bare_json", f"{N} {G}", Told([("now", {}, "", N), ("get_weather", {"city": "Rome"}, "", G)])),
        ("bare_json", f"{N}\n\n{N}", Told([("now", {}, "", N), ("now", {}, "", N)])),
        ("bare_json", f"[{N}, {G}]", Told([("now", {}, "", N), ("get_weather", {"city": "Rome"}, "", G)])),
        ("bare_json", f"[{N}, {X}]", Told([("now", {}, "", N)], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("bare_json", f"[{N}, 5]", Told([("now", {}, "", N)], "", [("bad_json", "", "The call is no JSON object.")])),
        ("bare_json", f"[{N}", Told([("now", {}, "missing_brace", f"[{N}")])),
        ("bare_json", "[]", Told([], "[]")),
        ("bare_json", "{}", Told([], "{}")),
        ("bare_json", X, Told([], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("bare_json", f"See {X}.", Told([], "See .", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("bare_json", f"{N}}}", Told([("now", {}, "extra_brace", f"{N}}}")])),
        ("bare_json", f"{N}}} }} ]", Told([("now", {}, "extra_brace", f"{N}}} }} ]")])),
        ("bare_json", f"{N}]\nDone.", Told([("now", {}, "extra_brace", f"{N}]")], "Done.")),
        ("bare_json", '{"name": "get_weather", "arguments": {"city": "Rome"', Told([("get_weather", {"city": "Rome"}, "missing_brace", '{"name": "get_weather", "arguments": {"city": "Rome"')])),
        ("bare_json", '{"name": "get_weather", "arguments": {"city": "Rome', Told([], "", [("truncated", "get_weather", "The call is cut off.")])),
        ("bare_json", '{"name": "now", "arguments": ', Told([], "", [("truncated", "now", "The call is cut off.")])),
        ("bare_json", '{"name": "now", "arguments": {"zone": }}', Told([], "", [("bad_json", "now", "The call is no readable JSON. '}' cannot stand here.")])),
        ("bare_json", '{"name": "other", "arguments": {"a": }}', Told([], '{"name": "other", "arguments": {"a": }}')),
        ("bare_json", "{'name': 'now', 'arguments': {'zone': 'CET'}}", Told([("now", {"zone": "CET"}, "single_quotes", "{'name': 'now', 'arguments': {'zone': 'CET'}}")])),
        ("bare_json", '{"name": "now", "arguments": {"zone": "CET",}}', Told([("now", {"zone": "CET"}, "trailing_comma", '{"name": "now", "arguments": {"zone": "CET",}}')])),
        ("bare_json", '{name: "now", arguments: {}}', Told([("now", {}, "unquoted_key", '{name: "now", arguments: {}}')])),
        ("bare_json", "{“name”: “now”, “arguments”: {}}", Told([("now", {}, "smart_quotes", "{“name”: “now”, “arguments”: {}}")])),
        ("bare_json", f"<tool_call>{N}</tool_call>", Told([("now", {}, "wrong_family", f"<tool_call>{N}")])),
        ("bare_json", f"<tool_call>\n```json\n{N}\n```\n</tool_call>", Told([("now", {}, "wrong_family fenced", f"<tool_call>\n```json\n{N}")])),
        ("bare_json", f"<tool_call>```{N}```", Told([("now", {}, "wrong_family fenced", f"<tool_call>```{N}")])),
        ("bare_json", f"<tool_call>{N}", Told([("now", {}, "wrong_family", f"<tool_call>{N}")])),
        ("bare_json", "<tool_call> text", Told([], "<tool_call> text")),
        ("bare_json", f"[TOOL_CALLS]{N}", Told([("now", {}, "wrong_family", f"[TOOL_CALLS]{N}")])),
        ("bare_json", f"[TOOL_CALLS] [{N}]", Told([("now", {}, "wrong_family", f"[TOOL_CALLS] [{N}]")])),
        ("bare_json", f"<tool_call>{X}</tool_call>", Told([], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("bare_json", f"Say {N} here now.", Told([], f"Say {N} here now.", [("mentioned", "now", "This looks like a call but it stands in a sentence.")])),
        ("bare_json", f"Say {N}", Told([("now", {}, "text_around", N)], "Say")),
        ("bare_json", f"Say {N}.", Told([("now", {}, "text_around", N)], "Say .")),
        ("bare_json", f"I will now call the tool: {N} for you", Told([("now", {}, "", N)], "I will now call the tool: for you")),
        ("bare_json", f"```json\n{N}\n```", Told([("now", {}, "", N)])),
        ("bare_json", f"```\n{N}\n```\nok", Told([], f"```\n{N}\n```\nok", [("mentioned", "now", "This looks like a call but it stands in a code block.")])),
        ("bare_json", f"```python\nx = {N}\n```", Told([], f"```python\nx = {N}\n```", [("mentioned", "now", "This looks like a call but it stands in a code block.")])),
        ("bare_json", f"`{N}`", Told([], f"`{N}`", [("mentioned", "now", "This looks like a call but it stands in inline code.")])),
        ("bare_json", '{"tool": "now", "args": {}}', Told([("now", {}, "name_key args_key", '{"tool": "now", "args": {}}')])),
        ("bare_json", '{"function": "now", "parameters": {}}', Told([("now", {}, "name_key", '{"function": "now", "parameters": {}}')])),
        ("bare_json", '{"tool_name": "now", "tool_input": {"zone": "CET"}}', Told([("now", {"zone": "CET"}, "name_key args_key", '{"tool_name": "now", "tool_input": {"zone": "CET"}}')])),
        ("bare_json", '{"type": "function", "function": {"name": "now", "arguments": "{}"}}', Told([("now", {}, "args_key double_encoded", '{"type": "function", "function": {"name": "now", "arguments": "{}"}}')])),
        ("bare_json", '{"name": "now", "arguments": "{\\"zone\\": \\"CET\\"}"}', Told([("now", {"zone": "CET"}, "double_encoded", '{"name": "now", "arguments": "{\\"zone\\": \\"CET\\"}"}')])),
        ("bare_json", '{"name": "now", "arguments": [1]}', Told([], "", [("args_not_object", "now", "The arguments of 'now' are no JSON object.")])),
        ("bare_json", '{"name": "now", "arguments": null}', Told([("now", {}, "schema_coerced", '{"name": "now", "arguments": null}')])),
        ("bare_json", '{"name": 5, "arguments": {}}', Told([], '{"name": 5, "arguments": {}}')),
        ("bare_json", '{"name": "now", "parameters": {"type": "object", "properties": {}}}', Told([], '{"name": "now", "parameters": {"type": "object", "properties": {}}}', [("mentioned", "now", "This looks like a call but repeats a tool's definition.")])),
        ("bare_json", '{"thought": "t", "action": "now", "action_input": {}}', Told([("now", {}, "name_key args_key", '{"thought": "t", "action": "now", "action_input": {}}')])),
        ("bare_json", '{"get_weather": {"city": "Rome"}}', Told([("get_weather", {"city": "Rome"}, "args_key", '{"get_weather": {"city": "Rome"}}')])),
        ("bare_json", '{"now": {}}', Told([("now", {}, "args_key", '{"now": {}}')])),
        ("bare_json", '{"other": {"a": 1}}', Told([], '{"other": {"a": 1}}')),
        ("bare_json", '{"n\\u0061me": "now", "arguments": {}}', Told([("now", {}, "", '{"n\\u0061me": "now", "arguments": {}}')])),
        ("bare_json", f"<think>{N}</think>Hello", Told([], "Hello", [("mentioned", "now", "This looks like a call but it stands in a closed reasoning block.")])),
        ("bare_json", f"{N}</tool_call>", Told([("now", {}, "", N)])),
        ("bare_json", f"{N}<|im_end|>", Told([("now", {}, "", N)])),
        ("bare_json", '{"name": "get_weather", "arguments": {"city": "Rome", "days": "3", "metric": "true"}}', Told([("get_weather", {"city": "Rome", "days": 3, "metric": True}, "schema_coerced", '{"name": "get_weather", "arguments": {"city": "Rome", "days": "3", "metric": "true"}}')])),
        ("bare_json", '{"name": "get_weather", "arguments": {}}', Told([("get_weather", {}, "", '{"name": "get_weather", "arguments": {}}')])),
        ("bare_json", '{"name": "get_weather", "arguments": {"city": 5}}', Told([("get_weather", {"city": "5"}, "schema_coerced", '{"name": "get_weather", "arguments": {"city": 5}}')])),
        ("llama3_json", '{"name": "now", "parameters": {}}', Told([("now", {}, "", '{"name": "now", "parameters": {}}')])),
        ("llama3_json", N, Told([("now", {}, "args_key", N)])),
        ("llama3_json", f"<|python_tag|>{N}", Told([("now", {}, "args_key", f"<|python_tag|>{N}")])),
        ("llama3_json", '<|python_tag|>{"name": "now", "parameters": {"zone": "CET"}}; {"name": "now", "parameters": {}}', Told([("now", {"zone": "CET"}, "", '<|python_tag|>{"name": "now", "parameters": {"zone": "CET"}}'), ("now", {}, "extra_calls", '{"name": "now", "parameters": {}}')])),
        ("llama3_json", '<|python_tag|>{"name": "other", "parameters": {}}', Told([], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("llama3_json", '<|python_tag|>{"name": "now", "parameters": {', Told([], "", [("truncated", "now", "The call is cut off.")])),
        ("llama3_json", "<|python_tag|>hello", Told([], "hello", [("bad_json", "", "What follows the token is no call.")])),
    ],
)  # fmt: skip
def test_all_that_is_said_of_json_without_markers(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


def test_the_next_call_does_not_lend_its_name_to_a_damaged_one() -> None:
    """What is not there yet cannot decide how this one is read, or a stream would differ from the whole."""
    read = []
    for cut in range(45):
        parser = get_format("json_scaffold").parser(tuple(TOOLS.values()))
        text = '{"tool"::""}{"tool":"get_weather""":{"":""|'
        for piece in filter(None, (text[:cut], text[cut:])):
            parser.feed(piece)
        parser.finish("length")
        read.append(parser.result())
    assert all(one == read[0] for one in read)


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("bare_json", False, Drawn('⟦{"tool_calls": [{"name": "‹sail›", "arguments": «{"knots": 4}»}}⟧, {"name": "dock", "arguments', [("sail", {"knots": 4}, "missing_brace args_key")], [], ', {"name": "dock", "arguments')),
        ("function_calls_json", True, Drawn('⟨{"function_calls": ⟩', [], ["reported truncated : The call is cut off."])),
        ("json_scaffold", True, Drawn('{"tool": "nope", "argumets": {}}', [], [], '{"tool": "nope", "argumets": {}}')),
    ],
)  # fmt: skip
def test_objects_that_are_damaged_or_no_calls(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "")])),
        ("bare_json", Drawn(' ⟦{"name": "‹now›", "arguments": «{}»}⟧ ', [("now", {}, "")])),
        ("bare_json", Drawn('Well. ⟦{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "")], [], "Well.")),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧ Done.', [("now", {}, "")], [], "Done.")),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, ""), ("now", {}, "")])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧; ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("bare_json", Drawn('⟦{"tool": "‹now›", "args": «{}»}⟧', [("now", {}, "name_key args_key")])),
        ("bare_json", Drawn('⟦{"‹now›": «{}»}⟧', [("now", {}, "args_key")])),
        ("bare_json", Drawn('⟦{"‹get_weather›": «{"city": "Rome"}»}⟧', [("get_weather", {"city": "Rome"}, "args_key")])),
        ("bare_json", Drawn('⟦{"function": "‹now›", "parameters": «{}»}⟧', [("now", {}, "name_key")])),
        ("bare_json", Drawn('⟦{"type": "function", "function": {"name": "‹now›", "arguments": «"{}"»}}⟧', [("now", {}, "args_key double_encoded")])),
        ("bare_json", Drawn('⟦{"tool_calls": [{"name": "‹now›", "arguments": «{}»}]}⟧', [("now", {}, "args_key")])),
        ("bare_json", Drawn('⟨{"name": "now"}⟩', [], ["reported unknown_format now: A call of 'now' in a form that bare_json does not know."], '{"name": "now"}')),
        ("bare_json", Drawn('⟦{"name": "‹now›«»", "zone": "CET"}⟧', [("now", {"zone": "CET"}, "args_key")])),
        ("bare_json", Drawn('⟨{"name": "later", "arguments": {}}⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("bare_json", Drawn('⟨{"name": "", "arguments": {}}⟩', [], ["reported bad_name : The call names no tool."])),
        ("bare_json", Drawn('{"name": 3, "arguments": {}}', [], [], '{"name": 3, "arguments": {}}')),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «[]»}⟧', [("now", {}, "schema_coerced")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «null»}⟧', [("now", {}, "schema_coerced")])),
        ("bare_json", Drawn('⟨{"name": "now", "arguments": "x"}⟩', [], ["reported args_not_object now: The arguments of 'now' are no JSON object."])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «"{}"»}⟧', [("now", {}, "double_encoded")])),
        ("bare_json", Drawn('{"city": "Rome"}', [], [], '{"city": "Rome"}')),
        ("bare_json", Drawn('{"a": 1}', [], [], '{"a": 1}')),
        ("bare_json", Drawn("{}", [], [], "{}")),
        ("bare_json", Drawn("[]", [], [], "[]")),
        ("bare_json", Drawn("[1, 2]", [], [], "[1, 2]")),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»⟧', [("now", {}, "missing_brace")])),
        ("bare_json", Drawn('⟨{"name": "now", "arguments": {⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»⟧', [("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("bare_json", Drawn('⟨{"name": "get_weather", "arguments": {"city":⟩', [], ["reported truncated get_weather: The call is cut off."])),
        ("bare_json", Drawn("⟦{'name': '‹now›', 'arguments': «{}»}⟧", [("now", {}, "single_quotes")])),
        ("bare_json", Drawn('```json\n⟦{"name": "‹now›", "arguments": «{}»}⟧\n```', [("now", {}, "")])),
        ("bare_json", Drawn('```\n⟨{"name": "now", "arguments": {}}⟩\n```\nDone.', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```\n{"name": "now", "arguments": {}}\n```\nDone.')),
        ("bare_json", Drawn('`⟨{"name": "now", "arguments": {}}⟩`', [], ["ignored mentioned now: This looks like a call but it stands in inline code."], '`{"name": "now", "arguments": {}}`')),
        ("bare_json", Drawn('Say ⟨{"name": "now", "arguments": {}}⟩ here.', [], ["ignored mentioned now: This looks like a call but it stands in a sentence."], 'Say {"name": "now", "arguments": {}} here.')),
        ("bare_json", Drawn('<think>⟨{"name": "now", "arguments": {}}⟩</think>', [], ["ignored mentioned now: This looks like a call but it stands in a closed reasoning block."])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}}⟧', [("now", {}, "extra_brace")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}]⟧', [("now", {}, "extra_brace")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}», "id": "x"}⟧', [("now", {}, "")])),
        ("bare_json", Drawn('⟨{"name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}}⟩', [], ["ignored mentioned now: This looks like a call but repeats a tool's definition."], '{"name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}}')),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{"zone": "say "hi" now"}»}⟧', [("now", {"zone": 'say "hi" now'}, "unescaped_quote")])),
        ("bare_json", Drawn('⟦[{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_brace")])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ', [("now", {}, "missing_brace")])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨5⟩, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")], ["reported bad_json : The call is no JSON object."])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧ ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, "missing_comma"), ("get_weather", {"city": "Rome"}, "missing_comma")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧\n\nObservation: 5', [("now", {}, "")], [], "Observation: 5")),
        ("bare_json", Drawn('⟦{"action": "‹now›", "action_input": «{}»}⟧', [("now", {}, "name_key args_key")])),
        ("bare_json", Drawn('{"action": "Final Answer", "action_input": "x"}', [], [], '{"action": "Final Answer", "action_input": "x"}')),
    ],
)  # fmt: skip
def test_objects_that_are_calls_or_not(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("bare_json", "stop", True, Drawn('⟦{"name": "‹now›", "arguments": «{"zone": "a"b"}»}⟧\nText.', [("now", {"zone": 'a"b'}, "unescaped_quote")], [], "Text.")),
        ("bare_json", "stop", True, Drawn('{"name": "later", "arguments": {"zone": "a"b"}}\nText.', [], [], '{"name": "later", "arguments": {"zone": "a"b"}}\nText.')),
        ("bare_json", "stop", True, Drawn('⟨{"name": "now", "arguments": {"zone": tru⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", "stop", True, Drawn('⟨{"name": "now", "arguments": {"zone": "a" x⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", "stop", True, Drawn('⟦{"name": "‹now›", "arguments": «{"zone": [1, 2}»}⟧', [("now", {"zone": [1, 2]}, "missing_brace")])),
        ("bare_json", "stop", True, Drawn('⟨[{"name": "now", "arguments": {"zone": tru⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", "stop", True, Drawn("⟦{'name': '‹now›', 'arguments': «{'zone': 'a'»⟧", [("now", {"zone": "a"}, "single_quotes missing_brace")])),
        ("bare_json", "stop", True, Drawn('⟨{"name": "now", "arguments": {"zone": "a",⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", "stop", True, Drawn('⟨{"name": "now", "arguments": {"zone": "a"}, "x": ⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", "stop", True, Drawn('{"nam', [], [], '{"nam')),
        ("bare_json", "stop", True, Drawn('⟨{"name": "now"⟩', [], ["reported unknown_format now: A call of 'now' in a form that bare_json does not know."], '{"name": "now"')),
        ("bare_json", "stop", True, Drawn('⟨{"name": "now", ⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", "stop", True, Drawn('{"name": "later", "arg', [], [], '{"name": "later", "arg')),
        ("bare_json", "length", True, Drawn('⟨{"name": "now", "arguments": {"zone": "a"b"}}⟩', [], ["reported bad_json now: The call is no readable JSON. No colon follows the key 'b'."])),
        ("bare_json", "length", True, Drawn('⟨{"name": "now", "arguments": {"zone": "a"}⟩', [], ["reported truncated now: The call is cut off."])),
        ("bare_json", "stop", False, Drawn('⟨{"name": "f", "arguments": {"a": x}}⟩', [], ["reported bad_json f: The call is no readable JSON. 'x' is not a JSON value."])),
        ("bare_json", "stop", False, Drawn('{"name": "f", "args": x}', [], [], '{"name": "f", "args": x}')),
        ("bare_json", "stop", False, Drawn('{"name": "f", "x": y}', [], [], '{"name": "f", "x": y}')),
    ],
)  # fmt: skip
def test_objects_that_break_off(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('bare_json', Drawn('<answer>⟦{"name": "‹now›", "arguments": «{}»}⟧', [('now', {}, 'wrong_family')], [], '<answer>')),
        ('bare_json', Drawn('[OUTPUT] ⟦{"name": "‹now›", "arguments": «{}»}⟧', [('now', {}, 'wrong_family')], [], '[OUTPUT]')),
        ('bare_json', Drawn('functools⟦{"name": "‹now›", "arguments": «{}»}⟧', [('now', {}, 'wrong_family')], [], 'functools')),
        ('bare_json', Drawn('<answer> It is: ⟦{"name": "‹now›", "arguments": «{}»}⟧', [('now', {}, '')], [], '<answer> It is:')),
        ('bare_json', Drawn('<|call|>\n⟦{"name": "‹now›", "arguments": «{}»}⟧', [('now', {}, 'wrong_family')], [], '<|call|>')),
        ('json_scaffold', Drawn('[OUTPUT] ⟦{"name": "‹now›", "arguments": «{}»}⟧', [('now', {}, 'wrong_family name_key text_around')], [], '[OUTPUT]')),
        ('llama3_json', Drawn('<|call|>\n⟦{"name": "‹now›", "arguments": «{}»}⟧', [('now', {}, 'wrong_family args_key')], [], '<|call|>')),
    ],
)  # fmt: skip
def test_an_object_right_behind_a_marker_is_that_familys_call(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('bare_json', Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name": "nope", "arguments": {}}⟩, ⟨{"name": "now", "arguments": {"a": }}⟩]', [('now', {}, 'missing_brace')], ["reported unknown_tool nope: No tool 'nope' is declared.", "reported bad_json now: The call's JSON is broken."])),
        ('bare_json', Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"nam": "nope", "arguments": {}}⟩, ⟨{"name": "now", "arguments": {"a": }}⟩]', [('now', {}, 'missing_brace')], ['reported bad_name : The call names no tool.', "reported bad_json now: The call's JSON is broken."])),
    ],
)  # fmt: skip
def test_all_in_a_broken_list_with_a_call_is_told(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(("form", "marker"), [("xlam", "<tool_call>"), ("llama3_json", "<|python_tag|>")])
def test_a_marker_with_an_empty_object_behind_it_is_no_text(form: str, marker: str) -> None:
    result = get_format(form).parse(f"Hm. {marker}{{}}", SPECS)
    assert (result.calls, result.text) == ((), "Hm.")
