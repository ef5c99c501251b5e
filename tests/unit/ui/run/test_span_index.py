"""Links both ways: argument, characters, deltas, bytes."""

from __future__ import annotations

import json

import pytest

from tests.kit import events as kit
from workbench.core.calls import FieldSpan, Span
from workbench.ui.run.run_fold import fold
from workbench.ui.run.span_index import SpanIndex, path_python, path_text, place_in_record, value_at


def _index(step_number: int = 4) -> tuple[SpanIndex, str, bytes]:
    step = fold(kit.story()).steps[step_number]
    assert step.reply is not None
    assert step.exchange is not None
    return SpanIndex(kit.read_fields(step.reply), step.exchange.chunks), step.text, step.exchange.body()


def test_an_argument_leads_to_its_characters_and_bytes() -> None:
    index, text, body = _index()
    hit = index.field(1, ("path",))
    assert hit is not None
    assert text[hit.span.start : hit.span.end] == '"config/app.toml"'
    wire = index.wire_of(hit.span)
    assert wire is not None
    carried = "".join(
        json.loads(line[6:])["choices"][0]["delta"]["content"]
        for line in body[slice(*wire.bytes)].decode().strip().split("\n\n")
    )
    assert '"config/app.toml"' in carried
    assert "list_directory" not in carried


def test_a_character_leads_to_its_argument() -> None:
    index, text, _ = _index()
    assert index.field_at("text", text.index("config/app")).path == ("path",)  # type: ignore[union-attr]
    key = index.field_at("text", text.index("max_lines"))
    assert key is not None
    assert (key.call, key.path) == (1, ("max_lines",))
    assert index.field_at("text", text.index("<tool_call>")) is None
    assert index.field_at("call:0", 3) is None


def test_a_delta_leads_to_its_arguments() -> None:
    index, text, _ = _index()
    hit = index.field(1, ("path",))
    assert hit is not None
    for piece in index.pieces_of(hit.span):
        span = index.span_of_row(piece.row)
        assert text[span.start : span.end] == piece.text
        assert hit in index.fields_in(span)


def test_every_character_came_with_exactly_one_piece() -> None:
    index, text, _ = _index()
    for offset in range(len(text)):
        (piece,) = index.pieces_of(Span(offset, offset + 1))
        assert piece.text[offset - piece.start] == text[offset]
    assert index.pieces_of(Span(5, 5)) == []
    assert index.pieces_of(Span(0, 3, "reasoning")) == []


def test_the_innermost_field_wins() -> None:
    fields = [[FieldSpan(("a",), Span(0, 10)), FieldSpan(("a", 0), Span(1, 4)), FieldSpan(("a", 1), Span(5, 9))]]
    index = SpanIndex(fields)
    assert index.field_at("text", 2).path == ("a", 0)  # type: ignore[union-attr]
    assert index.field_at("text", 4).path == ("a",)  # type: ignore[union-attr]


def test_native_calls_have_their_own_source() -> None:
    step = fold(kit.native()).steps[0]
    assert step.reply is not None
    assert step.exchange is not None
    index = SpanIndex(kit.read_fields(step.reply), step.exchange.chunks)
    hit = index.field(0, ("path",))
    assert hit is not None
    assert hit.span.source == "call:0"
    assert index.wire_of(hit.span) is not None


def test_growing_equals_building_whole() -> None:
    step = fold(kit.story()).steps[4]
    assert step.exchange is not None
    grown = SpanIndex()
    for chunk in step.exchange.chunks:
        grown.add([chunk])
    assert grown.pieces == SpanIndex((), step.exchange.chunks).pieces


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_fragment_is_found_in_its_record_with_escapes(ascii_only: bool) -> None:
    text = 'path": "é\n'
    record = "data: " + json.dumps({"content": text}, ensure_ascii=ascii_only)
    place = place_in_record(record, text, 4, len(text))
    assert place is not None
    assert json.loads(f'"{record[place[0] : place[1]]}"') == text[4:]
    assert place_in_record(record, "not there", 0, 3) is None
    assert place_in_record(record, "", 0, 0) is None


def test_go_style_escapes_are_found() -> None:
    record = 'data: {"content":"\\u003ctool_call\\u003e"}'
    assert place_in_record(record, "<tool_call>", 0, 1) == (18, 24)


def test_paths_as_text() -> None:
    path = ("filter", "two words", 0)
    assert path_text(path) == 'arguments.filter["two words"][0]'
    assert path_python(path) == 'arguments["filter"]["two words"][0]'
    assert value_at({"filter": {"two words": [5]}}, path) == 5
    assert value_at({"filter": 3}, path) is None
