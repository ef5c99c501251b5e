"""The row of tool chips: name and mode each, as many as fit, and a plus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.tools import ToolMode
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.menus import Menu
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.tools import ToolSetup

MODE_WORDS = {
    ToolMode.RECORD: tr("record"),
    ToolMode.MOCK: tr("mock"),
    ToolMode.ASK: tr("ask"),
    ToolMode.RUN: tr("run"),
}
MODE_TIPS = {
    ToolMode.RECORD: tr("The run ends after the calls"),
    ToolMode.MOCK: tr("A prepared result goes back"),
    ToolMode.ASK: tr("You decide for each call"),
    ToolMode.RUN: tr("The tool is executed in the workspace folder"),
}
OFFERED = (ToolMode.MOCK, ToolMode.RECORD, ToolMode.ASK, ToolMode.RUN)
"""Modes that can be chosen; what a recorded run says beyond these is shown as it is."""
HEIGHT = 28
WIDEST = 232
"""A longer name is cut in its middle; the tool tip has it whole."""


class ToolChips(QWidget):
    """Chips that do not fit are counted in the last one; a click opens the editor at the tool."""

    tool_chosen = Signal(str)
    """A chip was clicked: the tool's name."""
    mode_chosen = Signal(str, object)
    """Another mode was chosen in a chip's menu."""
    add_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._setups: tuple[ToolSetup, ...] = ()
        self._fault = ""
        self._chips: list[Chip] = []
        self._rest = Chip("", "neutral", height=HEIGHT, clickable=True, parent=self)
        self._rest.clicked.connect(self.add_asked)
        self._rest.hide()
        self.add = Button(
            "", icon="plus", kind="quiet", tip=tr("Add or edit tools"), on_click=self.add_asked.emit, parent=self
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Tools"))

    @property
    def chips(self) -> list[Chip]:
        """The chips."""
        return self._chips

    def show_tools(self, setups: Sequence[ToolSetup], fault: str) -> bool:
        """Show other tools, or a fault instead of what cannot be read; tell whether the chips are others now."""
        if (tuple(setups), fault) == (self._setups, self._fault):
            return False
        self._setups, self._fault = tuple(setups), fault
        for old in self._chips:
            old.hide()
            old.deleteLater()
        self._chips = [self._chip(setup) for setup in self._setups]
        if fault:
            chip = Chip(fault, "problem", height=HEIGHT, clickable=True, tip=fault, parent=self)
            chip.clicked.connect(self.add_asked)
            self._chips.append(chip)
        self._place()
        return True

    def _chip(self, setup: ToolSetup) -> Chip:
        name = setup.spec.name
        tip = f"{name}\n{setup.spec.description}\n{MODE_TIPS[setup.mode]}".replace("\n\n", "\n")
        chip = Chip(
            name, "neutral", icon="wrench", mono=True, suffix=MODE_WORDS[setup.mode], height=HEIGHT, clickable=True,
            tip=tip, parent=self,
        )  # fmt: skip
        chip.clicked.connect(lambda: self.tool_chosen.emit(name))
        for mode in OFFERED:
            action = QAction(f"{MODE_WORDS[mode]}: {MODE_TIPS[mode]}", chip)
            action.triggered.connect(lambda _checked=False, one=mode: self.mode_chosen.emit(name, one))
            chip.addAction(action)
        chip.customContextMenuRequested.connect(lambda place, one=chip: self._open_menu(one, place))
        chip.setContextMenuPolicy(chip.contextMenuPolicy().CustomContextMenu)
        return chip

    @staticmethod
    def _open_menu(chip: Chip, place: object) -> None:
        menu = Menu(chip)
        menu.addActions(chip.actions())
        menu.popup(chip.mapToGlobal(place))  # type: ignore[call-overload]

    def _place(self) -> None:
        gap, left, hidden = px(8), 0, 0
        plus = self.add.sizeHint()
        room = self.width() - plus.width() - gap
        for index, chip in enumerate(self._chips):
            width = min(chip.sizeHint().width(), px(WIDEST))
            reserve = px(48) if index < len(self._chips) - 1 else 0
            fits = not hidden and (left + width + reserve <= room or bool(self._fault))
            chip.setVisible(fits)
            if fits:
                chip.setGeometry(left, 0, min(width, max(room - left, px(40))), px(HEIGHT))
                left += chip.width() + gap
            hidden += not fits
        self._rest.setVisible(bool(hidden))
        if hidden:
            self._rest.setText(f"+{hidden}")
            set_tip(self._rest, "\n".join(chip.text() for chip in self._chips if chip.isHidden()))
            self._rest.setGeometry(left, 0, self._rest.sizeHint().width(), px(HEIGHT))
            left += self._rest.width() + gap
        self.add.setGeometry(left, 0, plus.width(), px(HEIGHT))

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(80), px(HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
