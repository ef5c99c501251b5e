"""The day histogram: runs of each day, failed ones darker, the filter's days on a chosen ground. Painted."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import note_focus, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.tips import hide_tip, show_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.history.facets import Day

_HEIGHT, _TICKS, _PAD = 60, 18, 16


class DayChart(QWidget):
    """A bar a day; a click asks for the runs since that day."""

    day_chosen = Signal(object)
    """A `date`."""

    def __init__(self) -> None:
        super().__init__()
        self._days: list[Day] = []
        self._since: date | None = None
        self._cursor = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Runs by day"))

    def show_days(self, days: Sequence[Day], since: date | None = None) -> None:
        """Show days, oldest first; those from `since` on are the filter's."""
        self._days = list(days)
        self._since = since
        self._cursor = -1
        self.update()

    @property
    def days(self) -> list[Day]:
        """What is shown."""
        return self._days

    def sizeHint(self) -> QSize:
        return QSize(px(400), px(_HEIGHT))

    def _bar(self, index: int) -> QRectF:
        inner = self.width() - 2 * px(_PAD)
        pitch = inner / max(1, len(self._days))
        gap = 1 if pitch > 3 else 0
        return QRectF(px(_PAD) + index * pitch, px(6), max(1.0, pitch - gap), self.height() - px(_TICKS) - px(6))

    def _day_at(self, x: float) -> int:
        inner = self.width() - 2 * px(_PAD)
        index = int((x - px(_PAD)) * len(self._days) / max(1, inner))
        return index if 0 <= index < len(self._days) else -1

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self._days:
            return
        t = tokens()
        most = max(1, *(day.runs for day in self._days))
        self._paint_chosen_ground(painter)
        floor = self.height() - px(_TICKS)
        painter.fillRect(px(_PAD), floor, self.width() - 2 * px(_PAD), 1, QColor(t.line))
        for index, day in enumerate(self._days):
            if not day.runs:
                continue
            inside = self._since is not None and day.day >= self._since
            bar = self._bar(index)
            height = max(1.0, bar.height() * day.runs / most)
            failed = bar.height() * day.failed / most
            painter.fillRect(QRectF(bar.left(), floor - height, bar.width(), height), QColor(t.line2))
            dark = t.failed if inside else t.text3
            painter.fillRect(QRectF(bar.left(), floor - failed, bar.width(), failed), QColor(dark))
        self._paint_ticks(painter)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect().adjusted(2, 2, -2, -2))
            if self._cursor >= 0:
                bar = self._bar(self._cursor)
                painter.fillRect(QRectF(bar.left(), floor + 1, bar.width(), 3), QColor(t.accent))

    def _paint_chosen_ground(self, painter: QPainter) -> None:
        if self._since is None:
            return
        inside = [index for index, day in enumerate(self._days) if day.day >= self._since]
        if inside and len(inside) < len(self._days):
            left = self._bar(inside[0]).left()
            right = self.width() - px(_PAD)
            painter.fillRect(
                QRectF(left, px(2), right - left, self.height() - px(_TICKS) - px(2)), QColor(tokens().sel)
            )

    def _paint_ticks(self, painter: QPainter) -> None:
        t, font, height = tokens(), ui_font(10), px(_TICKS)
        top = self.height() - height
        count = len(self._days)
        for part in range(4):
            index = part * count // 4
            x = round(self._bar(index).left())
            day = self._days[index].day
            paint_text(painter, QRect(x, top, px(80), height), f"{day.day} {day:%b}", font, t.text2)
        last = self._days[-1].day
        word = "today" if last == date.today() else f"{last.day} {last:%b}"  # noqa: DTZ011  # days are local
        right = QRect(self.width() - px(_PAD) - px(80), top, px(80), height)
        paint_text(painter, right, word, font, t.text2, align=Qt.AlignmentFlag.AlignRight)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self._day_at(event.position().x())
        if index < 0:
            hide_tip()
            return
        show_tip(event.globalPosition().toPoint(), self.words(index), self)

    def words(self, index: int) -> str:
        """Say what one bar shows."""
        day = self._days[index]
        return tr(
            "{day:%a} {number} {day:%b}: {runs:,} runs, {failed:,} failed or in error",
            day=day.day,
            number=day.day.day,
            runs=day.runs,
            failed=day.failed,
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self._day_at(event.position().x())
        if index >= 0:
            self.day_chosen.emit(self._days[index].day)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._days:
            return
        at = self._cursor if self._cursor >= 0 else len(self._days) - 1
        match event.key():
            case Qt.Key.Key_Left:
                self._cursor = max(0, at - 1)
            case Qt.Key.Key_Right:
                self._cursor = min(len(self._days) - 1, at + 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Space:
                self.day_chosen.emit(self._days[at].day)
            case _:
                super().keyPressEvent(event)
                return
        self._cursor = max(0, self._cursor)
        self.setAccessibleDescription(self.words(self._cursor))
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        hide_tip()
        super().leaveEvent(event)


def since_of(text: str, today: date) -> date | None:
    """The first day that a `since:` value names, for the chart's ground; None where it is no day."""
    if text in ("today", "yesterday"):
        return today - timedelta(days=text == "yesterday")
    if text.endswith("d") and text[:-1].isdigit():
        return today - timedelta(days=int(text[:-1]))
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
