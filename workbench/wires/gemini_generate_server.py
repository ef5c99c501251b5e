"""Server side of Gemini generateContent: request bodies read, replies written as Gemini writes them. No I/O.

The model stands in the path. Stream: each event is a response object with new parts, calls whole, arguments as an object;
the last one has the finish reason and the counts, and nothing marks the end. Both spellings of field names are read, and
schemas of either kind: JSON Schema, and OpenAPI's with types in capitals.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from workbench.core.errors import InvalidInput
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import ChatRequest, Message, NativeCall, ToolChoice
from workbench.core.tools import ToolSpec, tools_from_json
from workbench.wires.kit.history import paired
from workbench.wires.kit.jsons import argument_text, as_dict, as_int, as_list, as_text, json_bytes, json_text
from workbench.wires.kit.whole_calls import WholeCalls, object_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_KNOWN = frozenset("contents systemInstruction tools toolConfig generationConfig".split())
_REASONS = {"": "STOP", "stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
_MODES = {"AUTO": "auto", "NONE": "none", "ANY": "required", "VALIDATED": "auto"}
_STATES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}
_PATH = re.compile(r"/([^/]+):(stream)?generateContent", re.IGNORECASE)
_UNDERSCORE = re.compile(r"_([a-z])")


class ResponseHead(NamedTuple):
    """What every response object of one reply repeats."""

    id: str
    model: str


def read_request(body: bytes, path: str) -> ChatRequest:
    """Read a request; fields that the neutral request does not know go to `extra`. Raise InvalidInput."""
    place = _PATH.search(path)
    try:
        value = json.loads(body)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InvalidInput("Invalid JSON payload received.", hint=str(error)) from error
    if not isinstance(value, dict) or place is None:
        raise InvalidInput("Invalid JSON payload received. The body is not an object.")
    fields = _camel(value)
    contents = as_list(fields.get("contents"))
    if not contents:
        raise InvalidInput("* GenerateContentRequest.contents: contents is not specified")
    generation = _camel(as_dict(fields.get("generationConfig")))
    return ChatRequest(
        model=unquote(place[1]),
        messages=paired([*_system(fields.get("systemInstruction")), *_turns(contents)]),
        tools=_tools(as_list(fields.get("tools"))),
        tool_choice=_choice(fields.get("toolConfig")),
        stop=tuple(str(stop) for stop in as_list(generation.get("stopSequences"))),
        max_tokens=as_int(generation.get("maxOutputTokens")),
        temperature=_number(generation, "temperature"),
        top_p=_number(generation, "topP"),
        seed=as_int(generation.get("seed")),
        stream=place[2] is not None,
        extra={name: item for name, item in fields.items() if name not in _KNOWN},
    )


def _camel(value: dict[str, Any]) -> dict[str, Any]:
    """Return the fields under their camelCase names; both spellings are taken."""
    return {_UNDERSCORE.sub(lambda match: match[1].upper(), name): item for name, item in value.items()}


def _number(fields: dict[str, Any], name: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"Invalid value at 'generation_config.{name}': {value!r}")
    return float(value)


def _system(value: Any) -> tuple[Message, ...]:
    text = "".join(as_text(as_dict(part).get("text")) for part in as_list(as_dict(value).get("parts")))
    return (Message("system", text),) if text else ()


def _turns(contents: Sequence[Any]) -> Iterator[Message]:
    for index, entry in enumerate(contents):
        content = as_dict(entry)
        role = content.get("role") or "user"
        parts = [_camel(as_dict(part)) for part in as_list(content.get("parts"))]
        if role not in ("user", "model", "function"):
            raise InvalidInput("Please use a valid role: user, model.", hint=f"contents[{index}] has {role!r}.")
        yield from _model(parts) if role == "model" else _user(parts)


def _model(parts: list[dict[str, Any]]) -> Iterator[Message]:
    calls: list[NativeCall] = []
    for part in parts:
        if call := as_dict(part.get("functionCall")):
            arguments = argument_text(call.get("args")) or "{}"
            calls.append(NativeCall(len(calls), as_text(call.get("id")), as_text(call.get("name")), arguments))
    text = "".join(as_text(part.get("text")) for part in parts if not part.get("thought"))
    thoughts = "".join(as_text(part.get("text")) for part in parts if part.get("thought"))
    yield Message("assistant", text, tuple(calls), reasoning=thoughts)


def _user(parts: list[dict[str, Any]]) -> Iterator[Message]:
    """Results become tool turns; what else the user says follows them."""
    rest: list[dict[str, Any]] = []
    for part in parts:
        result = as_dict(part.get("functionResponse"))
        if result:
            text = _result_text(result.get("response"))
            yield Message("tool", text, tool_call_id=as_text(result.get("id")), name=as_text(result.get("name")))
        else:
            rest.append(_part(part))
    if rest:
        plain = all(part["type"] == "text" for part in rest)
        yield Message("user", "".join(part["text"] for part in rest) if plain else tuple(rest))


def _result_text(response: Any) -> str:
    value = as_dict(response)
    if value.keys() in ({"result"}, {"output"}):
        (inner,) = value.values()
        return inner if isinstance(inner, str) else json_text(inner)
    return json_text(value)


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if data := _camel(as_dict(part.get("inlineData"))):
        url = f"data:{as_text(data.get('mimeType'))};base64,{as_text(data.get('data'))}"
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "text", "text": as_text(part.get("text"))}


def _tools(values: Sequence[Any]) -> tuple[ToolSpec, ...]:
    found = []
    for value in values:
        for entry in as_list(_camel(as_dict(value)).get("functionDeclarations")):
            tool = _camel(as_dict(entry))
            schema = tool.get("parametersJsonSchema") or _plain(tool.get("parameters"))
            found.append({"name": tool.get("name"), "description": tool.get("description"), "parameters": schema})
    return tools_from_json(found)


def _plain(schema: Any) -> Any:
    """Return an OpenAPI schema as JSON Schema: types in small letters."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {name: _plain(value) for name, value in schema.items()}
    if isinstance(out.get("type"), str):
        out["type"] = out["type"].lower()
    return out


