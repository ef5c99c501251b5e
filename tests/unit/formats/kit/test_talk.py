"""Words around a call that say it is not made."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome, ParsedCall, ParseResult, Span
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.talk import denied, is_template, shown, supposed

SPECS = tuple(TOOLS.values())
CALL = "[get_weather(city='Rome')]"


def read(raw: str, form: str = "pythonic") -> ParseResult:
    return get_format(form).parse(raw, SPECS, "stop")


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("For instance:\n\n", "for example"),
        ("For instance, to get the weather one would write\n\n", "for example"),
        ("The documented format is:\n\n", "for example"),
        ("A tool call looks like this: ", "for example"),
        ("Your message contains ", "for example"),
        ("The server log says:\n", "for example"),
        ("The model replies with:\n\n", "for example"),
        ("It produces something like\n\n", "for example"),
        ("Before I send it, here's what the call would look like:\n\n", "for example"),
        ("Voici un exemple d'appel de fonction :\n\n", "for example"),
        ("Hier ist ein Beispiel für einen Aufruf:\n", "for example"),
        ("下面是一个函数调用的例子:\n", "for example"),
        ("The call that I make is: ", ""),
        ("Text <!-- ", "comment"),
        ("Text <!-- a --> ", ""),
        ("Do not write ", "not to be written"),
        ("You should never call ", "not to be written"),
        ("For example, a call could look like this:\n\n", "for example"),
        ("Available tools:\n", "for example"),
        ("Your log says:\n", "for example"),
        ("Here is an example of how I will call it: ", ""),
        ("This is an example for a call of it: ", "for example"),
        ("I call the following functions:\n", ""),
        ("Correct would be: ", "right and wrong"),
        ("That is a question of style.\n\n**Wrong:**\n", "right and wrong"),
        ("❌ ", "right and wrong"),
        ("The correct function call is: ", ""),
        ("My last call was wrong, so once more: ", ""),
        ("I don't know yet. ", ""),
        ("I will not guess, so: ", ""),
        ("If I had to guess, it would rain. I call ", ""),
        ("If you had no city, I'd ask. I call it: ", ""),
        ("Let me check if it had rained: ", ""),
        ("I'd like to check that: ", ""),
    ],
)
def test_shown(before: str, why: str) -> None:
    assert (why in shown(before)) if why else shown(before) == ""


@pytest.mark.parametrize(
    "before",
    [
        "If I could, I'd send ", "If you had asked for Rome, I would send:\n", "Had I the tool, I’d call it: ", "I would have sent ", "I wish I could send ",
        "Wenn ich könnte, würde ich ", "Si je pouvais, j'enverrais ", "Si pudiera, enviaría ", "Se eu pudesse, enviaria ", "Se potessi, invierei ",
        "Als ik kon, zou ik ", "Gdybym mógł, wysłałbym ", "Если бы я мог, я бы отправил ", "如果我能，我会发送", "もしできたら、", "할 수 있다면 ",
    ],
)  # fmt: skip
def test_what_would_be_called_if_things_were_otherwise_is_not_called(before: str) -> None:
    for form, call in (
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": {}}</tool_call>'),
        ("mistral_args", "[TOOL_CALLS]now[ARGS]{}"),
    ):
        assert [one.outcome for one in read(call, form).calls] == [Outcome.STRICT]
        found = read(before + call, form)
        assert found.calls == ()
        assert [one.outcome for one in found.problems] == [Outcome.IGNORED]


@pytest.mark.parametrize(
    "before",
    [
        "None of the functions can be used here.", "There is no suitable tool for this.", "The given question lacks the parameters required by the function.",
        "The provided tools cannot be used to answer that.", "Without a city this cannot be answered.", "The required parameters are missing.",
    ],
)  # fmt: skip
def test_an_unmarked_call_after_words_that_no_tool_fits_is_only_mentioned(before: str) -> None:
    assert denied(before)
    found = read(f"{before} Here it is all the same:\n\n{CALL}")
    assert found.calls == ()
    assert [one.outcome for one in found.problems] == [Outcome.IGNORED]
    assert CALL in found.text
    marked = read(f'{before}\n<tool_call>\n{{"name": "now", "arguments": {{}}}}\n</tool_call>', "qwen_xml")
    assert [call.outcome for call in marked.calls] == [Outcome.STRICT]


@pytest.mark.parametrize(
    "before",
    [
        "I can't know that by heart, so I look.", "Missing information is not a problem.", "This can't be answered without a tool:", "I do not have that, but I can check.",
        "There is no need to guess; I call the tool.",
    ],
)  # fmt: skip
def test_an_announced_call_counts(before: str) -> None:
    assert denied(before) == ""
    assert len(read(f"{before}\n\n{CALL}").calls) == 1


@pytest.mark.parametrize(
    "call",
    ["[get_weather(city, days)]", "[get_weather(city='<city>')]", "[get_weather(city=?)]", '[get_weather(city="your_city")]', "[get_weather(city='...')]"],
)  # fmt: skip
def test_a_template_is_no_call(call: str) -> None:
    assert read(f"The call has this form.\n\n{call}").calls == ()


def test_a_template_that_is_the_whole_reply_is_what_the_model_calls_with() -> None:
    assert [call.arguments for call in read("[get_weather(city='your_city')]").calls] == [{"city": "your_city"}]


def test_a_key_that_the_model_does_not_have_makes_no_template() -> None:
    tool = ToolSpec("find", "", {"type": "object", "properties": {"api_key": {"type": "string"}}})
    for before in ("", "I look.\n"):
        (call,) = get_format("pythonic").parse(f"{before}[find(api_key='YOUR_API_KEY')]", [tool]).calls
        assert call.arguments == {"api_key": "YOUR_API_KEY"}
    (told,) = get_format("qwen_xml").parse("[find(api_key='YOUR_API_KEY')]", [tool]).problems
    assert told.code == "unknown_format"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I would call ", "(city='Rome')"), ("Please run ", "(city='Rome')"), ("The log says: called ", "()"), ("// ", "()"), (">>> ", "()"),
        ("In [1]: ", "()"), ("You can use <invoke name=\"", "\">"), ("<function=", "> is the tag for it"), ("- `", "`: {\"city\": \"string\"}"),
        ("The call ", "(city='Rome') is what it says"), ("    return [", "(city=c) for c in cities]"), ("I checked with ", "(city: Rome) today"),
        ('  File "a.py", line 3, in f\n    ', "(city='Rome')"),
    ],
)  # fmt: skip
def test_supposed(before: str, after: str) -> None:
    assert supposed(before, after)


@pytest.mark.parametrize("before", ["", "I will call ", "Let me see: ", "result = ", "The call: "])
def test_meant(before: str) -> None:
    assert supposed(before, "(city='Rome')") == ""


def test_quoted_definition_of_a_tool_is_no_call() -> None:
    found = read('{"name": "get_weather", "version": "1", "parameters": {"city": {"type": "string"}}}', "bare_json")
    assert found.calls == ()


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟨get_weather(city=<value>)]⟩\n\nWhichcity do you mean?", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that pythonic does not know."], "[get_weather(city=<value>)]\n\nWhichcity do you mean?")),
        ("pythonic", Drawn("[⟦‹get_weather›(«city: 'Rome'»)⟧city", [("get_weather", {"city": "Rome"}, "unquoted_key missing_brace text_around")], [], "city")),
        ("pythonic", Drawn("Available tools:\n- get_weather(city: string, days: integer)\n", [], [], "Available tools:\n- get_weather(city: string, days: integer)\n")),
    ],
)  # fmt: skip
def test_signatures_and_lists_of_tools(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("For example: ", "it follows “for example”"),
        ("For example ** ", "it follows “for example”"),
        ("For example. ", ""),
        ("<!-- ", "it stands in a comment"),
        ("<!-- a\nb ", "it stands in a comment"),
        ("<!-- a --> b <!-- ", "it stands in a comment"),
        ("<!-- a -->", ""),
        ("Do not write ", "it is not to be written"),
        ("Do not write: `", "it is not to be written"),
        ("Don't ever call ", "it is not to be written"),
        ("You must not use it ", "it is not to be written"),
        ("I will not call you because of it ", ""),
        ("never ", ""),
        ("Wrong: ", "right and wrong are shown"),
        ("The wrong form: ", "right and wrong are shown"),
        ("wrong\n", ""),
        ("(Right: ", "right and wrong are shown"),
        ("❌ ", "right and wrong are shown"),
        ("❌ call ", "right and wrong are shown"),
        ("❌ a\n", ""),
        ("✗ xxxxxxxxxxxxxxxxxxxxx", ""),
        ("If you had asked, I would send ", "it is only supposed"),
        ("If you had asked. I would send ", ""),
        ("", ""),
        ("   ", ""),
        ('{"a": ', ""),
        ("For example: <", ""),
        ("e.g. ", "it follows “for example”"),
        ("E.g. ", "it follows “for example”"),
        ("such as ", "it follows “for example”"),
    ],
)  # fmt: skip
def test_words_right_before_a_call(before: str, found: Any) -> None:
    assert repr(shown(before)) == repr(found)


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("No tool fits. ", "it follows words that no tool fits"),
        ("None of the tools fit.", "it follows words that no tool fits"),
        ("no tools", "it follows words that no tool fits"),
        ("nothing", ""),
        ("No tool fits.                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             ", "it follows words that no tool fits"),
        ("No tool fits.                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            ", ""),
        ("The tool cannot be used.", "it follows words that no tool fits"),
        ("I lack the parameters.", "it follows words that no tool fits"),
        ("", ""),
    ],
)  # fmt: skip
def test_words_that_no_tool_fits(before: str, found: Any) -> None:
    assert repr(denied(before)) == repr(found)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("For example: <tool_call>", "x", "it follows “for example”"),
        ("No tool fits. <tool_call>", "x", "it follows words that no tool fits"),
        ("I would call ", "x", "it is only supposed"),
        ("Please run                                                                                                                                                                           ", "x", "it is only supposed"),
        ("", " is the tag", "it is explained"),
        ("", " means it", "it is explained"),
        ("", "x is", "it is explained"),
        ("", "(a) is what", "it is explained"),
        ("", "(a)` returns it", "it is explained"),
        ("", "(a) now", ""),
        ("", '{"city": "string"}', "it is explained"),
        ("", '{"city": "Rome"}', ""),
        ("", "(city: str)", "it is explained"),
        ("", "(city: 'str')", ""),
        ("", "(city = int)", "it is explained"),
        ("", "(city=3)", ""),
        ("", "", ""),
        ("// ", "x", "it is only supposed"),
        ("a // ", "x", ""),
    ],
)  # fmt: skip
def test_words_around_what_cannot_be_read(before: str, after: str, found: Any) -> None:
    assert repr(supposed(before, after)) == repr(found)


@pytest.mark.parametrize(
    ("arguments", "repairs", "found"),
    [
        ({"city": "str"}, "unquoted_key", True),
        ({"city": "str"}, "", False),
        ({"city": "str", "n": "int"}, "unquoted_key", True),
        ({"city": "str", "n": 3}, "unquoted_key", False),
        ({}, "unquoted_key", False),
        ({"city": "city"}, "positional", True),
        ({"city": "Rome"}, "positional", False),
        ({"city": "city"}, "", False),
        ({}, "positional", False),
        ({"?": 1}, "", True),
        ({"...": 1}, "", True),
        ({"city": "?"}, "", True),
        ({"city": "…"}, "", True),
        ({"city": ""}, "", False),
        ({"city": "<city>"}, "", True),
        ({"city": "< City >"}, "", True),
        ({"city": "[city]"}, "", True),
        ({"city": "{city}"}, "", True),
        ({"city": "(city)"}, "", False),
        ({"city": "<city"}, "", False),
        ({"city": "city>"}, "", False),
        ({"city": "<>"}, "", False),
        ({"city": "<a>"}, "", False),
        ({"a": "<a>"}, "", True),
        ({"city": "<your city>"}, "", True),
        ({"city": "your_city"}, "", True),
        ({"city": "YOUR-CITY"}, "", True),
        ({"city": "your town"}, "", False),
        ({"city": "<value>"}, "", True),
        ({"city": "[value]"}, "", False),
        ({"city": "<string>"}, "", True),
        ({"city_name": "<city-name>"}, "", True),
        ({"api_key": "<api_key>"}, "", False),
        ({"Token": "?"}, "", False),
        ({"a": "Rome", "b": "?"}, "", True),
        ({"a": ["?"]}, "", False),
        ({"a": 5}, "", False),
    ],
)  # fmt: skip
def test_calls_whose_values_only_stand_for_others(arguments: dict[str, Any], repairs: str, found: Any) -> None:
    assert repr(
        is_template(ParsedCall("f", arguments, "", Outcome.STRICT, tuple(repairs.split()), *[Span(0, 0)] * 3, ""))
    ) == repr(found)


CANONICAL = {
    "qwen_xml": '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    "mistral_args": "[TOOL_CALLS]now[ARGS]{}",
    "gemma4": "<|tool_call>call:now{}<tool_call|>",
    "kimi_k2": "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
    "anthropic_xml": '<function_calls>\n<invoke name="now">\n</invoke>\n</function_calls>',
    "pythonic": "[now()]",
    "bare_json": '{"name": "now", "arguments": {}}',
}


@pytest.mark.parametrize("form", CANONICAL)
@pytest.mark.parametrize(
    "prose",
    [
        "The model writes {} when it wants the time.", "Older versions wrote {} instead of JSON.", "The marker {} opens a call.",
        "If the reply contains {}, then the parser stops there.", "You can see {} in the log.", "I saw {} in the output, is that a bug?",
        "The syntax {} is used by this family.", "Question: what does {} mean?", "Note that {} must not be shown.",
        "The user pasted {} and asked what it is.", "| form | example |\n|---|---|\n| this | {} |", "It is documented as follows: {}",
    ],
)  # fmt: skip
def test_prose_that_speaks_of_a_form_makes_no_call(form: str, prose: str) -> None:
    assert get_format(form).parse(prose.format(CANONICAL[form]), SPECS, "stop").calls == ()


@pytest.mark.parametrize("form", ["qwen_xml", "mistral_args", "gemma4", "kimi_k2", "anthropic_xml"])
@pytest.mark.parametrize(
    "prose",
    [
        "I'll look that up: {}", "Let me check the time {} and then go on.", "I will use the tool {}", "The answer needs the time. {}",
        "To see the time, I call now. {}", "First I note the time.\n{}", "I found nothing, so {}", "Calling the server. {}",
    ],
)  # fmt: skip
def test_words_that_come_with_a_call_keep_it(form: str, prose: str) -> None:
    assert [call.name for call in get_format(form).parse(prose.format(CANONICAL[form]), SPECS, "stop").calls] == ["now"]
