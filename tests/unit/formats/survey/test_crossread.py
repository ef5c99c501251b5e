"""One text read by all formats, and the policies."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import Outcome
from workbench.core.target import Policy
from workbench.formats import get_format, list_formats
from workbench.formats.survey.crossread import apply_policy, best_reading, read_all

SPECS = tuple(TOOLS.values())
MISTRAL = '[TOOL_CALLS][{"name": "now", "arguments": {}}]'


def test_read_all_is_in_table_order() -> None:
    readings = read_all("Hello.", SPECS)
    assert [reading.format for reading in readings] == [spec.id for spec in list_formats() if not spec.native]
    assert all(reading.text == "Hello." for reading in readings)


def test_strict_refuses_repairs() -> None:
    raw = "<tool_call>{'name': 'now', 'arguments': {}}</tool_call>"
    tolerant = get_format("qwen_xml").parse(raw, SPECS)
    assert apply_policy(tolerant, raw, SPECS, Policy.TOLERANT) is tolerant
    strict = apply_policy(tolerant, raw, SPECS, Policy.STRICT)
    assert not strict.calls
    (problem,) = strict.problems
    assert (problem.code, problem.outcome, problem.name) == ("single_quotes", Outcome.REPORTED, "now")
    assert "single_quotes" in problem.message


def test_strict_keeps_strict_calls() -> None:
    raw = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    result = get_format("qwen_xml").parse(raw, SPECS)
    assert apply_policy(result, raw, SPECS, Policy.STRICT) is result


def test_cross_format_asks_the_others() -> None:
    result = get_format("qwen_xml").parse("Ok. " + MISTRAL, SPECS)
    assert not result.calls
    crossed = apply_policy(result, "Ok. " + MISTRAL, SPECS, Policy.CROSS_FORMAT)
    (call,) = crossed.calls
    assert (call.name, call.outcome, call.format) == ("now", Outcome.RECOVERED, "mistral_json")
    assert "wrong_family" in call.repairs
    assert (crossed.text, crossed.format) == ("Ok.", "qwen_xml")


def test_cross_format_leaves_own_calls_and_plain_text_alone() -> None:
    raw = '<tool_call>{"name": "now", "arguments": {}}</tool_call>' + MISTRAL
    result = get_format("qwen_xml").parse(raw, SPECS)
    assert apply_policy(result, raw, SPECS, Policy.CROSS_FORMAT) is result
    plain = get_format("qwen_xml").parse("Hello.", SPECS)
    assert apply_policy(plain, "Hello.", SPECS, Policy.CROSS_FORMAT) is plain


@pytest.mark.parametrize(
    "name",
    ["qwen_xml", "mistral_json", "mistral_args", "glm47", "harmony", "deepseek_v3", "deepseek_v31", "kimi_k2", "pythonic", "lfm2", "gemma4",
     "anthropic_xml", "minimax_m2", "command_a", "granite", "phi4_functools", "json_scaffold", "react", "bare_json", "qwen3_coder_xml"],
)  # fmt: skip
def test_auto_finds_the_own_format(name: str) -> None:
    case = next(case for case in cases() if case.format == name and case.strict and case.calls)
    best = best_reading(case.raw, SPECS)
    own = get_format(name).parse(case.raw, SPECS)
    assert [(call.name, call.arguments) for call in best.calls] == [(call.name, call.arguments) for call in own.calls]
    if name not in ("glm47", "qwen3_coder_xml", "phi4_functools"):
        assert best.format == name


def test_auto_reads_messages_and_plain_text() -> None:
    message = '{"content": null, "tool_calls": [{"id": "a", "function": {"name": "now", "arguments": "{}"}}]}'
    assert best_reading(message, SPECS).format == "native_openai"
    assert best_reading("Hello.", SPECS).text == "Hello."


def test_auto_reads_lists_of_messages_and_leaves_lists_of_calls_to_text_formats() -> None:
    parts = '[{"functionCall": {"name": "now", "args": {}}}]'
    calls = '[{"name": "now", "arguments": {}}]'
    assert best_reading(parts, SPECS).format == "native_gemini"
    assert best_reading(calls, SPECS).format == "bare_json"


def test_the_flags_of_a_family_reach_every_parser() -> None:
    call = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    assert not best_reading(f"<think>{call}</think>", SPECS).calls
    assert best_reading(f"<think>{call}</think>", SPECS, calls_in_reasoning=True).calls
    assert best_reading(f"Hm.</think>{call}", SPECS, think_open=True).reasoning == "Hm."
    assert all(reading.reasoning == "Hm." for reading in read_all("Hm.</think>Yes.", SPECS, think_open=True))


def test_among_equals_the_reading_with_fewer_repairs_and_less_text_left_is_best() -> None:
    assert best_reading("<TOOLCALL>[now()]</TOOLCALL>", None).format == "nemotron_toolcall"
    found = best_reading('<tool_call>[{"name": "now", "arguments": {}}, {"name": "now", "arguments": {}}]', None)
    assert found.format in ("granite", "qwen_xml")


def test_a_policy_asks_for_a_least_grade() -> None:
    safe = '<tool_call>{"name": "now", "arguments": {},}</tool_call>'
    likely = '<tool_call>{"name": "NOW", "arguments": {}}</tool_call>'
    counts = {
        policy: [
            len(apply_policy(get_format("qwen_xml").parse(text, SPECS), text, SPECS, policy).calls)
            for text in (safe, likely)
        ]
        for policy in Policy
    }
    assert counts[Policy.STRICT] == [0, 0]
    assert counts[Policy.SAFE] == [1, 0]
    assert counts[Policy.LIKELY] == counts[Policy.TOLERANT] == counts[Policy.CROSS_FORMAT] == [1, 1]
    (told,) = apply_policy(get_format("qwen_xml").parse(likely, SPECS), likely, SPECS, Policy.SAFE).lost
    assert told.code == "name_prefix"
    assert "'safe'" in told.message


def test_the_end_of_a_call_that_never_began_is_told() -> None:
    (problem,) = best_reading("Let me see.</tool_call>", SPECS).problems
    assert (problem.code, problem.outcome, problem.span[:2]) == ("unread_call", Outcome.REPORTED, (11, 23))


def test_a_call_lost_beside_the_one_given_out_is_told() -> None:
    found = best_reading('now{"zone": "UTC"} get_weather{"city": "Rome"}', SPECS)
    assert [call.name for call in found.calls] == ["now"]
    assert [(problem.name, problem.outcome) for problem in found.problems] == [("get_weather", Outcome.REPORTED)]


@pytest.mark.parametrize(
    "raw",
    [
        "To look this up you would write:\n<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>\nbut I can't.",
        'Here is an example of the expected output:\n\n<|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Rome"}}<|action_end|>',
    ],
)
def test_what_its_own_format_knows_as_an_example_is_no_call_of_another(raw: str) -> None:
    found = best_reading(raw, SPECS)
    assert not found.calls
    assert [problem.code for problem in found.problems] == ["mentioned"]
