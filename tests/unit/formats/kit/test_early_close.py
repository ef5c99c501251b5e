"""What stands behind a brace too early belongs to the arguments, if it can be theirs."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
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


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"},  \'days\': 3}»⟧ ok', [("get_weather", {"city": "Rome", "days": 3}, "extra_brace single_quotes")], [], "ok")),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}, “days”: 3}»⟧', [("get_weather", {"city": "Rome", "days": 3}, "extra_brace smart_quotes")])),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}, "days": 3, "metric": true}»⟧', [("get_weather", {"city": "Rome", "days": 3, "metric": True}, "extra_brace")])),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}, "days": 3,}»⟧', [("get_weather", {"city": "Rome", "days": 3}, "extra_brace trailing_comma")])),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧⟨, "days": 3, "x": 1}⟩', [("get_weather", {"city": "Rome"}, "")], ["reported unread_call : A call begins here and cannot be read."], ', "days": 3, "x": 1}')),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome", "days": 3, "metric": true}»⟧⟨, "x": 1}⟩', [("get_weather", {"city": "Rome", "days": 3, "metric": True}, "")], ["reported unread_call : A call begins here and cannot be read."], ', "x": 1}')),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome", "days": 3, "metric": true}»⟧⟨, "city": "Oslo"}⟩', [("get_weather", {"city": "Rome", "days": 3, "metric": True}, "")], ["reported unread_call : A call begins here and cannot be read."], ', "city": "Oslo"}')),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹now›[ARGS]«{"zone": "CET"}»⟧⟨, "zone": "x"}⟩', [("now", {"zone": "CET"}, "")], ["reported unread_call : A call begins here and cannot be read."], ', "zone": "x"}')),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧ , "days": [}', [("get_weather", {"city": "Rome"}, "")], [], ', "days": [}')),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}\n,\n"days": 3\n}»⟧', [("get_weather", {"city": "Rome", "days": 3}, "extra_brace")])),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹write_file›[ARGS]«{"path": "a"}, "content": "}"}»⟧', [("write_file", {"path": "a", "content": "}"}, "extra_brace")])),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹write_file›[ARGS]«{"path": "a"}, "content": "b"}»⟧ c', [("write_file", {"path": "a", "content": "b"}, "extra_brace")], [], "c")),
    ],
)  # fmt: skip
def test_members_behind_the_brace(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧, days: 3}', [("get_weather", {"city": "Rome"}, "")], [], ", days: 3}")),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}, "days": 3, "days": 4}»⟧ "x"}', [("get_weather", {"city": "Rome", "days": 4}, "extra_brace name_dup")], [], '"x"}')),
    ],
)  # fmt: skip
def test_keys_without_quotes_behind_the_brace(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧; "days": 3}', [("get_weather", {"city": "Rome"}, "")], [], '; "days": 3}')),
        ("mistral_args", Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧  "days": 3}', [("get_weather", {"city": "Rome"}, "")], [], '"days": 3}')),
    ],
)  # fmt: skip
def test_other_signs_before_the_members(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"},\n\n  "days": 3}»⟧\n\nok', [('get_weather', {'city': 'Rome', 'days': 3}, 'extra_brace')], [], 'ok')),
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}   ,"days": 3}»⟧', [('get_weather', {'city': 'Rome', 'days': 3}, 'extra_brace')])),
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧⟨,"days": [3}⟩', [('get_weather', {'city': 'Rome'}, '')], ['reported unread_call : A call begins here and cannot be read.'], ',"days": [3}')),
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}, "days": {"a": 3}}»⟧ x', [('get_weather', {'city': 'Rome', 'days': {'a': 3}}, 'extra_brace')], [], 'x')),
        ('mistral_args', 'length', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧⟨, "days": 3⟩', [('get_weather', {'city': 'Rome'}, '')], ['reported unread_call : A call begins here and cannot be read.'], ', "days": 3')),
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧,', [('get_weather', {'city': 'Rome'}, '')], [], ',')),
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧, "', [('get_weather', {'city': 'Rome'}, '')], [], ', "')),
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧⟨, "days": oops}⟩', [('get_weather', {'city': 'Rome'}, '')], ['reported unread_call : A call begins here and cannot be read.'], ', "days": oops}')),
        ('mistral_args', 'stop', True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}, "days": 3, "days": 4}»⟧', [('get_weather', {'city': 'Rome', 'days': 4}, 'extra_brace name_dup')])),
        ('mistral_args', 'stop', True, Drawn('⟨[TOOL_CALLS]later[ARGS]{"city": "Rome"}⟩⟨, "days": 3}⟩', [], ["reported unknown_tool later: No tool 'later' is declared.", 'reported unread_call : A call begins here and cannot be read.'], ', "days": 3}')),
    ],
)  # fmt: skip
def test_where_the_members_behind_the_brace_begin_and_end(
    form: str, reason: str, whole: Drawn, *, declared: bool
) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole
