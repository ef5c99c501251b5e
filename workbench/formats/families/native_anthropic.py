"""Content blocks of the Claude API: `tool_use` blocks beside text and thinking.

    {"role": "assistant", "content": [{"type": "text", "text": "…"},
      {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Rome"}}], "stop_reason": "tool_use"}

Results go back as `tool_result` blocks first in the next user message; the wire translates. Source: the Claude API reference.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParseResult, Span
from workbench.core.messages import Message, NativeCall
from workbench.formats.kit.calls import report
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.message_parser import MessageParser
from workbench.formats.kit.native import read_native
from workbench.formats.kit.spec import FormatSpec, result_json
from workbench.formats.kit.toolset import ToolSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.protocols import StreamParser
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.given import GivenTools


def read_message(text: str, tools: ToolSet, reason: str | None = None) -> ParseResult:
    """Read a message with content blocks; text that is none stays text."""
    at = len(text) - len(text.lstrip())
    if text[at : at + 1] not in ("{", "["):
        return ParseResult(text=text, format="native_anthropic")
    read = read_json(text, at, close=True)
    if read.error:
        code = "truncated" if reason == "length" or read.error == "truncated" else "bad_json"
        problem = report(code, Span(0, len(text)), f"This is no assistant message: {read.message}")
        return ParseResult(problems=(problem,), format="native_anthropic")
    message = read.value if isinstance(read.value, dict) else {"content": read.value}
    content, calls, thinking = _blocks(message.get("content"))
    reason = reason or {"max_tokens": "length"}.get(str(message.get("stop_reason")))
    result = read_native(content, calls, tools, reason, "native_anthropic")
    return ParseResult(result.calls, result.text, thinking + result.reasoning, result.problems, "native_anthropic")


def _blocks(content: Any) -> tuple[str, list[NativeCall], str]:
    """Take the blocks apart: text, calls, thinking."""
    if isinstance(content, str):
        return content, [], ""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[NativeCall] = []
    for block in content if isinstance(content, list) else []:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text":
            texts.append(str(block.get("text") or ""))
        elif kind == "thinking":
            thoughts.append(str(block.get("thinking") or ""))
        elif kind == "tool_use":
            given = block.get("input")
            arguments = (
                given if isinstance(given, str) else "" if given is None else json.dumps(given, ensure_ascii=False)
            )
            calls.append(NativeCall(len(calls), str(block.get("id") or ""), str(block.get("name") or ""), arguments))
    return "".join(texts), calls, "".join(thoughts)


def write_call(call: ParsedCall) -> str:
    """Write one call as the message that carries it."""
    block = {"type": "tool_use", "id": call.id or "toolu_1", "name": call.name, "input": call.arguments}
    return json.dumps({"role": "assistant", "content": [block]}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class NativeAnthropic(FormatSpec):
    """The format: structured calls both ways."""

    def parser(
        self,
        tools: GivenTools | None = None,
        *,
        think_open: bool = False,  # noqa: ARG002
        calls_in_reasoning: bool = False,  # noqa: ARG002
    ) -> StreamParser:
        """Return a parser of messages as JSON."""
        return MessageParser(ToolSet(tools), read_message, self.id)

    def render_turn(self, text: str, calls: Sequence[ParsedCall]) -> Message:
        """Write an assistant's turn; the wire makes blocks of its calls."""
        native = tuple(
            NativeCall(
                number, call.id or f"toolu_{number + 1}", call.name, json.dumps(call.arguments, ensure_ascii=False)
            )
            for number, call in enumerate(calls)
        )
        return Message("assistant", text, tool_calls=native)

    def result_messages(self, results: Sequence[tuple[ParsedCall, ToolResult]]) -> tuple[Message, ...]:
        """Return one message of role `tool` for each result; the wire makes blocks of them."""
        return tuple(
            Message("tool", result_json(result), tool_call_id=call.id, name=call.name) for call, result in results
        )


FORMATS = (
    NativeAnthropic(
        id="native_anthropic", family="native_anthropic", models="Claude API and gateways in its style",
        grammar=Grammar(), write_call=write_call, native=True,
    ),
)  # fmt: skip
