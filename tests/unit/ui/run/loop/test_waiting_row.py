from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QWidget

from tests.kit.gui import colours
from workbench.ui.run.loop.ruler import ColumnRuler
from workbench.ui.run.loop.waiting_row import WaitingRow
from workbench.ui.theme.fonts import px


class _Row(WaitingRow):
    def __init__(self, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(ruler, parent)
        self.labels = (QLabel("a", self), QLabel("b", self), QLabel("c", self))
        self.width_given, self.bars = 0, []

    def cells(self) -> tuple[QWidget, QWidget, QWidget]:
        return self.labels

    def fit(self, width: int) -> None:
        self.width_given = width

    def paint_who(self, painter: QPainter) -> None:
        self.bars.append(self.paint_left(painter, QRect(20, 10, 100, 16), 60))


def test_cells_stand_under_the_ruler_and_the_time_left_is_painted(theme, qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    ruler = ColumnRuler()
    ruler.fit(1000)
    row = _Row(ruler, parent)
    row.show_left(30)
    row.resize(row.sizeHint())
    parent.show()
    lefts = [label.geometry().left() for label in row.labels]
    edges = [sum(ruler.widths[:at]) + px(12) for at in (1, 2, 3)]
    assert lefts == edges
    assert row.width_given == ruler.widths[2] - 2 * px(12)
    assert row.sizeHint().height() >= px(96) + 2 * px(8)
    assert theme.tokens.line2.lower() in colours(row)
    assert row.bars[0].width() == 100
