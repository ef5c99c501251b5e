"""What a request's tools become on a wire: fields of vendors, and choices that allow a part of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.wires.kit.http import quirk
from workbench.wires.kit.jsons import as_dict, as_list, as_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.core.exchange import Endpoint
    from workbench.core.messages import ChatRequest, ToolChoice
    from workbench.core.tools import ToolSpec

_AT_HOME_ELSEWHERE = frozenset(
    "strict cache_control input_examples defer_loading allowed_callers eager_input_streaming response responseJsonSchema"
    " behavior annotations outputSchema output_schema title icons _meta execution".split()
)
"""Fields that one protocol or another knows (the last of them are MCP's): sent only where they are at home."""


def vendor_fields(tool: ToolSpec, known: Collection[str], endpoint: Endpoint) -> dict[str, Any]:
    """Return the further fields of a tool that may go to an endpoint: those of its protocol, and those that nobody knows."""
    more = quirk(endpoint, "tool_fields", ())
    return {
        name: value
        for name, value in tool.extra.items()
        if name in known or name in more or name not in _AT_HOME_ELSEWHERE
    }


class Allowed(NamedTuple):
    """A choice of some of the tools."""

    names: tuple[str, ...]
    mode: str
    """`auto` or `required`."""


def allowed_tools(choice: ToolChoice) -> Allowed | None:
    """Read a choice of type `allowed_tools`, in the shape of either of OpenAI's protocols."""
    if not isinstance(choice, dict) or choice.get("type") != "allowed_tools":
        return None
    body = as_dict(choice.get("allowed_tools")) or choice
    entries = [as_dict(entry) for entry in as_list(body.get("tools"))]
    names = (as_text((as_dict(entry.get("function")) or entry).get("name")) for entry in entries)
    return Allowed(tuple(name for name in names if name), as_text(body.get("mode")) or "auto")


def narrowed(request: ChatRequest) -> ChatRequest:
    """Return the request with the allowed tools alone, for protocols that have no such choice; raise InvalidInput without any."""
    allowed = allowed_tools(request.tool_choice)
    if allowed is None:
        return request
    tools = tuple(tool for tool in request.tools if tool.name in allowed.names)
    if not tools:
        names = ", ".join(allowed.names) or "none"
        raise InvalidInput(f"The choice of tools allows none of the tools: {names}.", hint="Name tools of the request.")
    return replace(request, tools=tools, tool_choice=allowed.mode)
