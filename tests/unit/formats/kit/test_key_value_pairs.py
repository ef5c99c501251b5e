"""Key and value tags: what is lost and what is found."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.key_value_pairs import looks_like_pairs
from workbench.formats.kit.pairs_so_far import GLM

SPECS = tuple(TOOLS.values())


def test_looks() -> None:
    assert looks_like_pairs("now</tool_call>", 0, GLM)
    assert looks_like_pairs("now\n<arg_key>", 0, GLM)
    assert not looks_like_pairs("no idea</tool_call>", 0, GLM)


@pytest.mark.parametrize(
    "inside", ["plain", "a</tool_call>b", "x</arg_value> y", "two\nlines", "<arg_key>not a key", "{1: 2}"]
)
def test_values_are_kept(inside: str) -> None:
    raw = f"<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>{inside}</arg_value>\n</tool_call>"
    (call,) = get_format("glm45").parse(raw, SPECS).calls
    assert call.arguments == {"path": "a", "content": inside}
    assert call.repairs == ()


@pytest.mark.parametrize(
    ("key", "read", "repairs"),
    [("x<y", "x<y", ()), ("path</arg_ke>", "path", ("near_miss_tag", "open_value")), ("x</b", "x</b", ())],
)
def test_a_key_may_hold_what_begins_a_tag_and_loses_a_damaged_one(
    key: str, read: str, repairs: tuple[str, ...]
) -> None:
    raw = f"<tool_call>write_file\n<arg_key>{key}</arg_key>\n<arg_value>a</arg_value>\n</tool_call>"
    (call,) = get_format("glm45").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == ({read: "a"}, repairs)


@pytest.mark.parametrize("opened", ["<arg_key", "arg_key>", "<arg_kye>", "<arg_key>>", "< arg_key>"])
def test_a_bent_tag_before_a_declared_key_begins_it(opened: str) -> None:
    raw = f"<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n{opened}content</arg_key>\n<arg_value>b</arg_value>\n</tool_call>"
    (call,) = get_format("glm45").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == ({"path": "a", "content": "b"}, ("near_miss_tag",))


def test_a_key_with_two_values_is_ambiguous_and_with_one_twice_is_not() -> None:
    raw = "<tool_call>get_weather\n" + "<arg_key>city</arg_key>\n<arg_value>{}</arg_value>\n" * 2 + "</tool_call>"
    (problem,) = get_format("glm45").parse(raw.format("Rome", "Oslo"), SPECS).lost
    assert (problem.code, problem.name) == ("ambiguous", "get_weather")
    (call,) = get_format("glm45").parse(raw.format("Rome", "Rome"), SPECS).calls
    assert call.arguments == {"city": "Rome"}


@pytest.mark.parametrize(
    ("behind", "reason", "rest"),
    [
        ("That is all.", "stop", "That is all."),
        ("</tool", "stop", ""),
        ("</tool", "length", None),
        ("<arg_k", "stop", None),
    ],
)
def test_what_stands_where_a_key_or_the_end_belongs(behind: str, reason: str, rest: str | None) -> None:
    """Text is given out, a closing tag that broke off is taken; a key that broke off, or any end at the limit, is a cut."""
    raw = "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n" + behind
    result = get_format("glm45").parse(raw, SPECS, reason)
    if rest is None:
        assert [problem.code for problem in result.lost] == ["truncated"]
    else:
        (call,) = result.calls
        assert (call.arguments, "missing_close_tag" in call.repairs, result.text) == ({"city": "Rome"}, True, rest)
        assert call.span.end == len(raw) - len(rest) - (rest != "")


def test_a_key_that_came_without_a_value_may_come_again() -> None:
    again = "<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n"
    rest = "<arg_key>content</arg_key>\n<arg_value>b</arg_value>\n"
    for inside, arguments in ((again, {"path": "a"}), (rest + again, {"content": "b", "path": "a"})):
        raw = f"<tool_call>write_file\n<arg_key>path</arg_key>\n{inside}</tool_call>"
        (call,) = get_format("glm45").parse(raw, SPECS).calls
        assert (call.arguments, call.repairs) == (arguments, ("missing_open_tag",))
    found = get_format("glm45").parse(f"<tool_call>write_file\n<arg_key>path</arg_key>\n{rest}</tool_call>", SPECS)
    assert [(one.code, one.message) for one in found.problems] == [
        ("missing_argument", "'path' of 'write_file' has no value.")
    ]


@pytest.mark.parametrize(
    ("value", "arguments", "text"),
    [
        ("b</tool_call> c\n", {"path": "a", "content": "b"}, "c\n<arg_key>mode</arg_key>\n<arg_value>d</arg_value>"),
        ("b\n", {"path": "a", "content": "b", "mode": "d"}, ""),
        (
            "b</tool_call> c</tool_call> d\n",
            {"path": "a", "content": "b"},
            "c d\n<arg_key>mode</arg_key>\n<arg_value>d</arg_value>",
        ),
    ],
)
def test_a_value_without_its_closing_tag_ends_at_the_first_that_may_end_it(
    value: str, arguments: dict[str, str], text: str
) -> None:
    head = "<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n"
    rest = "<arg_key>mode</arg_key>\n<arg_value>d</arg_value>\n</tool_call>"
    found = get_format("glm45").parse(f"{head}<arg_value>{value}{rest}", SPECS)
    assert [(call.arguments, call.repairs) for call in found.calls] == [(arguments, ("missing_close_tag",))]
    assert found.text == text


def test_what_is_left_of_a_tag_before_a_key_is_no_part_of_it() -> None:
    raw = "<tool_call>get_weather\n<arg_key>>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>"
    (call,) = get_format("glm45").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == ({"city": "Rome"}, ("near_miss_tag",))


@pytest.mark.parametrize("key", ["XMin", "yMax", "_id", "0", "ö"])
def test_such_a_rest_is_taken_off_and_nothing_of_the_key(key: str) -> None:
    tool = ToolSpec("plot", "", {"type": "object", "properties": {key: {"type": "string"}}})
    raw = f"<tool_call>plot\n<arg_key>>{key}</arg_key>\n<arg_value>1</arg_value>\n</tool_call>"
    (call,) = get_format("glm45").parse(raw, (tool,)).calls
    assert (call.arguments, call.repairs) == ({key: "1"}, ("near_miss_tag",))


def test_a_family_is_marked_by_its_own_tags_alone() -> None:
    tags = "<arg_key> </arg_key> <arg_value> </arg_value> <tool_call> </tool_call>".split()
    assert {*GLM.marks} == {*tags}


def test_a_key_whose_tag_is_lost_begins_where_the_tools_name_ends() -> None:
    raw = "<tool_call>get_weathercity</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>"
    (call,) = get_format("glm45").parse(raw, SPECS).calls
    assert (call.name, call.arguments, call.repairs) == ("get_weather", {"city": "Rome"}, ("missing_open_tag",))


@pytest.mark.parametrize("tag", ["</arg_value>", "</arg_key>", "<arg_value>"])
def test_any_number_of_stray_tags_is_read(tag: str) -> None:
    (call,) = get_format("glm45").parse(f"<tool_call>now{tag * 5000}</tool_call>", SPECS).calls
    assert call.repairs[-1] == "near_miss_tag"


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("glm45", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>", Told([("get_weather", {"city": "Rome", "days": 3}, "", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome", Told([], "", [("truncated", "get_weather", "The call of 'get_weather' is cut off.")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>", Told([], "", [("truncated", "get_weather", "The call of 'get_weather' is cut off.")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key>", Told([], "", [("truncated", "get_weather", "The call of 'get_weather' is cut off.")])),
        ("glm45", "<tool_call>get_weather<arg_key>city", Told([], "", [("truncated", "get_weather", "The call of 'get_weather' is cut off.")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key></tool_call>", Told([], "", [("missing_argument", "get_weather", "'city' of 'get_weather' has no value.")])),
        ("glm45", "<tool_call>get_weather<arg_key>city<arg_value>Rome</arg_value></tool_call>", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", "<tool_call>get_weather<arg_key>city<arg_value>Rome</arg_value></tool_call>")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key>Rome</arg_value></tool_call>", Told([("get_weather", {"city": "Rome"}, "missing_open_tag", "<tool_call>get_weather<arg_key>city</arg_key>Rome</arg_value></tool_call>")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</tool_call>", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</tool_call>")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome<arg_key>days</arg_key><arg_value>3</arg_value></tool_call>", Told([("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome<arg_key>days</arg_key><arg_value>3</arg_value></tool_call>")])),
        ("glm45", "<tool_call>get_weather<arg_value>Rome</arg_value></tool_call>", Told([], "", [("bad_json", "get_weather", "Keys and values of 'get_weather' do not stand in pairs.")])),
        ("glm45", "<tool_call><arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>", Told([], "", [("bad_json", "", "What stands between the markers is no call.")])),
        ("glm45", "<tool_call>get weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>", Told([], "", [("bad_json", "", "What stands between the markers is no call.")])),
        ("glm45", "<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value>x</arg_value> y</arg_value></tool_call>", Told([("write_file", {"path": "a", "content": "x</arg_value> y"}, "", "<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value>x</arg_value> y</arg_value></tool_call>")])),
        ("glm45", "<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value><tool_call>now</tool_call></arg_value></tool_call>", Told([("write_file", {"path": "a", "content": "<tool_call>now</tool_call>"}, "", "<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value><tool_call>now</tool_call></arg_value></tool_call>")])),
        ("glm45", '<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>tags</arg_key><arg_value>["a"]</arg_value><arg_key>content</arg_key><arg_value>  x\n</arg_value></tool_call>', Told([("write_file", {"path": "a", "tags": ["a"], "content": "  x\n"}, "", '<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>tags</arg_key><arg_value>["a"]</arg_value><arg_key>content</arg_key><arg_value>  x\n</arg_value></tool_call>')])),
        ("glm45", "<tool_call>get_weather<arg_key> city </arg_key><arg_value> Rome </arg_value></tool_call>", Told([("get_weather", {"city": " Rome "}, "", "<tool_call>get_weather<arg_key> city </arg_key><arg_value> Rome </arg_value></tool_call>")])),
        ("glm45", "<tool_call>get_weather<ARG_KEY>city</ARG_KEY><ARG_VALUE>Rome</ARG_VALUE></tool_call>", Told([("get_weather", {"city": "Rome"}, "", "<tool_call>get_weather<ARG_KEY>city</ARG_KEY><ARG_VALUE>Rome</ARG_VALUE></tool_call>")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value>words</tool_call>", Told([("get_weather", {"city": "Rome"}, "open_value", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value>words</tool_call>")])),
        ("glm45", "<tool_call>get_weather words <arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>", Told([], "", [("bad_json", "", "What stands between the markers is no call.")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call><tool_call>now</tool_call>", Told([("get_weather", {"city": "Rome"}, "", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>"), ("now", {}, "", "<tool_call>now</tool_call>")])),
        ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value><arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>", Told([], "", [("ambiguous", "get_weather", "'city' is given to 'get_weather' twice, with two values.")])),
        ("glm45", "<tool_call>get_weather<arg_key>metric</arg_key><arg_value>true</arg_value><arg_key>city</arg_key><arg_value>5</arg_value></tool_call>", Told([("get_weather", {"metric": True, "city": "5"}, "", "<tool_call>get_weather<arg_key>metric</arg_key><arg_value>true</arg_value><arg_key>city</arg_key><arg_value>5</arg_value></tool_call>")])),
        ("glm45", "<arg_key>city</arg_key><arg_value>Rome</arg_value>", Told([], "<arg_key>city</arg_key><arg_value>Rome</arg_value>", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("glm45", "</arg_value>", Told([], "</arg_value>")),
    ],
)  # fmt: skip
def test_all_that_is_said_of_keys_and_values(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


HEAD = "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome"


@pytest.mark.parametrize("between", ["</arg_value>\n</tool\n", "</arg_value>\n</tool_x\n", "\n", "</arg_value>so\n"])
@pytest.mark.parametrize(
    ("second", "arguments"),
    [("now\n", {}), ("now\n<arg_key>zone</arg_key>\n<arg_value>CET</arg_value>\n", {"zone": "CET"})],
)
def test_the_next_call_does_not_go_into_a_value(between: str, second: str, arguments: dict[str, str]) -> None:
    found = told("glm45", f"{HEAD}{between}<tool_call>{second}</tool_call>")
    assert [call[:2] for call in found.calls] == [("get_weather", {"city": "Rome"}), ("now", arguments)]
    assert not found.problems


def test_an_opener_before_no_tool_belongs_to_the_value() -> None:
    found = told("glm45", f"{HEAD} <tool_call>that</tool_call>")
    assert [call[1] for call in found.calls] == [{"city": "Rome <tool_call>that"}]


@pytest.mark.parametrize("sign", [":", ":\n", "="])
def test_a_sign_between_key_and_value_is_no_part_of_the_value(sign: str) -> None:
    found = told("glm47", f"<tool_call>get_weather<arg_key>city</arg_key>{sign}<arg_value>Rome</arg_value></tool_call>")
    assert [call[1:3] for call in found.calls] == [({"city": "Rome"}, "near_miss_tag")]
    assert not found.problems


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("k2_horizon", "length", Drawn("<ifm|tool_calls>⟨<ifm|tool_call>get_weather⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("glm45", "stop", Drawn("⟨<tool_call>get_weather\n<arg_key></arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days\n<arg_value>3</arg_value>\n</tool_call>⟩", [], ["reported bad_json get_weather: 'Rome' of 'get_weather' belongs to no key."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days\n<arg_value>3</arg_value>»⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_keycity</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟨<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days\narg_value>3</arg_value>\n</tool_call>⟩", [], ["reported missing_argument get_weather: 'days' of 'get_weather' has no value."])),
        ("glm45", "stop", Drawn("⟨<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>zzz</arg_key\n<arg_key>content</arg_key>\n<arg_value>b</tool_call>⟩", [], ["reported bad_json write_file: 'zzz</arg_key' of 'write_file' belongs to no key."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹write_file›\n«<arg_key>path</arg_key>\n<arg_value>a</arg_value>\narg_key>zzz</arg_key>\n<arg_key>content</arg_key>\n<arg_value>b»</tool_call>⟧", [("write_file", {"path": "a", "content": "b"}, "open_value missing_close_tag")])),
    ],
)  # fmt: skip
def test_places_of_keys_and_values_and_what_is_said_of_them(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("glm47", Drawn("⟦<tool_call>‹now›«»</arg_value>⟧", [("now", {}, "near_miss_tag missing_close_tag")])),
        ("glm47", Drawn("⟦<tool_call>‹get_weather›«<arg_key>city</arg_key><arg_value><arg_value>Rome</arg_value>»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm47", Drawn("⟨<tool_call>write_file<arg_key>path</arg_key><ar_value>Rome⟩", [], ["reported truncated write_file: The call of 'write_file' is cut off."])),
        ("glm45", Drawn("⟦<tool_call>‹get_weather›«<arg_key><arg_value>city</arg_key><arg_value>Rome»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag missing_close_tag")])),
    ],
)  # fmt: skip
def test_stray_and_doubled_tags(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹now›«»</tool_call>⟧", [("now", {}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹now›«»\n</tool_call>⟧", [("now", {}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹now›«»</arg_value></tool_call>⟧", [("now", {}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟨<tool_call>later\n<arg_key>a</arg_key>\n<arg_value>b</arg_value>\n</tool_call>⟩", [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("glm45", "stop", Drawn("<tool_call>⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n<tool_call>get_weather\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "name_dup")])),
        ("glm45", "stop", Drawn("⟨<tool_call>get_weather\n⟩⟨<tool_call>get_weather_x\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'.", "reported unknown_tool get_weather_x: No tool 'get_weather_x' is declared."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<tool_call>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›«city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("glm45", "stop", Drawn("⟨<tool_call>zcity</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key></arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key> : <arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>=\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\nRome\n</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_valu>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key><arg_value>city</arg_key><arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n<arg_key>days</arg_key>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag open_value")])),
        ("glm45", "stop", Drawn("⟨<tool_call>get_weather\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>city</arg_key>\n</tool_call>⟩", [], ["reported missing_argument get_weather: 'city' of 'get_weather' has no value."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹write_file›\n«<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>mode</arg_key>\n<arg_key>content</arg_key>\n<arg_value>b</arg_value>»\n</tool_call>⟧", [("write_file", {"path": "a", "content": "b"}, "missing_open_tag")])),
        ("glm45", "stop", Drawn("⟨<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>a.b\n</arg_key>\n<arg_key>content</arg_key><arg_value>b</arg_value></tool_call>⟩", [], ["reported bad_json write_file: 'a.b' of 'write_file' belongs to no key."])),
        ("glm45", "stop", Drawn("⟨<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>⟩", [], ["reported ambiguous get_weather: 'city' is given to 'get_weather' twice, with two values."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "")])),
        ("glm45", "stop", Drawn("⟨<tool_call>get_weather\n<arg_key></arg_key><arg_value>Rome</arg_value></tool_call>⟩", [], ["reported bad_json get_weather: 'Rome' of 'get_weather' belongs to no key."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city<</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome\n»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value> more\n»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "open_value")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>a </arg_value> b</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "a </arg_value> b"}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value><arg_value>Rome\n»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag near_miss_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": ">Rome"}, "open_value")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("glm45", "length", Drawn("⟨<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("glm45", "stop", Drawn("⟨<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_k⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»⟧\nBye.", [("get_weather", {"city": "Rome"}, "open_value missing_close_tag")], [], "Bye.")),
        ("glm45", "stop", Drawn("⟨<tool_call>now⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("glm45", "stop", Drawn("⟨<tool_call>now\n<arg_key>zo⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»⟧\nIt is late.", [("get_weather", {"city": "Rome"}, "open_value missing_close_tag")], [], "It is late.")),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_cal>\n»⟧⟦<tool_call>‹now›«»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "open_value missing_close_tag"), ("now", {}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_x>\n»⟧⟦<tool_call>‹now›«»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "open_value missing_close_tag"), ("now", {}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>say <tool_call> now</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "say <tool_call> now"}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome\n»⟧⟦<tool_call>‹now›«»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag"), ("now", {}, "")])),
        ("glm45", "stop", Drawn("⟦<tool_call>‹get_weather›\\n«<arg_key>city</arg_key>\\n<arg_value>Rome</arg_value>»\\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "double_encoded")])),
        ("glm45", "stop", Drawn("⟦‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("solar_open2", "stop", Drawn("⟦<|tool_call:start|>‹get_weather›«<|tool_arg:start|>city<|tool_arg:value|>Rome<|tool_arg:end|>»<|tool_call:end|>⟧ ok", [("get_weather", {"city": "Rome"}, "")], [], "ok")),
        ("solar_open2", "stop", Drawn("⟦<|tool_call:start|>‹get_weather›«<|tool_arg:start|>city<|tool_arg:value|>Rome»<|tool_call:end|>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("solar_open2", "stop", Drawn("⟦<|tool_call:start|>‹get_weather›«<|tool_arg:start|>city<|tool_arg:value|>Rome<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>»<|tool_call:end|>⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag")])),
        ("hy_v3", "stop", Drawn("<tool_calls>\n⟦<tool_call>‹get_weather›<tool_sep>\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧\n</tool_calls>", [("get_weather", {"city": "Rome"}, "")])),
        ("hy_v3", "stop", Drawn("⟦<tool_call>‹now›«»<tool_sep></tool_call>⟧", [("now", {}, "")])),
    ],
)  # fmt: skip
def test_pairs_that_lack_a_tag_or_have_one_too_many(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("glm45", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>a <tool_call> 5 b</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "a <tool_call> 5 b"}, "")])),
        ("glm45", True, Drawn("⟨<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>a\n<tool_call> 5⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("glm45", True, Drawn("⟨<tool_call>get_weather\n<arg_key> <arg_value>city</arg_value></tool_call>⟩", [], ["reported bad_json get_weather: 'city' of 'get_weather' belongs to no key."])),
        ("glm45", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<b>Rome</arg_value>»</tool_call>⟧", [("get_weather", {"city": "<b>Rome"}, "missing_open_tag")])),
        ("glm45", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n <arg_ke>days</arg_key>\n<arg_value>3</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "near_miss_tag")])),
        ("glm45", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\narg_key>days</arg_key>\n<arg_value>3</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "near_miss_tag")])),
        ("glm45", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key> city <x</arg_key>\n<arg_value>Rome</arg_value>»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("glm45", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg</arg_key>\n<arg_value>Rome</arg_value>»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("glm45", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_valu>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>»</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag near_miss_tag")])),
        ("glm45", False, Drawn("⟨<tool_call>later\n<arg_key>a</arg_key>\n<arg_key>b</arg_key>\n<arg_value>1</arg_value></tool_call>⟩", [], ["reported bad_json later: Keys and values of 'later' do not stand in pairs."])),
    ],
)  # fmt: skip
def test_openers_and_keys_in_odd_places(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("glm45", False, Drawn("⟨<tool_call>a⟩⟨<tool_call>b⟩", [], ["reported truncated a: Another call begins in the name 'a'.", "reported unread_call : A call begins here and cannot be read."], "<tool_call>b")),
        ("glm45", False, Drawn("⟨<tool_call>now⟩⟦<tool_call>‹now›«»</tool_call>⟧", [("now", {}, "")], ["reported truncated now: Another call begins in the name 'now'."])),
        ("glm45", True, Drawn("⟦<tool_call>‹now›«»\n⟧⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("now", {}, "missing_close_tag"), ("get_weather", {"city": "Rome"}, "")])),
    ],
)  # fmt: skip
def test_a_name_that_another_opener_follows(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('k2_horizon', Drawn('⟦<ifm|tool_call>‹get_weather›\n«<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>Rome</ifm|arg_value>»\n</ifm|tool_call>⟧', [('get_weather', {'city': 'Rome'}, '')])),
        ('k2_horizon', Drawn('⟦<ifm|tool_call>‹get_weather›\n«<ifm|arg_key>city</ifm|arg_key>\n<ifm|arg_type>string</ifm|arg_type>\n<ifm|arg_value>Rome</ifm|arg_value>»\n</ifm|tool_call>⟧', [('get_weather', {'city': 'Rome'}, '')])),
        ('k2_horizon', Drawn('⟨<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|tool_call>⟩', [], ["reported missing_argument get_weather: 'city' of 'get_weather' has no value."])),
        ('k2_horizon', Drawn('⟨<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('k2_horizon', Drawn('⟨<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|arg_type>⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('k2_horizon', Drawn('⟦<ifm|tool_call>‹get_weather›\n«<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|arg_type>:<ifm|arg_value>Rome</ifm|arg_value>»</ifm|tool_call>⟧', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')])),
        ('k2_horizon', Drawn('⟦<ifm|tool_call>‹get_weather›\n«<ifm|arg_key>days</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>3</ifm|arg_value><ifm|arg_key>city</ifm|arg_key><ifm|arg_type>integer</ifm|arg_type><ifm|arg_value>7</ifm|arg_value>»</ifm|tool_call>⟧', [('get_weather', {'days': 3, 'city': '7'}, '')])),
    ],
)  # fmt: skip
def test_a_tag_that_says_what_the_type_of_a_value_is(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


def test_a_type_whose_tag_is_not_closed_is_no_part_of_the_value() -> None:
    tag = "<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string<ifm|arg_value>Rome</ifm|arg_value>\n</ifm|tool_call>"
    assert [call.arguments for call in get_format("k2_horizon").parse(tag, SPECS).calls] == [{"city": "Rome"}]


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟦<tool_call>‹get_weather›<tool_sep>\n«city/arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧</tool_calls>", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", True, Drawn("⟨<tool_call>get_weather\ncity/arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟦<tool_call>‹get_weather›<tool_sep>\n«<arg_key>city/arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧</tool_calls>", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city/arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟦<tool_call>‹get_weather›<tool_sep>\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\ndays/arg_key><arg_value>3</arg_value>»\n</tool_call>⟧</tool_calls>", [("get_weather", {"city": "Rome", "days": 3}, "near_miss_tag")])),
        ("glm45", "stop", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\ndays/arg_key><arg_value>3</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "near_miss_tag")])),
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟦<tool_call>‹get_weather›<tool_sep>\n«<arg_key>city</arg_ke>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧</tool_calls>", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("glm45", "stop", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_ke>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟦<tool_call>‹get_weather›<tool_sep>\n«<arg_key>city<arg_value>Rome</arg_value>»\n</tool_call>⟧</tool_calls>", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("glm45", "stop", True, Drawn("⟦<tool_call>‹get_weather›\n«<arg_key>city<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟨<tool_call>get_weather<tool_sep>\n⟩city⟨<arg_value>Rome</arg_value>⟩\n</tool_call></tool_calls>", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'.", "reported unread_call : A call begins here and cannot be read."], "city<arg_value>Rome</arg_value>")),
        ("glm45", "stop", True, Drawn("⟨<tool_call>get_weather\ncity<arg_value>Rome</arg_value>\n</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
    ],
)  # fmt: skip
def test_what_is_left_of_a_key_s_closing_tag(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('glm45', Drawn('⟦<tool_call>‹get_weather›«<arg_key>city</arg_key><arg_value>Rome</arg_value>»</TOOLCALL>⟧ ok', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')], [], 'ok')),
        ('glm45', Drawn('⟦<toolcall>‹get_weather›«<arg_key>city</arg_key><arg_value>Rome</arg_value>»</ToolCall>⟧', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')])),
        ('glm45', Drawn('⟦<tool_call>‹get_weather›«<arg_key>city</arg_key><arg_value>Rome</arg_value>»</TOOL_CALL>⟧', [('get_weather', {'city': 'Rome'}, '')])),
    ],
)  # fmt: skip
def test_closers_in_another_spelling_are_told(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ('glm45', True, Drawn('⟦<tool_call>‹get_weather›\n«<arg_key>town</arg_ke>\n<arg_value>Rome</arg_value>»</tool_call>⟧', [('get_weather', {'town': 'Rome'}, 'near_miss_tag open_value')])),
        ('glm45', False, Drawn('⟦<tool_call>‹later›\n«<arg_key>town</arg_ke>\n<arg_value>Rome</arg_value>»</tool_call>⟧', [('later', {'town': 'Rome'}, 'near_miss_tag')])),
    ],
)  # fmt: skip
def test_what_is_left_of_a_tag_behind_a_key_that_nobody_knows_stays(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole
