"""Tools and tool choices as clients send them, of whatever kind, as neutral tools.

A function in any of its shapes is a tool. One that takes free text (`custom`) is a tool with one text argument, those of a `namespace`
are tools with the namespace before their names; the way back is in `ClientTool`. What the provider runs itself (`web_search`) or
what has no schema of its own is left out, named, and kept for the same wire.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSpec, tool_from_json
from workbench.wires.kit.jsons import as_dict, as_list, as_text, read_json
from workbench.wires.kit.request_notes import ClientTool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.exchange import CallDelta
    from workbench.core.messages import ToolChoice
    from workbench.wires.kit.request_notes import RequestNotes

INPUT = "input"
"""Name of the one argument of a tool that takes free text."""
_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,256}")


def read_tools(values: Any, notes: RequestNotes, place: str = "tools") -> tuple[ToolSpec, ...]:
    """Read a list of tools; raise InvalidInput for a function that has no usable name."""
    found: dict[str, ToolSpec] = {}
    for index, value in enumerate(as_list(values)):
        here = f"{place}[{index}]"
        for tool in _read(as_dict(value), notes, here):
            if tool.name in found:
                notes.note(here, f"repeats the name {tool.name!r}")
            else:
                found[tool.name] = tool
    return tuple(found.values())


def _read(value: dict[str, Any], notes: RequestNotes, place: str) -> list[ToolSpec]:
    kind = as_text(value.get("type")) or "function"
    schema = as_dict(value.get("input_schema"))
    if kind == "function" or schema:
        return [_function(value, place)]
    if kind == "custom":
        return [_custom(as_dict(value.get("custom")) or value, notes, place)]
    if kind == "namespace":
        return _namespace(value, notes, place)
    notes.foreign_tool(place, kind)
    return []


def _function(value: dict[str, Any], place: str) -> ToolSpec:
    body = value["function"] if isinstance(value.get("function"), dict) else value
    name = body.get("name")
    if isinstance(name, str) and _NAME.fullmatch(name):  # more than our own tools may be called
        spec = tool_from_json({**body, "name": "tool"}, place)
        return ToolSpec(name, spec.description, spec.parameters, spec.extra)
    return tool_from_json(value, place)


def _custom(body: dict[str, Any], notes: RequestNotes, place: str) -> ToolSpec:
    name = as_text(body.get("name"))
    if not _NAME.fullmatch(name):
        raise InvalidInput(f"{place} has no usable name: {name!r}.")
    notes.tools[name] = ClientTool(name, "custom")
    told = as_text(body.get("description"))
    if grammar := as_dict(body.get("format")):
        told = f"{told}\n\nThe input must follow: {json.dumps(grammar, ensure_ascii=False)}".strip()
    schema = {"type": "object", "properties": {INPUT: {"type": "string"}}, "required": [INPUT]}
    return ToolSpec(name, told, schema)


def _namespace(value: dict[str, Any], notes: RequestNotes, place: str) -> list[ToolSpec]:
    space = as_text(value.get("name"))
    out = []
    for index, inner in enumerate(as_list(value.get("tools"))):
        entry = as_dict(inner)
        for tool in _read(entry, notes, f"{place}.tools[{index}]"):
            name = namespaced(space, tool.name)
            known = notes.tools.pop(tool.name, ClientTool(tool.name))
            notes.tools[name] = known._replace(namespace=space)
            out.append(ToolSpec(name, tool.description, tool.parameters, tool.extra))
    return out


def namespaced(space: str, name: str) -> str:
    """Return the neutral name of a tool of a namespace."""
    return f"{space}.{name}" if space else name


def read_choice(value: Any) -> ToolChoice:
    """Read a choice in any of OpenAI's shapes; what is not known goes on as it is."""
    if not isinstance(value, dict):
        return value if isinstance(value, str) else None
    if value.get("type") in ("function", "custom", "tool"):
        inner = as_dict(value.get("function")) or as_dict(value.get("custom")) or value
        return {"type": "function", "function": {"name": as_text(inner.get("name"))}}
    return value


def free_text(arguments: str) -> str:
    """Return the text that a call of a free-text tool carries: its one argument, or what the model wrote as it is."""
    value = read_json(arguments)
    return value[INPUT] if isinstance(value, dict) and isinstance(value.get(INPUT), str) else arguments


def client_tool(tools: Mapping[str, ClientTool], call: CallDelta) -> ClientTool:
    """Return how the client knows a called tool."""
    return tools.get(call.name) or ClientTool(call.name)
