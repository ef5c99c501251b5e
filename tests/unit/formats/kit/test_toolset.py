"""Names as models bend them."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.tools import ToolSpec
from workbench.formats.kit.toolset import ToolSet, fold, folded_text, only_text, prepared, text_beside

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


def test_bare_text_beside_given_arguments_is_for_the_only_text_left() -> None:
    tool = ToolSet(SPECS).by_name["write_file"]
    assert [text_beside(tool, given, "x = 1") for given in ({"path"}, {"content"}, {}, {"path", "content"})] == [
        "content",
        "path",
        "",
        "",
    ]
    assert text_beside(tool, {"path"}, '{"content": "x"}') == ""


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


def tools_named(*names: str) -> ToolSet:
    return ToolSet([ToolSpec(name, "", {"type": "object"}) for name in names])


@pytest.mark.parametrize(
    ("declared", "written", "name", "repairs", "problem"),
    [
        ("get_weather", r"get\_weather", "get_weather", ("markdown_escaped",), ""),
        ("get_weather", r"Get\_weather", "get_weather", ("markdown_escaped", "name_prefix"), ""),
        ("get_weather", r"get\weather", r"get\weather", (), "bad_name"),
        ("get_weather", "functions/get_weather", "get_weather", ("name_prefix",), ""),
        ("get_weather", "tool.get.weather", "get_weather", ("name_prefix",), ""),
        ("get_weather", "function.get_weather", "get_weather", ("name_prefix",), ""),
        ("get_weather", "functions:get_weather", "get_weather", ("name_prefix",), ""),
        ("get_weather", "default_api:get_weather", "get_weather", ("name_prefix",), ""),
        ("get_weather", "a/b:get_weather", "get_weather", ("name_prefix",), ""),
        ("get_weather", "a/get_weather/", "a/get_weather/", (), "unknown_tool"),
        ("get_weather", "get__weather", "get_weather", ("name_prefix",), ""),
        ("getweather", "get__weather", "get__weather", (), "unknown_tool"),
        ("a.b", "a.a.b", "a.b", ("name_dup",), ""),
        ("a.b", "c.a.b", "c.a.b", (), "unknown_tool"),
        ("functions.now", "functions.now", "functions.now", (), ""),
        ("now", "functions.functions.now", "functions.functions.now", (), "unknown_tool"),
        ("now", "nowno", "nowno", (), "unknown_tool"),
        ("now", "nowlat", "nowlat", (), "unknown_tool"),
        ("now", "thennow", "thennow", (), "unknown_tool"),
        ("now", "2now", "2now", (), "bad_name"),
        ("now", "n" * 129, "n" * 129, (), "bad_name"),
    ],
)
def test_resolve_among_one_tool(declared: str, written: str, name: str, repairs: tuple[str, ...], problem: str) -> None:
    tools = tools_named(declared)
    for _ in range(2):  # once more out of what was resolved before
        found = tools.resolve(written)
        assert (found.name, found.repairs, found.problem) == (name, repairs, problem)
        assert (found.tool is tools.by_name[declared]) is (not problem)
        assert bool(found.hint) is bool(problem)


def test_without_declared_tools_a_name_is_taken_as_it_is() -> None:
    tools = ToolSet(None)
    assert tools.resolve("now") == ("now", None, (), "", "")
    assert tools.resolve(" now\n") == ("now", None, ("name_prefix",), "", "")
    assert tools.resolve(" not a name ") == ("not a name", None, (), "bad_name", "")
    assert tools.resolve(r"get\_it") == ("get_it", None, ("markdown_escaped",), "", "")


def test_the_hint_of_a_wrong_name() -> None:
    assert tools_named("Get-Weather").resolve("get_wether").hint == "The closest declared name is 'Get-Weather'."
    many = [f"tool{number:02}" for number in range(14, 0, -1)]
    assert tools_named(*many).resolve("zzz").hint == f"Declared: {', '.join(sorted(many)[:12])}."
    assert tools_named("now").resolve("no such tool at all").hint == "Declared: now."
    assert tools_named("x" * 100).resolve("x" * 500).hint == f"The closest declared name is {'x' * 100!r}."


def test_names_that_are_resolved_are_remembered_up_to_a_number() -> None:
    tools = tools_named("now")
    for number in range(1200):
        assert tools.resolve(f"n{number}").problem == "unknown_tool"
    assert len(tools.known) == 1000


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        (" Get-It.Now ", "get_it_now"), ("functions.a", "a"), ("tools.tool.a", "tool_a"), ("xfunctions.a", "xfunctions_a"),
        ("default_api.a", "a"), ("Functions.a", "functions_a"),
    ],
)  # fmt: skip
def test_fold(name: str, folded: str) -> None:
    assert fold(name) == folded


def test_folded_text() -> None:
    assert folded_text(r"Call get\_It\-now, or A.b-c\x") == r"call get_it_now, or a_b_c\x"


def test_names_that_stand_in_a_text() -> None:
    tools = tools_named("get_weather", "get_time", "now", "_own_name")
    assert list(tools.names_in("I use GET-WEATHER and now")) == ["get_weather", "now"]
    assert list(tools.names_in("get_ and time")) == []
    assert list(tools.names_in(r"the \_own\_name")) == ["_own_name"]
    assert tools.named_in("it is known") is True
    assert tools.named_in("get_ and time") is False
    assert tools.named_in("<|TOOL_CALL_BEGIN|>0") is True


def test_parameters_by_tool() -> None:
    tools = ToolSet(SPECS)
    assert (tools.has_parameter("zone"), tools.has_parameter("city"), tools.has_parameter("zones")) == (
        True,
        True,
        False,
    )
    assert list(tools.parameters_of("now")) == ["zone"]
    assert list(tools.parameters_of("Now")) == []


def test_nameable() -> None:
    tools = tools_named("my tool")
    assert [tools.nameable(text) for text in ("now", "a.b/c:d-e", "my tool", "your tool", "1a", "")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_prefix_and_taking_without_a_fit() -> None:
    assert tools_named("now", "later").prefix_of("nothing") == ""
    assert tools_named("now").taking({}) == "now"
    assert tools_named("now", "later").taking({}) == ""


def test_missing_arguments_stand_in_the_order_of_the_schema() -> None:
    tool = ToolSet([ToolSpec("t", "", {"type": "object", "required": ["z", "a", "m"]})]).by_name["t"]
    assert tool.missing({"a": 1}) == ["z", "m"]
    assert tool.missing({"a": 1, "z": 2, "m": 3}) == []
    assert tool.required == {"z", "a", "m"}
    assert tool.name == tool.spec.name == "t"


def test_types_that_are_wanted_are_left() -> None:
    members = {
        "n": {"type": "integer"},
        "f": {"type": "number"},
        "b": {"type": "boolean"},
        "s": {"type": "string"},
        "any": {},
    }
    tool = ToolSet([ToolSpec("t", "", {"type": "object", "properties": members})]).by_name["t"]
    for value in ({"n": 1}, {"f": 1}, {"f": 1.5}, {"b": True}, {"s": "1"}, {"other": "1"}):
        assert tool.plain(value)
        assert tool.coerced(value) == (value, False)
    for text, typed in (({"n": "1"}, {"n": 1}), ({"f": "1.5"}, {"f": 1.5}), ({"b": "true"}, {"b": True}), ({"s": "x", "n": "2"}, {"s": "x", "n": 2})):  # fmt: skip
        assert not tool.plain(text)
        assert tool.coerced(text) == (typed, True)
    assert not tool.plain({"n": True})
    assert tool.coerced({"any": None}) == ({"any": None}, False)
    assert tool.coerced({"n": "x", "other": "1"}) == ({"n": "x", "other": "1"}, False)


def test_the_schema_of_a_further_argument() -> None:
    number = {"type": "integer"}
    tool = ToolSet(
        [ToolSpec("t", "", {"properties": {"a": {"type": "string"}}, "additionalProperties": number})]
    ).by_name["t"]
    assert (tool.schema_of("a"), tool.schema_of("b")) == ({"type": "string"}, number)
    assert ToolSet(SPECS).by_name["now"].schema_of("b") is None


def test_a_composed_schema_is_written_out_and_a_plain_one_is_kept() -> None:
    composed = ToolSpec("t", "", {"allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}]})
    tool = ToolSet([composed]).by_name["t"]
    assert (tool.properties, tool.missing({})) == ({"a": {"type": "integer"}}, ["a"])
    assert ToolSet(SPECS).by_name["now"].properties is TOOLS["now"].properties


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}, "a"),
        ({"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]}, ""),
        ({"properties": {"a": {"type": "integer"}}}, ""),
        ({"properties": {"a": {}}}, "a"),
        ({"properties": {"a": {"type": ["string"]}}}, ""),
        ({"properties": {"a": True}}, "a"),
        ({"required": ["a"]}, "a"),
        ({}, ""),
    ],
)
def test_the_argument_that_bare_text_is_for(parameters: dict[str, object], name: str) -> None:
    assert only_text(ToolSet([ToolSpec("t", "", parameters)]).by_name["t"], "some words") == name


def test_signs_alone_are_no_bare_text_and_a_long_row_of_them_is() -> None:
    tool = ToolSet(SPECS).by_name["get_weather"]
    assert only_text(tool, " \n") == "city"
    assert only_text(tool, "x" * 62 + ">") == ""
    assert only_text(tool, "x" * 63 + ">") == "city"
    assert only_text(tool, '{"town": "Rome"') == "city"
    assert only_text(tool, '\n  {"city": "Rome"') == ""


def test_a_set_is_made_once_of_the_same_tuple() -> None:
    assert prepared(SPECS) is prepared(SPECS)
    listed = list(SPECS)
    assert prepared(listed) is not prepared(listed)
    assert prepared(None).declared is False
    sets = [(ToolSpec(f"t{number}"),) for number in range(33)]
    first = [prepared(one) for one in sets]
    assert prepared(sets[32]) is first[32]
    assert prepared(sets[1]) is first[1]
    assert prepared(sets[0]) is not first[0]


KINDS = {
    "type": "object",
    "properties": {"note": {"type": "integer"}},
    "oneOf": [
        {"properties": {"kind": {"const": "number"}, "value": {"type": "integer"}}},
        {"properties": {"kind": {"enum": ["text"]}, "value": {"type": "string"}}},
        {"$ref": "#/$defs/list"},
        True,
    ],
    "$defs": {"list": {"properties": {"kind": {"const": "list"}, "value": {"type": "array"}}}},
}


@pytest.mark.parametrize(
    ("texts", "types"),
    [
        ({"kind": "number", "value": "3"}, ["integer"]),
        ({"kind": " text\n", "value": "3"}, ["string"]),
        ({"kind": "list", "value": "[3]"}, ["array"]),
        ({"kind": "other", "value": "3"}, ["integer", "string", "array"]),
        ({"value": "3"}, ["integer", "string", "array"]),
    ],
)
def test_the_branch_whose_constants_are_given(texts: dict[str, str], types: list[str]) -> None:
    schema = ToolSet([ToolSpec("t", "", KINDS)]).by_name["t"].schema_for(texts)
    found = schema["properties"]["value"]["type"]
    assert ([found] if isinstance(found, str) else found) == types
    assert schema["properties"]["note"] == {"type": "integer"}


@pytest.mark.parametrize("parameters", [{}, {"oneOf": {}}, {"anyOf": [1, None, {"properties": True}]}])
def test_a_schema_without_readable_branches_stays_as_it_is(parameters: dict[str, object]) -> None:
    tool = ToolSet([ToolSpec("t", "", parameters)]).by_name["t"]
    assert tool.schema_for({"kind": "a"}) == tool.schema_for({})
