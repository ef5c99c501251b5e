"""Messages as traces, logs of evaluations and tables hold them, in all the shapes that call themselves messages.

{"role": "assistant", "content": "…" | [parts], "tool_calls": [{"id", "function": {"name", "arguments"}}]}     OpenAI
{"name", "args", "id"}, {"id", "function": "name", "arguments": {…}, "parse_error"}                              LangChain, Inspect
{"type": "constructor", "id": […, "AIMessage"], "kwargs": {…}}                                                  LangChain, written out
{"role", "parts": [{"type": "text", "content"}, {"type": "tool_call", "name", "arguments"}]}                   OpenTelemetry
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.scan.bodies import short
from workbench.scan.json_values import json_value
from workbench.scan.readers.session import plain_refusal, refusal_in
from workbench.scan.reply import FoundReply, Refused, SeenCall, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

ASSISTANT = frozenset({"assistant", "ai", "model", "gpt", "aimessage", "aimessagechunk"})
USER = frozenset({"user", "human", "humanmessage"})
TOOL = frozenset({"tool", "function", "toolmessage", "observation", "tool_response"})
_TEXTS = frozenset({"text", "output_text", "input_text"})
_THOUGHTS = frozenset({"thinking", "reasoning", "reasoning_content"})


def plain_message(value: Any) -> dict[str, Any]:
    """Return a message as a flat object with a `role`; an empty one for what is none."""
    if not isinstance(value, dict):
        return {}
    inner = value.get("kwargs")
    if value.get("lc") and isinstance(inner, dict):
        kind = value.get("id")
        named = str(kind[-1]).lower() if isinstance(kind, list) and kind else ""
        return {**inner, "role": inner.get("role") or inner.get("type") or named}
    if isinstance(value.get("message"), dict) and "role" not in value and "content" not in value:
        return plain_message(value["message"])
    if isinstance(inner := value.get("data"), dict) and "content" in inner:
        return {**inner, "role": value.get("type")}
    return {**value, "role": value.get("role") or value.get("type") or value.get("from") or ""}


def role_of(message: dict[str, Any]) -> str:
    """Return `assistant`, `user`, `tool` or another role."""
    role = str(message.get("role") or "").lower()
    for names, plain in ((ASSISTANT, "assistant"), (USER, "user"), (TOOL, "tool")):
        if role in names:
            return plain
    return role


def content_of(message: dict[str, Any]) -> Any:
    """Return what holds a message's content."""
    for key in ("content", "parts", "value", "text"):
        if message.get(key) is not None:
            return message[key]
    return ""


def add_message(reply: FoundReply, message: dict[str, Any]) -> FoundReply:
    """Add what a message of a model says and calls."""
    content = content_of(message)
    if isinstance(content, str):
        reply.text += content
    elif isinstance(content, dict):
        _add_part(reply, content)
    else:
        for part in content if isinstance(content, list) else ():
            _add_part(reply, part)
    for key in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(found := message.get(key), str):
            reply.reasoning += found
            break
    known = {call.id for call in reply.calls if call.id}
    more = message.get("additional_kwargs")
    listed = message.get("tool_calls") or (more.get("tool_calls") if isinstance(more, dict) else None)
    old = message.get("function_call")
    for value in [*(listed if isinstance(listed, list) else ()), *((old,) if isinstance(old, dict) else ())]:
        call = call_of(value)
        if call is not None and (not call.id or call.id not in known):
            reply.calls.append(call)
    bad = message.get("invalid_tool_calls")
    for value in bad if isinstance(bad, list) else ():
        call = call_of(value)
        if call is not None:
            call.refused, call.why = Refused.JSON, str(value.get("error") or "The arguments could not be read.")
            reply.calls.append(call)
    return reply


def _add_part(reply: FoundReply, part: Any) -> None:
    if isinstance(part, str):
        reply.text += part
        return
    if not isinstance(part, dict):
        return
    kind = str(part.get("type") or ("text" if "text" in part else ""))
    text = next(
        (part[key] for key in ("text", "content", "thinking", "reasoning") if isinstance(part.get(key), str)), ""
    )
    if kind in _TEXTS:
        reply.text += text
    elif kind in _THOUGHTS:
        reply.reasoning += text
        reply.hidden = reply.hidden or not text or bool(part.get("redacted"))
    elif kind in ("tool_call", "tool_use", "function_call"):
        call = call_of(part)
        if call is not None:
            reply.calls.append(call)
    else:
        reply.hidden = True


