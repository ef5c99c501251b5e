"""Pieces of replies that people copy out of programs, put back into the documents that they come from.

ChatCompletionMessage(content='…', tool_calls=[…])     {'choices': [{…}]}           as Python prints its objects
{ role: 'assistant', content: '…', tool_calls: undefined }                            as JavaScript's console does
[{"type": "function", "function": {"name", "arguments"}}]                           calls alone, as OpenAI has them
{"type": "tool_use", "name", "input"}     {"functionCall": {"name", "args"}}        as Anthropic and Gemini have them
{"request": {"url", …}, "response": {"content", …}}                                 one entry of a HAR
{"message": {"role", "tool_calls"}, "finish_reason"}                                 a choice alone, and Cohere's reply
AI_InvalidToolInputError: Invalid input for tool NAME: JSON parsing failed: Text: …  what the AI SDK says
OutputParserException: Could not parse LLM output: `…`                              what agents say of a reply, and quote
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from workbench.app.pasted_wrapping import Bare
from workbench.core.json_text import UNREADABLE
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.python_source import FAILURES
from workbench.scan.json_values import json_value

_PYTHON = re.compile(r"\A\s*(?:\w+: )?(?:[A-Z]\w{2,60}\(|\[?\{'|\[[A-Z]\w{2,60}\(|content=['\"])")
_SCRIPT = re.compile(r"\{\s*(?:id|role|index|choices|content|message|object)\s*:")
_UNDEFINED = re.compile(r"(:\s*)undefined(?=\s*[,}\n])")
_ENUM = re.compile(r"<\w+\.\w+: ('[^'\n]*'|-?\d+)>")
_LONGEST = 2 << 20
_SDK = re.compile(
    r"Invalid (?:input|arguments) for tool (?P<name>[\w.-]+): (?:JSON parsing failed: Text: (?P<text>.*?)\.\s*\nError message|Type validation failed: Value: (?P<value>\{.*\})\.)",
    re.DOTALL,
)
_NO_TOOL = re.compile(
    r"(?:tried to call unavailable tool|Unknown tool name:) '(?P<name>[^'\n]+)'\. (?:Available tools: (?P<known>[^\n]+?)(?:\.|\s*\Z)|No tools)"
)
_BROKEN_CALL = re.compile(
    r"Invalid JSON input for tool (?P<name>[\w.-]+): (?P<text>.*)"
    r"|Function (?P<of>[\w.-]+) arguments:\s*+(?P<written>.*?)\nare not valid JSON",
    re.DOTALL,
)
"""The Agents SDK of OpenAI, and LangChain."""
_QUOTED_REPLY = re.compile(
    r"(?:Could not parse (?:LLM |tool |function call )?output|Invalid json output): ?`?(?P<parsed>.*?)`?\s*(?:\n ?For troubleshooting, visit|\Z)"
    r"|Here is your code snippet:\n(?P<snippet>.*?)\nMake sure to include code",
    re.DOTALL,
)
"""LangChain and LlamaIndex, and smolagents."""
_QUOTING = re.compile(r"(?<=[^\s{[]) ?\{'error': \{.*\}\}", re.DOTALL)
_CALLS = frozenset({"function_call", "custom_tool_call"})
_RESPONSES = frozenset(
    {"function_call", "custom_tool_call", "reasoning", "message", "web_search_call", "local_shell_call"}
)


def document_in(text: str) -> Bare | None:
    """Return the document that a piece of a reply belongs into, as JSON; None for a text that is no such piece."""
    if len(text) > _LONGEST:
        return None
    if (told := _of_sdk(text)) is not None:
        return told
    stripped = text.strip()
    if stripped[:1] in ("{", "["):
        value = json_value(stripped)
        if value is not UNREADABLE:
            made = _document(value)
            return None if made is None else Bare(json.dumps(made, ensure_ascii=False), "a piece of a reply")
        if _SCRIPT.match(stripped):
            return _of_script(stripped)
    if not _PYTHON.match(stripped):
        return None
    return _of_python(stripped)


def _document(value: Any) -> Any:
    """What a piece of a reply belongs into; None for what is whole, or no piece."""
    listed = value if isinstance(value, list) else [value]
    if not listed or not all(isinstance(one, dict) for one in listed):
        return None
    first = listed[0]
    if isinstance(value, dict) and _is_entry(value):
        return {"log": {"version": "1.2", "creator": {}, "entries": [value]}}
    if all(_is_call(one) for one in listed):
        return _chat({"role": "assistant", "content": None, "tool_calls": listed})
    if (
        len(listed) == 1
        and isinstance(first.get("message"), dict)
        and "finish_reason" in first
        and "choices" not in first
    ):
        return {"object": "chat.completion", "choices": [first], "model": str(first.get("model") or "")}
    blocks = [{**one["toolUse"], "type": "tool_use"} if "toolUse" in one else one for one in listed]
    if any(one.get("type") == "tool_use" and "name" in one for one in blocks):
        return {"type": "message", "role": "assistant", "model": "", "content": blocks, "stop_reason": "tool_use"}
    parts = first["parts"] if isinstance(first.get("parts"), list) and len(listed) == 1 else listed
    if any(isinstance(one, dict) and isinstance(one.get("functionCall"), dict) for one in parts):
        return {"candidates": [{"content": {"role": "model", "parts": parts}}]}
    kinds = {one.get("type") for one in listed}
    if kinds <= _RESPONSES and any(one.get("type") in _CALLS and "name" in one for one in listed):
        return {"object": "response", "status": "completed", "output": listed}
    if isinstance(value, dict) and isinstance(value.get("function_call"), dict) and value.get("role") == "assistant":
        return _chat(value)
    return None


def _is_entry(value: dict[str, Any]) -> bool:
    asked, told = value.get("request"), value.get("response")
    return (
        isinstance(asked, dict) and isinstance(told, dict) and isinstance(asked.get("url"), str)
        and ("postData" in asked or "startedDateTime" in value) and isinstance(told.get("content"), dict)
    )  # fmt: skip


def _is_call(value: dict[str, Any]) -> bool:
    inner = value.get("function")
    return isinstance(inner, dict) and "name" in inner and "arguments" in inner and "parameters" not in inner


def _chat(message: dict[str, Any]) -> dict[str, Any]:
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message}]}


def _of_sdk(text: str) -> Bare | None:
    """What client libraries say of a call that could not be used: an answer that quotes it, or the AI SDK's own words."""
    if "failed_generation" in text and (found := _QUOTING.search(text)) is not None:
        body = _evaluated(found[0])
        return Bare(json.dumps(body), "the answer in an exception") if isinstance(body, dict) else None
    if text.lstrip()[:1] not in ("{", "[") and (found := _QUOTED_REPLY.search(text[:200_000])) is not None:
        return Bare(found["parsed"] or found["snippet"] or "", "what an agent quotes of the reply")
    if (found := _BROKEN_CALL.search(text[:200_000])) is not None:
        call = {
            "name": found["name"] or found["of"],
            "arguments": found["text"] or (found["written"] or "").rstrip("\n"),
        }
        return Bare(json.dumps(_chat(_calling(call))), "an error of an agent that quotes the call")
    if (found := _SDK.search(text[:200_000])) is not None:
        call = {"name": found["name"], "arguments": found["text"] if found["text"] is not None else found["value"]}
        return Bare(json.dumps(_chat(_calling(call))), "an error of the AI SDK that quotes the call")
    if (found := _NO_TOOL.search(text[:200_000])) is None or text.lstrip()[:1] in ("{", "["):
        return None
    known = [name.strip() for name in (found["known"] or "").split(",") if name.strip()]
    tools = [{"type": "function", "function": {"name": name}} for name in known]
    asked = {"model": "", "messages": [{"role": "user", "content": "?"}], "tools": tools}
    pair = {"request": asked, "response": _chat(_calling({"name": found["name"], "arguments": "{}"}))}
    return Bare(json.dumps(pair), "an error that names the call")


