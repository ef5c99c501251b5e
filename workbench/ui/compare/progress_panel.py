"""A batch under way: one row a target with what is done, failed and left, and the ways to pause, go on and stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from workbench.core.batch import BatchProgress, BatchState, TargetProgress
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column, hairline, label, row
from workbench.ui.widgets.interval import paint_progress
from workbench.ui.widgets.menus import Menu
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.quantities import duration_words

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROW = 22
_COLUMN = 400
"""Least width of a column of rows."""


class ProgressRows(QWidget):
    """One line a target: name, bar, counts; in as many columns as the width has room for."""

    trim_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[TargetProgress, ...] = ()
        self._names: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Progress of each target"))

    def show_lines(self, lines: tuple[TargetProgress, ...], names: Sequence[str]) -> None:
        """Bring all lines up to date; `names` are all targets of the batch."""
        shape = len(lines) != len(self._lines)
        self._lines, self._names = lines, tuple(names[one.target] for one in lines)
        words = (
            tr("{name}: {done} of {one}", name=name, done=one.done, one=_total(one))
            for name, one in zip(self._names, lines, strict=True)
        )
        self.setAccessibleDescription("; ".join(words))
        if shape:
            self._fit()
        self.update()

    def _columns(self) -> int:
        return max(1, min(3, self.width() // px(_COLUMN)))

    def _rows(self) -> int:
        return -(-len(self._lines) // self._columns())

    def _fit(self) -> None:
        self.setFixedHeight(self._rows() * px(_ROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(px(_COLUMN), self._rows() * px(_ROW))

    def _rect(self, number: int) -> QRect:
        wide = self.width() // self._columns()
        return QRect(number // self._rows() * wide, number % self._rows() * px(_ROW), wide - px(24), px(_ROW))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = next((n for n in range(len(self._lines)) if self._rect(n).contains(event.pos())), -1)
        if at >= 0 and self._lines[at].left:
            menu = Menu(self)
            words = tr("Take out the {left} runs left of {names}", left=self._lines[at].left, names=self._names[at])
            menu.addAction(icon("scissors"), words, lambda: self.trim_asked.emit(at))
            menu.popup(event.globalPos())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for number, (line, words) in enumerate(zip(self._lines, self._names, strict=True)):
            self._paint_line(painter, self._rect(number), line, words)

    @staticmethod
    def _paint_line(painter: QPainter, rect: QRect, line: TargetProgress, label: str) -> None:
        t, font = tokens(), ui_font(11)
        counts = QRect(rect.right() - px(126), rect.top(), px(127), rect.height())
        track = QRect(counts.left() - px(96), rect.center().y() - px(2), px(84), px(5))
        name = QRect(rect.left(), rect.top(), track.left() - rect.left() - px(10), rect.height())
        paint_text(painter, name, label, font, t.text, elide=Qt.TextElideMode.ElideMiddle)
        whole = max(1, _total(line))
        good = line.done - line.failed - line.errors
        paint_progress(painter, track, (
            (good / whole, "passed"), (line.failed / whole, "failed"), (line.errors / whole, "error"),
            (line.running / whole, "accent"),
        ))  # fmt: skip
        words = f"{line.done} / {_total(line)}"
        used = paint_text(painter, counts, words, font, t.text2) + px(8)
        for count, word, token in ((line.failed, "failed", "failed"), (line.errors, "err", "error")):
            if count:
                room = counts.adjusted(used, 0, 0, 0)
                used += paint_text(painter, room, f"{count} {word}", font, t.colour(token)) + px(6)
        if line.trimmed and not line.left:
            paint_text(painter, counts.adjusted(used, 0, 0, 0), tr("cut"), font, t.text3)


class ProgressPanel(QFrame):
    """Shown while a batch runs, is paused, or was left unfinished."""

    pause_asked = Signal()
    resume_asked = Signal()
    cancel_asked = Signal()
    trim_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.words = label("", "strong")
        self.pause = Button(tr("Pause"), icon="pause", small=True, on_click=self.pause_asked.emit)
        self.resume = Button(tr("Resume"), icon="play", kind="primary", small=True, on_click=self.resume_asked.emit)
        self.cancel = Button(tr("Cancel"), icon="x", small=True, keys="Esc", on_click=self.cancel_asked.emit)
        self.rows = ProgressRows()
        self.rows.trim_asked.connect(self.trim_asked)
        head = row(self.words, None, self.pause, self.resume, self.cancel)
        inside = column(head, self.rows, margins=(16, 8, 16, 8), gap=6)
        self.setLayout(column(inside, hairline(), gap=0))
        self.hide()

    def show_progress(self, progress: BatchProgress, names: Sequence[str], *, elsewhere: bool = False) -> None:
        """Bring words, buttons and rows up to date; a batch that is done needs none of them."""
        state = progress.state
        left_over = state is BatchState.STOPPED and not elsewhere
        self.setVisible(state is not BatchState.DONE)
        ends = tr(" · another program works on it") if elsewhere else tr(" · not finished") if left_over else ""
        self.words.setText(progress_words(progress) + ends)
        self.pause.setVisible(state is BatchState.RUNNING)
        self.resume.setVisible(state is BatchState.PAUSED or left_over)
        paused = state is BatchState.PAUSED
        self.resume.setText(
            tr("Resume") if paused else tr("Resume {done:,} of {total:,}", done=progress.done, total=progress.total)
        )
        self.resume.updateGeometry()
        self.cancel.setVisible(state in (BatchState.RUNNING, BatchState.PAUSED))
        self.rows.show_lines(progress.targets, names)


def _total(line: TargetProgress) -> int:
    """Runs that are planned and not taken out."""
    return line.done + line.running + line.left


def progress_words(progress: BatchProgress) -> str:
    """`37 of 120 runs · 4 running · about 2 min left`."""
    parts = [tr("{done:,} of {total:,} runs", done=progress.done, total=progress.total)]
    if progress.state is BatchState.PAUSED:
        parts.append("paused")
    if progress.running:
        parts.append(f"{progress.running} running")
    if progress.errors:
        parts.append(f"{progress.errors} errors")
    if progress.left_s is not None and progress.state is BatchState.RUNNING and progress.done < progress.total:
        parts.append(f"about {duration_words(progress.left_s)} left")
    if progress.cost or progress.max_cost is not None:
        limit = tr(" of {max_cost:.4g}", max_cost=progress.max_cost) if progress.max_cost is not None else ""
        parts.append(f"cost {progress.cost:.4g}{limit}")
    return " · ".join(parts)
