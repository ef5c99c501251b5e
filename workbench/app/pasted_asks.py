"""What somebody pasted to be sent, not to be read: a request, tools alone, or nothing but an endpoint's address.

    curl https://…/v1/chat/completions -d '{"model": …, "messages": […]}'     {"model": …, "messages": […]}
    [{"type": "function", "function": {…}}]                                   http://127.0.0.1:8080/v1

Headers and their keys are never taken over.
"""

from __future__ import annotations

import json
import re
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from workbench.app.pasted_snippets import snippet_in
from workbench.core.errors import InvalidInput
from workbench.core.json_text import UNREADABLE
from workbench.formats.kit.loose_json import read_json
from workbench.imports.requests import server_of_request
from workbench.scan.json_values import json_value
from workbench.scan.readers.http_dump import split_curl
from workbench.tools.pasted_request import PastedRequest, requests, specs_of
from workbench.wires.table import WIRES

if TYPE_CHECKING:
    from workbench.core.messages import ChatRequest
    from workbench.core.tools import ToolSpec

_CURL = re.compile(r"\A\s*(?:\$ )?curl\s")
_ADDRESS = re.compile(r"\Ahttps?://[^\s'\"<>]+\Z")
_SCHEMA = frozenset({"type", "properties", "$ref", "anyOf", "oneOf", "allOf", "json", "additionalProperties"})
"""What a schema of parameters has; `json` holds it at Bedrock."""
_PAGE = re.compile(r"/(?:issues|pull|pulls|blob|tree|discussions|commit|questions|wiki|docs?|blog)(?:/|$)|\.html?$")
_LISTS = ("/models", "/api/tags", "/health", "/version")
"""Ends of addresses at which a server tells of itself."""
_LONGEST = 32 << 20
"""Characters of a request."""
_LONGEST_SCRIPT = 400_000
_DECLARING = re.compile(r"\{\s{0,40}[\"'](?:type[\"']\s{0,8}:\s{0,8}[\"']function[\"']|name[\"']\s{0,8}:)")
"""What a declaration of a tool begins with, in JSON or as Python writes it."""
_NO_PATH = "/v1beta/models/unknown:generateContent"


class PastedAsk(NamedTuple):
    """What was pasted to be sent."""

    request: ChatRequest | None = None
    tools: tuple[ToolSpec, ...] = ()
    """Tools without a conversation."""
    address: str = ""
    """The base URL of the endpoint, if the text names one."""
    wire: str = ""
    program: str = ""
    """What it is written for, such as `curl`; empty: a request as it is sent."""
    answer: str = ""
    """What stands below a curl command."""
    left_out: tuple[str, ...] = ()
    """What only the same protocol can say."""


def asked_in(text: str) -> PastedAsk | None:
    """Return what a text asks for; None where it is none of these. Raise InvalidInput for a broken curl command."""
    stripped = text.strip()
    if len(stripped) > _LONGEST:
        return None
    if _ADDRESS.match(stripped):
        if _is_page(stripped):
            return None
        return PastedAsk(address=base_address(stripped), wire=_wire_at(stripped))
    if _CURL.match(stripped):
        return _curl(stripped)
    if stripped[:1] not in ("{", "["):
        return None
    value = json_value(stripped)
    return None if value is UNREADABLE else _document(value)


def _is_page(address: str) -> bool:
    """A page for people rather than an endpoint."""
    with suppress(ValueError):
        return _PAGE.search(urlsplit(address).path) is not None
    return False


def asked_in_recording(text: str) -> PastedAsk | None:
    """Return the first request of a recording in which no reply was found, such as a HAR of failed requests."""
    if text.lstrip()[:1] != "{" or len(text) > _LONGEST:
        return None
    with suppress(InvalidInput):
        for request in requests(text):
            if request.entry is not None and (found := _read(request)) is not None:
                return found._replace(address=base_address(request.url), wire=_wire_at(request.url) or found.wire)
    return None


def asked_in_code(text: str) -> PastedAsk | None:
    """Return the request that code or a file of another program holds; where its body is not to be read, the address alone."""
    found = snippet_in(text.strip())
    if found is None:
        return None
    address = base_address(found.address) if found.address else ""
    wire = _wire_at(found.address)
    if found.request is None:
        return PastedAsk(address=address, wire=wire, program=found.program) if wire else None
    made = _read(found.request)
    if made is None:
        return None
    more = (f"{found.more} further request{'s' if found.more > 1 else ''} of the text",) if found.more else ()
    return made._replace(
        address=address, wire=wire or made.wire, program=found.program, left_out=(*made.left_out, *more)
    )


