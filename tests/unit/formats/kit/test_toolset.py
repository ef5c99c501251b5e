"""Names as models bend them."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.tools import ToolSpec
from workbench.formats.kit.toolset import ToolSet, fold, only_text

SPECS = tuple(TOOLS.values())


@pytest.mark.parametrize(
    ("written", "name", "repairs", "problem"),
    [
        ("get_weather", "get_weather", (), ""),
        ("Get-Weather", "get_weather", ("name_prefix",), ""),
        ("functions.get_weather", "get_weather", ("name_prefix",), ""),
        (" now ", "now", ("name_prefix",), ""),
        ("my server/now", "now", ("name_prefix",), ""),
        ("weather::get_weather", "get_weather", ("name_prefix",), ""),
        ("weather/later", "weather/later", (), "unknown_tool"),
        ("nownow", "now", ("name_dup",), ""),
        ("now.now", "now", ("name_dup",), ""),
        ("later.now", "later.now", (), "unknown_tool"),
        ("get_wether", "get_wether", (), "unknown_tool"),
        ("no such tool", "no such tool", (), "bad_name"),
        ("", "", (), "bad_name"),
    ],
)
def test_resolve(written: str, name: str, repairs: tuple[str, ...], problem: str) -> None:
    found = ToolSet(SPECS).resolve(written)
    assert (found.name, found.repairs, found.problem) == (name, repairs, problem)


def test_hints() -> None:
    assert "'get_weather'" in ToolSet(SPECS).resolve("get_wether").hint
    assert "Declared: get_weather" in ToolSet(SPECS).resolve("zzzzzz").hint
    assert ToolSet([]).resolve("now").hint == "No tool is declared."


def test_none_declares_nothing() -> None:
    tools = ToolSet(None)
    assert tools.resolve("anything.at-all").problem == ""
    assert tools.resolve("not a name").problem == "bad_name"
    assert not tools.declared


def test_folded_names_must_be_unique() -> None:
    tools = ToolSet([ToolSpec("a_b"), ToolSpec("a-b")])
    assert tools.resolve("A_B").problem == "unknown_tool"
    assert tools.resolve("a-b").name == "a-b"


def test_arguments_name_the_only_tool_that_takes_them() -> None:
    tools = ToolSet(SPECS)
    assert tools.taking({"city": "Rome", "days": 1}) == "get_weather"
    assert tools.taking({"days": 1}) == "", "the city is required"
    assert tools.taking({"city": "Rome", "other": 1}) == ""
    assert tools.taking({"zone": "CET"}) == "now"
    assert tools.taking([]) == ""
    alike = [ToolSpec(name, "", {"properties": {"city": {"type": "string"}}}) for name in ("a", "b")]
    assert ToolSet(alike).taking({"city": "Rome"}) == "", "two could be meant"


def test_tool_checks() -> None:
    tool = ToolSet(SPECS).by_name["get_weather"]
    assert tool.missing({}) == ["city"]
    assert tool.plain({"city": "x", "extra": [1]})
    assert not tool.plain({"days": "2"})
    assert tool.coerced({"city": "x", "days": "2"}) == ({"city": "x", "days": 2}, True)
    assert ToolSet(SPECS).prefix_of("get_weathercity") == "get_weather"
    assert ToolSet([ToolSpec("get"), ToolSpec("get_all"), ToolSpec("get_a")]).prefix_of("get_all_of_it") == "get_all"
    assert fold("Default_api.Get-X") != fold("get_x")


def test_bare_text_is_for_the_only_text_argument() -> None:
    tools = ToolSet(SPECS).by_name
    assert {name: only_text(tool) for name, tool in tools.items()} == {
        "get_weather": "city",
        "now": "zone",
        "write_file": "",
    }
    assert only_text(None) == ""


@pytest.mark.parametrize(
    ("schema", "value", "plain"),
    [
        ({"type": "array"}, ["a", 1], True),
        ({"type": "object"}, {"a": "1"}, True),
        ({"type": "array", "items": {"type": "integer"}}, ["1"], False),
        ({"type": "array", "prefixItems": [{"type": "integer"}]}, ["1"], False),
        ({"type": "object", "properties": {"a": {"type": "integer"}}}, {"a": "1"}, False),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"a": "1"}, False),
        ({"type": "array"}, "[]", False),
    ],
)
def test_containers_without_a_schema_are_plain(schema: dict[str, object], value: object, plain: bool) -> None:
    spec = ToolSpec("f", "", {"type": "object", "properties": {"x": schema}})
    tool = ToolSet([spec]).by_name["f"]
    assert tool.plain({"x": value}) is plain
    if plain:
        assert tool.coerced({"x": value}) == ({"x": value}, False)


def test_a_kind_is_taken_where_no_other_is() -> None:
    members = {
        "days": {"type": "integer"},
        "city": {"type": "string"},
        "any": {},
        "either": {"type": ["integer", "string"]},
    }
    tool = ToolSet([ToolSpec("t", "", {"type": "object", "properties": members})]).resolve("t").tool
    assert tool is not None
    assert [key for key in (*members, "unknown") if tool.takes(key, int)] == ["days"]
    assert [key for key in (*members, "unknown") if tool.wants_text(key)] == ["city"]


@pytest.mark.parametrize(
    "text",
    [
        "}",
        '}"city": "Rome"}',
        '{"city"<: "Rome"}',
        "1{}",
        "call_end|>",
        "<city>Rome</city>",
        '"city": Rome',
        r'\n{"city": 1',
    ],
)
def test_what_is_left_of_an_object_is_no_bare_text(text: str) -> None:
    assert only_text(ToolSet(SPECS).by_name["get_weather"], text) == ""


@pytest.mark.parametrize(
    "text", ["Rome", "{x} of Rome", "city: Rome", ".*", "a -> b", "f(city=1)", "<b>Rome</b>", "???"]
)
def test_other_bare_text_is(text: str) -> None:
    assert only_text(ToolSet(SPECS).by_name["get_weather"], text) == "city"


def test_one_sign_or_two_between_a_server_and_its_tool() -> None:
    spec = ToolSpec("developer__shell", "", {"type": "object"})
    found = ToolSet((spec,)).resolve("functions.developer.shell")
    assert (found.name, found.repairs) == ("developer__shell", ("name_prefix",))
    other = ToolSpec("developer_shell", "", {"type": "object"})
    assert ToolSet((spec, other)).resolve("developer.shell").name == "developer_shell"
    assert ToolSet((spec, other)).resolve("developer___shell").problem == "unknown_tool"
