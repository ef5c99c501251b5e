"""Rows of deltas: appended, linked, and sound as an item model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tests.kit import events as kit
from workbench.core.calls import Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ChunkReceived
from workbench.core.exchange import FaultDelta, ModelDelta, NoticeDelta, ReasoningDelta
from workbench.ui.run.inspector.chunk_rows import END, ChunkRows
from workbench.ui.run.run_fold import fold
from workbench.ui.run.span_index import SpanIndex

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot


def test_model(qtmodeltester: ModelTester, qtbot: QtBot) -> None:
    rows = ChunkRows()
    qtmodeltester.check(rows)
    exchange = fold(kit.story()).steps[4].exchange
    assert exchange is not None
    rows.reset(exchange.started_us)
    rows.append(exchange.chunks[:5])
    rows.append(exchange.chunks[5:])
    assert rows.rowCount() == len(exchange.chunks)
    assert rows.data(rows.index(0, 2)) == "<think>Two"
    assert rows.data(rows.index(rows.rowCount() - 1, 2)) == "finish_reason stop"


def test_links_mark_only_their_characters(qtbot: QtBot) -> None:
    step = fold(kit.story()).steps[4]
    assert step.exchange is not None
    index, rows = SpanIndex((), step.exchange.chunks), ChunkRows()
    rows.append(step.exchange.chunks)
    start = step.text.index('"config/app.toml"')
    span = Span(start, start + 17)
    found = rows.link(index.pieces_of(span), span.start, span.end)
    marked = "".join(rows.rows[row].text[slice(*(rows.linked(row) or (0, 0)))] for row in found)
    assert marked == '"config/app.toml"'
    assert rows.link((), 0, 0) == []
    assert rows.linked(found[0]) is None


def test_every_kind_of_delta_is_a_row(qtbot: QtBot) -> None:
    rows = ChunkRows()
    fault = FaultDelta(ErrorInfo(ErrorKind.PROTOCOL, "broken"))
    deltas = (ReasoningDelta("hm\n"), ModelDelta("m"), NoticeDelta("extra_choices", "two"), fault)
    rows.append([ChunkReceived(0, 0, 3, b"", 5_000, deltas)])
    assert [row.kind for row in rows.rows] == ["reasoning", "other", "other", "fault"]
    assert rows.data(rows.index(0, 2)) == "hm\\n"
    assert [rows.data(rows.index(0, column)) for column in (0, 1)] == ["3", "0.005"]


def test_final_events_have_no_chunk_number(qtbot: QtBot) -> None:
    rows = ChunkRows()
    fault = FaultDelta(ErrorInfo(ErrorKind.CUT_OFF, "The stream broke off.", hint=""))
    rows.append([ChunkReceived(0, 0, -1, b"", 5, (fault,))])
    assert rows.data(rows.index(0, 0)) == END
    assert str(rows.data(rows.index(0, 2), Qt.ItemDataRole.AccessibleTextRole)).startswith("at the end: ")
