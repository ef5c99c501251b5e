"""Segments: a row of buttons of which one is chosen, as Request / Response / Headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import row
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Sequence


class Segments(QWidget):
    """Exclusive buttons; the chosen one has the chosen look. Values are strings, titles what is written."""

    chosen = Signal(str)
    """The user chose another segment; carries its value."""

    def __init__(
        self, items: Sequence[tuple[str, str]], *, small: bool = True, spread: bool = False, wraps: bool = False
    ) -> None:
        """`spread`: over the whole width; `wraps`: into further rows where that is short, in place of cut words."""
        super().__init__()
        self._buttons: dict[str, Button] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        box = row(gap=4)
        for value, title in items:
            button = Button(title, kind="quiet", small=small)
            button.setCheckable(True)
            self._buttons[value] = button
            self._group.addButton(button)
            if not wraps:
                box.addWidget(button)
            if spread:
                box.addStretch(1)
        if wraps:
            box.addWidget(WrapBox(list(self._buttons.values()), gap=4))
        elif not spread:
            box.addStretch(1)
        self.setLayout(box)
        self._group.buttonClicked.connect(self._on_clicked)
        self.choose(items[0][0])

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        wanted = [button.sizeHint() for button in self._buttons.values()]
        width = sum(one.width() for one in wanted) + px(4) * (len(wanted) - 1)
        return QSize(max(hint.width(), width), max(hint.height(), *(one.height() for one in wanted)))

    @property
    def value(self) -> str:
        """The chosen value."""
        return next(value for value, button in self._buttons.items() if button.isChecked())

    def choose(self, value: str) -> None:
        """Choose a segment without telling anybody."""
        self._buttons[value].setChecked(True)
        self._show()

    def button(self, value: str) -> Button:
        """Return the button of a value."""
        return self._buttons[value]

    def _show(self) -> None:
        for button in self._buttons.values():
            button.set_kind("chosen" if button.isChecked() else "quiet")

    def _on_clicked(self) -> None:
        self._show()
        self.chosen.emit(self.value)
