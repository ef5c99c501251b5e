"""Kinds of emptiness, each with its own icon, word and sentence; and the spinner of what is running."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import moves, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.paragraph import Paragraph, TextRun

_TURN_MS = 100
_STEPS = 12


class Glyph(QWidget):
    """One icon in a token's colour."""

    def __init__(self, name: str, token: str = "text2", size: int = 16) -> None:
        super().__init__()
        self._name = name
        self._token = token
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, token: str = "text2") -> None:
        """Show another icon."""
        self._name = name
        self._token = token
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(self._size), px(self._size))

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_icon(QPainter(self), self._name, self.rect(), tokens().colour(self._token))


class Spinner(QWidget):
    """Turns while it is visible; stands still where nothing shall move."""

    def __init__(self, size: int = 14) -> None:
        super().__init__()
        self._size = size
        self._step = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_TURN_MS)
        self._timer.timeout.connect(self._on_tick)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Running"))

    def sizeHint(self) -> QSize:
        return QSize(px(self._size), px(self._size))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _on_tick(self) -> None:
        if moves():
            self._step = (self._step + 1) % _STEPS
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_icon(QPainter(self), "spinner", self.rect(), tokens().accent, turn=self._step * 360 / _STEPS)


class Emptiness(QWidget):
    """An empty place that says which kind of empty it is: icon and word, a sentence, and what can be done."""

    def __init__(self, icon: str, word: str, sentence: str, *actions: QWidget, token: str = "text3") -> None:
        super().__init__()
        self._glyph = Glyph(icon, token, 24)
        self._word = label(word, "section")
        self._sentence = Paragraph(TextRun(sentence, token="text2"), centred=True)
        centre = Qt.AlignmentFlag.AlignHCenter
        box = column(gap=8, margins=(16, 16, 16, 16))
        box.addStretch(1)
        box.addWidget(self._glyph, 0, centre)
        box.addWidget(self._word, 0, centre)
        box.addWidget(self._sentence)
        if actions:
            box.addSpacing(4)
            box.addLayout(row(None, *actions, None))
        box.addStretch(2)
        self.setLayout(box)

    def set_state(self, icon: str, word: str, sentence: str, token: str = "text3") -> None:
        """Show another kind of emptiness."""
        self._glyph.set_icon(icon, token)
        self._word.setText(word)
        self._sentence.show_runs([TextRun(sentence, token="text2")])
