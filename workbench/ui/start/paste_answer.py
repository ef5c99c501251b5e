"""Below the field for pasted texts: that one is being read, or that nobody knows it, with what was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import label, row
from workbench.ui.widgets.paste_field import told_size
from workbench.ui.widgets.states import Spinner

if TYPE_CHECKING:
    from collections.abc import Callable


class PasteAnswer(QFrame):
    """A line that is there only while it has something to say."""

    prompt_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "sunken")
        self._instead: Callable[[], None] | None = None
        self.spinner = Spinner()
        self.words = label("", "second", wrap=True, selectable=True)
        self.words.setAccessibleName(tr("What was pasted"))
        self.all_the_same = Button(tr("Read it as a reply"), icon="stack", small=True, on_click=self._read)
        self.as_prompt = Button(tr("Use it as a prompt"), icon="play", small=True, on_click=self.prompt_asked.emit)
        self.close_button = Button("", icon="x", kind="quiet", small=True, tip=tr("Hide"), on_click=self.hide)
        self.close_button.setAccessibleName(tr("Hide"))
        buttons = row(self.all_the_same, self.as_prompt, self.close_button)
        box = row(self.spinner, self.words, buttons, margins=(16, 6, 12, 6), gap=12)
        box.setStretch(1, 1)
        self.setLayout(box)
        self.hide()

    def show_reading(self, text: str) -> None:
        """Say that a text is being read."""
        self._show(tr("Reading {text}", text=told_size(text)), None, busy=True)

    def show_answer(self, sentence: str, instead: Callable[[], None] | None) -> None:
        """Say what is known, and offer to read it as a reply all the same."""
        self._show(sentence, instead, busy=False)

    def _show(self, words: str, instead: Callable[[], None] | None, *, busy: bool) -> None:
        self._instead = instead
        self.words.setText(words)
        self.spinner.setVisible(busy)
        self.all_the_same.setVisible(instead is not None)
        self.as_prompt.setVisible(instead is not None)
        self.close_button.setVisible(not busy)
        self.show()

    def _read(self) -> None:
        if self._instead is not None:
            self._instead()
            self.hide()
