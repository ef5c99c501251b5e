"""Lists and lines of Python calls."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.python_list import with_repair


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[f(a=1), g()]", ["f", "g"]),
        ("[f(a=1), g(),]", ["f", "g"]),
        ("[f(a=1)\ng()]", ["f", "g"]),
        ("f(a=1); g();", ["f", "g"]),
        ("f(a=1)\ng()", ["f", "g"]),
        ("f(a=1)<|im_end|>", ["f"]),
        ("`[f(a=1)]`", ["f"]),
        ("```python\nf(a=1)\n```", ["f"]),
        ("x.y.f(a=1)}", ["x.y.f"]),
        ("```f(a=1)```", ["f"]),
        ("f(a=1)\n```", ["f"]),
        ("f(a=1).", ["f"]),
    ],
)
def test_whole_reply_calls_need_no_declaration(text: str, names: list[str]) -> None:
    result = get_format("pythonic").parse(text, None)
    assert [call.name for call in result.calls] == names
    assert (result.text, [problem for problem in result.problems if problem.outcome]) == ("", [])


def test_a_call_in_print_is_the_call_unless_print_is_a_tool() -> None:
    tools = [ToolSpec("f", "", {"properties": {"a": {"type": "integer"}}})]
    (call,) = get_format("pythonic").parse("[print(f(a=1))]", tools).calls
    assert (call.name, call.arguments, call.repairs) == ("f", {"a": 1}, ("wrapper_arg",))
    printer = ToolSpec("print", "", {"properties": {"text": {"type": "string"}}})
    result = get_format("pythonic").parse("[print(f(a=1))]", [*tools, printer])
    assert (result.calls, [problem.name for problem in result.lost]) == ((), ["print"])


@pytest.mark.parametrize(
    "text",
    [
        "f(a=1) is how to call it.",
        "f(a=1)\n\nThis calls it.",
        "Use this:\nf(a=1)",
        "`f(a=1)` calls it",
        "```python\nf(a=1)\n```\nThat is all.",
        "```python\nimport x\nx.f(a=1)\n```",
        "f(a)",
        "f(a=...)",
    ],
)
def test_code_and_prose_without_declared_tools_are_text(text: str) -> None:
    result = get_format("pythonic").parse(text, None)
    assert (result.calls, result.text) == ((), text)


@pytest.mark.parametrize("text", ["f('Rome')", "f('Rome', b=1)", "f(3)\ng([1])"])
def test_unnamed_arguments_as_the_whole_reply_are_said_to_be_lost(text: str) -> None:
    result = get_format("pythonic").parse(text, None)
    assert (result.calls, {problem.code for problem in result.problems}) == ((), {"args_not_object"})


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ("[f(a=1) g()]", [(), ("missing_comma",)]),
        ("[f(a=1),, g()]", [(), ("missing_comma",)]),
        ("[[f(a=1), g()]]", [("extra_brace",), ("extra_brace",)]),
        ("[[f(a=1)], [g()]]", [("extra_brace",), ("extra_brace", "extra_brace")]),
        ("[f(a=1), [g()]]", [(), ("extra_brace",)]),
        ("[f(a=1)] [g()]", [("extra_brace",), ()]),
        ("[f(a=[1, 2), g()]", [("missing_brace",), ()]),
    ],
)
def test_damaged_lists(text: str, repairs: list[tuple[str, ...]]) -> None:
    result = get_format("pythonic").parse(text, None)
    assert [call.name for call in result.calls] == ["f", "g"]
    assert [tuple(dict.fromkeys(call.repairs)) for call in result.calls] == [
        tuple(dict.fromkeys(codes)) for codes in repairs
    ]
    assert result.text == ""


def test_a_repair_is_added_once_and_never_to_a_problem() -> None:
    span = Span(0, 1)
    call = ParsedCall("f", {}, "", Outcome.STRICT, (), span, span, span, "pythonic")
    again = with_repair(with_repair(call, "fenced"), "fenced")
    assert isinstance(again, ParsedCall)
    assert (again.outcome, again.repairs) == (Outcome.RECOVERED, ("fenced",))
    problem = ParseProblem("bad_json", span, "")
    assert with_repair(problem, "fenced") is problem


@pytest.mark.parametrize("between", [", ", "\n", "", " ,\n"])
def test_a_list_for_each_call(between: str) -> None:
    result = get_format("pythonic").parse(f"[f(a=1)]{between}[g(b=2)]", None)
    assert [(call.name, call.repairs) for call in result.calls] == [("f", ("extra_brace",)), ("g", ())]
    assert result.text == ""


@pytest.mark.parametrize(
    "text", ["See [f(a=1)], [g(b=2)] and so on.", "[f(a=1)], [1, 2]", "[f(a=1)], and then", "[f(a=x) for x in xs]"]
)
def test_lists_in_prose_are_no_calls(text: str) -> None:
    result = get_format("pythonic").parse(text, None)
    assert (result.calls, result.text) == ((), text)


@pytest.mark.parametrize("name", ["get_weather", "get_we", "g"])
def test_a_list_that_ends_in_the_beginning_of_a_declared_name_is_cut_off(name: str) -> None:
    found = get_format("pythonic").parse(f"[get_weather(city='Rome'), {name}", [ToolSpec("get_weather")])
    assert ([call.name for call in found.calls], [one.code for one in found.problems]) == (
        ["get_weather"],
        ["truncated"],
    )


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("gemma_tool_code", "stop", Drawn('⟦```tool_code\nprint(‹get_weather›(«city="Rome"»))⟧\n```', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("gemma_tool_code", "stop", Drawn('⟨```tool_code\nprint(get_weather(city="Rome⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
    ],
)  # fmt: skip
def test_places_of_calls_that_are_printed(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟦‹now›(«»)⟧, ⟦‹now›(«»)⟧]", [("now", {}, ""), ("now", {}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧ ⟦‹now›(«»)⟧]", [("now", {}, ""), ("now", {}, "missing_comma")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧,, ⟦‹now›(«»)⟧]", [("now", {}, ""), ("now", {}, "missing_comma")])),
        ("pythonic", Drawn("[[⟦‹now›(«»)⟧], [⟦‹now›(«»)⟧]]", [("now", {}, "extra_brace"), ("now", {}, "extra_brace")])),
        ("pythonic", Drawn("[[⟦‹now›(«»)⟧, ⟦‹now›(«»)⟧]]", [("now", {}, "extra_brace"), ("now", {}, "extra_brace")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧],[⟦‹now›(«»)⟧]", [("now", {}, "extra_brace"), ("now", {}, "")])),
        ("pythonic", Drawn("⟦‹now›(«»)⟧; ⟦‹now›(«»)⟧", [("now", {}, "missing_open_tag"), ("now", {}, "missing_open_tag")])),
        ("pythonic", Drawn("⟦‹now›(«»)⟧\n⟦‹now›(«»)⟧", [("now", {}, "missing_open_tag"), ("now", {}, "missing_open_tag")])),
        ("pythonic", Drawn("⟦‹now›(«»)⟧, ⟦‹now›(«»)⟧", [("now", {}, "missing_open_tag"), ("now", {}, "missing_open_tag")])),
        ("pythonic", Drawn("[⟦print(‹now›(«»))⟧, ⟦‹now›(«»)⟧]", [("now", {}, "wrapper_arg"), ("now", {}, "")])),
        ("pythonic", Drawn("str(⟦‹now›(«zone='a'»))⟧", [("now", {"zone": "a"}, "wrapper_arg missing_open_tag")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧, x]", [("now", {}, "text_around")], [], ", x]")),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧, ⟨get_w⟩", [("now", {}, "")], ["reported truncated get_w: The call of 'get_w' is cut off."])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧, ⟦‹get_weather›(«city='Rome'»⟧", [("now", {}, "missing_brace"), ("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧", [("now", {}, "missing_brace")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧,", [("now", {}, "missing_brace text_around")])),
        ("pythonic", Drawn("[now() for x in y]", [], [], "[now() for x in y]")),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧, ⟦‹now›(«»)⟧ for x in y]", [("now", {}, "missing_brace text_around"), ("now", {}, "missing_brace text_around")], [], "for x in y]")),
        ("pythonic", Drawn("# c\n⟦‹now›(«»)⟧", [("now", {}, "missing_open_tag text_around")], [], "# c")),
        ("pythonic", Drawn("[# c\n⟦‹now›(«»)⟧,\n⟦‹now›(«»)⟧ # d\n]", [("now", {}, ""), ("now", {}, "")])),
        ("pythonic", Drawn("⟦‹now›(«»)⟧ \\\n⟦‹now›(«»)⟧", [("now", {}, "missing_open_tag"), ("now", {}, "missing_open_tag")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧,\n\n\n⟦‹now›(«»)⟧]\nDone.", [("now", {}, "text_around"), ("now", {}, "text_around")], [], "Done.")),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧, 'x']", [("now", {}, "text_around")], [], ", 'x']")),
        ("pythonic", Drawn("[⟦'‹now›(«»)'⟧, ⟦'‹now›(«»)'⟧]", [("now", {}, "double_encoded"), ("now", {}, "double_encoded")])),
        ("pythonic", Drawn("('⟨now()')⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "('now()')")),
        ("pythonic", Drawn("'⟦‹now›(«»)⟧'", [("now", {}, "double_encoded")])),
        ("pythonic", Drawn("[⟨later()⟩, ⟦‹now›(«»)⟧]", [("now", {}, "")], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("pythonic", Drawn("[⟦‹now›(«1»)⟧, ⟦‹now›(«»)⟧]", [("now", {"zone": "1"}, "schema_coerced positional"), ("now", {}, "")])),
        ("pythonic", Drawn("⟦‹now›(«»)⟧;", [("now", {}, "missing_open_tag")])),
        ("pythonic", Drawn("```python\n⟦‹now›(«»)⟧\n```", [("now", {}, "missing_open_tag fenced")])),
        ("pythonic", Drawn("`⟦‹now›(«»)⟧`", [("now", {}, "fenced")])),
        ("pythonic", Drawn("Call: ⟦‹now›(«»)⟧", [("now", {}, "text_around")])),
        ("pythonic", Drawn("[]", [], [], "[]")),
        ("pythonic", Drawn("def f():\n    ⟨now()⟩", [], ["reported unknown_format now: A call of 'now' in a form that pythonic does not know."], "def f():\n    now()")),
    ],
)  # fmt: skip
def test_calls_in_lists_and_lines(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟨now(, zone='a')⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", Drawn("[⟨later(1)⟩]", [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("pythonic", Drawn("[⟨later()⟩]", [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("pythonic", Drawn("[⟨now(1, 2)⟩]", [], ["reported args_not_object now: 'now' was called with unnamed arguments."])),
        ("pythonic", Drawn("[⟦‹now›(«zone='a'»⟧", [("now", {"zone": "a"}, "missing_brace")])),
        ("pythonic", Drawn("[[⟦‹now›(«»)⟧], [[⟦‹now›(«»)⟧]]]", [("now", {}, "extra_brace"), ("now", {}, "extra_brace")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧, [[⟦‹now›(«»)⟧]]]", [("now", {}, ""), ("now", {}, "extra_brace")])),
        ("pythonic", Drawn("[⟨now(zone=get_weather(city='a'))⟩]", [], ["reported args_not_object now: 'now' is called with what another call gives."])),
    ],
)  # fmt: skip
def test_calls_that_cannot_be_read_or_settled(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ('pythonic', 'stop', True, Drawn('⟦‹now›(«»)⟧', [('now', {}, 'missing_open_tag')])),
        ('pythonic', 'stop', True, Drawn('  ⟦‹now›(«»)⟧  ', [('now', {}, 'missing_open_tag')])),
        ('pythonic', 'stop', True, Drawn("⟦‹now›(«»)⟧\n⟦‹get_weather›(«city='Rome'»)⟧", [('now', {}, 'missing_open_tag'), ('get_weather', {'city': 'Rome'}, 'missing_open_tag')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧].x', [('now', {}, 'text_around')], [], '.x')),
        ('pythonic', 'stop', True, Drawn('now().x', [], [], 'now().x')),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«»)⟧].", [("now", {}, "text_around")])),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧,]', [('now', {}, '')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧, ]\n', [('now', {}, '')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«»)⟧ ⟦‹get_weather›(«city='Rome'»)⟧]", [('now', {}, ''), ('get_weather', {'city': 'Rome'}, 'missing_comma')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«»)⟧; ⟦‹get_weather›(«city='Rome'»)⟧]", [('now', {}, ''), ('get_weather', {'city': 'Rome'}, '')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«»)⟧\n⟦‹get_weather›(«city='Rome'»)⟧]", [('now', {}, ''), ('get_weather', {'city': 'Rome'}, '')])),
        ('pythonic', 'stop', True, Drawn('[[⟦‹now›(«»)⟧]]', [('now', {}, 'extra_brace')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧]]', [('now', {}, 'text_around')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧)]', [('now', {}, 'missing_brace text_around')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧, 5]', [('now', {}, 'text_around')], [], ', 5]')),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧, ⟨later()⟩]', [('now', {}, '')], ["reported unknown_tool later: No tool 'later' is declared."])),
        ('pythonic', 'stop', True, Drawn('[⟨later()⟩]', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ('pythonic', 'stop', False, Drawn('[⟦‹later›(«»)⟧]', [('later', {}, '')])),
        ('pythonic', 'stop', True, Drawn('[a, b]', [], [], '[a, b]')),
        ('pythonic', 'stop', True, Drawn('[]', [], [], '[]')),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧', [('now', {}, 'missing_brace')])),
        ('pythonic', 'length', True, Drawn('[⟦‹now›(«»)⟧', [('now', {}, 'missing_brace')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹get_weather›(«city='Rome'»⟧", [('get_weather', {'city': 'Rome'}, 'missing_brace')])),
        ('pythonic', 'length', True, Drawn("[⟨get_weather(city='Rome'⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('pythonic', 'stop', True, Drawn("[⟨get_weather(city='Ro⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('pythonic', 'stop', True, Drawn('x = ⟦‹now›(«»)⟧', [('now', {}, 'missing_open_tag text_around')])),
        ('pythonic', 'stop', True, Drawn('x = [⟦‹now›(«»)⟧]', [('now', {}, 'text_around')], [], 'x =')),
        ('pythonic', 'stop', True, Drawn('result = now()\nprint(result)', [], [], 'result = now()\nprint(result)')),
        ('pythonic', 'stop', True, Drawn('⟦‹tools.now›(«»)⟧', [('now', {}, 'name_prefix missing_open_tag')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹functions.now›(«»)⟧]', [('now', {}, 'name_prefix')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹default_api.now›(«»)⟧]', [('now', {}, 'name_prefix')])),
        ('pythonic', 'stop', True, Drawn('await now()', [], [], 'await now()')),
        ('pythonic', 'stop', True, Drawn('```python\n[⟦‹now›(«»)⟧]\n```', [('now', {}, 'fenced')])),
        ('pythonic', 'stop', True, Drawn('```python\n⟦‹now›(«»)⟧\n```', [('now', {}, 'missing_open_tag fenced')])),
        ('pythonic', 'stop', True, Drawn('```\n⟦‹now›(«»)⟧\n```', [('now', {}, 'missing_open_tag fenced')])),
        ('pythonic', 'stop', True, Drawn('`⟦‹now›(«»)⟧`', [('now', {}, 'fenced')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«»)⟧] [⟦‹get_weather›(«city='Rome'»)⟧]", [('now', {}, 'extra_brace'), ('get_weather', {'city': 'Rome'}, '')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«»)⟧]\n\n[⟦‹get_weather›(«city='Rome'»)⟧]", [('now', {}, 'extra_brace'), ('get_weather', {'city': 'Rome'}, '')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹now›(«»)⟧] is it', [('now', {}, 'text_around')], [], 'is it')),
        ('pythonic', 'stop', True, Drawn('See [⟦‹now›(«»)⟧](x)', [('now', {}, 'text_around')], [], 'See (x)')),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«zone='a' 'b'»)⟧]", [('now', {'zone': 'ab'}, '')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«zone=f'a'»)⟧]", [('now', {'zone': 'a'}, 'schema_coerced')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹get_weather›(«'Rome', 3»)⟧]", [('get_weather', {'city': 'Rome', 'days': 3}, 'schema_coerced positional')])),
        ('pythonic', 'stop', True, Drawn('[⟦‹get_weather›(«city=Rome»)⟧]', [('get_weather', {'city': 'Rome'}, 'schema_coerced unquoted_text')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹get_weather›(«city='Rome', days='3'»)⟧]", [('get_weather', {'city': 'Rome', 'days': 3}, 'schema_coerced')])),
        ('pythonic', 'stop', True, Drawn("[⟦‹now›(«**{'zone': 'a'}»)⟧]", [('now', {'zone': 'a'}, 'wrapper_arg')])),
        ('pythonic', 'stop', True, Drawn('[⟨now(zone=now())⟩]', [], ["reported args_not_object now: 'now' is called with what another call gives."])),
        ('pythonic', 'stop', True, Drawn('<tool_call>[⟦‹now›(«»)⟧]</tool_call>', [('now', {}, 'wrong_family text_around')], [], '<tool_call></tool_call>')),
        ('pythonic', 'stop', True, Drawn('[TOOL_CALLS][⟦‹now›(«»)⟧]', [('now', {}, 'wrong_family text_around')], [], '[TOOL_CALLS]')),
    ],
)  # fmt: skip
def test_lists_of_calls_and_what_stands_in_them(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole
