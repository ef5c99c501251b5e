"""Complete objects of a broken list are calls all the same."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome, ParsedCall, ParseProblem
from workbench.formats.kit.broken_list import salvage
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.toolset import ToolSet

SET = ToolSet(tuple(TOOLS.values()))
NOW = '{"name": "now", "arguments": {}}'


def saved(text: str) -> tuple[ParsedCall | ParseProblem, ...]:
    return salvage(text, 0, len(text), 0, Envelope(), SET, "test", canonical=True)


def test_cut_list() -> None:
    call, problem = saved(f'[{NOW}, {{"name": "now", "argu')
    assert isinstance(call, ParsedCall)
    assert isinstance(problem, ParseProblem)
    assert (problem.code, problem.name) == ("truncated", "now")


def test_bad_sibling_between_good_ones() -> None:
    first, bad, last = saved(f'[{NOW}, {{"name": "now", "arguments": }}, {NOW}]')
    assert isinstance(first, ParsedCall)
    assert isinstance(last, ParsedCall)
    assert isinstance(bad, ParseProblem)


def test_nothing_to_save() -> None:
    assert saved('[{"name": "now", ') == ()
    assert saved("[") == ()


def test_places_and_repairs_of_what_is_saved() -> None:
    text = f'[{NOW}, "name": "now"}}, {{\'name\': \'now\', \'arguments\': {{}}}}, {{"name": "now", "argu'
    found = [
        (
            text[one.span.start : one.span.end],
            " ".join(one.repairs) if isinstance(one, ParsedCall) else (one.code, one.message, one.outcome),
        )
        for one in saved(text)
    ]
    assert found == [
        (NOW, "missing_brace"),
        ('"name": "now"}, ', ("bad_json", "The call's JSON is broken.", Outcome.REPORTED)),
        ("{'name': 'now', 'arguments': {}}", "missing_brace single_quotes"),
        ('{"name": "now", "argu', ("truncated", "The call is cut off.", Outcome.REPORTED)),
    ]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name": now}⟩, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, "missing_brace"), ("get_weather", {"city": "Rome"}, "missing_brace")], ["reported bad_json : The call's JSON is broken."])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name" "now"}⟩]', [("now", {}, "missing_brace")], ["reported bad_json : The call's JSON is broken."])),
        ("bare_json", Drawn('[⟨{"name": now}⟩, ⟦{"name": "‹now›", "arguments": «{}»}⟧]', [("now", {}, "missing_brace")], ["reported bad_json : The call's JSON is broken."])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨"name": "now", "arguments": {}}⟩, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}]⟧', [("now", {}, "missing_brace"), ("get_weather", {"city": "Rome"}, "extra_brace")], ["reported bad_json now: The call's JSON is broken."])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name": "now", "argum⟩', [("now", {}, "missing_brace")], ["reported truncated now: The call is cut off."])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧}, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}]⟧', [("now", {}, "missing_brace"), ("get_weather", {"city": "Rome"}, "extra_brace")])),
        ("bare_json", Drawn('⟦[{"name": "‹now›", "arguments": «{}»}]⟧,⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}]⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "extra_brace")])),
        ("bare_json", Drawn("[⟦{\"name\": \"‹now›\", \"arguments\": «{}»}⟧, ⟦{'name': '‹now›', 'arguments': «{}»}⟧, {x}]", [("now", {}, "missing_brace"), ("now", {}, "missing_brace single_quotes")])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name": "get_weather", "arguments": {"city": "a" b}}⟩]', [("now", {}, "missing_brace")], ["reported bad_json get_weather: The call's JSON is broken."])),
        ("granite", Drawn('<|tool_call|>[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name": now}⟩, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, "missing_brace"), ("get_weather", {"city": "Rome"}, "missing_brace")], ["reported bad_json : The call's JSON is broken."])),
        ("granite", Drawn('<|tool_call|>[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{⟩', [("now", {}, "missing_brace")], ["reported truncated : The call is cut off."])),
        ("granite", Drawn('<|tool_call|>[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name": "get_weather", "argu⟩', [("now", {}, "missing_brace")], ["reported truncated get_weather: The call is cut off."])),
    ],
)  # fmt: skip
def test_lists_with_one_bad_object(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('mistral_json', Drawn('[TOOL_CALLS][⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨"⟩', [('now', {}, 'missing_brace')], ["reported bad_json : The call's JSON is broken."])),
        ('mistral_json', Drawn('[TOOL_CALLS][⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"⟩', [('now', {}, 'missing_brace')], ['reported truncated : The call is cut off.'])),
    ],
)  # fmt: skip
def test_what_begins_behind_the_last_call_of_a_list_is_told(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
