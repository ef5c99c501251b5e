"""Tools of all kinds as clients send them."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta
from workbench.wires.kit.request_notes import ClientTool, RequestNotes
from workbench.wires.kit.server_tools import client_tool, free_text, namespaced, read_choice, read_tools

SCHEMA = {"type": "object", "properties": {"x": {"type": "string"}}}


@pytest.mark.parametrize(
    "value",
    [
        {"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA, "strict": True}},
        {"type": "function", "name": "f", "description": "d", "parameters": SCHEMA, "strict": True},
        {"name": "f", "description": "d", "input_schema": SCHEMA, "strict": True},
        {"type": "custom", "name": "f", "description": "d", "input_schema": SCHEMA, "strict": True},
    ],
)
def test_function_in_every_shape(value: dict[str, Any]) -> None:
    notes = RequestNotes()
    (tool,) = read_tools([value], notes)
    assert (tool.name, tool.description, tool.parameters, tool.extra) == ("f", "d", SCHEMA, {"strict": True})
    assert not notes.left_out
    assert not notes.foreign_tools


def test_foreign_tool_names() -> None:
    (tool,) = read_tools([{"name": "3d-print", "input_schema": SCHEMA}], RequestNotes())
    assert tool.name == "3d-print"
    with pytest.raises(InvalidInput, match=r"tools\[0\]"):
        read_tools([{"name": "no name"}], RequestNotes())


def test_of_tools_with_one_name_the_first_counts_and_the_others_are_named() -> None:
    notes = RequestNotes()
    (tool,) = read_tools([{"name": "f", "description": told, "input_schema": SCHEMA} for told in "abc"], notes)
    assert tool.description == "a"
    assert list(notes.left_out) == ["tools[1]: repeats the name 'f'", "tools[2]: repeats the name 'f'"]


def test_free_text_tool_becomes_one_argument() -> None:
    notes = RequestNotes()
    nested, flat = read_tools(
        [{"type": "custom", "custom": {"name": "sh", "description": "d"}}, {"type": "custom", "name": "py"}], notes
    )
    assert (nested.description, flat.description, flat.required) == ("d", "", ("input",))
    grammar = {"type": "grammar", "definition": "x"}
    (ruled,) = read_tools([{"type": "custom", "name": "p", "format": grammar}], RequestNotes())
    assert ruled.description.startswith("The input must follow: {")
    assert notes.tools == {"sh": ClientTool("sh", "custom"), "py": ClientTool("py", "custom")}
    with pytest.raises(InvalidInput):
        read_tools([{"type": "custom"}], RequestNotes())


def test_namespaces_are_flattened() -> None:
    notes = RequestNotes()
    inner = [{"type": "function", "name": "read"}, {"type": "custom", "name": "sh"}, {"type": "odd"}]
    tools = read_tools([{"type": "namespace", "name": "ns", "tools": inner}], notes)
    assert [tool.name for tool in tools] == ["ns.read", "ns.sh"]
    assert notes.tools == {
        "ns.read": ClientTool("read", "function", "ns"),
        "ns.sh": ClientTool("sh", "custom", "ns"),
    }
    assert notes.left_out == ["tools[0].tools[2]: a tool of type 'odd', which only the client's own protocol knows"]
    assert namespaced("", "f") == "f"


def test_repeated_name_is_kept_once() -> None:
    notes = RequestNotes()
    assert len(read_tools([{"name": "f"}, {"name": "f"}], notes)) == 1
    assert notes.left_out == ["tools[1]: repeats the name 'f'"]


@pytest.mark.parametrize(
    ("given", "choice"),
    [
        (None, None),
        ("required", "required"),
        ({"type": "function", "name": "f"}, {"type": "function", "function": {"name": "f"}}),
        ({"type": "function", "function": {"name": "f"}}, {"type": "function", "function": {"name": "f"}}),
        ({"type": "custom", "custom": {"name": "f"}}, {"type": "function", "function": {"name": "f"}}),
        ({"type": "allowed_tools", "mode": "auto"}, {"type": "allowed_tools", "mode": "auto"}),
    ],
)
def test_choices(given: Any, choice: Any) -> None:
    assert read_choice(given) == choice


def test_free_text_of_a_call() -> None:
    assert free_text('{"input": "ls\\n"}') == "ls\n"
    assert free_text("ls -l") == "ls -l"
    assert free_text('{"other": 1}') == '{"other": 1}'
    assert client_tool({}, CallDelta(0, "", "f", "")) == ClientTool("f")


def test_a_tool_that_cannot_be_read_is_told_with_its_place() -> None:
    for tool in (
        {"type": "function", "function": {"name": "f", "parameters": 7}},
        {"type": "function", "function": {"name": "a b"}},
    ):
        with pytest.raises(InvalidInput) as caught:
            read_tools([{"type": "function", "function": {"name": "ok"}}, tool], RequestNotes())
        assert "tools[1]" in caught.value.message
    with pytest.raises(InvalidInput) as unnamed:
        read_tools([{"type": "custom", "custom": {"name": ""}}], RequestNotes())
    assert unnamed.value.message == "tools[0] has no usable name: ''."


def test_a_grammar_is_told_in_its_own_letters() -> None:
    (tool,) = read_tools(
        [{"type": "custom", "custom": {"name": "f", "format": {"definition": "start: ü"}}}], RequestNotes()
    )
    assert tool.description == 'The input must follow: {"definition": "start: ü"}'
