"""The shortcut sheet: every key there is, by page, made from the table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QScrollArea, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button, shortcut_text
from workbench.ui.widgets.frames import KeyCap, column, frame, label, row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.ui.bridge.action import Action


_BAR = 16
"""Room of the scroll bar."""


class ShortcutSheet(QDialog):
    """A dialog that lists shortcuts; it waits for nothing."""

    def __init__(self, actions: Iterable[Action], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        inside = frame("surface")
        grid = QGridLayout()
        grid.setContentsMargins(px(20), px(4), px(20), px(16))
        grid.setHorizontalSpacing(px(32))
        grid.setVerticalSpacing(px(6))
        places = [0, 0]
        for title, group in _grouped(actions).items():
            side = places.index(min(places))
            places[side] = self._add_group(grid, side, places[side], title, group)
        grid.setRowStretch(max(places), 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        inside.setLayout(grid)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inside)
        area.setAccessibleName(tr("Shortcuts"))
        wanted = inside.minimumSizeHint().width() + px(_BAR)
        self.resize(max(px(720), min(wanted, parent.window().width())), px(560))
        head = row(label(tr("Shortcuts"), "object"), None, Button(tr("Close"), keys="Esc", on_click=self.close))
        top = column(head, margins=(20, 16, 20, 8))
        self.setLayout(column(top, area, gap=0))

    @staticmethod
    def _add_group(grid: QGridLayout, side: int, at: int, title: str, group: list[Action]) -> int:
        heading = label(title, "section")
        heading.setContentsMargins(0, px(10), 0, px(2))
        grid.addWidget(heading, at, side)
        for number, action in enumerate(group, at + 1):
            line = row(label(action.title, "second"), None, gap=4)
            for keys in action.keys:
                line.addWidget(KeyCap(shortcut_text(keys)))
            grid.addLayout(line, number, side)
        return at + 1 + len(group)


def _grouped(actions: Iterable[Action]) -> dict[str, list[Action]]:
    """Actions that have a key, by their heading."""
    groups: dict[str, list[Action]] = {}
    for action in actions:
        if action.keys:
            groups.setdefault(action.group, []).append(action)
    return groups
