"""The error card: what happened, where, and what to do next, with a red bar and the buttons that help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, hairline, label, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

_BAR = 3
_PARTS = (tr("What"), tr("Where"), tr("Next"))


class ErrorCard(QFrame):
    """Three lines and buttons; `answer` (any widget) may follow below a hairline."""

    def __init__(self, buttons: Sequence[QWidget] = (), *, answer: QWidget | None = None) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._title = label("", "error_title")
        self._time = label("", "label")
        self._lines = {part: Paragraph() for part in _PARTS}
        self._titles: dict[str, QLabel] = {}
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(16))
        grid.setVerticalSpacing(px(6))
        grid.setColumnMinimumWidth(0, px(56))
        grid.setColumnStretch(1, 1)
        for index, (part, line) in enumerate(self._lines.items()):
            self._titles[part] = label(part, "label_strong")
            self._titles[part].setContentsMargins(0, px(2), 0, 0)  # on the base line of the larger words beside it
            grid.addWidget(self._titles[part], index, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(line, index, 1)
        head = row(VerdictLabel("error", word=False, size=14), self._title, None, self._time)
        inside = column(head, grid, margins=(20, 14, 16, 14), gap=8)
        if buttons:
            inside.addSpacing(4)
            inside.addLayout(row(*buttons, None))
        whole = column(inside, margins=(0, 0, 0, 0), gap=0)
        self.answer = answer
        if answer is not None:
            whole.addWidget(hairline())
            whole.addWidget(answer)
        self.setLayout(whole)

    def show_error(self, title: str, what: str, where: str, following: str, time: str = "") -> None:
        """Fill the card; an empty line is left out."""
        self._title.setText(title)
        self._time.setText(time)
        for part, text in zip(_PARTS, (what, where, following), strict=True):
            self._lines[part].show_runs([text])
            self._titles[part].setVisible(bool(text))
            self._lines[part].setVisible(bool(text))
        self.setAccessibleName(tr("Error: {title}", title=title))
        self.setAccessibleDescription(" ".join((what, where, following)))

    def line(self, part: str) -> Paragraph:
        """Return the words of `What`, `Where` or `Next`."""
        return self._lines[part]

    def report(self) -> str:
        """Return the card as text, for the clipboard."""
        lines = [f"{part}: {line.text}" for part, line in self._lines.items() if line.text]
        return "\n".join([self._title.text(), *lines])

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setClipPath(path)
        painter.fillRect(0, 0, _BAR, self.height(), QColor(tokens().error))
