"""The table of actions at work: shortcuts for what is in force now, and the list that palette and sheet show."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PySide6.QtWidgets import QWidget

    from workbench.ui.bridge.action import Action


class ActionTable(QObject):
    """Binds shortcuts of the frame's and of the current page's actions; a page's action wins over the frame's."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._frame: tuple[Action, ...] = ()
        self._page: tuple[Action, ...] = ()
        self._shortcuts: list[QShortcut] = []

    def set_frame(self, actions: Iterable[Action]) -> None:
        """Set what can be done everywhere."""
        self._frame = tuple(actions)
        self._bind()

    def set_page(self, actions: Iterable[Action]) -> None:
        """Set what can be done on the page that is shown now."""
        self._page = tuple(actions)
        self._bind()

    @property
    def current(self) -> tuple[Action, ...]:
        """Everything that can be done now."""
        return (*self._page, *self._frame)

    def run(self, action_id: str) -> bool:
        """Do something by its id, if it can be done now."""
        for action in self.current:
            if action.id == action_id and action.enabled():
                action.call()
                return True
        return False

    def _bind(self) -> None:
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)
            shortcut.setParent(None)
            shortcut.deleteLater()
        self._shortcuts = []
        taken: set[str] = set()
        for action in self.current:
            for keys in _as_pressed(action.keys) if action.bound else ():
                name = QKeySequence(keys).toString()
                if name in taken:
                    continue
                taken.add(name)
                shortcut = QShortcut(QKeySequence(keys), self._window)
                shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
                act = partial(_act, action)
                shortcut.activated.connect(act)
                shortcut.activatedAmbiguously.connect(act)  # both spellings of one key: Qt tells one of them
                self._shortcuts.append(shortcut)


def _act(action: Action) -> None:
    if action.enabled():
        action.call()


def _as_pressed(keys: Iterable[str]) -> Iterator[str]:
    """A sign that needs Shift is told with and without it, as the platform likes."""
    for one in keys:
        yield one
        if one == "?":
            yield "Shift+?"
