"""The answer of a comparison in one line above the matrix, for as long as the panel that tells it whole is folded away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from workbench.ui.theme.theme import fix_size
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, hairline, row
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEIGHT = 34


class AnswerStrip(QFrame):
    """Which target is best, and whether that is shown; the button leads to the reasons."""

    why_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.words = ElidedLabel("", "strong")
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.why = Button("Why", kind="quiet", small=True, keys="2", tip="Where the others fail, and what would settle it",
                          on_click=self.why_asked.emit)  # fmt: skip
        line = row(self.words, self.why, margins=(16, 0, 8, 0), gap=8)
        line.setStretch(0, 1)
        whole = column(gap=0)
        whole.addLayout(line, 1)
        whole.addWidget(hairline())
        self.setLayout(whole)
        fix_size(self, height=_HEIGHT)
        self.hide()

    def show_lines(self, lines: Sequence[str]) -> None:
        """Take the answer, its first sentence and the others; nothing where there is none yet."""
        self.words.setText(lines[0] if lines else "")
        set_tip(self.words, "\n".join(lines))
        self.setAccessibleName(f"Answer: {' '.join(lines)}" if lines else "No answer yet")

    @property
    def known(self) -> bool:
        """There is an answer."""
        return bool(self.words.text())
