"""What stands behind a brace too early belongs to the arguments, if it can be theirs."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
WHOLE = {"city": "Rome", "days": 3}
HERE = Span(0, 0)


def closed_early(form: str) -> str:
    call = ParsedCall("get_weather", WHOLE, "call00001", Outcome.STRICT, (), HERE, HERE, HERE, form)
    written = get_format(form).render_call(call).replace('"Rome",', '"Rome"},')
    assert '"Rome"},' in written
    return written


@pytest.mark.parametrize(
    "form",
    "react json_scaffold bare_json qwen_xml mistral_args gemma_function llama3_json llama31_function functionary_v32 harmony deepseek_v3"
    " deepseek_v31 kimi_k2 granite phi4_functools command_a internlm nemotron_toolcall cwm gptme inkling plamo3 qwen_agent solar_open".split(),
)
def test_the_rest_is_read_with_them(form: str) -> None:
    result = get_format(form).parse(closed_early(form), SPECS)
    assert [(call.name, call.arguments) for call in result.calls] == [("get_weather", WHOLE)]
    assert {"extra_brace", "missing_brace"} & set(result.calls[0].repairs)
    assert (result.text, result.problems) == ("", ())


@pytest.mark.parametrize(
    "behind",
    [', "days": 3', ', "day": 3}', ', "city": "Oslo"}', ", and so on}", ', "days"}', ' "days": 3}', ', {"days": 3}'],
)
def test_anything_else_is_not(behind: str) -> None:
    result = get_format("mistral_args").parse(f'[TOOL_CALLS]get_weather[ARGS]{{"city": "Rome"}}{behind}', SPECS)
    assert [call.arguments for call in result.calls] == [{"city": "Rome"}]


def test_of_an_unknown_tool_nothing_is_known() -> None:
    result = get_format("mistral_args").parse('[TOOL_CALLS]f[ARGS]{"a": 1}, "b": 2}', None)
    assert [call.arguments for call in result.calls] == [{"a": 1}]


def test_a_declared_parameter_beside_the_arguments_is_one_of_them() -> None:
    raw = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}, "days": 3}</tool_call>'
    (call,) = get_format("qwen_xml").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == (WHOLE, ("wrapper_arg",))
    (call,) = get_format("qwen_xml").parse(raw.replace('"days"', '"id"'), SPECS).calls
    assert (call.arguments, call.repairs) == ({"city": "Rome"}, ())
