"""Content blocks of the Claude API: `tool_use` blocks beside text and thinking.

    {"role": "assistant", "content": [{"type": "text", "text": "…"},
      {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Rome"}}], "stop_reason": "tool_use"}

Results go back as `tool_result` blocks first in the next user message; the wire translates. Source: the Claude API reference.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParseResult, Span
from workbench.core.messages import NativeCall
from workbench.formats.kit.calls import report
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.native import argument_text, cut_code, left_open, read_native
from workbench.formats.kit.native_spec import NativeSpec, begins_message
from workbench.formats.kit.toolset import ToolSet

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.formats.kit.odd_key import OddKey


def read_message(text: str, tools: ToolSet, reason: str | None = None) -> ParseResult:
    """Read a message with content blocks; text that is none stays text."""
    at = len(text) - len(text.lstrip())
    if not begins_message(text):
        return read_native(text, (), tools, reason, "native_anthropic")
    read = read_json(text, at, close=True)
    if read.error:
        code = "truncated" if reason == "length" or read.error == "truncated" else "bad_json"
        problem = report(code, Span(0, len(text)), f"This is no assistant message: {read.message}")
        return ParseResult(problems=(problem,), format="native_anthropic")
    message = read.value if isinstance(read.value, dict) else {"content": read.value}
    reason = reason or {"max_tokens": "length"}.get(str(message.get("stop_reason")))
    open_parts = left_open(text, at, read.value)
    content, calls, thinking, odd, cut = _blocks(message.get("content"), tools, open_parts, reason)
    result = read_native(content, calls, tools, reason, "native_anthropic", odd, cut)
    return ParseResult(result.calls, result.text, thinking + result.reasoning, result.problems, "native_anthropic")


def _blocks(
    content: Any, tools: ToolSet, parts: frozenset[int], reason: str | None
) -> tuple[str, list[NativeCall], str, dict[int, OddKey | None], dict[int, str]]:
    """Take the blocks apart: text, calls, thinking, keys of arguments that are not the API's, and what is cut."""
    if isinstance(content, str):
        return content, [], "", {}, {}
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[NativeCall] = []
    odd: dict[int, OddKey | None] = {}
    cut: dict[int, str] = {}
    for block in content if isinstance(content, list) else []:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text":
            texts.append(str(block.get("text") or ""))
        elif kind == "thinking":
            thoughts.append(str(block.get("thinking") or ""))
        elif kind == "tool_use":
            name = str(block.get("name") or "")
            arguments, odd[len(calls)] = argument_text(block, "input", name, tools)
            cut[len(calls)] = cut_code(block, block, arguments, parts, reason)
            calls.append(NativeCall(len(calls), str(block.get("id") or ""), name, arguments))
    return "".join(texts), calls, "".join(thoughts), odd, cut


def write_call(call: ParsedCall) -> str:
    """Write one call as the message that carries it."""
    block = {"type": "tool_use", "id": call.id or "toolu_1", "name": call.name, "input": call.arguments}
    return json.dumps({"role": "assistant", "content": [block]}, ensure_ascii=False)


FORMATS = (
    NativeSpec(
        id="native_anthropic", family="native_anthropic", models="Claude API and gateways in its style",
        grammar=Grammar(), write_call=write_call, native=True, read=read_message, id_prefix="toolu_",
    ),
)  # fmt: skip
