"""One index of a step for links in both directions: arguments, characters of the raw text, chunks and bytes of the wire.

Built from the field spans of the step's calls and from the deltas of its last exchange. Offsets of a source are code
points; places in the response body are bytes.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Span
from workbench.core.exchange import CallDelta, ReasoningDelta, TextDelta
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import FieldSpan
    from workbench.core.events import ChunkReceived
    from workbench.core.exchange import Delta

Path = tuple[str | int, ...]


class FieldHit(NamedTuple):
    """One argument of one call."""

    call: int
    path: Path
    span: Span
    key_span: Span | None = None


class PlacedPiece(NamedTuple):
    """A decoded fragment with its place in its source and on the wire."""

    row: int
    """Number among all pieces of the exchange."""
    chunk: int
    """Index of the chunk whose arrival completed it."""
    at_us: int
    source: str
    start: int
    text: str
    at: tuple[int, int]
    """Byte range in the body of the record that carried it."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class WireHit(NamedTuple):
    """Where a span of the raw text came over the wire."""

    rows: tuple[int, ...]
    first_chunk: int
    last_chunk: int
    bytes: tuple[int, int]


class SpanIndex:
    """Answers: which argument is here, where does an argument stand, what carried it."""

    def __init__(self, fields: Sequence[Sequence[FieldSpan]] = (), chunks: Sequence[ChunkReceived] = ()) -> None:
        self.fields: list[FieldHit] = [
            FieldHit(call, one.path, one.span, one.key_span) for call, spans in enumerate(fields) for one in spans
        ]
        self.pieces: list[PlacedPiece] = []
        self._lengths: dict[str, int] = {}
        self._by_source: dict[str, list[int]] = {}
        self._starts: dict[str, list[int]] = {}
        self.add(chunks)

    def set_fields(self, fields: Sequence[Sequence[FieldSpan]]) -> None:
        """Take the field spans of a step that has ended; the pieces stay."""
        self.fields = [
            FieldHit(call, one.path, one.span, one.key_span) for call, spans in enumerate(fields) for one in spans
        ]

    def add(self, chunks: Sequence[ChunkReceived]) -> list[PlacedPiece]:
        """Take chunks that arrived; return the pieces they completed."""
        before = len(self.pieces)
        for chunk in chunks:
            for delta in chunk.deltas:
                self._add_delta(chunk, delta)
        return self.pieces[before:]

    def _add_delta(self, chunk: ChunkReceived, delta: Delta) -> None:
        match delta:
            case TextDelta():
                source, text = "text", delta.text
            case ReasoningDelta():
                source, text = "reasoning", delta.text
            case CallDelta():
                source, text = tr("call:{number}", number=delta.number), delta.arguments
            case _:
                return
        start = self._lengths.get(source, 0)
        row = len(self.pieces)
        self.pieces.append(PlacedPiece(row, chunk.index, chunk.at_us, source, start, text, delta.at))
        self._lengths[source] = start + len(text)
        self._by_source.setdefault(source, []).append(row)
        self._starts.setdefault(source, []).append(start)

    def field(self, call: int, path: Path) -> FieldHit | None:
        """The argument of call number `call` at `path`."""
        return next((one for one in self.fields if one.call == call and one.path == path), None)

    def field_at(self, source: str, offset: int) -> FieldHit | None:
        """The innermost argument whose value or key covers an offset."""
        best: FieldHit | None = None
        for one in self.fields:
            on_value = one.span.source == source and one.span.start <= offset < one.span.end
            key = one.key_span
            on_key = key is not None and key.source == source and key.start <= offset < key.end
            if (on_value or on_key) and (best is None or _size(one) <= _size(best)):
                best = one
        return best

    def fields_in(self, span: Span) -> list[FieldHit]:
        """The arguments whose values overlap a span."""
        return [one for one in self.fields if one.span.meets(span)]

    def wire_of(self, span: Span) -> WireHit | None:
        """The pieces, chunks and bytes that carried a span."""
        pieces = self.pieces_of(span)
        if not pieces:
            return None
        return WireHit(
            tuple(one.row for one in pieces),
            min(one.chunk for one in pieces),
            max(one.chunk for one in pieces),
            (min(one.at[0] for one in pieces), max(one.at[1] for one in pieces)),
        )

    def pieces_of(self, span: Span) -> list[PlacedPiece]:
        """The pieces that hold a part of a span."""
        rows, starts = self._by_source.get(span.source, []), self._starts.get(span.source, [])
        if not rows or span.end <= span.start:
            return []
        first = max(bisect_right(starts, span.start) - 1, 0)
        last = bisect_left(starts, span.end)
        found = (self.pieces[row] for row in rows[first:last])
        return [one for one in found if one.end > span.start and one.text]

    def span_of_row(self, row: int) -> Span:
        """The characters that one piece brought."""
        piece = self.pieces[row]
        return Span(piece.start, piece.end, piece.source)


def _size(hit: FieldHit) -> int:
    return hit.span.end - hit.span.start


def place_in_record(record: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Find where characters `[start, end)` of a fragment stand in the JSON record that carried it, escapes included."""
    if not text:
        return None
    for escape in (_escaped, _escaped_ascii, _escaped_html):
        at = record.find('"' + escape(text) + '"')
        if at >= 0:
            before = at + 1 + len(escape(text[:start]))
            return before, before + len(escape(text[start:end]))
    return None


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _escaped_ascii(text: str) -> str:
    return json.dumps(text)[1:-1]


def _escaped_html(text: str) -> str:
    """Go's encoder writes `<`, `>` and `&` as escapes."""
    out = _escaped(text).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return out.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def path_text(path: Path) -> str:
    """A path as people write it: `arguments.filter.tags[0]`."""
    out = "arguments"
    for part in path:
        out += (
            f"[{part}]" if isinstance(part, int) else (f".{part}" if part.isidentifier() else f"[{json.dumps(part)}]")
        )
    return out


def path_python(path: Path) -> str:
    """A path as a Python expression: `arguments["filter"]["tags"][0]`."""
    return "arguments" + "".join(f"[{part!r}]" if isinstance(part, int) else f"[{json.dumps(part)}]" for part in path)


def value_at(arguments: object, path: Path) -> object:
    """The value at a path, or None where the path leads nowhere."""
    for part in path:
        try:
            arguments = arguments[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            return None
    return arguments
