"""The answer of a comparison or a verification above its table, a sentence a line, with a way to the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, hairline, row
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence


class AnswerStrip(QFrame):
    """Which target is best, or which endpoint is worse, and whether that is shown; the button leads to the reasons."""

    why_asked = Signal()

    def __init__(self, title: str, keys: str, tip: str, most: int = 1, below: str = "strong") -> None:
        """The button's title, keys and tip; at most so many sentences are shown, the tip has all. `below` is the role of
        those behind the first."""
        super().__init__()
        self.setProperty("role", "surface")
        self.lines = tuple(ElidedLabel("", below if at else "strong") for at in range(most))
        for line in self.lines:
            line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.why = Button(title, kind="quiet", small=True, keys=keys, tip=tip, on_click=self.why_asked.emit)
        box = row(gap=8, margins=(16, 5, 8, 5))
        box.addLayout(column(*self.lines, gap=3), 1)
        box.addWidget(self.why, 0, Qt.AlignmentFlag.AlignTop)
        whole = column(gap=0)
        whole.addLayout(box)
        whole.addWidget(hairline())
        self.setLayout(whole)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_lines(self, sentences: Sequence[str]) -> None:
        """Take the answer; nothing where there is none yet."""
        for at, line in enumerate(self.lines):
            line.setText(sentences[at] if at < len(sentences) else "")
            line.setVisible(at < max(1, len(sentences)))
        set_tip(self, "\n".join(sentences))
        self.setAccessibleName(
            tr("Answer: {sentences}", sentences=" ".join(sentences)) if sentences else tr("No answer yet")
        )

    @property
    def known(self) -> bool:
        """There is an answer."""
        return bool(self.lines[0].text())
