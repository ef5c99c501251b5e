"""Gemini generateContent: `POST {base}/v1beta/models/MODEL:generateContent`, streamed `:streamGenerateContent?alt=sse`.

Calls arrive whole, as parts, or, where that was asked for, with arguments in pieces; parts that carry a thought signature must go back exactly as they came, so the turn's parts come as a
`send_back` notice. Ids exist in newer models only: none is invented towards the provider. Both spellings of field names are read.
A call that another wire or a user wrote has no signature: Gemini 3 refuses it without one, but takes a word that Google documents for
this. Quirks: `schema_field` (`parametersJsonSchema`, or `parameters` for older servers), `auth_header`, `no_tools`, `no_seed`,
`foreign_signature` (that word; empty to send none), `thinking_levels` (a level is taken, not a budget), `no_reasoning`, `no_version` (the base address is complete).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import ModelInfo, Usage
from workbench.core.messages import chosen_tool
from workbench.wires.kit.call_ids import paired
from workbench.wires.kit.content_parts import as_object, image_of, parts_of, same_calls, system_text
from workbench.wires.kit.error_answers import describe, error_in
from workbench.wires.kit.http import get_json, join_url, key_header, post_json, quirk, versioned
from workbench.wires.kit.jsons import (
    argument_object,
    argument_text,
    as_dict,
    as_int,
    as_items,
    as_list,
    as_text,
    read_json,
)
from workbench.wires.kit.partial_args import PartialArguments
from workbench.wires.kit.reasoning_setting import budget_of, effort_of, refused, wanted
from workbench.wires.kit.reply import ReplyDecoder
from workbench.wires.kit.tool_fields import allowed_tools, narrowed, vendor_fields
from workbench.wires.kit.tool_names import lettered_name
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Endpoint, Headers, WireRequest
    from workbench.core.messages import ChatRequest, Message, ToolChoice
    from workbench.core.protocols import Decoder
    from workbench.core.tools import ToolSpec

WIRE = "gemini_generate"
_MODES = {"auto": "AUTO", "required": "ANY", "any": "ANY", "none": "NONE"}
_WANTS_SIGNATURES = re.compile(r"gemini-(?:[3-9]|\d\d)|gemini-[a-z-]*latest")
_FOREIGN_SIGNATURE = "skip_thought_signature_validator"
_CUT = frozenset({"MAX_TOKENS"})
_BROKEN_CALLS = frozenset({"MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE"})


class GeminiGenerate:
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        word = _FOREIGN_SIGNATURE if _WANTS_SIGNATURES.search(request.model) else ""
        signature = str(quirk(endpoint, "foreign_signature", word))
        body: dict[str, Any] = {"contents": _contents(paired(request.messages), signature)}
        if system := system_text(request.messages):
            body["systemInstruction"] = {"parts": [{"text": system}]}
        if request.tools and not quirk(endpoint, "no_tools"):
            field = str(quirk(endpoint, "schema_field", "parametersJsonSchema"))
            allowed = allowed_tools(request.tool_choice)
            if allowed and allowed.mode != "required":
                request = narrowed(request)
            declared = [_declaration(tool, field, endpoint) for tool in request.tools]
            body["tools"] = [{"functionDeclarations": declared}]
            if (config := _calling(request.tool_choice)) is not None:
                body["toolConfig"] = {"functionCallingConfig": config}
        if generation := _generation(request, endpoint):
            body["generationConfig"] = generation
        url, auth = _url(endpoint, _path(request)), key_header(endpoint, key, "x-goog-api-key")
        return post_json(url, auth, body, endpoint, request, stream=request.stream)

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response."""
        return GenerateDecoder(status=status, headers=headers, stream=stream)

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request for the list of models."""
        endpoint = resolved(endpoint)
        auth = key_header(endpoint, key, "x-goog-api-key")
        return get_json(_url(endpoint, "/models?pageSize=1000"), auth, endpoint)

    def read_models(self, body: bytes) -> list[ModelInfo]:
        """Read the list of models; empty for anything else."""
        found = []
        for entry in as_list(as_dict(read_json(body)).get("models")):
            item = as_dict(entry)
            if name := as_text(item.get("name")).removeprefix("models/"):
                found.append(ModelInfo(name, as_int(item.get("inputTokenLimit")), "google", item))
        return found


def _url(endpoint: Endpoint, path: str) -> str:
    return (
        join_url(endpoint.base_url, path)
        if quirk(endpoint, "no_version")
        else versioned(endpoint.base_url, "/v1beta", path)
    )


def _path(request: ChatRequest) -> str:
    name = request.model if "/" in request.model else f"models/{request.model}"
    method = "streamGenerateContent?alt=sse" if request.stream else "generateContent"
    return f"/{quote(name, safe='/')}:{method}"


def _declaration(tool: ToolSpec, field: str, endpoint: Endpoint) -> dict[str, Any]:
    out = {"name": lettered_name(tool.name), "description": tool.description, field: tool.parameters}
    return out | vendor_fields(tool, ("response", "responseJsonSchema", "behavior"), endpoint)


def _calling(choice: ToolChoice) -> dict[str, Any] | None:
    if allowed := allowed_tools(choice):
        return {"mode": "ANY", "allowedFunctionNames": [lettered_name(name) for name in allowed.names]}
    if name := chosen_tool(choice):
        return {"mode": "ANY", "allowedFunctionNames": [lettered_name(name)]}
    if isinstance(choice, str):
        return {"mode": _MODES.get(choice, choice.upper())}
    return choice


def _generation(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "maxOutputTokens": request.max_tokens,
        "stopSequences": list(request.stop[:5]) or None,
        "temperature": request.temperature,
        "topP": request.top_p,
        "seed": None if quirk(endpoint, "no_seed") else request.seed,
    }
    if thinking := _thinking(request, endpoint):
        fields["thinkingConfig"] = thinking
    return {name: value for name, value in fields.items() if value is not None}


def _thinking(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    """The fields for reasoning: newer models take a level, older ones a budget."""
    setting = wanted(request, endpoint)
    if setting is None:
        return {}
    out: dict[str, Any] = {} if setting.show is None else {"includeThoughts": setting.show}
    effort, budget = effort_of(setting), budget_of(setting)
    if not quirk(endpoint, "thinking_levels"):
        return out | ({"thinkingBudget": budget} if budget is not None else {})
    if effort == "none":
        raise refused(request, "cannot be told not to think")
    return out | ({"thinkingLevel": "high" if effort in ("xhigh", "max") else effort} if effort else {})


def _contents(messages: Sequence[Message], signature: str) -> list[dict[str, Any]]:
    """Turns without system text; all results of a turn in one content, in order."""
    out: list[dict[str, Any]] = []
    native: set[str] = set()
    results: list[dict[str, Any]] | None = None
    for message in messages:
        if message.role == "system":
            continue
        if message.role == "tool":
            if results is None:
                results = []
                out.append({"role": "user", "parts": results})
            results.append(_response(message, native))
            continue
        results = None
        if message.role == "assistant":
            parts = _signed(_model_parts(message, native), signature)
        else:
            parts = [_part(part) for part in parts_of(message)]
        if parts:
            out.append({"role": "model" if message.role == "assistant" else "user", "parts": parts})
    return out


def _model_parts(message: Message, native: set[str]) -> list[dict[str, Any]]:
    kept = as_list(as_dict(message.extra.get(WIRE)).get("parts"))
    calls = [(as_text(call.get("id")), as_text(call.get("name"))) for part in kept if (call := _call_in(part))]
    text = "".join(as_text(part.get("text")) for part in kept if not part.get("thought"))
    if kept and text == message.text and same_calls(message, calls):
        native |= {id_ for id_, _ in calls if id_}
        return kept
    parts = [_part(part) for part in parts_of(message)]
    made: list[dict[str, Any]] = [
        {"functionCall": {"name": lettered_name(call.name), "args": argument_object(call.arguments)}}
        for call in message.tool_calls
    ]
    signature = next((found for part in kept if _call_in(part) and (found := _either(part, "thoughtSignature"))), None)
    if made and signature:  # of parallel calls the first one bears it, also where another was lost
        made[0]["thoughtSignature"] = signature
    return parts + made


def _signed(parts: list[dict[str, Any]], signature: str) -> list[dict[str, Any]]:
    """Give the first call of a turn the word for a signature that nobody made; the others need none."""
    first = next((place for place, part in enumerate(parts) if _call_in(part)), None)
    if not signature or first is None or any(_either(part, "thoughtSignature") for part in parts):
        return parts
    return [*parts[:first], {**parts[first], "thoughtSignature": signature}, *parts[first + 1 :]]


def _response(message: Message, native: set[str]) -> dict[str, Any]:
    body: dict[str, Any] = {"name": lettered_name(message.name), "response": as_object(message.text)}
    if message.tool_call_id in native:
        body["id"] = message.tool_call_id
    return {"functionResponse": body}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if image := image_of(part):
        media, data, url = image
        return {"fileData": {"fileUri": url}} if url else {"inlineData": {"mimeType": media, "data": data}}
    return {"text": as_text(part.get("text"))} if part.get("type") == "text" else part


def _either(value: dict[str, Any], camel: str) -> Any:
    """Return a field by its camelCase name or by its snake_case name."""
    if camel in value:
        return value[camel]
    return value.get("".join("_" + char.lower() if char.isupper() else char for char in camel))


def _call_in(part: Any) -> dict[str, Any]:
    return as_dict(_either(as_dict(part), "functionCall"))


class GenerateDecoder(ReplyDecoder):
    """Deltas from response objects, one an event, or a list of them as a body."""

    end_marker = "a finishReason"
    plain_names = True

    def __init__(self, *, status: int, headers: Headers, stream: bool) -> None:
        super().__init__(status=status, headers=headers, stream=stream)
        self._calls = 0
        self._open: PartialArguments | None = None
        """Arguments of the last call, where more of them is to come."""
        self._bare = False
        """The last call came without arguments: they may come in a part of their own."""
        self._parts: list[dict[str, Any]] = []
        self._answered = False

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one response object."""
        error = error_in(value)
        if error is not None or name == "error":
            self._close_call(at, whole=False)
            self.fault(describe(value, self.status, self.headers), at)
            return
        value = as_dict(value.get("response")) or value  # as Code Assist wraps it
        self.model(_either(value, "modelVersion"), at)
        for position, entry in enumerate(as_list(value.get("candidates"))):
            candidate = as_dict(entry)
            if (as_int(candidate.get("index")) or 0) > 0 or position > 0:
                self.notice("extra_choices", "The reply holds more than one candidate; the first is read.", at)
                continue
            self._answered = True
            self._candidate(candidate, at)
        self._blocked(as_dict(_either(value, "promptFeedback")), at)
        counts = _either(value, "usageMetadata")
        if isinstance(counts, dict):
            self.usage(_usage(counts), at)

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Read a whole response, or the array that a stream without server-sent events is."""
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, dict):
                self.on_event("", entry, at)
        if not self._answered and not self.faulted:
            self.fault(self.wrong_shape("Gemini generateContent", "'candidates'"), at)
        elif isinstance(value, list) and not self._finish and not self.faulted:
            self.cut_off(at)
        self._close_call(at, whole=not isinstance(value, list))
        self._send_parts(at)

    def on_end(self, size: int) -> None:
        """A stream has no end marker but its finish reason."""
        self._close_call((size, size), whole=False)
        self._send_parts((size, size))
        super().on_end(size)

    def _candidate(self, candidate: dict[str, Any], at: tuple[int, int]) -> None:
        reason = as_text(_either(candidate, "finishReason"))
        for entry in as_items(as_dict(candidate.get("content")).get("parts")):
            part = as_dict(entry)
            if "functionCall" in part or "function_call" in part:
                self._call(part, _call_in(part), at)
            else:
                self._part(part, at)
                self._keep(part)
        if reason:
            self._close_call(at, whole=reason not in _CUT)
        self.finish(reason, at)
        if reason in _BROKEN_CALLS:
            self.broken_call(reason, as_text(_either(candidate, "finishMessage")), at)

    def _call(self, part: dict[str, Any], call: dict[str, Any], at: tuple[int, int]) -> None:
        """Read a whole call, or a piece of one: a name begins it, an empty one or the next name ends it."""
        more, pieces = bool(_either(call, "willContinue")), _either(call, "partialArgs")
        if self._bare and not call.get("name") and (pieces or isinstance(call.get("args"), dict)):
            self._bare, self._open = False, PartialArguments(as_dict(call.get("args")))
        elif self._open is None and not call:
            if not self._bare:
                self.notice("unknown_part", "The reply holds a call without a name.", at, part)
        elif call.get("name") or self._open is None:
            self._close_call(at)
            self._bare = not (more or pieces or call.get("args"))
            arguments = "" if more or pieces or self._bare else argument_text(call["args"])
            self.call(self._calls, as_text(call.get("id")), as_text(call.get("name")), arguments, at)
            self._calls += 1
            self._keep(part)
            if not more and not pieces:
                return
            self._open = PartialArguments(as_dict(call.get("args")))
        if self._open is not None:
            for path in self._open.add(pieces):
                self.notice(
                    "unknown_path", f"A piece of arguments has the path {path[:60]!r}, which cannot be read.", at
                )
            if not more:
                self._close_call(at)

    def _close_call(self, at: tuple[int, int], *, whole: bool = True) -> None:
        """Give out the arguments that came in pieces, or that none came, and keep the call as one that came whole."""
        if self._bare:
            self._bare = False
            self.call(self._calls - 1, "", "", "{}", at)
        if self._open is None:
            return
        self.call(self._calls - 1, "", "", self._open.text(whole=whole), at)
        self._set_args(self._open.value)
        self._open = None

    def _set_args(self, args: Any) -> None:
        """Keep the last call with the arguments that came after it."""
        if part := next((part for part in reversed(self._parts) if _call_in(part)), None):
            known = {name: value for name, value in _call_in(part).items() if name in ("name", "id")}
            part["functionCall"] = {**known, "args": args}
            part.pop("function_call", None)

    def _part(self, part: dict[str, Any], at: tuple[int, int]) -> None:
        if isinstance(part.get("text"), str):
            if part.get("thought"):
                self.reasoning(part["text"], at)
            else:
                self.text(part["text"], at)
        elif unknown := [name for name in part if not name.lower().startswith("thought")]:
            self.notice("unknown_part", f"The reply holds a part {str(unknown[0])[:60]!r}.", at, part)

    def _keep(self, part: dict[str, Any]) -> None:
        """Collect the turn's parts; texts without a signature may be joined, others never."""
        last = self._parts[-1] if self._parts else None
        if last is not None and part.keys() == last.keys() == {"text"}:
            last["text"] = as_text(last["text"]) + as_text(part["text"])
        elif part and not (part.get("thought") and not _either(part, "thoughtSignature")):
            self._parts.append(dict(part))

    def _send_parts(self, at: tuple[int, int]) -> None:
        if any(_either(part, "thoughtSignature") or _call_in(part).get("id") for part in self._parts):
            self.send_back(WIRE, {"parts": self._parts}, at)

    def _blocked(self, feedback: dict[str, Any], at: tuple[int, int]) -> None:
        if reason := as_text(_either(feedback, "blockReason")):
            self._answered = True
            words = as_text(_either(feedback, "blockReasonMessage"))
            message = f"The prompt was blocked: {reason}. {words}".strip()
            hint = "The provider's filter acted; rephrase, or use another provider."
            info = ErrorInfo(ErrorKind.CONTENT_FILTER, message, hint=hint, status=self.status, code=reason)
            self.fault(info, at)


def _usage(counts: dict[str, Any]) -> Usage:
    """Thinking is counted apart; a count of nothing may be absent."""
    output = [as_int(_either(counts, name)) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    known = [count for count in output if count is not None]
    cached = as_int(_either(counts, "cachedContentTokenCount"))
    return Usage(as_int(_either(counts, "promptTokenCount")), sum(known) if known else None, cached, output[1])
