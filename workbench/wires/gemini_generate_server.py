"""Server side of Gemini generateContent: request bodies read, replies written as Gemini writes them.

The model stands in the path. Stream: each event is a response object with new parts, calls whole, arguments as an object;
the last one has the finish reason and the counts, and nothing marks the end. Both spellings of field names are read, and
schemas of either kind: JSON Schema, and OpenAPI's with types in capitals. Parts with signatures are kept in the turn's `extra`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, Ending, ReasoningDelta, TextDelta, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall, ToolChoice
from workbench.wires.kit.call_ids import paired
from workbench.wires.kit.jsons import argument_text, as_dict, as_items, as_list, as_text, json_bytes, json_text
from workbench.wires.kit.reasoning_setting import read_setting
from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server import Folded, Refusal, ReplyHead, ReplyWriter, WireServer, refusal_of
from workbench.wires.kit.server_tools import read_tools
from workbench.wires.kit.server_turns import number, whole_number
from workbench.wires.kit.whole_calls import WholeCalls, object_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.errors import ErrorInfo
    from workbench.core.messages import Reasoning
    from workbench.core.tools import ToolSpec

WIRE = "gemini_generate"
_REASONS = {Ending.STOP: "STOP", Ending.CALLS: "STOP", Ending.LENGTH: "MAX_TOKENS", Ending.FILTERED: "SAFETY"}
_MODES = {"AUTO": "auto", "NONE": "none", "ANY": "required", "VALIDATED": "auto"}
_STATES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_PATH = re.compile(r"/([^/]+):(stream)?(?:generateContent|countTokens)", re.IGNORECASE)
_UNDERSCORE = re.compile(r"_([a-z])")


class GeminiGenerateServer(WireServer):
    """The server side."""

    wire = WIRE
    known = frozenset("contents systemInstruction tools toolConfig generationConfig".split())

    def named(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the body under camelCase names; who asks for a count may wrap the request."""
        own = _camel(value)
        return _camel(as_dict(own.get("generateContentRequest"))) or own

    def decode(self, value: dict[str, Any], notes: RequestNotes) -> ChatRequest:
        """Read a body; the model is in the path."""
        place = _PATH.search(notes.path)
        given = value.get("contents")
        contents = [{"parts": given}] if isinstance(given, str) and given else as_items(given)
        if place is None:
            raise InvalidInput("Invalid resource path: no model.", hint="Write /v1beta/models/MODEL:generateContent.")
        if not contents:
            raise InvalidInput("* GenerateContentRequest.contents: contents is not specified")
        generation = _camel(as_dict(value.get("generationConfig")))
        further = {name: item for name, item in generation.items() if name not in _GENERATION}
        tools = _tools(as_items(value.get("tools")), notes)
        for name in further:
            notes.note(f"generationConfig.{name}", "known to this protocol only")
        return ChatRequest(
            model=unquote(place[1]),
            messages=paired([*_system(value.get("systemInstruction")), *_turns(contents, notes)]),
            tools=tools,
            tool_choice=_choice(value.get("toolConfig")),
            stop=tuple(str(stop) for stop in as_list(generation.get("stopSequences"))),
            max_tokens=whole_number(generation, "maxOutputTokens"),
            temperature=number(generation, "temperature", "generation_config."),
            top_p=number(generation, "topP", "generation_config."),
            seed=whole_number(generation, "seed"),
            stream=place[2] is not None,
            by_wire={WIRE: {"generationConfig": further} if further else {}},
        )

    def reasoning(self, value: dict[str, Any]) -> Reasoning | None:
        """A level or a budget, and whether thoughts are asked for; a negative budget leaves it to the model."""
        own = _camel(as_dict(_camel(as_dict(value.get("generationConfig"))).get("thinkingConfig")))
        return read_setting(own.get("thinkingLevel"), own.get("thinkingBudget"), own.get("includeThoughts"))

    def stream(self, head: ReplyHead) -> ReplyWriter:
        """Return a writer of response objects."""
        return ResponseStream(head)

    def body(self, head: ReplyHead, reply: Folded) -> bytes:
        """Return a whole response."""
        stream = ResponseStream(head)
        stream.reason, stream.usage, stream.called = reply.reason, reply.usage, bool(reply.calls)
        parts = [piece for part in reply.parts for piece in stream.parts(part)]
        return json_bytes(stream.response([*parts, *stream.last_parts()], last=True))

    def refuse(self, why: Refusal) -> bytes:
        """Return an error body."""
        return json_bytes({"error": _error(why)})

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """The path is OpenAI's too."""
        return "/models" in path and self.speaks(path, headers)

    def speaks(self, path: str, headers: Mapping[str, str]) -> bool:
        """The version in the path or the key's header tells it apart."""
        return "/v1beta/" in path or bool(headers.get("x-goog-api-key"))

    def counted(self, tokens: int) -> bytes:
        """Return the answer to `:countTokens`."""
        return json_bytes({"totalTokens": tokens})

    def models(self, ids: Sequence[str], *, created: int, owner: str) -> bytes:
        """Return the body of `GET /v1beta/models`."""
        return json_bytes({"models": [_model_info(name) for name in ids]})

    def model(self, name: str, *, created: int, owner: str) -> bytes:
        """Return the body of `GET /v1beta/models/NAME`."""
        return json_bytes(_model_info(name))


