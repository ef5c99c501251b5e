"""Requests that others sent, as cases: curl commands, HAR files, and the JSON body that a provider's endpoint takes.

The protocol is told by the address, else by the body's shape. A HAR's answers are recorded replies: their bytes are the
provider's own. Keys and headers stay where they were.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from workbench.core.case import Case
from workbench.core.errors import InvalidInput
from workbench.core.json_text import json_or
from workbench.core.tools import ToolMode, ToolSetup
from workbench.core.whole_files import text_of_file
from workbench.imports.items import NewCase, NotCarried
from workbench.imports.provider_bodies import provider_body
from workbench.imports.recorded import RecordedReply
from workbench.imports.rows import BadRow
from workbench.tools.pasted_request import PastedRequest, requests
from workbench.wires import get_server, server_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from workbench.imports.items import Advance, Item, ReadOptions
    from workbench.wires.kit.server import Served, WireServer

_SETTINGS = ("temperature", "top_p", "max_tokens", "seed", "stop", "parallel_tool_calls", "reasoning")
_NO_PATH = "/v1beta/models/unknown:generateContent"
"""Gemini's model stands in the path alone; nobody else looks."""


def read_requests(paths: Sequence[Path], options: ReadOptions, advance: Advance) -> Iterator[Item]:
    """Yield a case for each request, and the reply where the file has it; raise InvalidInput."""
    for path in paths:
        text = whole_text(path)
        advance(len(text.encode("utf-8", "surrogatepass")))
        found = 0
        for number, request in enumerate(_requests(text, path.name), 1):
            place = f"{path.name}, request {number}"
            server = server_of_request(request)
            if server is None:
                yield NotCarried(f"requests to {urlsplit(request.url).path or 'addresses'} that are no model's")
                continue
            try:
                served = server.read(json.dumps(request.body).encode(), urlsplit(request.url).path or _NO_PATH)
                case = case_of_request(served, f"{path.stem}-{number}", place)
            except InvalidInput as error:
                yield BadRow(place, f"{place}: {error.message}")
                continue
            found += 1
            yield NewCase(case, path.stem)
            yield from (NotCarried(f"{what} of requests") for what in _unsaid(served))
            yield from _reply(request, served, case, place, options)
        if not found:
            raise InvalidInput(f"There is no model's request in {str(path)!r}.", hint="It has a body with 'messages'.")


def _requests(text: str, name: str) -> Iterator[PastedRequest]:
    try:
        yield from requests(text)
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {error.message}", hint=error.hint) from error


def whole_text(path: Path) -> str:
    """The text of a file; raise InvalidInput."""
    try:
        return text_of_file(path, pipes=True)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"The file {str(path)!r} is not UTF-8 text: byte {error.start}.", hint="Save it as UTF-8."
        ) from error
    except OSError as error:
        raise InvalidInput(f"The file {str(path)!r} cannot be read: {error.strerror or error}.") from error


def server_of_request(request: PastedRequest) -> WireServer | None:
    """Return the protocol by the address, else by the body; None: it is no request to a model."""
    if request.url and (known := server_for(urlsplit(request.url).path)):
        return known
    body = request.body
    if not isinstance(body, dict):
        return None
    if "contents" in body:
        return get_server("gemini_generate")
    if isinstance(body.get("messages"), list):
        anthropic = "system" in body or any("input_schema" in tool for tool in _objects(body.get("tools")))
        return get_server("anthropic_messages" if anthropic else "openai_chat")
    return get_server("openai_responses") if "input" in body and "model" in body else None


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _unsaid(served: Served) -> Iterator[str]:
    """What a case has no place for: that belongs to the target, or to the protocol."""
    yield from (name for name in _SETTINGS if getattr(served.request, name) not in (None, ()))
    yield from (what.partition(": ")[0] for what in served.left_out)


def case_of_request(served: Served, case_id: str, place: str) -> Case:
    """The case that sends the same; raise InvalidInput for a request without messages."""
    request = served.request
    if not request.messages:
        raise InvalidInput(f"{place} has no messages.")
    last = next((message.text for message in reversed(request.messages) if message.role == "user"), "")
    title = " ".join(last.split())[:60] or case_id
    tools = tuple(ToolSetup(spec, ToolMode.RECORD) for spec in request.tools)
    return Case(case_id, title, request.messages, tools, request.tool_choice)


def _reply(request: PastedRequest, served: Served, case: Case, place: str, options: ReadOptions) -> Iterator[Item]:
    response = request.entry.get("response") if request.entry else None
    if not isinstance(response, dict) or not response.get("status"):
        return
    text = _content(response.get("content"))
    if not text:
        return
    if response["status"] != 200:
        yield NotCarried(f"answers with status {response['status']}")
        return
    value = json_or(text, text)
    said = provider_body(value)
    if said is None:
        yield NotCarried("answers in no known protocol")
        return
    took = request.entry.get("time") if request.entry else 0
    yield RecordedReply(
        place, case, options.model or served.request.model or said.model, said.body if isinstance(value, str) else text.encode("utf-8", "replace"),
        said.wire, said.streamed, said.text, bool(said.calls), options.format,
        duration_us=int(took * 1000) if isinstance(took, int | float) and took > 0 else 0,
        calls=said.calls, tools_unknown=not case.tools,
    )  # fmt: skip


def _content(content: Any) -> str:
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(text, str):
        return ""
    if content.get("encoding") != "base64":
        return text
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
