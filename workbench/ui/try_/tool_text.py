"""The tools of a prompt as one JSON document, checked while it is typed: specs, modes and mocks in one place.

Editor, table and chips are views of the text. What the table changes is written into the text, everything else in it
stays as it was.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.json_places import locate
from workbench.core.tools import MockRule, ToolMode, ToolSetup, ToolSpec
from workbench.schema import check_schema
from workbench.tools.mock_document import mock_to_json
from workbench.tools.toolset import setups_from_json, toolset_to_json
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.json_check import TextFault, fault_at, read_json

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLACE = re.compile(r"tools\[(\d+)\]")


@lru_cache(maxsize=8)
def check_tools(text: str) -> tuple[tuple[ToolSetup, ...], TextFault | None]:
    """Read the tools; return them, or nothing and the first fault with its line."""
    if not text.strip():
        return (), None
    value, fault = read_json(text)
    if fault is not None:
        return (), fault
    try:
        setups = setups_from_json(value, "tools")
    except InvalidInput as error:
        return (), _fault_of(text, value, error)
    for number, setup in enumerate(setups):
        for path, message in check_schema(setup.spec.parameters):
            place = _schema_place(text, value, number, path)
            return (), fault_at(text, place, f"{setup.spec.name}: {message}")
    return setups, None


def _root(value: Any) -> tuple[str | int, ...]:
    return ("tools",) if isinstance(value, dict) else ()


def _fault_of(text: str, value: Any, error: InvalidInput) -> TextFault:
    match = _PLACE.search(error.message)
    offset = locate(text, (*_root(value), int(match[1]))) if match else 0
    return fault_at(text, offset, f"{error.message} {error.hint}".strip())


def _schema_place(text: str, value: Any, number: int, path: tuple[str | int, ...]) -> int:
    root = _root(value)
    tool = (value["tools"] if root else value)[number]
    inside = ("function",) if isinstance(tool.get("function"), dict) else ()
    body = tool["function"] if inside else tool
    key = next((name for name in ("parameters", "input_schema", "inputSchema") if name in body), "parameters")
    return locate(text, (*root, number, *inside, key, *path))


def place_of(text: str, number: int) -> int:
    """Offset where tool number `number` begins; the text must be valid."""
    value, fault = read_json(text)
    return 0 if fault is not None else locate(text, (*_root(value), number))


def tools_text(setups: Iterable[ToolSetup]) -> str:
    """Write tools out as a document: a bare list where every tool has the default way to run."""
    document = toolset_to_json(tuple(setups))
    return _dump(document if len(document) > 1 else document["tools"])


def with_how(text: str, name: str, mode: ToolMode, mock: MockRule) -> str:
    """Write mode and mock of one tool into a valid document; everything else in it stays."""
    value, fault = read_json(text)
    if fault is not None:
        return text
    document = value if isinstance(value, dict) else {"tools": value}
    modes = {**document.get("modes", {}), name: mode.value}
    if mode is ToolMode.MOCK and not _says_mode(document, name):
        modes.pop(name)
    mocks = {**document.get("mocks", {}), name: mock_to_json(mock)}
    if mock == MockRule() and not _says_mock(document, name):
        mocks.pop(name)
    out = {key: part for key, part in document.items() if key not in ("modes", "mocks")}
    out |= ({"modes": modes} if modes else {}) | ({"mocks": mocks} if mocks else {})
    return _dump(out if set(out) != {"tools"} or isinstance(value, dict) else value)


def _own(document: dict[str, Any], name: str) -> dict[str, Any]:
    tool = next((one for one in document.get("tools", ()) if isinstance(one, dict) and _name_of(one) == name), {})
    own = tool.get("x-workbench")
    return own if isinstance(own, dict) else tool


def _says_mode(document: dict[str, Any], name: str) -> bool:
    return "mode" in _own(document, name)


def _says_mock(document: dict[str, Any], name: str) -> bool:
    return "mock" in _own(document, name)


def with_skeleton(text: str) -> str:
    """Add an example tool to the document, which must be valid or empty; its name is free."""
    value, fault = read_json(text) if text.strip() else ([], None)
    if fault is not None:
        return text
    listed = value["tools"] if isinstance(value, dict) and isinstance(value.get("tools"), list) else value
    if not isinstance(listed, list):
        return text
    names = {_name_of(one) for one in listed if isinstance(one, dict)}
    name = next(one for one in ("my_tool", *(f"my_tool_{number}" for number in range(2, 10_000))) if one not in names)
    listed.append(skeleton(name))
    return _dump(value)


def _name_of(tool: dict[str, Any]) -> str:
    body = tool.get("function", tool)
    return str(body.get("name", "")) if isinstance(body, dict) else ""


def skeleton(name: str) -> dict[str, Any]:
    """A tool with one argument of each common kind, to be changed."""
    return ToolSpec(
        name,
        tr("What the tool does, in one sentence for the model."),
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": tr("What to look for.")},
                "limit": {"type": "integer", "minimum": 1},
            },
            "required": ["query"],
        },
    ).to_openai()


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