def _choice(value: Any) -> ToolChoice:
    config = _camel(as_dict(_camel(as_dict(value)).get("functionCallingConfig")))
    mode = as_text(config.get("mode")).upper()
    names = as_list(config.get("allowedFunctionNames"))
    if mode == "ANY" and len(names) == 1:
        return {"type": "function", "function": {"name": str(names[0])}}
    if mode and mode not in _MODES:
        raise InvalidInput(f"Invalid value at 'tool_config.function_calling_config.mode': {mode!r}")
    return _MODES.get(mode)


def models_body(ids: Sequence[str]) -> bytes:
    """Return the body of `GET /v1beta/models`."""
    return json_bytes({"models": [_model_info(name) for name in ids]})


def model_body(name: str) -> bytes:
    """Return the body of `GET /v1beta/models/NAME`."""
    return json_bytes(_model_info(name))


def _model_info(name: str) -> dict[str, Any]:
    methods = ["generateContent", "countTokens"]
    return {"name": f"models/{name}", "version": "1", "displayName": name, "supportedGenerationMethods": methods}


def error_body(status: int, message: str) -> bytes:
    """Return an error body."""
    return json_bytes({"error": {"code": status, "message": message, "status": _STATES.get(status, "INTERNAL")}})


def reply_body(head: ResponseHead, deltas: Iterable[Delta]) -> bytes:
    """Return a whole reply as one JSON body."""
    stream = ResponseStream(head)
    parts: list[dict[str, Any]] = []
    for delta in deltas:
        if isinstance(delta, FaultDelta):
            return error_body(500, delta.error.message)
        for part in stream.parts(delta):
            if parts and parts[-1].keys() == part.keys() and "text" in part:
                parts[-1]["text"] += part["text"]
            else:
                parts.append(dict(part))
    return json_bytes(stream.response([*parts, *stream.last_parts()], last=True))


class ResponseStream:
    """Writes one reply as server-sent events: `start`, `feed` for each delta, `finish`."""

    def __init__(self, head: ResponseHead) -> None:
        self._head = head
        self._calls = WholeCalls()
        self._usage = Usage()
        self._reason = ""
        self._malformed = False
        self._failed = False

    def start(self) -> bytes:
        """Return nothing: the first event is the first part."""
        return b""

    def feed(self, delta: Delta) -> bytes:
        """Return the event for one delta; empty for what only counts at the end."""
        if isinstance(delta, FaultDelta):
            self._failed = True
            return b"data: " + error_body(500, delta.error.message) + b"\r\n\r\n"
        parts = self.parts(delta)
        return self._event(self.response(parts)) if parts else b""

    def finish(self) -> bytes:
        """Return the last call, the reason and the counts."""
        return b"" if self._failed else self._event(self.response(self.last_parts(), last=True))

    def parts(self, delta: Delta) -> list[dict[str, Any]]:
        """Return the parts that a delta adds."""
        match delta:
            case TextDelta(text=text) if text:
                return [{"text": text}]
            case ReasoningDelta(text=text) if text:
                return [{"text": text, "thought": True}]
            case CallDelta():
                return self._call(self._calls.add(delta))
            case FinishDelta(reason=reason):
                self._reason = reason
            case UsageDelta(usage=usage):
                self._usage = usage
            case _:
                pass
        return []

    def last_parts(self) -> list[dict[str, Any]]:
        """Return the call that is still open."""
        return self._call(self._calls.take())

    def response(self, parts: list[dict[str, Any]], *, last: bool = False) -> dict[str, Any]:
        """Return one response object."""
        candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}} if parts else {}
        out: dict[str, Any] = {"candidates": [candidate | {"index": 0}]}
        if last:
            reason = _REASONS.get(self._reason, self._reason.upper())
            broken = self._malformed and reason == "STOP"
            out["candidates"][0]["finishReason"] = "MALFORMED_FUNCTION_CALL" if broken else reason
            out["usageMetadata"] = _usage_json(self._usage)
        return out | {"modelVersion": self._head.model, "responseId": self._head.id}

    def _call(self, call: NativeCall | None) -> list[dict[str, Any]]:
        """A call that is no object cannot be sent: Gemini says so in its finish reason."""
        if call is None:
            return []
        arguments = object_of(call)
        if arguments is None:
            self._malformed = True
            return []
        return [{"functionCall": {"name": call.name, "args": arguments, "id": call.id}}]

    def _event(self, response: dict[str, Any]) -> bytes:
        return b"data: " + json_bytes(response) + b"\r\n\r\n"


def _usage_json(usage: Usage) -> dict[str, int]:
    prompt, output, thoughts = usage.input or 0, usage.output or 0, usage.reasoning or 0
    counts = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": output - thoughts,
        "totalTokenCount": prompt + output,
    }
    return counts | ({"thoughtsTokenCount": thoughts} if thoughts else {})