def call_of(value: Any) -> SeenCall | None:
    """Return a call in any of its shapes; None for what is none."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("tool_call"), dict):
        return call_of(value["tool_call"])
    inner = value.get("function")
    body = inner if isinstance(inner, dict) else value
    name = body.get("name") or (inner if isinstance(inner, str) else None)
    if not isinstance(name, str):
        return None
    arguments = next(
        (body[key] for key in ("arguments", "args", "input", "parameters") if body.get(key) is not None), ""
    )
    if not isinstance(arguments, str | dict):
        arguments = str(arguments)
    made = SeenCall(name, arguments, str(value.get("id") or value.get("call_id") or value.get("tool_call_id") or ""))
    if isinstance(problem := value.get("parse_error"), str) and problem:
        made.refused, made.why = Refused.JSON, problem
    return made


def replies_of(messages: Sequence[Any], reply: FoundReply) -> list[FoundReply]:
    """Return a reply for each turn of the assistant in a conversation, made after the pattern of `reply`."""
    made: list[FoundReply] = []
    asked: tuple[Turn, ...] = ()
    for place, value in enumerate(messages):
        message = plain_message(value)
        role = role_of(message)
        if role == "assistant":
            one = add_message(_copy(reply, f"{reply.place}, message {place + 1}"), message)
            one.context, one.before = asked, tuple(made[-1].calls) if made else ()
            if made:
                made[-1].after = made[-1].after or (Turn("agent", short(one.text)),)
            made.append(one)
        elif role == "user":
            content = content_of(message)
            given = [one for one in content if _is_result(one)] if isinstance(content, list) else []
            for block in given if made else ():
                _result(made[-1], {**block, "tool_call_id": block.get("tool_use_id")})
            if given and len(given) == len(content):
                continue
            text = text_in([one for one in content if one not in given] if given else content)
            asked = (Turn("user", short(text)),)
            if made:
                made[-1].after = (*made[-1].after, Turn("user", short(text)))[:2]
        elif role == "tool" and made:
            _result(made[-1], message)
    return made


def _is_result(block: Any) -> bool:
    """Whether a part of a user's turn is what a tool gave, as Anthropic writes it."""
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _copy(reply: FoundReply, place: str) -> FoundReply:
    return FoundReply(
        place, model=reply.model, server=reply.server, tools=reply.tools, at_us=reply.at_us, channel=reply.channel,
        line=reply.line, finish=reply.finish,
    )  # fmt: skip


def _result(reply: FoundReply, message: dict[str, Any]) -> None:
    ident = message.get("tool_call_id") or message.get("id")
    call = next((one for one in reply.calls if one.id and one.id == ident), None)
    if call is None:
        call = next((one for one in reply.calls if one.result is None), None)
    if call is None:
        return
    call.result = text_in(content_of(message))
    error = message.get("error")
    call.failed = bool(error) or message.get("status") == "error" or bool(message.get("is_error"))
    call.refused = call.refused or refusal_in(call.result)
    if call.refused is not None:
        call.failed, call.why = True, call.why or plain_refusal(call.result)
    if isinstance(error, dict) and error.get("type") == "parsing":
        call.refused, call.why = call.refused or Refused.JSON, str(error.get("message") or "")


def text_in(content: Any) -> str:
    """Return the text of a content of any shape."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    parts = content if isinstance(content, list) else []
    texts = [
        part if isinstance(part, str) else part.get("text") or part.get("content")
        for part in parts
        if isinstance(part, str | dict)
    ]
    return "".join(text for text in texts if isinstance(text, str))


def messages_in(value: Any) -> list[Any]:
    """Return the messages of an input in any shape: a list, an object with them, the same as JSON text, a plain text."""
    if isinstance(value, str):
        text = value.lstrip()
        found = json_value(text) if text[:1] in ("[", "{") else None
        if not isinstance(found, list | dict):
            return [{"role": "user", "content": value}] if text else []
        value = found
    if isinstance(value, dict):
        inner = next(
            (value[key] for key in ("messages", "input", "prompt", "chat_history") if value.get(key) is not None), None
        )
        return messages_in(inner) if inner is not None else [value] if "role" in value else []
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        return value[0]
    return value if isinstance(value, list) else []


def asked_of(value: Any) -> tuple[tuple[Turn, ...], tuple[SeenCall, ...]]:
    """Return the last user's turn of an input, and the calls of the last assistant's turn before."""
    context: tuple[Turn, ...] = ()
    before: list[SeenCall] = []
    for one in messages_in(value):
        message = plain_message(one)
        role = role_of(message)
        if role == "user":
            context = (Turn("user", short(text_in(content_of(message)))),)
        elif role == "assistant":
            before = add_message(FoundReply(""), message).calls
        elif role == "tool":
            _result(FoundReply("", calls=before), message)
    return context, tuple(before)
