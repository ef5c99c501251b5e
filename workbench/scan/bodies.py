"""Requests and replies of every wire, read by the wires' own decoders: what was offered, said and called."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from workbench.core.errors import ErrorKind, InvalidInput
from workbench.core.json_text import UNREADABLE, json_or, parse_json
from workbench.core.tools import ToolSpec
from workbench.engine.assembly import Assembly
from workbench.scan.cut_json import mended
from workbench.scan.json_values import json_bytes, json_value, keys_of
from workbench.scan.reply import Channel, FoundReply, Refused, ReplyBytes, SeenCall, Turn
from workbench.tools.pasted_request import specs_of
from workbench.wires import get_wire, server_for
from workbench.wires.kit.error_answers import OLLAMA_UNREAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.exchange import Headers
    from workbench.core.messages import Message

SHOWN = 400
"""Characters of a turn that are kept as context."""


class Asked(NamedTuple):
    """A request, read."""

    wire: str = ""
    tools: tuple[ToolSpec, ...] | None = None
    """None: the request is not known."""
    model: str = ""
    context: tuple[Turn, ...] = ()
    before: tuple[SeenCall, ...] = ()


def read_request(body: bytes | str | dict[str, Any], url: str = "") -> Asked:
    """Read a request; what cannot be read leaves the tools unknown."""
    value = body if isinstance(body, dict) else _object(body)
    if not value:
        return Asked()
    wire = _wire_of_request(value, urlsplit(url).path)
    if not wire:
        return Asked()
    tools = offered(value)
    server = server_for({"openai_responses": "/responses"}.get(wire, "") or _PATHS[wire])
    try:
        data = json.dumps(value).encode()
        served = server.read(data, urlsplit(url).path) if server else None
    except (InvalidInput, RecursionError, ValueError, TypeError, AttributeError, KeyError):
        served = None  # a request that a server refuses was still sent
    messages = served.request.messages if served else ()
    model = str(value.get("model") or _model_in(url))
    return Asked(wire, tools, model, context_of(messages), calls_before(messages))


_PATHS = {
    "openai_chat": "/chat/completions",
    "anthropic_messages": "/messages",
    "gemini_generate": ":generateContent",
    "ollama_chat": "/api/chat",
    "completion": "/completion",
}


def _model_in(url: str) -> str:
    """Gemini names its model in the address."""
    _, found, rest = url.partition("/models/")
    return rest.partition(":")[0] if found else ""


def _object(body: bytes | str) -> dict[str, Any]:
    value = json_or(body, {})
    return value if isinstance(value, dict) else {}


def _wire_of_request(value: dict[str, Any], path: str) -> str:
    for wire, end in (("openai_responses", "/responses"), *_PATHS.items()):
        if path and (path.endswith(end) or (wire == "gemini_generate" and "GenerateContent" in path)):
            return wire
    if "contents" in value:
        return "gemini_generate"
    if "input" in value and "messages" not in value:
        return "openai_responses"
    if "messages" in value:
        blocks = "system" in value or any(
            "input_schema" in tool for tool in value.get("tools") or () if isinstance(tool, dict)
        )
        return "anthropic_messages" if blocks else "openai_chat"
    return "completion" if "prompt" in value else ""


def offered(value: Any) -> tuple[ToolSpec, ...]:
    """Return the tools of a request's body, those that the provider itself executes by name only."""
    if not isinstance(value, dict):
        return ()
    try:
        key = json.dumps([value.get(name) for name in ("tools", "functions", "toolConfig")])
    except (TypeError, ValueError, RecursionError):
        return ()
    return _offered(key)


@lru_cache(maxsize=128)
def _offered(key: str) -> tuple[ToolSpec, ...]:
    """One value for equal tools: what is prepared for them is prepared once."""
    tools, functions, config = parse_json(key)
    found: dict[str, ToolSpec] = {}
    body = {"tools": tools, "functions": functions, "toolConfig": config}
    for tool in [*(tools or ()), *(functions or ())] if isinstance(tools or [], list) else ():
        if (
            isinstance(tool, dict)
            and isinstance(name := tool.get("name") or tool.get("type"), str)
            and name != "function"
        ):
            found[name] = ToolSpec(name, "", {})
    with suppress(InvalidInput):
        found |= {spec.name: spec for spec in specs_of(body)}
    return tuple(found.values())


