"""Calls in the `tool_calls` field of an OpenAI-style assistant message: every compatible API.

    {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
      "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Rome\\"}"}}]}

The text form that `parse` reads is such a message as JSON (also a whole response with `choices`). Source: the OpenAI API reference.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParseProblem, ParseResult, Span
from workbench.core.messages import NativeCall
from workbench.formats.kit.call_keys import ARGUMENT_KEYS
from workbench.formats.kit.calls import report
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.native import argument_text, cut_code, left_open, read_native
from workbench.formats.kit.native_spec import NativeSpec, begins_message, native_turn
from workbench.formats.kit.toolset import ToolSet

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.formats.kit.odd_key import OddKey


def read_message(text: str, tools: ToolSet, reason: str | None = None) -> ParseResult:
    """Read an assistant message, or a response around it; text that is neither stays text."""
    at = len(text) - len(text.lstrip())
    if not begins_message(text):
        return read_native(text, (), tools, reason, "native_openai")
    read = read_json(text, at, close=True)
    if read.error or not isinstance(read.value, dict | list):
        code = "truncated" if reason == "length" or read.error == "truncated" else "bad_json"
        problem = report(code, Span(0, len(text)), f"This is no assistant message: {read.message or 'not an object.'}")
        return ParseResult(problems=(problem,), format="native_openai")
    if isinstance(read.value, list) and not tools.declared and not any(map(_may_call, read.value)):
        return read_native(text, (), tools, reason, "native_openai")
    message, found, notices = _message(read.value)
    reason = reason or found
    calls, odd, cut = _calls(message, tools, left_open(text, at, read.value), reason)
    content = _text(message.get("content"))
    result = read_native(content, calls, tools, reason, "native_openai", odd, cut)
    thinking = message.get("reasoning_content") or message.get("reasoning") or ""
    reasoning = (thinking if isinstance(thinking, str) else "") + result.reasoning
    return ParseResult(result.calls, result.text, reasoning, result.problems + notices, "native_openai")


def _message(value: Any) -> tuple[dict[str, Any], str | None, tuple[ParseProblem, ...]]:
    """Find the message in what may be a message, a choice, a response, or the calls alone."""
    notices: tuple[ParseProblem, ...] = ()
    reason = None
    if isinstance(value, list):
        from workbench.formats.kit.envelope import is_definition

        held = [item.get("function", item) if isinstance(item, dict) else item for item in value]
        echoed = held and all(isinstance(one, dict) and is_definition(one) for one in held)
        return {} if echoed else {"tool_calls": value}, None, ()
    choices = value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        if len(choices) > 1:
            notices = (ParseProblem("extra_choices", Span(0, 0), f"{len(choices)} choices came; the first is read."),)
        value = choices[0]
    if isinstance(value.get("message"), dict):
        reason = value.get("finish_reason")
        value = value["message"]
    if value.get("type") == "function" and isinstance(value.get("function"), dict):
        value = {"tool_calls": [value]}
    return value, reason if isinstance(reason, str) else None, notices


def _may_call(item: Any) -> bool:
    """True if an object in a list holds more of a call than a name, which a person has too."""
    kinds = ("function", *ARGUMENT_KEYS)
    return isinstance(item, dict) and (item.get("type") == "function" or any(key in item for key in kinds))


def _calls(
    message: dict[str, Any], tools: ToolSet, parts: frozenset[int], reason: str | None
) -> tuple[list[NativeCall], dict[int, OddKey | None], dict[int, str]]:
    """Return the calls, and by their numbers the key of arguments that stand under another one than the API's, and cuts."""
    found = message.get("tool_calls")
    bodies = [item if isinstance(item, dict) else {} for item in found] if isinstance(found, list) else []
    legacy = message.get("function_call")
    if isinstance(legacy, dict) and not bodies:
        bodies = [{"function": legacy}]
    calls: list[NativeCall] = []
    odd: dict[int, OddKey | None] = {}
    cut: dict[int, str] = {}
    for index, body in enumerate(bodies):
        inner = body.get("function")
        function = inner if isinstance(inner, dict) else body
        name = str(function.get("name") or "")
        arguments, odd[index] = argument_text(function, "arguments", name, tools)
        cut[index] = cut_code(body, function, arguments, parts, reason)
        calls.append(NativeCall(index, str(body.get("id") or ""), name, arguments))
    return calls, odd, cut


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def write_call(call: ParsedCall) -> str:
    """Write one call as the message that carries it."""
    return json.dumps(native_turn(None, [call]).to_openai(), ensure_ascii=False)


FORMATS = (
    NativeSpec(
        id="native_openai", family="native_openai", models="OpenAI and every compatible API",
        grammar=Grammar(), write_call=write_call, native=True, read=read_message,
    ),
)  # fmt: skip
