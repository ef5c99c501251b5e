"""Tools over protocols that have none: asked for in the system text, read from the reply's text.

Only `workbench send` needs this; runs choose their format themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.messages import Message
from workbench.formats import get_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParseResult
    from workbench.core.messages import ChatRequest
    from workbench.core.tools import ToolSpec

FORMATS = {"straico": "function_calls_json"}
"""Protocol without tools → the format that stands in."""


def with_scaffold(protocol: str, request: ChatRequest) -> ChatRequest:
    """Move tools from their own field into the system text, where the protocol has no such field."""
    if protocol not in FORMATS or not request.tools:
        return request
    prompt = get_format(FORMATS[protocol]).prompt(request.tools, request.tool_choice)
    first, *rest = request.messages
    if first.role == "system":
        messages = (replace(first, content=f"{first.text}\n\n{prompt}"), *rest)
    else:
        messages = (Message("system", prompt), *request.messages)
    return replace(request, messages=messages, tools=(), tool_choice=None)


def read_emulated(protocol: str, text: str, tools: Sequence[ToolSpec], reason: str | None) -> ParseResult | None:
    """Read a reply's text for calls; None where the protocol has calls of its own, or none were offered."""
    if protocol not in FORMATS or not tools:
        return None
    return get_format(FORMATS[protocol]).parse(text, tools, reason)
