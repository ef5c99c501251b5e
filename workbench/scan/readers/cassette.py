"""Cassettes of vcrpy and its relatives, in YAML or JSON.

    interactions:
    - request: {body, headers, method, uri}
      response: {body: {string: …}, headers, status: {code, message}}
    version: 1

Interactions are read one after the other; bodies may be packed or in base64.
"""

from __future__ import annotations

import base64
import binascii
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_text import UNREADABLE
from workbench.documents import DocumentError, read_yaml
from workbench.scan.bodies import read_reply, read_request
from workbench.scan.exchanges import as_bytes, server_of, unpacked
from workbench.scan.json_values import elements
from workbench.scan.reply import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.exchange import Headers
    from workbench.scan.opened import Opened
    from workbench.scan.reply import FoundReply

_ALIAS = re.compile(rb"^\s+[\w.-]+: [&*]\w+\s*$", re.MULTILINE)
"""What stands once and is meant twice, as YAML's writer abbreviates equal objects."""
_MOST_WHOLE = 32 << 20
_BEGIN = (b"- request:", b"- response:", b"- recorded_at:", b"  - request:")


def recognise(file: Opened) -> bool:
    """Interactions at the top, of requests and responses."""
    head = file.text[:20_000]
    if head.lstrip().startswith("{"):
        return '"interactions"' in head[:400] and '"request"' in head
    return ("interactions:" in head or "http_interactions:" in head) and "request:" in head and "{" not in head[:12]


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the interactions."""
    for number, value in enumerate(_interactions(file), start=1):
        place = f"interaction {number}"
        if isinstance(value, Trouble):
            yield value._replace(place=place)
            continue
        try:
            reply = _reply(value, place)
        except WorkbenchError as error:
            yield Trouble(place, str(error))
            continue
        if reply is not None:
            yield reply


def _interactions(file: Opened) -> Iterator[Any]:
    if file.text.lstrip().startswith("{"):
        with file.stream() as stream:
            for one in elements(stream, "interactions"):
                yield (
                    Trouble("", f"This interaction is broken: {one.message}.") if one.value is UNREADABLE else one.value
                )
        return
    aliases = _ALIAS.search(file.head) is not None
    yield from _whole(file) if aliases else map(_document, _parts(file))


def _parts(file: Opened) -> Iterator[list[bytes]]:
    """The lines of each interaction."""
    part: list[bytes] = []
    for _, line in file.lines(blank=True):
        if line.startswith(_BEGIN):
            if part:
                yield part
            part = [line]
        elif part and (line[:1] in (b" ", b"-", b"\t") or not line.strip()):
            part.append(line)
        elif part:  # the next key of the cassette
            yield part
            part = []
    if part:
        yield part


def _whole(file: Opened) -> Iterator[Any]:
    """The interactions of a cassette in which one refers to what stands in another."""
    try:
        found = read_yaml(file.bytes(_MOST_WHOLE).decode("utf-8", "replace"), "cassette", binary=True)
    except DocumentError as error:
        yield Trouble("", error.message)
        return
    listed = found.get("interactions", found.get("http_interactions")) if isinstance(found, dict) else found
    yield from listed if isinstance(listed, list) else ()


def _document(part: list[bytes]) -> Any:
    try:
        found = read_yaml(b"\n".join(part).decode("utf-8", "replace"), "interaction", binary=True)
    except DocumentError as error:
        return Trouble("", error.message)
    return found[0] if isinstance(found, list) and found else {}


def _reply(value: Any, place: str) -> FoundReply | None:
    match value:
        case {"request": dict() as request, "response": dict() as response}:
            pass
        case _:
            return None
    url = str(request.get("uri") or request.get("url") or "")
    asked = read_request(unpacked(_body(request.get("body")), _headers(request)), url)
    headers = _headers(response)
    data = unpacked(_body(response.get("body")), headers)
    if not data:
        return None
    status = response.get("status")
    code = status.get("code") if isinstance(status, dict) else response.get("status_code")
    reply = read_reply(data, asked, status=code if isinstance(code, int) else 200, headers=headers, place=place)
    if reply is not None:
        reply.server = server_of(url)
    return reply


def _body(value: Any) -> bytes:
    if isinstance(value, dict):
        for key in ("base64_string", "string"):
            if isinstance(inner := value.get(key), str | bytes):
                value = inner
                if key == "base64_string":
                    with suppress(binascii.Error, ValueError):
                        value = base64.b64decode(value)
                break
    return as_bytes(value)


def _headers(response: dict[str, Any]) -> Headers:
    found = response.get("headers")
    pairs = found.items() if isinstance(found, dict) else ()
    return tuple(
        (str(name).lower(), str(value[0] if isinstance(value, list) and value else value)) for name, value in pairs
    )
