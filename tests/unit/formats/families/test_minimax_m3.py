"""The contract of the minimax_m3 family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, contract
from tests.kit.whole_reading import Drawn, drawn, told
from workbench.core.calls import Outcome
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())

TestFamily = contract("minimax_m3")


S = "]<]minimax[>["
CALL = f'{S}<tool_call>\n{S}<invoke name="get_weather">{S}<city>Rome{S}</city>{S}<days>3{S}</days>{S}</invoke>\n{S}</tool_call>'


@pytest.mark.parametrize("bent", ["]<]minmax[>[", "]<]minim ax[>[", "]<minimax[>[", "]&lt;]minimax[>[", "]<]minimax>["])
@pytest.mark.parametrize("tag", ["<city>", "</city>", "<days>", "</days>", "</invoke>"])
def test_a_damaged_sentinel_before_a_tag_loses_no_argument(bent: str, tag: str) -> None:
    found = get_format("minimax_m3").parse(CALL.replace(S + tag, bent + tag), SPECS, "stop")
    assert [(call.name, call.arguments) for call in found.calls] == [("get_weather", {"city": "Rome", "days": 3})]
    assert "near_miss_tag" in found.calls[0].repairs
    assert not found.problems


def test_the_call_behind_a_damaged_sentinel_is_told_and_takes_no_argument_from_the_one_before() -> None:
    second = f'{S}<invoke name="now">{S}<zone>CET{S}</zone>{S}</invoke>'
    raw = CALL.replace(f"{S}</tool_call>", second[1:].replace("minimax", "minmax", 1))
    found = get_format("minimax_m3").parse(raw, SPECS, "stop")
    assert [call.arguments for call in found.calls] == [{"city": "Rome", "days": 3}]
    assert [problem.outcome for problem in found.problems] == [Outcome.REPORTED]


def test_an_argument_whose_tag_is_lost_is_told() -> None:
    raw = CALL.replace(f"{S}<city>Rome", f"{S}<city")
    found = get_format("minimax_m3").parse(raw, SPECS, "stop")
    assert [call.arguments for call in found.calls] == [{"days": 3}]
    assert [problem.code for problem in found.problems] == ["absorbed_parameter"]


def test_a_sentinel_that_is_left_over_is_told() -> None:
    raw = f'{S}<nvoke name="x">{S}<city>Rome{S}</city>'
    assert [problem.code for problem in get_format("minimax_m3").parse(raw).problems] == ["unread_call"]


def test_what_is_left_of_a_closing_tag_is_no_argument() -> None:
    raw = CALL.replace(f"{S}</invoke>", f"{S}<|invoke>")
    (call,) = get_format("minimax_m3").parse(raw, SPECS, "stop").calls
    assert call.arguments == {"city": "Rome", "days": 3}


STRIPPED = '<tool_call>\n<invoke name="get_weather"><city>Rome</city><days>3</days></invoke>\n</tool_call>'


def test_calls_without_sentinels_are_read_by_their_parameters() -> None:
    (call,) = get_format("minimax_m3").parse(f"Ok.\n{STRIPPED}", SPECS, "stop").calls
    assert (call.arguments, call.repairs) == ({"city": "Rome", "days": 3}, ("missing_open_tag",))
    for other in (STRIPPED.replace("days", "hours"), STRIPPED.replace("get_weather", "nope")):
        assert not get_format("minimax_m3").parse(other, SPECS, "stop").calls
    assert not get_format("minimax_m3").parse(STRIPPED).calls


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹get_weather›">«]<]minimax[>[<city>]<]minimax[>[<city>Rome]<]minimax[>[</city>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹get_weather›">«]<]minimax[>[<city>]<]minimax[>[<city>Rome]<]minimax[>[</city>]<]minimax[>[</city>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹get_weather›">«]<]minimax[>[<city>Rome]<]minimax[>[</city>]<]minimax[>[<days>]<]minimax[>[<days>3]<]minimax[>[</days>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("get_weather", {"city": "Rome", "days": 3}, "near_miss_tag")])),
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹write_file›">«]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[<content>b]<]minimax[>[</content>]<]minimax[>[<tags>]<]minimax[>[<tag>a]<]minimax[>[</tag>]<]minimax[>[<tag>b]<]minimax[>[</tag>]<]minimax[>[</tags>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("write_file", {"path": "a", "content": "b", "tags": ["a", "b"]}, "near_miss_tag")])),
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹write_file›">«]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[<content>b]<]minimax[>[</content>]<]minimax[>[<tags>]<]minimax[>[<x>a]<]minimax[>[</x>]<]minimax[>[<item>b]<]minimax[>[</item>]<]minimax[>[</tags>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("write_file", {"path": "a", "content": "b", "tags": ["a", "b"]}, "near_miss_tag")])),
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹write_file›">«]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[<content>b]<]minimax[>[</content>]<]minimax[>[<tags>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[<item>b]<]minimax[>[</item>]<]minimax[>[</tags>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("write_file", {"path": "a", "content": "b", "tags": ["a", "b"]}, "")])),
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹write_file›">«]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[<content>b]<]minimax[>[</content>]<]minimax[>[<options>]<]minimax[>[<options>]<]minimax[>[<deep>1]<]minimax[>[</deep>]<]minimax[>[</options>]<]minimax[>[</options>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("write_file", {"path": "a", "content": "b", "options": {"options": {"deep": "1"}}}, "")])),
        ("minimax_m3", "stop", True, Drawn(']<]minimax[>[<tool_call>\n⟦]<]minimax[>[<invoke name="‹write_file›">«]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[<content>b]<]minimax[>[</content>]<]minimax[>[<options>]<]minimax[>[<options>1]<]minimax[>[</options>]<]minimax[>[</options>»]<]minimax[>[</invoke>⟧\n]<]minimax[>[</tool_call>', [("write_file", {"path": "a", "content": "b", "options": {"options": "1"}}, "")])),
    ],
)  # fmt: skip
def test_doubled_openers_and_items_under_other_names(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


OPTIONS = f"{S}<options>{S}<x>1{S}</x>{S}<y>u{S}</y>{S}</options>"
TAGS = f"{S}<tags>{S}<item>a{S}</item>{S}<item>b{S}</item>{S}</tags>"
WHOLE = f'{S}<tool_call>{S}<invoke name="write_file">{S}<path>p{S}</path>{S}<content>c{S}</content>{OPTIONS}{TAGS}{S}</invoke>{S}</tool_call>'


@pytest.mark.parametrize(
    ("old", "new", "repairs"),
    [
        (f"{S}<options>", f"{S}<options>{S}<options>", "near_miss_tag"),
        (f"{S}<tags>", f"{S}<tags>\n{S}<tags>", "near_miss_tag"),
        (f"{S}</options>", "", "missing_close_tag open_value"),
        (f"{S}</x>", "", "missing_close_tag open_value"),
        (f"{S}</y>", "]<]minim", "missing_close_tag open_value"),
        (f"{S}</y>", "x[>[</y>", "missing_close_tag open_value"),
        (f"{S}</content>", "]<]minimax", "missing_close_tag open_value"),
    ],
)
def test_a_damaged_tag_in_an_object_or_a_list_moves_no_argument(old: str, new: str, repairs: str) -> None:
    (call,) = told("minimax_m3", WHOLE.replace(old, new)).calls
    arguments = {"path": "p", "content": "c", "options": {"x": "1", "y": "u"}, "tags": ["a", "b"]}
    assert call[1:3] == (arguments, repairs)


def test_an_argument_s_own_tag_without_the_sentinel_is_no_part_of_its_text() -> None:
    raw = CALL.replace("<city>Rome", "<city><city>Rome")
    assert [call[1:3] for call in told("minimax_m3", raw).calls] == [({"city": "Rome", "days": 3}, "near_miss_tag")]
    raw = CALL.replace("<city>Rome", "<city><city>Rome</city>")
    assert [call[1]["city"] for call in told("minimax_m3", raw).calls] == ["<city>Rome</city>"]


@pytest.mark.parametrize(
    ("first", "arguments", "problems"),
    [
        ("<city>Rome</city>", {"city": "Rome", "days": 3}, []),
        ("\n<city>Rome</city>\n", {"city": "Rome", "days": 3}, []),
        ("Rome", {"days": 3}, ["absorbed_parameter"]),
        ("<city>Rome</city> or so", {"days": 3}, ["absorbed_parameter"]),
    ],
)
def test_what_stands_before_the_first_sentinel_is_read_or_told(
    first: str, arguments: dict[str, object], problems: list[str]
) -> None:
    found = told("minimax_m3", CALL.replace(f"{S}<city>Rome{S}</city>", first))
    assert [call[1:3] for call in found.calls] == [(arguments, "near_miss_tag")]
    assert [problem[0] for problem in found.problems] == problems
