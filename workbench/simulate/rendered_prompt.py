"""The chat template of the simulated models: ChatML with the tools in the system turn, as Qwen's template has them.

<|im_start|>system⏎…# Tools…<|im_end|>⏎<|im_start|>user⏎…<|im_end|>⏎<|im_start|>assistant⏎
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.json_text import json_or
from workbench.core.messages import Message
from workbench.core.tools import ToolResult
from workbench.formats import get_format

if TYPE_CHECKING:
    from workbench.core.messages import ChatRequest, NativeCall

RENDERS = "/apply-template"
"""Where llama-server renders a prompt."""
_FORMAT = "qwen_xml"
_NOWHERE = Span(0, 0)


def rendered(request: ChatRequest) -> str:
    """Return the prompt of a chat, open for the assistant's turn."""
    form = get_format(_FORMAT)
    taught = form.prompt(request.tools, request.tool_choice) if request.tools and request.tool_choice != "none" else ""
    turns: list[Message] = []
    calls: dict[str, ParsedCall] = {}
    results: list[tuple[ParsedCall, ToolResult]] = []
    for message in (*request.messages, None):
        if message is not None and message.role == "tool":
            call = calls.get(message.tool_call_id) or _parsed(message.name, "{}", message.tool_call_id)
            results.append((call, _result(message.text)))
            continue
        turns += form.result_messages(results) if results else ()
        results = []
        if message is None:
            break
        if message.role == "system":
            taught = f"{message.text}\n\n{taught}".strip()
        elif message.tool_calls:
            made = [_of(call) for call in message.tool_calls]
            calls.update({call.id: call for call in made})
            turns.append(form.render_turn(message.text, made))
        else:
            turns.append(message)
    told = [Message("system", taught)] if taught else []
    text = "".join(f"<|im_start|>{turn.role}\n{turn.text}<|im_end|>\n" for turn in (*told, *turns))
    return f"{text}<|im_start|>assistant\n"


def _result(text: str) -> ToolResult:
    """What stands in a tool's message, not wrapped once more where it is a result with its success already."""
    value = json_or(text, text)
    if isinstance(value, dict) and {"success", "result"} <= value.keys():
        return ToolResult(bool(value["success"]), value["result"], value.get("error"))
    return ToolResult(True, text)


def _of(call: NativeCall) -> ParsedCall:
    return _parsed(call.name, call.arguments, call.id)


def _parsed(name: str, arguments: str, ident: str) -> ParsedCall:
    value = json_or(arguments, {})
    value = value if isinstance(value, dict) else {}
    return ParsedCall(name, value, ident, Outcome.STRICT, (), _NOWHERE, _NOWHERE, _NOWHERE, _FORMAT)
