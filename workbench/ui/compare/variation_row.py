"""Switches for other ways to ask every target the same: tools in another order or under other names, more of them, …"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.variations import READ_HERE, STRICT
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column
from workbench.ui.widgets.wrap import WrapBox

WAYS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (tr("shuffled tools"), tr("The tools in another order"), ("tools=shuffled",)),
    (tr("renamed tools"), tr("Names that say nothing; description and schema stay"), ("tools=renamed",)),
    (tr("1 to 128 more tools"), tr("1, 8, 32 and 128 tools that have nothing to do with the case"),
     tuple(f"distractors={count}" for count in (1, 8, 32, 128))),
    (tr("read here"), tr("The server's own template, the model's own text read here: without the server's parser"), (READ_HERE,)),
    (tr("as text"), tr("The calls in text, read here: without the server's parser, grammar and template"), ("format=text",)),
    (tr("strict schemas"), tr("The server is asked to hold the calls to the tools' schemas by a grammar"), (STRICT,)),
    (tr("growing context"), tr("After 1,000, 4,000, 16,000 and 64,000 tokens of other talk"),
     tuple(f"context={count}" for count in (1_000, 4_000, 16_000, 64_000))),
)  # fmt: skip


_EVERY = tr("every format")


class VariationRow(QWidget):
    """Every switch adds columns beside the plain ones, paired by case."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._formats: tuple[str, ...] = ()
        self._switches: list[tuple[Button, tuple[str, ...]]] = []
        for title, tip, words in (*WAYS, (_EVERY, tr("All formats, in text and native"), ())):
            button = Button(title, kind="quiet", small=True, tip=tr("{tip}: each target once more for each", tip=tip))
            button.setCheckable(True)
            button.toggled.connect(lambda _on: self._on_toggled())
            self._switches.append((button, words))
        self.parts = Button(tr("boost's parts"), kind="quiet", small=True,
                            tip=tr("Boosted targets also as their executor alone and their planner alone: what boost adds"))  # fmt: skip
        self.parts.setCheckable(True)
        self.parts.toggled.connect(lambda _on: self._on_toggled())
        self.setLayout(column(WrapBox(self._buttons, gap=4)))
        self.setAccessibleName(tr("Ways to vary the cases"))

    def offer_formats(self, ids: Sequence[str]) -> None:
        """Take the formats that the last switch stands for."""
        self._formats = tuple(f"format={one}" for one in ids)

    @property
    def _buttons(self) -> tuple[Button, ...]:
        return (*(button for button, _ in self._switches), self.parts)

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that is switched on."""
        chosen = (words or self._formats for button, words in self._switches if button.isChecked())
        return tuple(word for words in chosen for word in words)

    def switch(self, title: str) -> Button:
        """The switch of a title."""
        return next(button for button in self._buttons if button.text() == title)

    def clear(self) -> None:
        """Switch everything off, without telling anybody."""
        for button in self._buttons:
            button.blockSignals(True)
            button.setChecked(False)
            button.blockSignals(False)
        self._show()

    def _on_toggled(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        for button in self._buttons:
            button.set_kind("chosen" if button.isChecked() else "quiet")
