"""Exchanges that were kept as requests and replies side by side: who was asked, and texts with several of them."""

from __future__ import annotations

import codecs
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from workbench.core.errors import InvalidInput, MissingLibrary
from workbench.scan.bodies import Asked, read_reply, read_request, wire_of_reply
from workbench.scan.json_values import json_bytes
from workbench.wires.kit.sse import SseDecoder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.exchange import Headers
    from workbench.scan.reply import FoundReply

_MOST = 256 << 20
"""Bytes that a body may unpack to."""
_CODINGS = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
_ENDS = (
    b"[DONE]",
    b'"message_stop"',
    b'"type":"response.completed"',
    b'"type": "response.completed"',
    b'"response.incomplete"',
)
_PAIRS = (
    ("request", "response"), ("request_body", "response_body"), ("requestBody", "responseBody"), ("req", "res"),
    ("kwargs", "response"), ("input", "output"), ("inputs", "outputs"), ("body", "response"),
)  # fmt: skip


def server_of(url: str) -> str:
    """Return the host of an address, with its port where it is not the usual one."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def unpacked(data: bytes, headers: Headers = ()) -> bytes:
    """Return a body without its packing, as it begins or as its headers tell; raise InvalidInput where it cannot be unpacked.

    Recorders keep the headers also of bodies that they unpacked: what is readable stays as it is.
    """
    told = next((value.strip().lower() for name, value in headers if name == "content-encoding"), "")
    coding = next((name for sign, name in _CODINGS if data.startswith(sign)), "" if _readable(data) else told)
    if coding in ("", "identity"):
        return data
    try:
        if coding in ("gzip", "x-gzip"):
            return zlib.decompressobj(47).decompress(data, _MOST)
        if coding == "deflate":  # with zlib's head, or as some servers send it, without
            return zlib.decompressobj(15 if data[:1] == b"\x78" else -15).decompress(data, _MOST)
        if coding in ("br", "zstd"):
            return _by_arrow(data, {"br": "brotli"}.get(coding, coding))
    except (zlib.error, OSError, ValueError) as error:
        raise InvalidInput(f"The body cannot be unpacked ({coding}): {error}.") from error
    raise InvalidInput(f"The body is packed in a way that is not known: {coding}.")


def _readable(data: bytes) -> bool:
    """Text that begins as replies do: JSON, or events of a stream."""
    try:
        head = codecs.getincrementaldecoder("utf-8")().decode(data[:512])
    except UnicodeDecodeError:
        return False
    return (
        head.lstrip()[:1] in ("", "{", "[", ":", "d", "e", "i", "<")
        and head.replace("\r", "").replace("\n", "").replace("\t", "").isprintable()
    )


def _by_arrow(data: bytes, coding: str) -> bytes:
    try:
        import pyarrow
    except ImportError as error:
        hint = "Install it: pip install 'tool-calling-workbench[parquet]'."
        raise MissingLibrary(f"The body is packed with {coding}, which needs pyarrow.", hint=hint) from error
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), coding) as stream:
        found: bytes = stream.read(_MOST)
    return found


def streams_in(data: bytes, asked: Asked | None = None) -> Iterator[FoundReply]:
    """Yield the replies of a dump of event streams, one behind the other."""
    lines = [line for line in data.replace(b"\r\n", b"\n").split(b"\n") if _of_stream(line)]
    decoder = SseDecoder()
    piece: list[bytes] = []
    number = 0
    for event in [*decoder.feed(b"\n".join(lines) + b"\n\n"), *decoder.finish()]:
        piece.append((f"event: {event.event}\n" if event.event else "").encode() + f"data: {event.data}\n\n".encode())
        if any(end in piece[-1] for end in _ENDS):
            number += 1
            yield from _stream(piece, asked, number)
            piece = []
    if piece:
        yield from _stream(piece, asked, number + 1)


def _of_stream(line: bytes) -> bool:
    return not line or line.startswith((b"data:", b"event:", b"id:", b"retry:", b":", b"{"))


def _stream(piece: list[bytes], asked: Asked | None, number: int) -> Iterator[FoundReply]:
    body = b"".join(piece)
    wire = wire_of_reply(body[:4000].decode("utf-8", "replace"))
    reply = read_reply(body, asked or Asked(), wire=wire, place=f"stream {number}") if wire else None
    if reply is not None:
        yield reply


def pair_in(value: dict[str, Any]) -> tuple[Any, Any, str] | None:
    """Return request, reply and address of a document that holds both; None where it does not."""
    for asked, told in _PAIRS:
        if told in value and isinstance(value.get(asked), dict | str | list):
            return value[asked], value[told], str(value.get("url") or "")
    return None


def as_bytes(value: Any) -> bytes:
    """Return a body in whatever form a document holds it."""
    if isinstance(value, dict) and isinstance(value.get("body"), str | dict | list):
        value = value["body"]
    if isinstance(value, bytes):
        with suppress(InvalidInput):
            return unpacked(value)
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    return json_bytes(value) if value is not None else b""


def pair_reply(asked: Any, told: Any, url: str, place: str, model: str = "") -> FoundReply | None:
    """Return the reply of a request and what came back, as a document holds them."""
    if isinstance(asked, dict) and isinstance(asked.get("body"), str | dict):
        url = str(asked.get("url") or asked.get("uri") or url)
        asked = asked["body"]
    read = read_request(asked if isinstance(asked, str | dict) else {}, url)
    status = told.get("status_code", told.get("status")) if isinstance(told, dict) else None
    body = as_bytes(told)
    wire = wire_of_reply(body[:4000].decode("utf-8", "replace"))
    if wire and read.wire != wire:
        read = read._replace(wire=wire)
    failed = isinstance(status, int) and status >= 400
    reply = (
        read_reply(body, read, status=status if failed and isinstance(status, int) else 200, place=place)
        if body
        else None
    )
    if reply is not None:
        reply.server = server_of(url)
        reply.model = reply.model or model
    return reply