def _calling(call: dict[str, str]) -> dict[str, Any]:
    made = {"id": "call_1", "type": "function", "function": call}
    return {"role": "assistant", "content": None, "tool_calls": [made]}


def _of_python(text: str) -> Bare | None:
    """Objects as Python prints them: one, a list of them, or chunks of a stream, a line each."""
    text = re.sub(r"\A\w+: (?=[A-Z]\w+\()", "", text)
    if text.startswith("content="):
        return _of_langchain(text)
    value = _evaluated(text)
    if value is None:
        values = [_evaluated(line) for line in text.splitlines() if line.strip()]
        if not values or not all(isinstance(one, dict) for one in values):
            return None
        value = values
    if isinstance(value, list) and value and all(isinstance(one, dict) and "choices" in one for one in value):
        lines = "".join(f"data: {json.dumps(one)}\n\n" for one in value)
        return Bare(lines, "chunks of a stream as Python prints them")
    if not isinstance(value, dict | list):
        return None
    made = _document(value) or _completed(value)
    return Bare(json.dumps(made, ensure_ascii=False, default=str), "as Python prints it")


def _of_script(text: str) -> Bare | None:
    """An object as JavaScript's console prints it."""
    read = read_json(_UNDEFINED.sub(r"\1null", text), 0)
    if read.error or not isinstance(read.value, dict):
        return None
    made = _document(read.value) or _completed(read.value)
    return Bare(json.dumps(made, ensure_ascii=False), "as a console prints it")


