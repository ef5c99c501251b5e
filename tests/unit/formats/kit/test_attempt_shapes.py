"""Each line of the tables of shapes has an example that needs it, and talk about a tool has no shape."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.formats.kit import attempt_shapes as shapes
from workbench.formats.kit.attempt_shapes import (
    SHAPES,
    BegunCall,
    Decided,
    Shape,
    bent_attempts,
    labelled_attempts,
    named_attempts,
)
from workbench.formats.kit.toolset import ToolSet
from workbench.formats.kit.wordings import Wording

NAME = "look_up"


def begin(shape: Shape, text: str) -> int:
    start = text.index(NAME)
    return shape.begin(text, text[:start], start, start + len(NAME))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.example)
def test_an_example_is_found_by_its_own_shape_first(shape: Shape) -> None:
    begun = [(other, begin(other, shape.example)) for other in SHAPES]
    found = [(other, at) for other, at in begun if at >= 0]
    assert found[0][0] is shape
    assert all(at != found[0][1] for _, at in found[1:]), "another shape says the same: one of them is needless"


def fits_before(wording: Wording, text: str) -> bool:
    head = text[: text.index(NAME)]
    return re.search(rf"(?:{wording.regex}){shapes._MODULE}", head, re.IGNORECASE) is not None


def fits_behind(wording: Wording, text: str, lead: str) -> bool:
    end = text.index(NAME) + len(NAME)
    return re.compile(rf"{lead}(?:{wording.regex})", re.IGNORECASE).match(text, end) is not None


@pytest.mark.parametrize("wording", shapes.MARKS_BEFORE, ids=lambda one: one.example)
def test_no_other_mark_finds_an_example(wording: Wording) -> None:
    assert [one for one in shapes.MARKS_BEFORE if fits_before(one, wording.example)] == [wording]


@pytest.mark.parametrize(
    ("table", "lead", "wording"),
    [
        pytest.param(table, lead, wording, id=wording.example)
        for table, lead in (
            (shapes.BEHIND, ""), (shapes.IN_PARENTHESES, r"\("), (shapes.BEHIND_JUNK, shapes._JUNK),
        )
        for wording in table
    ],
)  # fmt: skip
def test_nothing_else_behind_a_name_finds_an_example(table: tuple[Wording, ...], lead: str, wording: Wording) -> None:
    assert [one for one in table if fits_behind(one, wording.example, lead)] == [wording]


def found(text: str) -> list[BegunCall]:
    return [attempt for tool in named_attempts(text, ToolSet(tuple(TOOLS.values())), Decided()) for attempt in tool]


def test_an_attempt_begins_with_what_marks_it_and_ends_with_its_name() -> None:
    text = "So: <zz:invoke get_weather of Rome"
    assert found(text) == [BegunCall(text.index("<"), text.index(" of"), "get_weather")]


def test_a_bent_name_is_no_other_tools() -> None:
    tools = ToolSet(tuple(TOOLS.values()))
    bent = [
        attempt.name for tool in bent_attempts("get_weathr(city='Rome') write_fil(path='a')", tools) for attempt in tool
    ]
    assert bent == ["get_weather", "write_file"]
    assert not [*bent_attempts("get_weathr needs no sign", tools)]
    other = ToolSet((TOOLS["get_weather"], replace(TOOLS["get_weather"], name="get_weather_now")))
    assert not [
        one
        for tool in bent_attempts("get_weather_now(city='Rome')", other)
        for one in tool
        if one.name == "get_weather"
    ]


def test_a_name_is_found_in_other_spellings_and_without_its_bracket() -> None:
    assert [one.name for one in found("GET-WEATHER{'city': 'Rome'} and get_weathercity='Rome')")] == ["get_weather"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "get_weather>city>Rome/city>/get_weather>",
        "get_weather>\ncity>Rome/city>\n/get_weather>",
        "tool_call>get_weather\narg_key>city/arg_key>\narg_value>Rome/arg_value>\n/tool_call>",
    ],
)
def test_a_name_is_found_in_tags_that_lost_their_first_brackets(text: str) -> None:
    assert [one.name for one in found(text)] == ["get_weather"]


@pytest.mark.parametrize(
    "text",
    [
        "I use get_weather: it tells (well) what is asked.",
        "get_weather(city, days) takes both.",
        "my_get_weather{'city': 'Rome'}",
        '{"name": "get_weather", "parameters": {"city": {"type": "string"}}, "description": "tells"}',
        ">>> get_weather(city)",
        "In XML one would close get_weather> with /get_weather>, which is malformed.",
        'The call "get_weather"("Rome") fails in Python.',
        "cat a/get_weather> b; cd /srv/get_weather> ls",
        "So get_weather>Rome is no tag.",
        "get_weather>Rome<",
    ],
)
def test_talk_about_a_tool_is_no_attempt(text: str) -> None:
    assert found(text) == []


def test_labels_are_found_in_two_lines_and_in_one() -> None:
    text = (
        "1. **Action:** look\n2. **Action Input:** up\n\nAction: look Action Input: up\n\nAction: none\nAction Input: -"
    )
    two, one = (list(attempts) for attempts in labelled_attempts(text))
    assert [text[start:end] for start, end, _ in two] == ["1. **Action:** look\n2. **Action Input"]
    assert [text[start:end] for start, end, _ in one] == ["Action: look Action Input:"]


def test_names_before_a_decided_place_are_passed_over() -> None:
    line, decided = '{"name": "get_weather", "arguments": {}}\n', Decided()
    text = line * 3
    found = next(named_attempts(text, ToolSet(tuple(TOOLS.values())), decided))
    first = next(found)
    decided.upto = 2 * len(line)
    assert [one.end for one in found] == [first.end + 2 * len(line)]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("tool_tags", Drawn("\n⟨</now>⟩", [], ["reported unread_call now: A marker ends a call of 'now' here that was never begun."])),
        ("muse_glimmer", Drawn("⟨ to=now⟩", [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], " to=now")),
        ("pythonic", Drawn("You could write:\n\n```python\n⟨get_weather(city=⟩", [], ["ignored mentioned get_weather: This looks like a call but it stands in a code block."], "You could write:\n\n```python\nget_weather(city=")),
    ],
)  # fmt: skip
def test_attempts_that_begin_a_line_or_end_a_reply(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("react", Drawn("I use get_weather with city Rome.", [], [], "I use get_weather with city Rome.")),
        ("react", Drawn("⟨get_weather: city=Rome⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], "get_weather: city=Rome")),
        ("react", Drawn("⟨get_weather(city: Rome)⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], "get_weather(city: Rome)")),
        ("react", Drawn('Calling ⟨get_weather...\n{"city": "Rome"}⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], 'Calling get_weather...\n{"city": "Rome"}')),
        ("react", Drawn("⟨<get_weather>Rome</get_weather>⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], "<get_weather>Rome</get_weather>")),
        ("react", Drawn("The tool get_weather returns the weather.", [], [], "The tool get_weather returns the weather.")),
        ("react", Drawn("`⟨get_weather(city='Rome')`⟩", [], ["ignored mentioned get_weather: This looks like a call but it stands in inline code."], "`get_weather(city='Rome')`")),
        ("react", Drawn("> ⟨get_weather(city='Rome')⟩", [], ["ignored mentioned get_weather: This looks like a call but it stands in a quotation."], "> get_weather(city='Rome')")),
        ("react", Drawn("| ⟨get_weather(city='Rome') |⟩", [], ["ignored mentioned get_weather: This looks like a call but it stands in a table."], "| get_weather(city='Rome') |")),
        ("react", Drawn("```python\n⟨get_weather(city='Rome')\n```⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], "```python\nget_weather(city='Rome')\n```")),
        ("react", Drawn("```\n⟨get_weather(city='Rome')\n```\nThat is all.⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], "```\nget_weather(city='Rome')\n```\nThat is all.")),
        ("react", Drawn('{⟨"tool": "get_weather", "city": "Rome"}⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], '{"tool": "get_weather", "city": "Rome"}')),
        ("react", Drawn("⟨get_weather(city='Rome')⟩\n\n⟨now()⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know.", "reported unknown_format now: A call of 'now' in a form that react does not know."], "get_weather(city='Rome')\n\nnow()")),
        ("react", Drawn("⟨now()⟩", [], ["reported unknown_format now: A call of 'now' in a form that react does not know."], "now()")),
        ("react", Drawn("Now", [], [], "Now")),
        ("react", Drawn("get_weather", [], [], "get_weather")),
        ("react", Drawn("⟨@get_weather Rome⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], "@get_weather Rome")),
        ("react", Drawn("I would call ⟨get_weather(city='Rome').⟩", [], ["ignored mentioned get_weather: This looks like a call but it is only supposed."], "I would call get_weather(city='Rome').")),
        ("react", Drawn("⟨get_weather(city='Rome') returns it.⟩", [], ["ignored mentioned get_weather: This looks like a call but it is explained."], "get_weather(city='Rome') returns it.")),
        ("react", Drawn("'⟨get_weather(city='Rome')'⟩", [], ["ignored mentioned get_weather: This looks like a call but it stands in quotes."], "'get_weather(city='Rome')'")),
        ("react", Drawn('[TOOL_CALLS]⟨get_weather{"city": "Rome"}⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], 'get_weather{"city": "Rome"}')),
        ("react", Drawn("⟨get_weather city=Rome days=3⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that react does not know."], "get_weather city=Rome days=3")),
        ("qwen_xml", Drawn("Hm ⟨<tool_ca⟩", [], ["reported unread_call : A call begins here and cannot be read."], "Hm <tool_ca")),
        ("qwen_xml", Drawn("Hm ⟨<tool_call⟩", [], ["reported unread_call : A call begins here and cannot be read."], "Hm <tool_call")),
        ("qwen_xml", Drawn("Hm <", [], [], "Hm <")),
        ("qwen_xml", Drawn("⟨<tool_call>\nx⟩\n\n⟨<tool_call>\ny⟩", [], ["reported unread_call : A call begins here and cannot be read.", "reported unread_call : A call begins here and cannot be read."], "<tool_call>\nx\n\n<tool_call>\ny")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n⟨<tool⟩', [("now", {}, "")], ["reported unread_call : A call begins here and cannot be read."], "<tool")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n<b', [("now", {}, "")], [], "<b")),
    ],
)  # fmt: skip
def test_attempts_in_text_that_no_format_reads(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
