"""HTTP archives: `{"log": {"entries": [{"startedDateTime", "request": {"method", "url", "postData"}, "response": {…}}]}}`.

Bodies may be in base64, and packed as they came over the wire. Entries that are no exchange with a model are counted and left alone.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import read_reply, read_request
from workbench.scan.exchanges import server_of, unpacked
from workbench.scan.json_values import elements
from workbench.scan.readers.session import microseconds
from workbench.scan.reply import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.exchange import Headers
    from workbench.scan.opened import Opened
    from workbench.scan.reply import FoundReply


def recognise(file: Opened) -> bool:
    """A document whose `log` has what archives have."""
    head = file.text.lstrip()[:4000]
    return (
        head.startswith("{")
        and '"log"' in head[:200]
        and any(key in head for key in ('"entries"', '"creator"', '"pages"'))
    )


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the entries that are exchanges with models."""
    with file.stream() as stream:
        for entry in elements(stream, "log", "entries"):
            place = f"entry {entry.number + 1}"
            if entry.value is UNREADABLE:
                yield Trouble(place, f"This entry is broken: {entry.message}.")
                continue
            try:
                reply = entry_reply(entry.value, place)
            except WorkbenchError as error:
                yield Trouble(place, str(error))
                continue
            if reply is not None:
                yield reply


def entry_reply(entry: Any, place: str) -> FoundReply | None:
    """Return the reply of one entry; None where it has none. Raise InvalidInput where its body cannot be unpacked."""
    match entry:
        case {"request": {"url": str(url)} as request, "response": dict() as response}:
            pass
        case _:
            return None
    content = response.get("content")
    data = body_of(content) if isinstance(content, dict) else b""
    if not data:
        return None
    post = request.get("postData")
    asked = read_request(str(post.get("text") or "") if isinstance(post, dict) else "", url)
    if not asked.wire and _is_other(content):
        return None
    status, headers = response.get("status"), _headers(response)
    data = unpacked(data, headers)
    reply = read_reply(data, asked, status=status if isinstance(status, int) else 200, headers=headers, place=place)
    if reply is not None:
        reply.server, reply.at_us = server_of(url), microseconds(entry.get("startedDateTime"))
    return reply


def _is_other(content: Any) -> bool:
    """A picture or a script, of which nobody wants to hear that it cannot be unpacked."""
    kind = str(content.get("mimeType") or "")
    return not any(word in kind for word in ("json", "event-stream", "octet-stream")) and bool(kind)


def body_of(content: dict[str, Any]) -> bytes:
    """Return a body's bytes."""
    text = content.get("text")
    if not isinstance(text, str):
        return b""
    if content.get("encoding") == "base64":
        try:
            return base64.b64decode(text)
        except (binascii.Error, ValueError):
            return b""
    return text.encode("utf-8", "replace")


def _headers(response: dict[str, Any]) -> Headers:
    found = response.get("headers")
    pairs = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return tuple((str(one.get("name")).lower(), str(one.get("value"))) for one in pairs)
