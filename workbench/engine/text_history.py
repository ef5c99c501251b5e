"""A conversation with structured calls and results, as a model sees it that gets its tools in the text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.json_text import json_or
from workbench.core.tools import ToolResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.messages import Message, NativeCall
    from workbench.core.protocols import Format

_NOWHERE = Span(0, 0)


def in_format(messages: Sequence[Message], fmt: Format) -> tuple[Message, ...]:
    """Write calls and results of earlier turns in the format's own way; a native format takes them as they are.

    Results that follow each other go back in one turn. A result whose call is not in the conversation keeps its text.
    """
    if fmt.native or not any(message.tool_calls or message.role == "tool" for message in messages):
        return tuple(messages)
    out: list[Message] = []
    calls: dict[str, ParsedCall] = {}
    open_results: list[tuple[ParsedCall, ToolResult]] = []
    for message in messages:
        if message.role == "tool":
            call = calls.get(message.tool_call_id) or _unknown(message)
            open_results.append((call, ToolResult(True, message.text)))
            continue
        out += fmt.result_messages(open_results) if open_results else ()
        open_results = []
        if message.tool_calls:
            made = [_parsed(call, fmt.id) for call in message.tool_calls]
            calls.update({call.id: call for call in made})
            message = replace(fmt.render_turn(message.text, made), reasoning=message.reasoning)
        out.append(message)
    return (*out, *(fmt.result_messages(open_results) if open_results else ()))


def _parsed(call: NativeCall, format_id: str) -> ParsedCall:
    arguments = json_or(call.arguments or "{}", None)
    if not isinstance(arguments, dict):
        arguments = {"arguments": call.arguments}
    return ParsedCall(call.name, arguments, call.id, Outcome.STRICT, (), _NOWHERE, _NOWHERE, _NOWHERE, format_id)


def _unknown(message: Message) -> ParsedCall:
    name = message.name or "tool"
    return ParsedCall(name, {}, message.tool_call_id, Outcome.STRICT, (), _NOWHERE, _NOWHERE, _NOWHERE, "")
