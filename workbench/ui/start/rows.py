"""What the start page lists: recorded failures and simulated models, as plain values and one item model."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import verdict_word
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """One recorded run."""

    id: str
    title: str
    subtitle: str
    """The telling part of the raw output."""
    format: str
    code: str
    state: str
    """A verdict state."""
    headline: str
    what: str
    where: str
    next: str


@dataclass(frozen=True, slots=True)
class PersonaLine:
    """One simulated model."""

    name: str
    summary: str
    rates: tuple[tuple[str, float], ...]
    """Label and true rate of its faults, the most telling first."""
    planner: bool = False


def _paint_mark(painter: QPainter, rect: QRect, line: ExampleLine, _chosen: bool) -> None:
    side = px(11)
    paint_verdict(painter, line.state, QRectF(rect.left(), rect.center().y() - side / 2, side, side))


def _paint_title(painter: QPainter, rect: QRect, line: ExampleLine, chosen: bool) -> None:
    upper = QRect(rect.left(), rect.top() + px(5), rect.width(), px(18))
    lower = QRect(rect.left(), rect.top() + px(23), rect.width(), px(16))
    paint_text(painter, upper, line.title, ui_font(13, bold=chosen), tokens().text)
    paint_text(painter, lower, line.subtitle, mono_font(11), tokens().text3)


COLUMNS: tuple[Column[ExampleLine], ...] = (
    Column("", lambda line: line.state, 33, left=16, paint=_paint_mark),
    Column(tr("What happened"), lambda line: line.title, tip=lambda line: line.subtitle, paint=_paint_title),
    Column(tr("Format"), lambda line: line.format, 128, mono=True, size=11),
    Column(tr("Code"), lambda line: line.code, 184, size=11),
)


class ExampleModel(TableModel[ExampleLine]):
    """The list of recorded runs."""

    columns = COLUMNS

    def next_problem(self, row: int, step: int = 1) -> int:
        """Return the next row whose run did not pass, going round; the same row if there is none."""
        for distance in range(1, len(self._lines) + 1):
            at = (row + step * distance) % len(self._lines)
            if self._lines[at].state != "pass":
                return at
        return row

    def spoken(self, line: ExampleLine) -> str:
        return f"{line.title}, {verdict_word(line.state)}, {line.format}, {line.code}"