_GENERATION = frozenset("maxOutputTokens stopSequences temperature topP seed".split())


def _camel(value: dict[str, Any]) -> dict[str, Any]:
    """Return the fields under their camelCase names; both spellings are taken."""
    return {_UNDERSCORE.sub(lambda match: match[1].upper(), name): item for name, item in value.items()}


def _system(value: Any) -> tuple[Message, ...]:
    parts = _parts(as_dict(value).get("parts") if isinstance(value, dict) else value)
    text = "".join(as_text(part.get("text")) for part in parts)
    return (Message("system", text),) if text else ()


def _parts(value: Any) -> list[dict[str, Any]]:
    """Parts under camelCase names; a text, alone or in the list, is a part as well."""
    given = as_items(value) if not isinstance(value, str) else [value]
    return [{"text": part} if isinstance(part, str) else _camel(as_dict(part)) for part in given]


def _turns(contents: Sequence[Any], notes: RequestNotes) -> Iterator[Message]:
    for index, entry in enumerate(contents):
        content = as_dict(entry)
        role = as_text(content.get("role")) or "user"
        parts = _parts(content.get("parts"))
        if role == "model":
            yield _model(parts)
            continue
        if role == "system":
            yield Message("system", "".join(as_text(part.get("text")) for part in parts))
            continue
        if role not in ("user", "function"):
            notes.note(f"contents[{index}].role", f"{role!r} is read as user")
        yield from _user(parts, notes, f"contents[{index}]")


def _model(parts: list[dict[str, Any]]) -> Message:
    calls: list[NativeCall] = []
    for part in parts:
        if call := as_dict(part.get("functionCall")):
            arguments = argument_text(call.get("args")) or "{}"
            calls.append(NativeCall(len(calls), as_text(call.get("id")), as_text(call.get("name")), arguments))
    text = "".join(as_text(part.get("text")) for part in parts if not part.get("thought"))
    thoughts = "".join(as_text(part.get("text")) for part in parts if part.get("thought"))
    plain = all(part.keys() <= {"text", "functionCall"} for part in parts)
    extra = {} if plain else {WIRE: {"parts": parts}}
    return Message("assistant", text, tuple(calls), reasoning=thoughts, extra=extra)


def _user(parts: list[dict[str, Any]], notes: RequestNotes, place: str) -> Iterator[Message]:
    """Results become tool turns; what else the user says follows them."""
    rest: list[dict[str, Any]] = []
    for part in parts:
        result = as_dict(part.get("functionResponse"))
        if result:
            text = _result_text(result.get("response"))
            yield Message("tool", text, tool_call_id=as_text(result.get("id")), name=as_text(result.get("name")))
        elif found := _part(part):
            rest.append(found)
        else:
            notes.note(place, f"a part {next(iter(part), '')!r}")
    if rest:
        plain = all(part["type"] == "text" for part in rest)
        yield Message("user", "".join(part["text"] for part in rest) if plain else tuple(rest))


def _result_text(response: Any) -> str:
    if not isinstance(response, dict | None):
        return response if isinstance(response, str) else json_text(response)
    value = as_dict(response)
    if value.keys() in ({"result"}, {"output"}):
        (inner,) = value.values()
        return inner if isinstance(inner, str) else json_text(inner)
    return json_text(value)