def declared_in(text: str) -> tuple[ToolSpec, ...]:
    """Return the tools that are declared anywhere in a text, such as a script or a prompt, each once."""
    found: dict[str, ToolSpec] = {}
    for sign in _DECLARING.finditer(text[:_LONGEST_SCRIPT]):
        read = read_json(text, sign.start())
        if not read.error and _declares(read.value):
            with suppress(InvalidInput):
                for spec in specs_of(read.value):
                    found.setdefault(spec.name, spec)
    return tuple(found.values())


def base_address(url: str) -> str:
    """Return what stands before the path that a protocol names, without query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    path = parts.path.rstrip("/")
    ends = sorted((*(end for row in WIRES for end in row.paths), *_LISTS), key=len, reverse=True)
    for end in ends:
        if path.endswith(end):
            path = path.removesuffix(end)
            break
    if ":generate" in parts.path.lower() or ":stream" in parts.path:
        path = path.partition("/models/")[0]
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{path}"


def _wire_at(url: str) -> str:
    with suppress(ValueError):
        path = urlsplit(url).path.rstrip("/")
        return next((row.id for row in WIRES if row.paths and path.endswith(row.paths)), "")
    return ""


def _curl(text: str) -> PastedAsk:
    command, answer = split_curl(text)
    address = _address_of(command)
    made = PastedAsk(
        address=base_address(address) if address else "", wire=_wire_at(address), program="curl", answer=answer
    )
    for request in requests(command):
        found = _read(request)
        if found is not None:
            return found._replace(program="curl", answer=answer, address=made.address, wire=made.wire or found.wire)
        raise InvalidInput(
            "The body of this curl command is no request to a model.", hint="It has 'messages', 'contents' or 'input'."
        )
    return made


def _address_of(command: str) -> str:
    try:
        words = shlex.split(command.replace("\\\r\n", " ").replace("\\\n", " "))
    except ValueError as error:
        raise InvalidInput(f"The curl command cannot be read: {error}.") from error
    return next((word for word in words if word.startswith(("http://", "https://"))), "")


def _document(value: Any) -> PastedAsk | None:
    """A request whose answer is not there yet, or tools."""
    if isinstance(value, dict) and not _answered(value):
        found = _read(PastedRequest(value))
        if found is not None:
            return found
    if isinstance(value, dict) and ("choices" in value or "messages" in value or "error" in value):
        return None
    if not _declares(value):
        return None
    with suppress(InvalidInput):
        tools = tuple({spec.name: spec for spec in specs_of(value)}.values())
        return PastedAsk(tools=tools) if tools else None
    return None


def _declares(value: Any) -> bool:
    """Whether a document declares tools, rather than telling of calls or results that bear names too."""
    if isinstance(value, dict) and ("tools" in value or "functions" in value):
        return True
    first = value[0] if isinstance(value, list) and value else value
    inner = first.get("function", first) if isinstance(first, dict) else None
    signs = ("parameters", "input_schema", "inputSchema", "functionDeclarations", "function_declarations", "toolSpec")
    return isinstance(inner, dict) and any(_is_schema(inner.get(sign), inner) for sign in signs)


def _is_schema(value: Any, tool: dict[str, Any]) -> bool:
    """Whether a field declares parameters; a call has their values there."""
    if isinstance(value, list):
        return True
    return isinstance(value, dict) and (not _SCHEMA.isdisjoint(value) or (not value and "description" in tool))


def _answered(value: dict[str, Any]) -> bool:
    """Whether a document holds a reply: then it is a recording."""
    if any(key in value for key in ("choices", "candidates", "response", "output", "stop_reason")):
        return True
    turns: list[Any] = next(
        (value[key] for key in ("messages", "contents", "input") if isinstance(value.get(key), list)), []
    )
    last = turns[-1] if turns else None
    return isinstance(last, dict) and last.get("role") in ("assistant", "model")


def _read(request: PastedRequest) -> PastedAsk | None:
    server = server_of_request(request)
    if server is None:
        return None
    path = urlsplit(request.url).path if request.url else ""
    try:
        served = server.read(json.dumps(request.body).encode(), path or _NO_PATH)
    except (InvalidInput, RecursionError, ValueError, TypeError, AttributeError, KeyError):
        return None
    if not served.request.messages:
        return None
    return PastedAsk(served.request, wire=served.wire, left_out=served.left_out)
