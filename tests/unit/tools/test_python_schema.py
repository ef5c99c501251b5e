from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

import pytest

from workbench.tools.declared import tool
from workbench.tools.python_schema import converted, definition, read_docstring, schema_of


class Unit(enum.Enum):
    CELSIUS = "c"
    KELVIN = "k"


@dataclass
class Place:
    city: str
    tags: list[str] = field(default_factory=list)


class Range(TypedDict, total=False):
    low: int


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (list, {"type": "array"}),
        (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
        (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (str | None, {"type": ["string", "null"]}),
        (list[int] | str, {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string"}]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[1, "b"], {"enum": [1, "b"]}),
        (Unit, {"type": "string", "enum": ["c", "k"]}),
        (Annotated[int, "how many"], {"type": "integer", "description": "how many"}),
        (Range, {"type": "object", "properties": {"low": {"type": "integer"}}}),
        (Any, {}),
        (object, {}),
    ],
)
def test_hints_become_schemas(hint: Any, schema: dict[str, Any]) -> None:
    assert schema_of(hint) == schema


def test_a_function_becomes_a_definition() -> None:
    def weather(place: Place, unit: Unit = Unit.CELSIUS, days: int = 3) -> str:
        """Tell the weather.

        In short words.

        Args:
            place (Place): where,
                with tags
            unit: of the temperature
        Returns:
            str: a sentence
        """
        return ""

    made = definition(weather)

    assert made["name"] == "weather"
    assert made["description"] == "Tell the weather.\n\nIn short words."
    assert made["parameters"]["required"] == ["place"]
    assert made["parameters"]["additionalProperties"] is False
    properties = made["parameters"]["properties"]
    assert properties["place"]["description"] == "where, with tags"
    assert properties["place"]["required"] == ["city"]
    assert properties["unit"] == {
        "type": "string", "enum": ["c", "k"], "description": "of the temperature", "default": "c",
    }  # fmt: skip
    assert properties["days"] == {"type": "integer", "default": 3}


def test_decorator_values_win() -> None:
    @tool(name="find", description="Look it up.", parameters={"type": "object"})
    def search(**anything: Any) -> None:
        """Search."""

    assert definition(search) == {"name": "find", "description": "Look it up.", "parameters": {"type": "object"}}


def test_parameters_by_position_alone_are_refused() -> None:
    def pair(a: int, /) -> None: ...

    with pytest.raises(TypeError, match="'a'"):
        definition(pair)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Do.\n\ncity: where", {"city": "where"}),
        ("Do.\n\n:param city: where\n:param int n: how often", {"city": "where", "n": "how often"}),
        ("Do.\n\nNote: nothing", {}),
        ("", {}),
    ],
)
def test_docstrings_of_several_styles_are_read(text: str, told: dict[str, str]) -> None:
    assert read_docstring(text)[1] == told


def test_arguments_are_converted_to_annotations() -> None:
    assert converted("k", Unit | None) is Unit.KELVIN
    assert converted(None, Unit | None) is None
    assert converted([{"city": "Rome"}], list[Place]) == [Place("Rome")]
    assert converted(5, int) == 5
