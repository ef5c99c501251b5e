"""The evidence of a cell: the pairs whose replies make the metric worse, each with both endpoints' marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate
from workbench.verify.common_faults import faulty_pairs
from workbench.verify.metrics import Kind, Metric, faulty
from workbench.verify.verdict_words import value_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.verify.pairs import Pair
    from workbench.verify.verification import Verification

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_MOST = 500


class PairLine(NamedTuple):
    """One row."""

    pair: Pair
    title: str
    reference: str
    """Mark of the reference's first reply, or its value."""
    candidate: str
    place: str
    """`streamed` or `whole`."""


def lines_of(found: Verification, metric: Metric, candidate: int) -> tuple[PairLine, ...]:
    """The pairs to look at: the faulty ones; of times and prices those where the candidate is furthest above."""
    if metric.kind in (Kind.SHARE, Kind.RELATION):
        pairs = faulty_pairs(metric, found.pairs, candidate)
        return tuple(_line(found, metric, pair, candidate) for pair in pairs[:_MOST])
    moved = [(move, pair) for pair in found.pairs if (move := _move(metric, pair, candidate)) is not None]
    furthest = sorted(moved, key=lambda one: -abs(one[0]))[:50]
    return tuple(_line(found, metric, pair, candidate) for _, pair in furthest)


def _move(metric: Metric, pair: Pair, candidate: int) -> float | None:
    own, first = pair.candidates[candidate], next(iter(pair.references), None)
    if own is None or first is None or not metric.of(own)[1] or not metric.of(first)[1]:
        return None
    return metric.of(own)[0] - metric.of(first)[0]


def _line(found: Verification, metric: Metric, pair: Pair, candidate: int) -> PairLine:
    own, first = pair.candidates[candidate], next(iter(pair.references), None)
    second = pair.references[1] if len(pair.references) > 1 else None
    quantity = metric.kind in (Kind.MEDIAN, Kind.RATIO)
    marks = []
    for seen, other in ((first, second), (own, first)):
        if seen is None:
            marks.append("not_asked")
        elif quantity:
            marks.append(value_words(metric, metric.of(seen)[0]))
        else:
            marks.append("error" if seen.error and metric.id != "request_success" else
                         "fail" if faulty(metric, seen, other) else "pass")  # fmt: skip
    title = found.titles.get(pair.request, pair.request)
    return PairLine(pair, title, marks[0], marks[1], "streamed" if pair.streamed else "whole")


class PairModel(QAbstractTableModel):
    """Pair, request, reference, candidate, how it came."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[PairLine, ...] = ()
        self._name = "A"

    def show_lines(self, lines: Sequence[PairLine], name: str) -> None:
        """Replace the rows; `name` heads the candidate's column."""
        self.beginResetModel()
        self._lines, self._name = tuple(lines), name
        self.endResetModel()

    def line(self, row: int) -> PairLine:
        """The pair of a row."""
        return self._lines[row]

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else 5

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        line = self._lines[index.row()]
        return (f"{line.pair.number:03}", line.title, line.reference, line.candidate, line.place)[index.column()]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Pair", "Request", "Ref.", self._name, "Stream")[section]
        return None


class PairDelegate(RowDelegate):
    """Paints numbers in the fixed font, marks as shapes."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        text, t, side = str(index.data() or ""), tokens(), px(10)
        room = rect.adjusted(px(16 if index.column() == 0 else 6), 0, -px(6), 0)
        if index.column() in (2, 3) and text in ("pass", "fail", "error"):
            paint_verdict(painter, text, QRectF(room.left() + px(4), rect.center().y() - side / 2 + 1, side, side))
            return
        font = mono_font(11) if index.column() == 0 else ui_font(12 if index.column() == 1 else 11, bold=chosen)
        colour = t.text if index.column() == 1 else t.text2
        words = "–" if text == "not_asked" else text
        paint_text(painter, room, words, font, colour)
