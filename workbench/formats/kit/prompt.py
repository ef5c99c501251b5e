"""Pieces of prompt text that the formats share: the tool list, examples from the user's own tools, the tool choice."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.messages import ToolChoice, chosen_tool
from workbench.formats.kit.types import wanted_types

if TYPE_CHECKING:
    from workbench.core.tools import ToolSpec

Teaching = Callable[[Sequence["ToolSpec"]], str]
"""Makes a format's prompt from the tools."""

_SAMPLES: dict[str, Any] = {"integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}, "null": None}
_NOWHERE = Span(0, 0)


def definitions(tools: Sequence[ToolSpec]) -> str:
    """Return one tool definition a line, as JSON in the OpenAI shape."""
    return "\n".join(json.dumps(tool.to_openai(), ensure_ascii=False) for tool in tools)


def choice_sentence(choice: ToolChoice) -> str:
    """Return what a tool choice means, as an instruction; empty where the model decides."""
    name = chosen_tool(choice)
    if name is not None:
        return f"You must call the tool `{name}` in this reply, and no other tool."
    if choice in ("required", "any"):
        return "You must call at least one tool in this reply. Do not answer without calling a tool."
    return ""


def sample_call(tool: ToolSpec, number: int = 1) -> ParsedCall:
    """Return an example call of a tool, with a plausible value for each required argument."""
    names = tool.required or tuple(tool.properties)[:1]
    arguments = {name: sample_value(name, tool.properties.get(name)) for name in names}
    return ParsedCall(tool.name, arguments, f"call_{number}", Outcome.STRICT, (), _NOWHERE, _NOWHERE, _NOWHERE, "")


def sample_value(name: str, schema: Any) -> Any:
    """Return an example value that fits a schema; text is named after its argument."""
    if isinstance(schema, dict):
        for key in ("enum", "examples"):
            values = schema.get(key)
            if isinstance(values, list) and values:
                return values[0]
        for key in ("default", "example", "const"):
            if schema.get(key) is not None:
                return schema[key]
        if "object" in wanted_types(schema)[:1] and isinstance(schema.get("properties"), dict):
            inner = schema.get("required") or list(schema["properties"])[:1]
            return {key: sample_value(str(key), schema["properties"].get(key)) for key in inner}
        if "array" in wanted_types(schema)[:1] and isinstance(schema.get("items"), dict):
            return [sample_value(name, schema["items"])]
    kinds = wanted_types(schema)
    return _SAMPLES[kinds[-1]] if kinds and kinds[-1] != "string" else f"some {name}"


def tool_prompt(tools: Sequence[ToolSpec], how: str) -> str:
    """Return the usual prompt: the tools as JSON, then how to call them."""
    return f"# Tools\n\nYou have access to the following tools, defined in JSON:\n\n{definitions(tools)}\n\n{how}"


def shown(tools: Sequence[ToolSpec], example: str, *, several: bool) -> str:
    """Return the prompt of a format that is taught by its shape alone."""
    count = "Several calls may follow each other in the same form." if several else "Make only one call per reply."
    return tool_prompt(
        tools,
        "When you need a tool, write the call in exactly this form, with the tool's own name and arguments:\n\n"
        f"{example}\n\n{count} Stop after the call and wait for the result.",
    )
