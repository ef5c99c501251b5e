"""The line under the raw text that says what is being done to it, or was done, with the one thing to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column, hairline, label, row
from workbench.ui.widgets.states import Glyph, Spinner

if TYPE_CHECKING:
    from collections.abc import Callable


class WorkLine(QFrame):
    """Hidden while there is nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAccessibleName(tr("What was done to the text"))
        self.words = label("", "second", wrap=True)
        self.button = Button("", small=True, on_click=self._on_click)
        self._spinner = Spinner(14)
        self._glyph = Glyph("check", "text2", 14)
        self._act: Callable[[], object] | None = None
        line = row(self._spinner, self._glyph, self.words, self.button, margins=(16, 4, 12, 4), gap=8)
        line.setStretch(2, 1)
        self.setLayout(column(hairline(), line, gap=0))
        self.hide()

    def say(
        self,
        words: str,
        button: str = "",
        act: Callable[[], object] | None = None,
        *,
        busy: bool = False,
        keys: str = "",
    ) -> None:
        """Show a sentence, with a button for what can be done about it; empty words hide the line."""
        self.words.setText(words)
        self._spinner.setVisible(busy)
        self._glyph.setVisible(not busy)
        self._act = act
        self.button.setVisible(bool(button))
        if button and button != self.button.text():
            self.button.setText(button)
        self.button.set_tip(f"{button} ({keys})" if keys else button)
        self.setVisible(bool(words))

    def _on_click(self) -> None:
        if self._act is not None:
            self._act()
