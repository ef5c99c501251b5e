"""Each line of the tables has an example that needs it; words between a name and a parameter are talk."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.formats import get_format
from workbench.formats.kit.argued_names import (
    argued,
    argued_places,
    bent,
    bent_parts,
    described_places,
    loose_pairs,
    pairs,
    placed_pairs,
)
from workbench.formats.kit.toolset import ToolSet
from workbench.formats.kit.wordings import Wording

CITY = ("city", "days")
KNOWN = (*pairs("city"), *loose_pairs("city"), *placed_pairs("city"))


def found(text: str, name: str = "look_up", parameters: tuple[str, ...] = CITY) -> list[str]:
    return [text[start:end] for places in argued_places(text, name, parameters) for start, end in places]


@pytest.mark.parametrize("wording", KNOWN, ids=lambda one: one.example)
def test_no_other_line_finds_an_example(wording: Wording, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(wording.example)
    argued.cache_clear()
    for table in (pairs, loose_pairs, placed_pairs):
        left = tuple(one for one in table("(?:city|days)") if one.example != wording.example)
        monkeypatch.setattr(f"workbench.formats.kit.argued_names.{table.__name__}", lambda _key, left=left: left)
    assert not found(wording.example)
    argued.cache_clear()


@pytest.mark.parametrize(
    "text",
    [
        '{"tool": "look_up", "city": "Rome"}', '**look_up**\n{"city": "Rome"}', "look_upcity='Rome')", "look_upcall-1", 'a1b2look_up{"city": "Rome"}',
        "!look_up Rome", '/look_up "Rome"', 'look_up["Rome"]', "[[look_up|city=Rome]]", 'call look_up with {"city": "Rome"}',
        "Function: look_up\nParameters:\n- city: Rome", "RUN(name=look_up, args={'city': 'Rome'})", "look_up(city:Rome)",
        "@@tool look_up\n@@arg city Rome", "BEGIN_TOOL look_up\nBEGIN_ARG city\nRome", "%%CALL%% look_up %%WITH%% city=Rome",
        "tool = look_up\nparams.city = Rome", "look_up <- list(city = 'Rome')", 'Calling look_up...\n{"city": "Rome"}',
        "outil : look_up\nParamètres : city = Rome", "\n\n/look_up Rome",
        "look_up!{city: 'Rome'}", 'do look_up with { city: "Rome" }', "tool://look_up?city=Rome", '[tool.look_up]\ncity = "Rome"', "„look_up“: {„city“: „Rome“}",
    ],
)  # fmt: skip
def test_a_parameter_beside_a_name_tells_of_a_call(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    "text",
    [
        "look_up needs city: which one do you mean?", "- look_up: city (string), days (integer)", "look_up(city: string)",
        "To use look_up, city: must be given.", "look_up - city = name of the city", "Do you want look_up for city: Rome?",
        "**look_up**\n  - city: the city", "look_up.\ncity=Rome", "look_up\n\ncity=Rome", "relook_up city=Rome", 'relook_up{"city": {"type": "string"}}', "look_up[city]",
        'look_up: {"city": {"type": "string"}}', "I use look_up with city = Rome.", "call look_up(city=...) for you", "look_up --city <city>", "It said: tool: look_up, arguments: {'city': 1}", "#look_ups of Rome",
        "look_up failed: city: missing", "The look_up run took 3 s; city = Rome was fine.", "- look_up: needs city, such as Rome",
        "look_up\n- city the place",
    ],
)  # fmt: skip
def test_words_between_them_are_talk(text: str) -> None:
    assert not found(text)


def test_a_name_that_is_a_word_needs_more() -> None:
    for talk in (
        "The search query: Rome",
        "search\nquery: Rome",
        "#search on the page",
        "search['results'] holds them",
    ):
        assert not found(talk, "search", ("query",))
    assert found("<<search query=Rome>>", "search", ("query",))


def test_a_tool_without_parameters_is_known_by_its_name() -> None:
    assert found("$look_up now", parameters=())
    assert not found("look_up city=Rome", parameters=())


@pytest.mark.parametrize(
    "text", ["<<get_weather city=Rome>>", "get_weather:\n  city: Rome", "!get_weather Rome", "get_weather --city Rome"]
)
def test_calls_in_dialects_that_nobody_knows_are_told(text: str) -> None:
    for name in ("qwen_xml", "react", "json_scaffold"):
        (problem,) = get_format(name).parse(text, tuple(TOOLS.values())).problems
        assert (problem.code, problem.name) == ("unknown_format", "get_weather")


@pytest.mark.parametrize(
    "text",
    ['look_pu({"city": "Rome"})', 'ook_up\n{"city": "Rome"}', "[look_upty='Rome', days=3)]", "look_<up(city='Rome')"],
)
def test_a_bent_name_is_found_before_a_parameter(text: str) -> None:
    assert bent("look_up", CITY).search(text)


@pytest.mark.parametrize("text", ["look_up(city='Rome')", "look_ups of the city", "looks", "my_look_up(city='Rome')"])
def test_other_words_are_no_bent_name(text: str) -> None:
    assert not bent("look_up", CITY).search(text)


def test_a_name_that_is_a_word_or_short_is_never_bent() -> None:
    assert bent_parts("search") == bent_parts("f_1") == ("", "")
    assert bent_parts("look_up") == ("look_", "ok_up")


@pytest.mark.parametrize("text", ['et_weather\n{"city": "Rome"}', "[get_weatherty='Rome', days=3)]"])
def test_a_bent_name_is_told_where_nothing_else_is(text: str) -> None:
    for name in ("qwen_xml", "react"):
        (problem,) = get_format(name).parse(text, tuple(TOOLS.values())).problems
        assert (problem.code, problem.name) == ("unknown_format", "get_weather")


def test_a_short_name_is_not_found_at_the_beginning_of_a_word() -> None:
    assert found("look_upcity='Rome')")
    assert not found("mapcity='Rome')", "map")


@pytest.mark.parametrize(
    "text",
    ["look_upcityRome", "look_upcity'Rome'", "look_up\ncity\nRome", 'look_up"city": "Rome"', '(look_up :city "Rome")'],
)
def test_names_and_parameters_whose_tags_are_lost(text: str) -> None:
    assert found(text)
    assert not found(text.replace("city", "town"))


def test_described_places() -> None:
    tools = ToolSet(tuple(TOOLS.values()))
    text = "Ok.\n\ntool: get_weather\ncity: Rome\n\nTool: now\nplace: here"
    (place,) = described_places(text, tools.parameters_of)
    assert (text[place[0] : place[1]], place[2]) == ("get_weather", "get_weather")


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("bare_json", "stop", Drawn("- ⟨get_weather:\n    city: Rome- get_weather:\n    city: Rome⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that bare_json does not know."], "- get_weather:\n    city: Rome- get_weather:\n    city: Rome")),
    ],
)  # fmt: skip
def test_a_name_above_its_arguments_in_lines_is_told(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("react", Drawn('{"service": "⟨get_weathercity", "city": Rome}⟩', [], ["ignored mentioned get_weather: This looks like a call but it stands in quotes."], '{"service": "get_weathercity", "city": Rome}')),
    ],
)  # fmt: skip
def test_a_name_in_quotes_that_go_on(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("look_up(city='Rome') and look_up(days=3)", [["look_up", "look_up"], [], [], [], [], []]),
        ("'look_up' city='Rome'", [["'look_up"], [], [], [], [], []]),
        ('"look_up": city="Rome"', [['"look_up'], [], [], [], [], []]),
        ("x_look_up(city='Rome')", [[], [], [], [], [], []]),
        (".look_up(city='Rome')", [[], [], [], [], [], []]),
        ("[tool.look_up(city='Rome')", [["look_up"], [], [], [], [], []]),
        ("[a.look_up(city='Rome')", [[], [], [], [], [], []]),
        ("1look_up(city='Rome')", [[], [], [], [], [], []]),
        ("-look_up(city='Rome')", [[], [], [], [], [], []]),
        ("look_up city=='Rome'", [[], [], [], [], [], []]),
        ("look_up", [[], [], [], [], [], []]),
        ("", [[], [], [], [], [], []]),
        ('look_up["Rome"]', [["look_up"], [], [], [], [], []]),
        ('{"a": "look_up", "city": 1}', [['"look_up'], [], [], ['"a": "look_up'], [], []]),
        ('**look_up**\n{"city": 1}', [["look_up"], [], [], [], ["**look_up"], []]),
        ('(look_up :city "Rome")', [["look_up"], [], ["(look_up"], [], [], []]),
    ],
)  # fmt: skip
def test_names_with_arguments_beside_them(text: str, found: Any) -> None:
    assert repr(
        [[text[start:end] for start, end in places] for places in argued_places(text, "look_up", ("city", "days"))]
    ) == repr(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tool: look_up\ncity: Rome", [(6, 13, "look_up")]),
        ("look_up:\n  city: Rome", [(0, 7, "look_up")]),
        ("[look_up]\ncity = Rome", [(1, 8, "look_up")]),
        ("look_up\ncity: Rome", []),
        ("Words.\n\nlook_up:\n  city: Rome", []),
        ("Words.\n\ntool: look_up\nCITY: Rome", [(14, 21, "look_up")]),
        ("tool: look_up\ndays: 3", []),
        ("tool: look_up\ncity: string", []),
        ("tool: look_up", []),
        ('"name": look_up\ncity: Rome', []),
        ("function_name = look_up\ncity=Rome", [(16, 23, "look_up")]),
    ],
)  # fmt: skip
def test_names_that_are_described_by_a_line_below(text: str, found: Any) -> None:
    assert repr(list(described_places(text, {"look_up": ("city",), "now": ()}.get))) == repr(found)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("look_up", ("look_", "ok_up")),
        ("weather", ("", "")),
        ("get_weather", ("get_wea", "weather")),
        ("a_b", ("", "")),
        ("abcd_f", ("abcd_", "bcd_f")),
        ("abcdefgh_i", ("abcdef", "efgh_i")),
        ("_", ("", "")),
    ],
)  # fmt: skip
def test_parts_that_are_left_of_a_bent_name(name: str, found: Any) -> None:
    assert repr(bent_parts(name)) == repr(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('look_pu({"city": "Rome"})', ["look_pu"]),
        ('look_({"city": "Rome"})', ["look_"]),
        ('look({"city": "Rome"})', []),
        ('look_up({"city": "Rome"})', []),
        ('ok_up\n{"city": "Rome"}', ["ok_up"]),
        ('xok_up({"city": "Rome"})', ["xok_up"]),
        ('look_upon({"city": "Rome"})', ["look_upon"]),
        ('/look_pu({"city": "Rome"})', []),
        ("look_pu", []),
        ('look_pu("days": 3)', []),
    ],
)  # fmt: skip
def test_bent_names_before_a_parameter(text: str, found: Any) -> None:
    assert repr([found["name"] for found in bent("look_up", ("city",)).finditer(text)]) == repr(found)


@pytest.mark.parametrize(("text", "begun"), [('{look_up"city: Rome}', "look_up"), ('{"look_up"city: Rome}', '"look_up'), ('look_up"city: Rome', "look_up"), ("'look_up city='Rome'", "look_up")])  # fmt: skip
def test_a_quote_on_both_sides_belongs_to_the_attempt(text: str, begun: str) -> None:
    assert found(text)[:1] == [begun]