def context_of(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """Return the last user's turn and what came behind it, in short."""
    last = max((place for place, one in enumerate(messages) if one.role == "user" and one.text.strip()), default=None)
    if last is None:
        return ()
    turns = [messages[last], *(one for one in messages[last + 1 :] if one.role in ("assistant", "tool"))]
    return tuple(Turn(one.role, short(one.text)) for one in turns[-4:] if one.text.strip())


def short(text: str) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def calls_before(messages: Sequence[Message]) -> tuple[SeenCall, ...]:
    """Return the calls of the last assistant's turn, with their results."""
    place = max((at for at, one in enumerate(messages) if one.role == "assistant"), default=None)
    if place is None:
        return ()
    results = {one.tool_call_id: one for one in messages[place + 1 :] if one.role == "tool"}
    made = []
    for call in messages[place].tool_calls:
        result = results.get(call.id)
        made.append(
            SeenCall(
                call.name, call.arguments, call.id, result.text if result else None, bool(result and result.failed)
            )
        )
    return tuple(made)


def wire_of_reply(text: str) -> str:
    """Return the wire that a reply's body is written in, whole or streamed, by what it begins with; empty: none."""
    head = text[:20_000].lstrip("\ufeff \t\r\n")
    if head[:1] not in ("{", "["):
        event = _DATA.search(head)
        head = head[event.end() - 1 :] if event else ""
    if head.startswith("[") and head[1:].lstrip().startswith("{"):
        head = head[1:].lstrip()
    keys = set(keys_of(head)) if head.startswith("{") else set()
    if "type" in keys and (kind := _TYPE.search(head)):
        if kind[1].startswith("response."):
            return "openai_responses"
        if kind[1] in ("message_start", "content_block_start", "ping"):
            return "anthropic_messages"
    return next((wire for wire, needed in _REPLY_KEYS if any(one <= keys for one in needed)), "")


_DATA = re.compile(r"^(?:data: ?)?\{", re.MULTILINE)
_TYPE = re.compile(r'"type"\s?:\s?"([\w.]+)"')
_REPLY_KEYS: tuple[tuple[str, tuple[set[str], ...]], ...] = (
    ("openai_chat", ({"choices"},)),
    ("gemini_generate", ({"candidates"}, {"promptFeedback"})),
    ("bedrock_converse", ({"output", "stopReason"}, {"output", "metrics"})),
    ("openai_responses", ({"output", "object"}, {"output", "status"})),
    ("ollama_chat", ({"message", "done"}, {"message", "done_reason"})),
    ("anthropic_messages", ({"content", "role", "stop_reason"}, {"content", "type", "role", "model"})),
    ("completion", ({"generated_text"}, {"tokens_predicted"}, {"content", "stop_type"}, {"response", "done"})),
)


def read_reply(
    body: bytes, asked: Asked, *, wire: str = "", status: int = 200, headers: Headers = (), place: str = ""
) -> FoundReply | None:
    """Read the body of a reply, whole or streamed; None for what is no reply of a model."""
    spoken = asked.wire or wire or wire_of_reply(body[:4000].decode("utf-8", "replace"))
    if status >= 400 or (not spoken and b'"error"' in body[:200]):
        return _failed(body, asked, status, headers, place)
    if not spoken:
        return None
    decoder = get_wire(spoken).decoder(status=status, headers=headers, stream=is_stream(body, spoken))
    made = Assembly()
    made.fold(decoder.feed(body))
    made.fold(decoder.close())
    if made.empty and made.fault is not None:
        whole = _whole(body)
        if whole:
            return read_reply(whole, asked, wire=spoken, status=status, headers=headers, place=place)
        if spoken == "completion":
            return _bare(body, asked, place)
        return (
            _failed(body, asked, status, headers, place, made.fault.message)
            if made.fault.kind is ErrorKind.MODEL_OUTPUT
            else None
        )
    reply = reply_of(made, asked, place)
    if made.fault is not None and made.fault.kind is ErrorKind.MODEL_OUTPUT:
        reply.calls.append(SeenCall(_named(made.fault.message), "", refused=Refused.JSON, why=made.fault.message))
    reply.exchange = ReplyBytes(spoken, status, headers, body)
    return reply


def is_stream(body: bytes, wire: str) -> bool:
    """Whether the body of a reply came in pieces."""
    whole = body.lstrip(b" \t\r\n\xef\xbb\xbf")[:1] == b"{"
    return not whole or (wire == "ollama_chat" and b"\n{" in body)


def _whole(body: bytes) -> bytes:
    """A body of JSON that breaks off, closed; empty for others."""
    if body.lstrip(b" \t\r\n\xef\xbb\xbf")[:1] != b"{" or json_value(body) is not UNREADABLE:
        return b""
    try:
        return json_bytes(mended(body.decode("utf-8", "replace").removeprefix("\ufeff")))
    except ValueError:
        return b""


def reply_of(made: Assembly, asked: Asked, place: str) -> FoundReply:
    """Return what was folded from a wire's deltas as a reply."""
    counted = made.usage
    return FoundReply(
        place, made.text, made.reasoning,
        [SeenCall(call.name, call.arguments, call.id) for call in made.native_calls],
        asked.model or made.served_model, "", asked.tools, asked.before, asked.context,
        finish=made.finish_reason, output_tokens=counted.output,
        hidden=bool(made.send_back) or "unknown_event" in made.notices or bool(made.fault),
    )  # fmt: skip


def _bare(body: bytes, asked: Asked, place: str) -> FoundReply | None:
    """A completion of Ollama (`response`, a piece a line) or TGI (`generated_text`), which no wire of ours asks for."""
    pieces: list[str] = []
    last: dict[str, Any] = {}
    whole = json_value(body)
    values = (
        whole if isinstance(whole, list) else [whole] if whole is not UNREADABLE else map(json_value, body.splitlines())
    )
    for value in values:
        if not isinstance(value, dict):
            continue
        last = value
        pieces += [value[key] for key in ("response", "generated_text") if isinstance(value.get(key), str)]
    if not pieces:
        return None
    count = last.get("eval_count")
    return FoundReply(
        place, "".join(pieces), "", [], asked.model or str(last.get("model") or ""), "", asked.tools, asked.before, asked.context,
        finish=str(last.get("done_reason") or ""), output_tokens=count if isinstance(count, int) else None,
    )  # fmt: skip


_PYTHON_CALL = re.compile(r"\b(?:default_api\.)?([A-Za-z_]\w*)\(")


def _named(message: str) -> str:
    """The name in a call that Gemini quotes: `print(default_api.NAME(…))`."""
    found = [name for name in _PYTHON_CALL.findall(message.partition("call: ")[2]) if name != "print"]
    return found[0] if found else "?"


def _failed(body: bytes, asked: Asked, status: int, headers: Headers, place: str, fault: str = "") -> FoundReply | None:
    """An answer that quotes what the model wrote and the server could not read; `fault`: what the wire says of it."""
    told = quoted(body.decode("utf-8", "replace"))
    if told is None and fault:
        told = fault, fault.partition("call: ")[2]
    if told is None:
        return None
    message, text = told
    return FoundReply(
        place, text, "", [], asked.model, "", asked.tools, asked.before, asked.context,
        channel=Channel.LOST, error=message, exchange=ReplyBytes(asked.wire or "openai_chat", status, headers, body),
    )  # fmt: skip


OLLAMA_LOGGED = "tool call parsing failed"
"""What Ollama writes into its log where it answers `OLLAMA_UNREAD`."""
_PARSE_FAULTS = ("Failed to parse input at pos", "The model produced output that does not match the expected")
_TOOL_FAULTS = ("tool_use_failed", "output_parse_failed")


def quoted(text: str) -> tuple[str, str] | None:
    """Return what an error answer says and the model's words that it quotes: Groq, llama.cpp, Ollama; None for others."""
    value = _object(text)
    error = value.get("error")
    error = error if isinstance(error, dict) else value
    message = error.get("message") if isinstance(error.get("message"), str) else value.get("error")
    message = message if isinstance(message, str) else text
    generation = error.get("failed_generation")
    if isinstance(generation, str) or error.get("code") in _TOOL_FAULTS:
        return str(message), generation if isinstance(generation, str) else ""
    for sign in _PARSE_FAULTS:
        at = message.find(sign)
        if at >= 0:
            told, _, rest = message[at:].partition(": ")
            return f"{told}.", rest
    for sign in (OLLAMA_UNREAD, OLLAMA_LOGGED):
        at = message.find(sign)
        if at >= 0:
            return message[at:].split("\n")[0][:300], ollama_quote(message[at:])[0]
    return None


def ollama_quote(message: str) -> tuple[str, str]:
    """What Ollama quotes of the model, and why it could not read it: `error parsing tool call: raw='…', err=…`."""
    _, found, rest = message.partition("raw='")
    if not found:
        return "", ""
    said, found, why = rest.rpartition("', err=")
    return (said, why) if found else (rest, "")


def unique(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Turns without repeats, in order."""
    return tuple(dict.fromkeys(turns))
