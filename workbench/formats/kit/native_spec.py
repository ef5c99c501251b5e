"""A native format: calls are structured fields of a message, so its text form is such a message as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.messages import Message, NativeCall
from workbench.formats.kit.message_parser import MessageParser
from workbench.formats.kit.native import with_lost_calls
from workbench.formats.kit.spec import FormatSpec, result_json
from workbench.formats.kit.toolset import prepared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall, ParseResult
    from workbench.core.protocols import StreamParser
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.given_tools import GivenTools
    from workbench.formats.kit.message_parser import Reader
    from workbench.formats.kit.toolset import ToolSet


_MESSAGE = re.compile(r"\s*+(?:\{|\[\s*+(?:[{\]]|\Z))")


def begins_message(text: str) -> bool:
    """True of JSON that may be a message; false of text, also where that begins with a bracket, as `[TOOL_CALLS]` does."""
    return _MESSAGE.match(text) is not None


def native_turn(text: str | None, calls: Sequence[ParsedCall], prefix: str = "call_") -> Message:
    """Write an assistant's turn with its calls in their field; a call without an id gets one with this prefix."""
    native = tuple(
        NativeCall(
            number, call.id or f"{prefix}{number + 1}", call.name, json.dumps(call.arguments, ensure_ascii=False)
        )
        for number, call in enumerate(calls)
    )
    return Message("assistant", text, tool_calls=native)


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeSpec(FormatSpec):
    """Structured calls both ways; the wire gives turns and results the shape of its API."""

    read: Reader
    id_prefix: str = "call_"
    """Of ids made up for calls that have none."""

    def parser(
        self,
        tools: GivenTools | None = None,
        *,
        think_open: bool = False,  # noqa: ARG002
        calls_in_reasoning: bool = False,  # noqa: ARG002
    ) -> StreamParser:
        """Return a parser of messages as JSON."""
        return MessageParser(prepared(tools), self._whole, self.id)

    def _whole(self, text: str, tools: ToolSet, reason: str | None) -> ParseResult:
        """Read a message, and tell of calls in it that the API's fields do not hold."""
        result = self.read(text, tools, reason)
        return with_lost_calls(result, text, tools) if begins_message(text) else result

    def render_turn(self, text: str, calls: Sequence[ParsedCall]) -> Message:
        """Write an assistant's turn with its calls in their field."""
        return native_turn(text or None if calls else text, calls, self.id_prefix)

    def result_messages(self, results: Sequence[tuple[ParsedCall, ToolResult]]) -> tuple[Message, ...]:
        """Return one message of role `tool` for each result."""
        return tuple(
            Message("tool", result_json(result), tool_call_id=call.id, name=call.name) for call, result in results
        )
