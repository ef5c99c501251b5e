"""Lists of strings that are calls."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats import get_format


def test_each_string_is_a_call_with_its_places() -> None:
    text = """["get_weather(city='Rome')", 'now()']"""
    result = get_format("pythonic").parse(text, None)
    assert [(call.name, call.arguments, call.repairs) for call in result.calls] == [
        ("get_weather", {"city": "Rome"}, ("double_encoded",)),
        ("now", {}, ("double_encoded",)),
    ]
    first = result.calls[0]
    assert text[first.name_span.start : first.name_span.end] == "get_weather"
    assert text[first.arguments_span.start : first.arguments_span.end] == "city='Rome'"


@pytest.mark.parametrize(
    "text",
    [
        '["now()", "later"]',
        '["f(x)"]',
        '["now() or so"]',
        '["now()"',
        'The list ["now()"] is one.',
        '["now()"] is a list',
        """["f(a='x')']""",
    ],
)
def test_other_lists_are_text(text: str) -> None:
    result = get_format("pythonic").parse(text, None)
    assert (result.calls, result.text) == ((), text)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("['f(to='user:online:both', keys=['a','b'])']", [{"to": "user:online:both", "keys": ["a", "b"]}]),
        ("['f(title='it's me', days=2)', 'now()']", [{"title": "it's me", "days": 2}, {}]),
        ('["f(a="x")"]', [{"a": "x"}]),
    ],
)
def test_calls_may_use_the_quotes_around_them(text: str, arguments: list[dict[str, object]]) -> None:
    result = get_format("pythonic").parse(text, None)
    assert [call.arguments for call in result.calls] == arguments
    assert {call.repairs[0] for call in result.calls} == {"unescaped_quote"}


