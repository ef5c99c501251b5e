"""The tools of a prompt as one JSON text, checked while it is typed, with a mode and a mock for each name."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.tools import MockRule, ToolMode, ToolSetup, ToolSpec, tools_from_json
from workbench.ui.models.json_check import TextFault, fault_at, locate, read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PLACE = re.compile(r"tools\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class HowToRun:
    """Mode and mock of one tool."""

    mode: ToolMode = ToolMode.MOCK
    mock: MockRule = field(default_factory=MockRule)


@dataclass(frozen=True, slots=True)
class ToolText:
    """The text, and how each named tool is executed. Invalid text is kept as typed, and blocks."""

    text: str = "[]"
    how: dict[str, HowToRun] = field(default_factory=dict)

    @classmethod
    def of(cls, setups: Iterable[ToolSetup]) -> ToolText:
        """Write tools out as text."""
        listed = list(setups)
        text = json.dumps([one.spec.to_openai() for one in listed], ensure_ascii=False, indent=2)
        return cls(text, {one.spec.name: HowToRun(one.mode, one.mock) for one in listed})

    def with_text(self, text: str) -> ToolText:
        """The same ways to run with another text."""
        return replace(self, text=text)

    def with_how(self, name: str, how: HowToRun) -> ToolText:
        """Another way to run one tool."""
        return replace(self, how={**self.how, name: how})

    def setups(self, specs: Iterable[ToolSpec]) -> tuple[ToolSetup, ...]:
        """Tools with their ways to run; a new name is mocked."""
        ways = ((spec, self.how.get(spec.name, HowToRun())) for spec in specs)
        return tuple(ToolSetup(spec, way.mode, way.mock) for spec, way in ways)


def check_tools(
    text: str, check_schema: Callable[[dict[str, Any]], list[tuple[tuple[str | int, ...], str]]] | None = None
) -> tuple[tuple[ToolSpec, ...], TextFault | None]:
    """Read the tools; return them, or nothing and the first fault with its line."""
    if not text.strip():
        return (), None
    value, fault = read_json(text)
    if fault is not None:
        return (), fault
    try:
        specs = tools_from_json(value)
    except InvalidInput as error:
        return (), _fault_of(text, value, error)
    for number, spec in enumerate(specs):
        for path, message in check_schema(spec.parameters) if check_schema else ():
            place = _schema_place(text, value, number, path)
            return (), fault_at(text, place, f"{spec.name}: {message}")
    return specs, None


def _root(value: Any) -> tuple[str | int, ...]:
    return ("tools",) if isinstance(value, dict) else ()


def _fault_of(text: str, value: Any, error: InvalidInput) -> TextFault:
    match = _PLACE.match(error.message)
    offset = locate(text, (*_root(value), int(match[1]))) if match else 0
    return fault_at(text, offset, f"{error.message} {error.hint}".strip())


def _schema_place(text: str, value: Any, number: int, path: tuple[str | int, ...]) -> int:
    root = _root(value)
    tool = (value["tools"] if root else value)[number]
    inside = ("function",) if isinstance(tool.get("function"), dict) else ()
    body = tool["function"] if inside else tool
    key = next((name for name in ("parameters", "input_schema", "inputSchema") if name in body), "parameters")
    return locate(text, (*root, number, *inside, key, *path))


def with_skeleton(text: str) -> str:
    """Add an example tool to the text, which must be valid or empty; its name is free."""
    value, fault = read_json(text) if text.strip() else ([], None)
    if fault is not None:
        return text
    listed = value["tools"] if isinstance(value, dict) and isinstance(value.get("tools"), list) else value
    if not isinstance(listed, list):
        return text
    names = {name for one in listed if isinstance(one, dict) and (name := _name_of(one))}
    name = next(one for one in ("my_tool", *(f"my_tool_{number}" for number in range(2, 10_000))) if one not in names)
    listed.append(skeleton(name))
    return json.dumps(value if value is listed or isinstance(value, dict) else listed, ensure_ascii=False, indent=2)


def _name_of(tool: dict[str, Any]) -> str:
    body = tool.get("function", tool)
    return str(body.get("name", "")) if isinstance(body, dict) else ""


def skeleton(name: str) -> dict[str, Any]:
    """A tool with one argument of each common kind, to be changed."""
    return ToolSpec(
        name,
        "What the tool does, in one sentence for the model.",
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for."},
                "limit": {"type": "integer", "minimum": 1},
            },
            "required": ["query"],
        },
    ).to_openai()
