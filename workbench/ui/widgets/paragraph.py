"""Wrapped sentences on a fixed line pitch, with words in weight 600 or italic: what a QLabel cannot do without HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.shown_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(r"[^\S\n]*\S+|\n|[^\S\n]+")


class TextRun(NamedTuple):
    """A piece of a paragraph in one voice."""

    text: str
    bold: bool = False
    italic: bool = False
    mono: bool = False
    token: str = "text"


class _Placed(NamedTuple):
    at: QPoint
    text: str
    run: TextRun


class Paragraph(QWidget):
    """Runs of text, wrapped at words; its height follows from its width."""

    def __init__(self, *runs: TextRun | str, size: int = 12, line: int = 16, centred: bool = False) -> None:
        super().__init__()
        self._size = size
        self._line = line
        self._centred = centred
        self._runs: tuple[TextRun, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_runs(runs)

    def show_runs(self, runs: Sequence[TextRun | str]) -> None:
        """Replace the text."""
        given = (TextRun(run) if isinstance(run, str) else run for run in runs)
        self._runs = tuple(run._replace(text=visible(run.text)) for run in given)
        self.setAccessibleName("".join(run.text for run in self._runs))
        self.updateGeometry()
        self.update()

    @property
    def text(self) -> str:
        """The words without their voices."""
        return "".join(run.text for run in self._runs)

    def _font(self, run: TextRun) -> QFont:
        make = mono_font if run.mono else ui_font
        return make(self._size, bold=run.bold, italic=run.italic)

    def _place(self, width: int) -> Iterator[_Placed]:
        """Put each word where it belongs; a word longer than a line is cut by the edge."""
        x, line = 0, 0
        for run in self._runs:
            metrics = QFontMetrics(self._font(run))
            for match in _WORD.finditer(run.text):
                word = match.group()
                if word == "\n":
                    x, line = 0, line + 1
                    continue
                if x and x + metrics.horizontalAdvance(word) > width:
                    x, line = 0, line + 1
                if x == 0:
                    word = word.lstrip()
                yield _Placed(QPoint(x, line), word, run)
                x += metrics.horizontalAdvance(word)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = max((placed.at.y() for placed in self._place(width)), default=-1) + 1
        return lines * px(self._line)

    def sizeHint(self) -> QSize:
        width = px(280)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(60), px(self._line) if self._runs else 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        pitch = px(self._line)
        placed = list(self._place(self.width()))
        shift = self._shifts(placed) if self._centred else {}
        for at, word, run in placed:
            font = self._font(run)
            metrics = QFontMetrics(font)
            painter.setFont(font)
            painter.setPen(QColor(tokens().colour(run.token)))
            base = at.y() * pitch + (pitch + metrics.ascent() - metrics.descent()) // 2
            painter.drawText(at.x() + shift.get(at.y(), 0), base, word)

    def _shifts(self, placed: list[_Placed]) -> dict[int, int]:
        """How far each line moves to the right to stand in the middle."""
        ends: dict[int, int] = {}
        for at, word, run in placed:
            ends[at.y()] = at.x() + QFontMetrics(self._font(run)).horizontalAdvance(word)
        return {line: (self.width() - end) // 2 for line, end in ends.items()}