def test_what_was_mended_inside_of_a_string_is_told_beside_it() -> None:
    (call,) = get_format("pythonic").parse('["f(a=true)"]', None).calls
    assert (call.arguments, call.repairs) == ({"a": True}, ("double_encoded", "py_literal"))


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("pythonic", "stop", Drawn("['⟨now()', 'get_weather(=\"Rome\")']⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['now()', 'get_weather(=\"Rome\")']")),
        ("pythonic", "stop", Drawn("[⟦'‹now›(«»)'⟧, ⟦'‹get_weather›(«city='Rome'»)'⟧]", [("now", {}, "unescaped_quote"), ("get_weather", {"city": "Rome"}, "unescaped_quote")])),
        ("pythonic", "stop", Drawn("['⟨now()', 'get_weatehr(city=\"Rome\")']⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['now()', 'get_weatehr(city=\"Rome\")']")),
    ],
)  # fmt: skip
def test_calls_in_quotes_and_words_that_are_none(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟦'‹get_weather›(«city=\"Rome\"»)⟧, ⟦‹now›(«»)'⟧]", [("get_weather", {"city": "Rome"}, "double_encoded"), ("now", {}, "double_encoded")])),
    ],
)  # fmt: skip
def test_two_calls_in_one_quoted_text(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟦'‹now›(«»)'⟧]", [("now", {}, "double_encoded")])),
        ("pythonic", Drawn('[⟦"‹now›(«»)"⟧, ⟦"‹get_weather›(«city=\'Rome\'»)"⟧]', [("now", {}, "double_encoded"), ("get_weather", {"city": "Rome"}, "double_encoded")])),
        ("pythonic", Drawn("['⟨now()', 'later()']⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['now()', 'later()']")),
        ("pythonic", Drawn("['now() and', '⟨now()']⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['now() and', 'now()']")),
        ("pythonic", Drawn("['⟨now()', 5]⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['now()', 5]")),
        ("pythonic", Drawn("['⟨get_weather(city=\"Rome\")', now()]⟩", [], ["ignored mentioned get_weather: This looks like a call but it stands in quotes."], "['get_weather(city=\"Rome\")', now()]")),
        ("pythonic", Drawn("['']", [], [], "['']")),
        ("pythonic", Drawn("['⟨now()'⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['now()'")),
        ("pythonic", Drawn("[⟦'‹now›(«zone=\\'a\\'»)'⟧]", [("now", {"zone": "a"}, "double_encoded")])),
        ("pythonic", Drawn("['⟨now(']⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['now(']")),
        ("pythonic", Drawn("['x now()']", [], [], "['x now()']")),
        ("pythonic", Drawn("['[⟨now()⟩]']", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "['[now()]']")),
    ],
)  # fmt: skip
def test_calls_as_texts_of_a_list(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟦'‹now›(«zone=x»)'⟧]", [("now", {"zone": "x"}, "double_encoded schema_coerced unquoted_text")])),
        ("pythonic", Drawn("[⟦'‹get_weather›(«\"Rome\"»)'⟧]", [("get_weather", {"city": "Rome"}, "double_encoded schema_coerced positional")])),
        ("pythonic", Drawn("[⟦'‹now›(«zone=true»)'⟧]", [("now", {"zone": True}, "double_encoded py_literal")])),
        ("pythonic", Drawn("['later()']", [], [], "['later()']")),
    ],
)  # fmt: skip
def test_repairs_of_calls_in_quotes(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ('pythonic', 'stop', True, Drawn('[⟦\'‹now›(«zone="now(1)"»)\'⟧]', [('now', {'zone': 'now(1)'}, 'double_encoded')])),
        ('pythonic', 'stop', True, Drawn("[ ⟦'‹now›(«»)'⟧ , ⟦'‹now›(«»)'⟧ ]", [('now', {}, 'double_encoded'), ('now', {}, 'double_encoded')])),
        ('pythonic', 'stop', True, Drawn("[⟦'‹now›(«»)'⟧,⟦'‹get_weather›(«city=\\'now()\\'»)'⟧,⟦'‹now›(«»)'⟧]", [('now', {}, 'double_encoded'), ('get_weather', {'city': 'now()'}, 'double_encoded'), ('now', {}, 'double_encoded')])),
        ('pythonic', 'stop', True, Drawn('[⟦\'‹get_weather›(«city="a (b)"»)\'⟧]', [('get_weather', {'city': 'a (b)'}, 'double_encoded')])),
        ('pythonic', 'stop', True, Drawn("[⟦'‹get_weather›(«city='a (b)'»)'⟧, ⟦'‹now›(«»)'⟧ ]", [('get_weather', {'city': 'a (b)'}, 'unescaped_quote'), ('now', {}, 'unescaped_quote')])),
        ('pythonic', 'stop', True, Drawn("[⟦'‹now›(«'a'»)'⟧]", [('now', {'zone': 'a'}, 'unescaped_quote schema_coerced positional')])),
        ('pythonic', 'stop', True, Drawn("['⟨now(zone='a')' 'now()']⟩", [], ['ignored mentioned now: This looks like a call but it stands in quotes.'], "['now(zone='a')' 'now()']")),
        ('pythonic', 'stop', True, Drawn("['⟨now(zone='a')'; 'now()']⟩", [], ['ignored mentioned now: This looks like a call but it stands in quotes.'], "['now(zone='a')'; 'now()']")),
        ('pythonic', 'stop', True, Drawn("['⟨now(zone='a', 'b')']⟩", [], ['ignored mentioned now: This looks like a call but it stands in quotes.'], "['now(zone='a', 'b')']")),
    ],
)  # fmt: skip
def test_names_of_calls_in_quotes_and_their_places(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("pythonic", "stop", True, Drawn('[⟦"‹get_weather›(«city=\'Rome\'»)⟧, ⟦‹now›(«zone=\'x\'»)"⟧]', [("get_weather", {"city": "Rome"}, "double_encoded"), ("now", {"zone": "x"}, "double_encoded")])),
        ("pythonic", "stop", True, Drawn('[⟦"‹get_weather›(«city=\\"Rome\\"»)⟧, ⟦‹now›(«zone=\\"x(\\"»)"⟧]', [("get_weather", {"city": "Rome"}, "double_encoded"), ("now", {"zone": "x("}, "double_encoded")])),
        ("pythonic", "stop", True, Drawn('[⟦"‹now›(«»)"⟧, ⟦" ‹now›(«zone=\\"a\\\\n)\\"») "⟧]', [("now", {}, "double_encoded"), ("now", {"zone": "a\n)"}, "double_encoded")])),
        ("pythonic", "stop", True, Drawn("[⟦'‹get_weather›(«city=\\'Ro\\u006de\\'»)⟧; ⟦‹now›(«»)'⟧]", [("get_weather", {"city": "Rome"}, "double_encoded"), ("now", {}, "double_encoded")])),
        ("pythonic", "stop", True, Drawn('[⟦"‹now›(«»)⟧, \\\n⟦‹now›(«»)"⟧]', [("now", {}, "double_encoded"), ("now", {}, "double_encoded")])),
    ],
)  # fmt: skip
def test_places_of_calls_in_one_text(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole
