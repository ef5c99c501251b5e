"""The table of deltas: stays at the end, marks linked characters, tells the chosen row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.gui import colours
from workbench.core.calls import Span
from workbench.ui.run.inspector.chunk_rows import ChunkRows
from workbench.ui.run.inspector.chunks import ChunkTable
from workbench.ui.run.run_fold import fold
from workbench.ui.run.span_index import SpanIndex

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_growth_selection_and_links(qtbot: QtBot, theme: Theme) -> None:
    exchange = fold(kit.story()).steps[4].exchange
    assert exchange is not None
    rows = ChunkRows()
    table = ChunkTable(rows)
    qtbot.addWidget(table)
    table.resize(300, 160)
    table.show()
    rows.append(exchange.chunks[:15])
    rows.append(exchange.chunks[15:])
    QApplication.processEvents()
    bar = table.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    rows.append(exchange.chunks[:5])
    assert bar.value() == 0, "who reads above is left in peace"
    assert theme.tokens.link.lower() not in colours(table)
    rows.link(SpanIndex((), exchange.chunks).pieces_of(Span(0, 12)), 0, 12)
    assert theme.tokens.link.lower() in colours(table)
    with qtbot.waitSignal(table.row_chosen) as chosen:
        table.selectRow(3)
    assert chosen.args == [3]
    table.show_row(20)
    assert bar.value() > 0
