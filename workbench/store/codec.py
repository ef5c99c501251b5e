"""Run events to and from JSON text, as they stand in the database.

One event is one JSON document named by its kind (`run_started`, `step_finished`, …). Named tuples are arrays, so their
fields may only ever be appended, with a default. Records of later versions are read as far as they can be understood:
unknown fields and longer arrays are skipped, unknown kinds give None and stay in the database as they are.
Received chunks are the exception: bytes and times, packed by `pack_chunks`.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from workbench.core.events import ChunkReceived, ExchangeStarted, RunEvent
from workbench.core.exchange import Headers, WireRequest
from workbench.core.json_text import parse_json
from workbench.decoding import convert, decoder_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ENCODER = msgspec.json.Encoder()
_BINARY = msgspec.msgpack.Encoder()
_NO_NUMBER = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]")
"""The first bytes of a float whose exponent is all ones."""
_DEEPEST = 100
"""Levels that survive in a value too deep for any JSON writer; the reply's bytes keep the rest."""


@dataclass(frozen=True, slots=True)
class _StoredRequest:
    """A request whose body stays readable (and searchable for secrets) instead of base64."""

    method: str
    url: str
    headers: Headers = ()
    body: str = ""
    base64: str = ""
    """The body where it is not UTF-8."""


@dataclass(frozen=True, slots=True)
class _StoredExchange:
    step: int
    exchange: int
    request: _StoredRequest
    at_us: int


def _kind_of(cls: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


_TYPES: dict[str, type] = {_kind_of(cls): cls for cls in get_args(RunEvent) if cls is not ChunkReceived}
_KINDS: dict[type, str] = {cls: kind for kind, cls in _TYPES.items()}
_STORED: dict[str, Any] = _TYPES | {"exchange_started": _StoredExchange}
KINDS = frozenset(_TYPES)
"""Kinds that this version understands."""


def encode_event(event: RunEvent) -> tuple[str, str]:
    """Return `(kind, JSON text)` of any event but a chunk."""
    kind = _KINDS[type(event)]
    stored: Any = _to_stored(event) if isinstance(event, ExchangeStarted) else event
    return kind, to_json(stored)


def decode_event(kind: str, body: str) -> RunEvent | None:
    """Return the event, or None where this version cannot understand it."""
    shape = _STORED.get(kind)
    value = None if shape is None else from_json(body, shape)
    if isinstance(value, _StoredExchange):
        return _from_stored(value)
    return value


def to_json(value: Any) -> str:
    """JSON of core values. What strict JSON cannot say (lone surrogates, NaN) is written as Python's reader takes it."""
    try:
        text = _ENCODER.encode(value).decode()
        if "null" not in text or not _may_be_no_number(value):
            return text
        plain = msgspec.to_builtins(value, str_keys=True)
        json.dumps(plain, allow_nan=False)  # msgspec turns NaN and infinity into null without a word
    except (UnicodeEncodeError, ValueError):
        return json.dumps(msgspec.to_builtins(value, str_keys=True), separators=(",", ":"))
    except RecursionError:
        return json.dumps(_shallow(value, _DEEPEST), separators=(",", ":"))
    return text


def _may_be_no_number(value: Any) -> bool:
    """Whether NaN or infinity may be inside: MessagePack writes them as they are, and in a fifth of the time of another JSON.

    A string may hold such bytes too, which is looked at more closely then.
    """
    try:
        return _NO_NUMBER.search(_BINARY.encode(value)) is not None
    except OverflowError:  # an integer that JSON can write
        return True


def from_json(text: str, shape: Any) -> Any:
    """Read core values back, or None where the text does not fit the shape."""
    try:
        return decoder_of(shape).decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        pass
    try:
        return convert(_fit(parse_json(text), shape), shape)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError):
        return None


def _to_stored(event: ExchangeStarted) -> _StoredExchange:
    request = event.request
    try:
        body, base64 = request.body.decode(), ""
    except UnicodeDecodeError:
        body, base64 = "", msgspec.to_builtins(request.body)
    stored = _StoredRequest(request.method, request.url, request.headers, body, base64)
    return _StoredExchange(event.step, event.exchange, stored, event.at_us)


def _from_stored(stored: _StoredExchange) -> ExchangeStarted:
    request = stored.request
    body = b64decode(request.base64) if request.base64 else request.body.encode(errors="surrogatepass")
    return ExchangeStarted(
        stored.step, stored.exchange, WireRequest(request.method, request.url, request.headers, body), stored.at_us
    )


def _fit(value: Any, shape: Any) -> Any:
    """Cut arrays that a later version made longer than the named tuples of this one."""
    options = get_args(shape)
    if get_origin(shape) in (Union, UnionType):
        known = [option for option in options if option is not type(None)]
        return _fit(value, known[0]) if len(known) == 1 else value
    if isinstance(value, list):
        if hasattr(shape, "_fields"):
            hints = list(_hints(shape).values())
            return [_fit(item, hint) for item, hint in zip(value, hints, strict=False)]
        if get_origin(shape) is tuple and len(options) == 2 and options[1] is Ellipsis:
            return [_fit(item, options[0]) for item in value]
    if isinstance(value, dict) and isinstance(shape, type) and is_dataclass(shape):
        hints_by_name = _hints(shape)
        return {key: _fit(item, hints_by_name[key]) for key, item in value.items() if key in hints_by_name}
    return value


@cache
def _hints(shape: Any) -> dict[str, Any]:
    return get_type_hints(shape)


def _shallow(value: Any, depth: int) -> Any:
    if depth == 0:
        return "…"
    if isinstance(value, dict):
        return {str(key): _shallow(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shallow(item, depth - 1) for item in value]
    if is_dataclass(value):
        return {field.name: _shallow(getattr(value, field.name), depth - 1) for field in fields(value)}
    return msgspec.to_builtins(value)


def pack_chunks(chunks: Sequence[ChunkReceived]) -> tuple[str, bytes]:
    """Join chunks of one exchange that follow each other: `(layout, bytes)`; layout is `[at_us, length, …]`."""
    layout: list[int] = []
    for chunk in chunks:
        layout += (chunk.at_us, len(chunk.data))
    return _ENCODER.encode(layout).decode(), b"".join(chunk.data for chunk in chunks)


def unpack_chunks(step: int, exchange: int, first: int, layout: str, data: bytes) -> Iterable[ChunkReceived]:
    """Give back the chunks that `pack_chunks` joined, `first` being the index of the first one."""
    numbers: list[int] = decoder_of(list[int]).decode(layout)
    start = 0
    for offset in range(0, len(numbers), 2):
        at_us, length = numbers[offset : offset + 2]
        yield ChunkReceived(step, exchange, first + offset // 2, data[start : start + length], at_us)
        start += length