def _part(part: dict[str, Any]) -> dict[str, Any] | None:
    if data := _camel(as_dict(part.get("inlineData"))):
        url = f"data:{as_text(data.get('mimeType'))};base64,{as_text(data.get('data'))}"
        return {"type": "image_url", "image_url": {"url": url}}
    if file := _camel(as_dict(part.get("fileData"))):
        return {"type": "image_url", "image_url": {"url": as_text(file.get("fileUri"))}}
    return {"type": "text", "text": as_text(part.get("text"))} if "text" in part else None


def _tools(values: Sequence[Any], notes: RequestNotes) -> tuple[ToolSpec, ...]:
    """Declared functions; what Google runs itself (search, code) is named."""
    found = []
    for index, value in enumerate(values):
        for name, entries in _camel(as_dict(value)).items():
            if name != "functionDeclarations":
                notes.foreign_tool(f"tools[{index}]", name)
                continue
            for entry in as_list(entries):
                tool = _camel(as_dict(entry))
                schema = tool.get("parametersJsonSchema") or _plain(tool.get("parameters"))
                found.append({"name": tool.get("name"), "description": tool.get("description"), "parameters": schema})
    return read_tools(found, notes)


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
    names = [str(name) for name in as_list(config.get("allowedFunctionNames"))]
    if mode == "ANY" and len(names) == 1:
        return {"type": "function", "function": {"name": names[0]}}
    return _MODES.get(mode, "auto" if mode else None)


def _model_info(name: str) -> dict[str, Any]:
    methods = ["generateContent", "countTokens"]
    return {"name": f"models/{name}", "version": "1", "displayName": name, "supportedGenerationMethods": methods}


def _error(why: Refusal) -> dict[str, Any]:
    return {"code": why.status, "message": why.message, "status": _STATES.get(why.status, "INTERNAL")}


class ResponseStream(ReplyWriter):
    """Writes response objects."""

    def __init__(self, head: ReplyHead) -> None:
        super().__init__(head)
        self._whole = WholeCalls()
        self._malformed = False

    def text(self, text: str) -> bytes:
        """Return a text part."""
        return self._parts(self.parts(TextDelta(text)))

    def reasoning(self, text: str, seal: str) -> bytes:
        """Return a thought."""
        return self._parts(self.parts(ReasoningDelta(text, seal=seal)))

    def call(self, delta: CallDelta) -> bytes:
        """Return the call before this one, once this one begins."""
        return self._parts(self.parts(delta))

    def fault(self, error: ErrorInfo) -> bytes:
        """Return an error event."""
        return b"data: " + json_bytes({"error": _error(refusal_of(error))}) + b"\r\n\r\n"

    def end(self) -> bytes:
        """Return the last call, the reason and the counts."""
        return self._event(self.response(self.last_parts(), last=True))

    def parts(self, delta: TextDelta | ReasoningDelta | CallDelta) -> list[dict[str, Any]]:
        """Return the parts that a piece adds."""
        match delta:
            case TextDelta(text=text):
                return [{"text": text}]
            case ReasoningDelta(text=text):
                return [{"text": text, "thought": True}] if text else []
            case CallDelta():
                return self._call(self._whole.add(delta))

    def last_parts(self) -> list[dict[str, Any]]:
        """Return the call that is still open."""
        return self._call(self._whole.take())

    def response(self, parts: list[dict[str, Any]], *, last: bool = False) -> dict[str, Any]:
        """Return one response object."""
        candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}} if parts else {}
        out: dict[str, Any] = {"candidates": [candidate | {"index": 0}]}
        if last:
            reason = _REASONS.get(self.ending, self.reason.upper())
            broken = self._malformed and reason == "STOP"
            out["candidates"][0]["finishReason"] = "MALFORMED_FUNCTION_CALL" if broken else reason
            out["usageMetadata"] = _usage_json(self.usage)
        return out | {"modelVersion": self.head.model, "responseId": self.head.id}

    def _parts(self, parts: list[dict[str, Any]]) -> bytes:
        return self._event(self.response(parts)) if parts else b""

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