def _completed(value: Any) -> Any:
    """A message or a choice by itself as the reply that it is of."""
    match value:
        case {"choices": _} | {"type": "message"}:
            return value
        case {"content": str() | None as content} if value.get("role") in (None, "assistant"):
            calls = [_plain_call(one) for one in value.get("tool_calls") or ()]
            return _chat({"role": "assistant", "content": content, "tool_calls": calls})
        case {"message": _, "finish_reason": _}:
            return {"object": "chat.completion", "choices": [value]}
        case _:
            return value


def _plain_call(call: Any) -> Any:
    """LangChain's calls: `{'name', 'args', 'id'}`."""
    if isinstance(call, dict) and "args" in call and "function" not in call:
        arguments = call["args"] if isinstance(call["args"], str) else json.dumps(call["args"])
        return {
            "id": str(call.get("id") or ""),
            "type": "function",
            "function": {"name": call.get("name"), "arguments": arguments},
        }
    return call


def _of_langchain(text: str) -> Bare | None:
    """A message of LangChain as it prints: `content='…' additional_kwargs={…} …`."""
    fields: dict[str, Any] = {}
    for found in re.finditer(r"(?:\A| )(content|tool_calls|invalid_tool_calls)=(?=['\"\[])", text):
        literal = _literal(text[found.end() :])
        if literal is not None:
            fields.setdefault(found[1], literal)
    if not isinstance(fields.get("content"), str):
        return None
    calls = [*(fields.get("tool_calls") or ()), *(fields.get("invalid_tool_calls") or ())]
    message = {"role": "assistant", "content": fields["content"], "tool_calls": [_plain_call(one) for one in calls]}
    return Bare(json.dumps(_chat(message), ensure_ascii=False, default=str), "as LangChain prints it")


def _literal(text: str) -> Any:
    """The Python literal at the beginning of a text; None where there is none."""
    ends = [found.end() for found in re.finditer(r"['\"\]](?= \w+=|\Z)", text)][:200]
    for end in ends:
        try:
            return ast.literal_eval(text[:end])
        except FAILURES:
            continue
    return None


def _evaluated(text: str) -> Any:
    """The value of Python's own words for it, objects as dicts of their fields; nothing is run. None where it is none."""
    try:
        tree = ast.parse(_ENUM.sub(r"\1", text.strip()), mode="eval")
        return _value(tree.body)
    except FAILURES:
        return None


_CAMEL = {"function_call": "functionCall", "finish_reason": "finishReason"}


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value):
            return value if not isinstance(value, bytes | complex) and value is not Ellipsis else str(value)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {str(_value(key)): _value(value) for key, value in zip(keys, values, strict=True) if key is not None}
        case ast.Call(func=ast.Name(id=name), keywords=fields):
            made = {field.arg: _value(field.value) for field in fields if field.arg}
            gemini = name in ("Part", "Candidate", "FunctionCall")
            return {_CAMEL.get(key, key): value for key, value in made.items() if value is not None} if gemini else made
        case ast.Call() | ast.Name() | ast.Attribute():
            return ast.unparse(node)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case _:
            raise ValueError("not a literal")
