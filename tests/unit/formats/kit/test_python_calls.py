"""Python calls as text: literals and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.python_calls import PythonCall, bound, read_python_call, walked_in_vain, write_python
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.toolset import ToolSet

SET = ToolSet(tuple(TOOLS.values()))


def read(text: str) -> PythonCall | str:
    return read_python_call(text, 0, text.index("("), len(text))


@pytest.mark.parametrize(
    ("text", "want", "repairs"),
    [
        ("f(a=1, b='x')", {"a": 1, "b": "x"}, ()),
        ("f(a=-1.5e3, b=None)", {"a": -1500.0, "b": None}, ()),
        ("f(a=true, b=null)", {"a": True, "b": None}, ("py_literal",)),
        ("f(a=[1, (2, 3)], b={'x': {'y': 1}})", {"a": [1, [2, 3]], "b": {"x": {"y": 1}}}, ()),
        ("f(a='x' 'y')", {"a": "xy"}, ()),
        ("f(a={1: 'x', 'z': 2})", {"a": {"1": "x", "z": 2}}, ()),
        ("f(a='''x\n'y''')", {"a": "x\n'y"}, ()),
        ("f(a='x\ny')", {"a": "x\ny"}, ("raw_newline",)),
        ("f(a='\\x41')", {"a": "A"}, ()),
        ("f(from=1, class='x')", {"from": 1, "class": "x"}, ("unquoted_key",)),
        ("f(a=b'x', b=f'y')", {"a": "x", "b": "y"}, ("schema_coerced",)),
        ("f(a=1, a=2)", {"a": 2}, ("name_dup",)),
        ("f(a={1, 2})", {"a": [1, 2]}, ("schema_coerced",)),
        ('f("a": 1)', {"a": 1}, ("unquoted_key",)),
        ("f(**{'a': 1})", {"a": 1}, ("wrapper_arg",)),
        ("f()", {}, ()),
        ("f(a=b)", {"a": "b"}, ("schema_coerced", "unquoted_text")),
        ("f(a=g(1), b=[c, x[0]])", {"a": "g(1)", "b": ["c", "x[0]"]}, ("schema_coerced", "unquoted_text")),
        ("f(a=1+2)", {"a": 3}, ("schema_coerced",)),
        ("f(a=__import__('os'))", {"a": "__import__('os')"}, ("schema_coerced", "unquoted_text")),
        ("f(a='x' b='y')", {"a": "x", "b": "y"}, ("missing_comma",)),
        ("f(a='the 'best' one', b=1)", {"a": "the 'best' one", "b": 1}, ("unescaped_quote",)),
    ],
)
def test_keywords(text: str, want: dict[str, Any], repairs: tuple[str, ...]) -> None:
    call = read(text)
    assert isinstance(call, PythonCall)
    assert (call.keywords, call.repairs) == (want, repairs)


@pytest.mark.parametrize(
    "text", ["f(a='x)", "f(a=...)", "f(a=b=c)", "f(a=b c=d)", "f(a=[b}c)", "f(a=f'{y}')", "f(a=" + "[" * 100 + ")"]
)
def test_missing_value_is_refused(text: str) -> None:
    assert read(text) in ("bad_json", "truncated", "too_large")


def test_a_number_at_the_end_of_a_reply_that_was_cut_may_have_had_more_digits() -> None:
    text = "f(a='x', b=12"
    assert read_python_call(text, 0, 1, len(text), closed=False, cut=True) == "truncated"
    whole = read_python_call(text, 0, 1, len(text), closed=False)
    assert isinstance(whole, PythonCall)
    assert (whole.keywords, whole.repairs) == ({"a": "x", "b": 12}, ("missing_brace",))
    text = "f(b=12, a='x'"
    cut = read_python_call(text, 0, 1, len(text), closed=False, cut=True)
    assert isinstance(cut, PythonCall)
    assert cut.keywords == {"b": 12, "a": "x"}


def test_expression_stays_text_for_string_parameters() -> None:
    call = read("get_weather(city=2+3, days=2+3)")
    assert isinstance(call, PythonCall)
    assert bound(call, SET.by_name["get_weather"]) == ({"city": "2+3", "days": 5}, ())


def test_positional_arguments_follow_the_schema() -> None:
    call = read("get_weather('Rome', 3)")
    assert isinstance(call, PythonCall)
    assert bound(call, SET.by_name["get_weather"]) == ({"city": "Rome", "days": 3}, ("schema_coerced", "positional"))
    assert bound(call, None) is None
    assert bound(call, SET.by_name["now"]) is None


def test_writing_is_the_inverse() -> None:
    values = {"a": "it's", "b": [1, None, {"c": True}]}
    call = read(write_python("f", values))
    assert isinstance(call, PythonCall)
    assert call.keywords == values


@pytest.mark.parametrize("value", ["1e999", "-1e999", "[1e999]", "{'a': 1e999}"])
def test_a_number_too_big_to_be_one_is_refused(value: str) -> None:
    assert read(f"now(zone={value})") == "bad_json"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("[f(query='What's the time')]", [{"query": "What's the time"}]),
        ("[f(a='What's up'), g(b='It's on')]", [{"a": "What's up"}, {"b": "It's on"}]),
        ("[f(a='What's (up) now', b=1), g(b=2)]", [{"a": "What's (up) now", "b": 1}, {"b": 2}]),
        ("f(a='What's up')\ng(b='It's on')", [{"a": "What's up"}, {"b": "It's on"}]),
        ("Call: f(query='What's the time')<bot_end>", [{"query": "What's the time"}]),
    ],
)
def test_an_apostrophe_in_the_last_value_does_not_swallow_the_next_call(
    text: str, read: list[dict[str, object]]
) -> None:
    result = get_format("pythonic").parse(text, None)
    assert [call.arguments for call in result.calls] == read
    assert "unescaped_quote" in result.calls[0].repairs


def test_a_lone_object_is_the_arguments_only_if_the_schema_knows_its_keys() -> None:
    parameters = {"type": "object", "properties": {"options": {"type": "object"}}, "required": ["options"]}
    tools = [ToolSpec("f", "", parameters)]
    for text in ("[f({'size': 1})]", "[f({'options': {'size': 1}})]"):
        assert get_format("pythonic").parse(text, tools).calls[0].arguments == {"options": {"size": 1}}


def test_walks_to_no_end_are_allowed_by_the_length_of_the_reply() -> None:
    scan = get_format("pythonic").parser(None)
    assert isinstance(scan, Scanner)
    scan.wasted, scan.base = (1 << 20) + 4 * (10 + 5), 10
    assert not walked_in_vain(scan, 5)
    assert walked_in_vain(scan, 4)


def test_keys_without_quotes_are_read_behind_other_colons() -> None:
    found = read("f(a='x: y', b={deep: 1, 'c': {d: 2}})")
    assert isinstance(found, PythonCall)
    assert found.keywords == {"a": "x: y", "b": {"deep": 1, "c": {"d": 2}}}
    assert "unquoted_key" in found.repairs


def test_digits_that_run_into_letters_are_read_in_linear_time() -> None:
    def read(size: int) -> None:
        get_format("pythonic").parse(f"[get_weather(days={'0' * size}x)]", tuple(TOOLS.values()), "stop")

    assert growth(read, 3_000) < 8


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("pythonic", "[now()]", Told([("now", {}, "", "now()")])),
        ("pythonic", "[now(), now(zone='CET')]", Told([("now", {}, "", "now()"), ("now", {"zone": "CET"}, "", "now(zone='CET')")])),
        ("pythonic", "now()", Told([("now", {}, "missing_open_tag", "now()")])),
        ("pythonic", "[get_weather(city='Rome', days=3)]", Told([("get_weather", {"city": "Rome", "days": 3}, "", "get_weather(city='Rome', days=3)")])),
        ("pythonic", "[get_weather('Rome')]", Told([("get_weather", {"city": "Rome"}, "schema_coerced positional", "get_weather('Rome')")])),
        ("pythonic", '[get_weather(city="Rome", metric=True)]', Told([("get_weather", {"city": "Rome", "metric": True}, "", 'get_weather(city="Rome", metric=True)')])),
        ("pythonic", "[get_weather(city='Rome'", Told([("get_weather", {"city": "Rome"}, "missing_brace", "get_weather(city='Rome'")])),
        ("pythonic", "[get_weather(city='Rome')", Told([("get_weather", {"city": "Rome"}, "missing_brace", "get_weather(city='Rome')")])),
        ("pythonic", "[get_weather(city='Rom", Told([], "", [("truncated", "get_weather", "The call of 'get_weather' is cut off.")])),
        ("pythonic", "[other(a=1)]", Told([], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("pythonic", "[now(), other()]", Told([("now", {}, "", "now()")], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("pythonic", "[now(zone=None)]", Told([("now", {"zone": None}, "", "now(zone=None)")])),
        ("pythonic", "[now(zone=CET)]", Told([("now", {"zone": "CET"}, "schema_coerced unquoted_text", "now(zone=CET)")])),
        ("pythonic", "[write_file(path='a', content='x', tags=['a', \"b\"], options={'k': 1})]", Told([("write_file", {"path": "a", "content": "x", "tags": ["a", "b"], "options": {"k": 1}}, "", "write_file(path='a', content='x', tags=['a', \"b\"], options={'k': 1})")])),
        ("pythonic", "[now()] Done.", Told([("now", {}, "text_around", "now()")], "Done.")),
        ("pythonic", "Hi [now()]", Told([("now", {}, "text_around", "now()")], "Hi")),
        ("pythonic", "[now()]\n[now()]", Told([("now", {}, "extra_brace", "now()"), ("now", {}, "", "now()")])),
        ("pythonic", "[]", Told([], "[]")),
        ("pythonic", "[1, 2]", Told([], "[1, 2]")),
        ("pythonic", "[now]", Told([], "[now]", [("unread_call", "now", "A call of 'now' begins here and cannot be read.")])),
        ("pythonic", "[now(zone='it\\'s')]", Told([("now", {"zone": "it's"}, "", "now(zone='it\\'s')")])),
        ("pythonic", "[now(zone='a\nb')]", Told([("now", {"zone": "a\nb"}, "raw_newline", "now(zone='a\nb')")])),
        ("pythonic", "[now(zone='''a''')]", Told([("now", {"zone": "a"}, "", "now(zone='''a''')")])),
        ("pythonic", "[now(zone=f'x')]", Told([("now", {"zone": "x"}, "schema_coerced", "now(zone=f'x')")])),
        ("pythonic", "[now(zone='a' 'b')]", Told([("now", {"zone": "ab"}, "", "now(zone='a' 'b')")])),
        ("pythonic", "[get_weather(city='Rome', days=-3)]", Told([("get_weather", {"city": "Rome", "days": -3}, "", "get_weather(city='Rome', days=-3)")])),
        ("pythonic", "[get_weather(city='Rome', days=1+2)]", Told([("get_weather", {"city": "Rome", "days": 3}, "schema_coerced", "get_weather(city='Rome', days=1+2)")])),
        ("pythonic", "```python\n[now()]\n```", Told([("now", {}, "fenced", "now()")])),
        ("pythonic", "```\n[now()]\n```", Told([("now", {}, "fenced", "now()")])),
        ("pythonic", "`[now()]`", Told([("now", {}, "fenced", "now()")])),
        ("pythonic", "[get_weather(city='Rome',)]", Told([("get_weather", {"city": "Rome"}, "", "get_weather(city='Rome',)")])),
        ("pythonic", "[get_weather(city='Rome' days=3)]", Told([("get_weather", {"city": "Rome", "days": 3}, "missing_comma", "get_weather(city='Rome' days=3)")])),
        ("pythonic", "[get_weather(city: 'Rome')]", Told([("get_weather", {"city": "Rome"}, "unquoted_key", "get_weather(city: 'Rome')")])),
        ("pythonic", '[get_weather({"city": "Rome"})]', Told([("get_weather", {"city": "Rome"}, "wrapper_arg", 'get_weather({"city": "Rome"})')])),
        ("pythonic", "[time.now()]", Told([], "", [("unknown_tool", "time.now", "No tool 'time.now' is declared.")])),
        ("pythonic", '[now(zone="CET"); now()]', Told([("now", {"zone": "CET"}, "", 'now(zone="CET")'), ("now", {}, "", "now()")])),
    ],
)  # fmt: skip
def test_all_that_is_said_of_python_calls(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("pythonic", "stop", Drawn("[⟦‹get_weather›(«city=Rome »)⟧]", [("get_weather", {"city": "Rome"}, "schema_coerced unquoted_text")])),
        ("pythonic", "stop", Drawn("[⟨get_weather(**{'city'words: 'Rome'})⟩]", [], ["reported bad_json get_weather: The call of 'get_weather' is no call whose values can be read."])),
        ("pythonic", "stop", Drawn("[⟦‹now›(«zone=1_000»)⟧]", [("now", {"zone": "1000"}, "schema_coerced")])),
        ("pythonic", "stop", Drawn("[⟨now(zone=tru⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("pythonic", "stop", Drawn("[⟨get_weather(city='Rome', get_weather(city='Rome', 3)]⟩", [], ["reported args_not_object get_weather: 'get_weather' is called with what another call gives."])),
        ("pythonic", "length", Drawn("x = ⟨get_weather(city=⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that pythonic does not know."], "x = get_weather(city=")),
    ],
)  # fmt: skip
def test_places_of_calls_as_python_and_what_is_said_of_them(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='Rome', days=3»)⟧]", [("get_weather", {"city": "Rome", "days": 3}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«'Rome', 3»)⟧]", [("get_weather", {"city": "Rome", "days": 3}, "schema_coerced positional")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«'Rome', days=3, metric=True»)⟧]", [("get_weather", {"city": "Rome", "days": 3, "metric": True}, "schema_coerced positional")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«3, city='Rome'»)⟧]", [("get_weather", {"days": 3, "city": "Rome"}, "schema_coerced positional")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='Rome', city='Oslo'»)⟧]", [("get_weather", {"city": "Oslo"}, "name_dup")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='Rome', city='Rome'»)⟧]", [("get_weather", {"city": "Rome"}, "name_dup")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city=Rome»)⟧]", [("get_weather", {"city": "Rome"}, "schema_coerced unquoted_text")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='Rome',»)⟧]", [("get_weather", {"city": "Rome"}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='Rome' days=3»)⟧]", [("get_weather", {"city": "Rome", "days": 3}, "missing_comma")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city: 'Rome', days: 3»)⟧]", [("get_weather", {"city": "Rome", "days": 3}, "unquoted_key")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«{'city': 'Rome'}»)⟧]", [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«**{'city': 'Rome'}»)⟧]", [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«\"city\"='Rome'»)⟧]", [("get_weather", {"city": "Rome"}, "unquoted_key")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='it's', days=3»)⟧]", [("get_weather", {"city": "it's", "days": 3}, "unescaped_quote")])),
        ("pythonic", "stop", True, Drawn('[⟦‹get_weather›(«city="a" "b"»)⟧]', [("get_weather", {"city": "ab"}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='a' + 'b'»)⟧]", [("get_weather", {"city": "ab"}, "schema_coerced")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city=f'a'»)⟧]", [("get_weather", {"city": "a"}, "schema_coerced")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city=r'a\\n'»)⟧]", [("get_weather", {"city": "a\\n"}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='''a\nb'''»)⟧]", [("get_weather", {"city": "a\nb"}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city='a\\nb'»)⟧]", [("get_weather", {"city": "a\nb"}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city=None»)⟧]", [("get_weather", {"city": None}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹get_weather›(«city=true»)⟧]", [("get_weather", {"city": True}, "py_literal")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=(1, 2)»)⟧]", [("now", {"zone": [1, 2]}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=[1, [2]]»)⟧]", [("now", {"zone": [1, [2]]}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone={'a': [1, {'b': None}]}»)⟧]", [("now", {"zone": {"a": [1, {"b": None}]}}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone={1, 2}»)⟧]", [("now", {"zone": [1, 2]}, "schema_coerced")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=()»)⟧]", [("now", {"zone": []}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=(1)»)⟧]", [("now", {"zone": "1"}, "schema_coerced")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=(1,)»)⟧]", [("now", {"zone": [1]}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=-1.5e3»)⟧]", [("now", {"zone": -1500.0}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=1_000»)⟧]", [("now", {"zone": "1000"}, "schema_coerced")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone='a', »)⟧]", [("now", {"zone": "a"}, "")])),
        ("pythonic", "stop", True, Drawn("[⟨now(, zone='a')⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone='a'»⟧", [("now", {"zone": "a"}, "missing_brace")])),
        ("pythonic", "stop", True, Drawn("[⟨now(zone='a⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("pythonic", "stop", True, Drawn("[⟨now(zone=now())⟩]", [], ["reported args_not_object now: 'now' is called with what another call gives."])),
        ("pythonic", "stop", True, Drawn("[⟨now(1, 2)⟩]", [], ["reported args_not_object now: 'now' was called with unnamed arguments."])),
        ("pythonic", "stop", True, Drawn("[⟦‹functions.now›(«»)⟧]", [("now", {}, "name_prefix")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now› («zone='a'»)⟧]", [("now", {"zone": "a"}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone='a']»)⟧", [("now", {"zone": "a"}, "extra_brace missing_brace")])),
        ("pythonic", "stop", True, Drawn('[⟦‹now›(«zone="a\\"b"»)⟧]', [("now", {"zone": 'a"b'}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹write_file›(«path='a', content='x', tags=['b', 'c'], options={'k': None}»)⟧]", [("write_file", {"path": "a", "content": "x", "tags": ["b", "c"], "options": {"k": None}}, "")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=lambda x: x»)⟧]", [("now", {"zone": "lambda x: x"}, "schema_coerced unquoted_text")])),
        ("pythonic", "stop", True, Drawn("[⟨now(zone='a';)⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone=“a”»)⟧]", [("now", {"zone": "a"}, "smart_quotes")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone='a', # c\n»)⟧]", [("now", {"zone": "a"}, "")])),
        ("pythonic", "length", True, Drawn("[⟨now(zone='a'⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("pythonic", "stop", False, Drawn("[⟨f(1, a=2)⟩]", [], ["reported args_not_object f: 'f' was called with unnamed arguments."])),
        ("pythonic", "stop", False, Drawn("[⟦‹f›(«a=2»)⟧]", [("f", {"a": 2}, "")])),
    ],
)  # fmt: skip
def test_arguments_of_a_call(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟦‹now›(«zone='a'»)⟧]]", [("now", {"zone": "a"}, "text_around")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=[1, 2»)⟧]", [("now", {"zone": [1, 2]}, "missing_brace")])),
        ("pythonic", Drawn("[⟦‹now›(«zone={'a': 1»)⟧]", [("now", {"zone": {"a": 1}}, "missing_brace")])),
        ("pythonic", Drawn("[⟨now(zone=(1, 2]]⟩", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", Drawn("[⟨now(zone=[,])⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", Drawn("[⟨now(zone=[1,,2])⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", Drawn("[⟦‹now›(«zone={'a' 1}»)⟧]", [("now", {"zone": "{'a' 1}"}, "schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟦‹now›(«zone={'a': 1,}»)⟧]", [("now", {"zone": {"a": 1}}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone={a: 1}»)⟧]", [("now", {"zone": {"a": 1}}, "unquoted_key")])),
        ("pythonic", Drawn("[⟦‹now›(«zone='a''b'»)⟧]", [("now", {"zone": "ab"}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=b'a'»)⟧]", [("now", {"zone": "a"}, "schema_coerced")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=u'a'»)⟧]", [("now", {"zone": "a"}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=rf'a'»)⟧]", [("now", {"zone": "a"}, "schema_coerced")])),
        ("pythonic", Drawn("[⟦‹now›(«zone='\\x41'»)⟧]", [("now", {"zone": "A"}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone='\\u00e9'»)⟧]", [("now", {"zone": "é"}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone='\\q'»)⟧]", [("now", {"zone": "\\q"}, "")])),
        ("pythonic", Drawn('[⟦‹now›(«zone="a\nb"»)⟧]', [("now", {"zone": "a\nb"}, "raw_newline")])),
        ("pythonic", Drawn("[⟨now(zone=1e400)⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", Drawn("[⟦‹now›(«zone=0x1F»)⟧]", [("now", {"zone": "0x1F"}, "schema_coerced")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=1j»)⟧]", [("now", {"zone": "1j"}, "schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=.5»)⟧]", [("now", {"zone": 0.5}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=5.»)⟧]", [("now", {"zone": 5.0}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=--5»)⟧]", [("now", {"zone": "--5"}, "schema_coerced")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=not x»)⟧]", [("now", {"zone": "not x"}, "schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=a.b»)⟧]", [("now", {"zone": "a.b"}, "schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=a[0]»)⟧]", [("now", {"zone": "a[0]"}, "schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟦‹now›(«zone=a if b else c»)⟧]", [("now", {"zone": "a if b else c"}, "schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟦‹now›(«zone='a' if b else 'c'»)⟧]", [("now", {"zone": "'a' if b else 'c'"}, "schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟨now(zone=...)⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", Drawn("[⟨now(...)⟩]", [], ["reported bad_json now: The call of 'now' is no call whose values can be read."])),
        ("pythonic", Drawn("[⟦‹now›(«zone={}»)⟧]", [("now", {"zone": {}}, "")])),
        ("pythonic", Drawn("[⟦‹now›(«zone='a\\'b'»)⟧]", [("now", {"zone": "a'b"}, "")])),
        ("pythonic", Drawn("[⟦‹get_weather›(«city='Rome', days='3'»)⟧]", [("get_weather", {"city": "Rome", "days": 3}, "schema_coerced")])),
        ("pythonic", Drawn("[⟦‹get_weather›(«city='Rome', metric='true'»)⟧]", [("get_weather", {"city": "Rome", "metric": True}, "schema_coerced")])),
        ("pythonic", Drawn("[⟦‹get_weather›(«days=3»)⟧]", [("get_weather", {"days": 3}, "")])),
        ("pythonic", Drawn("[⟦‹get_weather›(«city='Rome', x=1»)⟧]", [("get_weather", {"city": "Rome", "x": 1}, "")])),
        ("pythonic", Drawn("[⟨get_weather('Rome', 3, True, 4)⟩]", [], ["reported args_not_object get_weather: 'get_weather' was called with unnamed arguments."])),
        ("pythonic", Drawn("[⟦‹write_file›(«'a', 'b', ['c']»)⟧]", [("write_file", {"path": "a", "content": "b", "tags": ["c"]}, "schema_coerced positional")])),
        ("pythonic", Drawn("[⟦‹write_file›(«path='a', content='say \"hi\", ok', tags=[]»)⟧]", [("write_file", {"path": "a", "content": 'say "hi", ok', "tags": []}, "")])),
        ("pythonic", Drawn("[⟦‹write_file›(«path='a', content='it's (ok), so'»)⟧]", [("write_file", {"path": "a", "content": "it's (ok), so"}, "unescaped_quote")])),
    ],
)  # fmt: skip
def test_odd_values_and_brackets(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("pythonic", "stop", True, Drawn("[⟨now(⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("pythonic", "length", True, Drawn("[⟨now(⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("pythonic", "stop", True, Drawn("⟨now(⟩ ", [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "now( ")),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«zone='CET', »⟧", [("now", {"zone": "CET"}, "missing_brace")])),
        ("pythonic", "stop", True, Drawn("[⟦‹now›(«»)⟧", [("now", {}, "missing_brace")])),
        ("olmo3", "stop", True, Drawn("⟨<function_calls>\nnow(⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("bare_json", "stop", True, Drawn("[⟨now(⟩", [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "[now(")),
    ],
)  # fmt: skip
def test_an_opened_parenthesis_alone_is_cut_off(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole
