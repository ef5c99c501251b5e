"""What people keep of one exchange: a reply's JSON, a dump of event streams, a curl command with what it printed.

curl https://…/v1/chat/completions -d '{"model": …, "tools": […]}'
data: {"choices": [{"delta": {"content": "…"}}]}
{"id": "chatcmpl-1", "object": "chat.completion", "choices": [{"message": {…}}]}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import Asked, quoted, read_reply, read_request, wire_of_reply
from workbench.scan.cut_json import EARLY
from workbench.scan.exchanges import pair_in, pair_reply, server_of, streams_in
from workbench.scan.json_values import elements, json_bytes, json_value
from workbench.scan.reply import Trouble
from workbench.tools.pasted_request import bodies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened
    from workbench.scan.reply import FoundReply

MOST = 256 << 20
"""Bytes of a document that is no list and is read as a whole."""
_CURL = re.compile(r"\A\s*(?:\$ )?curl\s")
_STREAM = re.compile(r"^(?:data:|event:) ?\S", re.MULTILINE)
_DONE = re.compile(rb'"done"\s?:\s?true')
_URL = re.compile(r"https?://[^\s'\"\\]+")


def recognise(file: Opened) -> bool:
    """A reply of a wire, a list of them, a request with its reply, an event stream, or curl."""
    text = file.text.lstrip()
    if _CURL.match(text) or (_STREAM.search(text[:8000]) and wire_of_reply(_from_stream(text))):
        return True
    if text[:1] not in ("{", "["):
        return False
    head = text[:20_000]
    if _is_lines(file):
        return all(
            isinstance(row, dict) and "done" in row and ("message" in row or "response" in row) for row in file.rows
        )
    if wire_of_reply(text):
        return True
    return file.whole and (quoted(text) is not None or _is_pair(text, head))


def _is_lines(file: Opened) -> bool:
    """Several JSON values, a line each, are not one document."""
    return len(file.rows) > 1


def _is_pair(text: str, head: str) -> bool:
    if '"re' not in head and '"input' not in head:
        return False
    value = json_value(text)
    first = value[0] if isinstance(value, list) and value else value
    found = pair_in(first) if isinstance(first, dict) else None
    return found is not None and pair_reply(*found, "") is not None


def _from_stream(text: str) -> str:
    found = _STREAM.search(text)
    return text[found.start() :] if found else ""


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies."""
    text = file.text.lstrip()
    if _CURL.match(text):
        yield from _curl(file.bytes(MOST).decode("utf-8", "replace"))
    elif text[:1] not in ("{", "["):
        yield from streams_in(file.bytes(MOST))
    elif text[:1] == "[":
        with file.stream() as stream:
            for one in elements(stream):
                yield from _value(one.value, f"item {one.number + 1}", one.message)
    else:
        data = file.bytes(MOST)
        value = json_value(data)
        if value is UNREADABLE:  # one JSON a line, or a stream without field names
            yield from _lines(data)
        else:
            yield from _value(value, "the document")


def _lines(data: bytes) -> Iterator[FoundReply | Trouble]:
    """Replies streamed as JSON lines, one behind the other."""
    piece: list[bytes] = []
    number = 0
    for line in data.splitlines():
        piece.append(line)
        if _DONE.search(line):
            number += 1
            reply = read_reply(b"\n".join(piece), Asked(), place=f"stream {number}")
            piece = []
            if reply is not None:
                yield reply
    if not any(line.strip() for line in piece):
        return
    if number:
        yield Trouble("the document", "The last stream is cut off.")
        return
    reply = read_reply(data, Asked(), place="the document")
    if reply is not None:
        yield reply
    yield Trouble("the document", f"{EARLY.capitalize()}." if reply else "This is neither JSON nor a stream of it.")


def _value(value: Any, place: str, message: str = "") -> Iterator[FoundReply | Trouble]:
    if value is UNREADABLE:
        yield Trouble(place, f"This part is broken: {message}.")
    elif isinstance(value, dict):
        found = pair_in(value)
        reply = pair_reply(*found, place) if found else None
        reply = reply or read_reply(json_bytes(value), Asked(), place=place)
        if reply is not None:
            yield reply


def _curl(text: str) -> Iterator[FoundReply | Trouble]:
    """A command, and below it what it printed."""
    command, rest = split_curl(text)
    url = _URL.search(command)
    asked = Asked()
    try:
        for body in bodies(command):
            asked = read_request(body if isinstance(body, dict) else {}, url.group() if url else "")
    except InvalidInput as error:
        yield Trouble("the command", error.message)
    made: list[FoundReply] = []
    if rest:
        start = min((at for at in (rest.find("{"), rest.find("data:"), rest.find("event:")) if at >= 0), default=-1)
        answer = rest[max(start, 0) :].encode("utf-8", "replace")
        if answer.startswith(b"{"):
            found = read_reply(answer, asked, place="the reply")
            made = [found] if found is not None else []
        else:
            made = list(streams_in(answer, asked))
    for reply in made:
        reply.server = server_of(url.group()) if url else ""
        yield reply


def split_curl(text: str) -> tuple[str, str]:
    """Split a text into the curl command at its beginning and what stands below it."""
    quote, at, end = "", 0, len(text)
    text = text.lstrip()
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            at += 2
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "\n":
            end = at
            break
        at += 1
    return text[:end].strip(), text[end:].strip()
