"""Somebody who clicks on whatever there is, again and again; the same seed clicks the same."""

from __future__ import annotations

import asyncio
import random
import socket
from collections import deque
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from tests.kit.gui import settle

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from workbench.ui.main.session import Session

HOME_EVERY = 50
"""Steps after which a way to a page of the rail must be found."""
TRIES_HOME = 40
WORDS = ("read_file", "verdict:fail", "<tool_call>", '{"a": 1}', "", "12", "-")
KEYS = (
    Qt.Key.Key_Escape,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Down,
    Qt.Key.Key_Up,
    Qt.Key.Key_Space,
    Qt.Key.Key_J,
    Qt.Key.Key_Right,
)


class Walker:
    """Walks through an open window; `faults` are exceptions that reached the window's last edge."""

    def __init__(self, session: Session, seed: int, patch: pytest.MonkeyPatch) -> None:
        self._session, self._window = session, session.window
        self._chance = random.Random(seed)
        self.faults: list[BaseException] = []
        self.trail: deque[str] = deque(maxlen=25)
        self.pages: set[str] = set()
        patch.setattr(session.crashes, "_report", self.faults.append)
        patch.setattr(QDesktopServices, "openUrl", lambda *_: True)
        patch.setattr(socket, "getaddrinfo", _loopback_only(socket.getaddrinfo))
        self._window.close_requested.disconnect(session._close)  # an action that quits ends no walk

    def let_go(self) -> None:
        """Have the window close again as it does."""
        self._window.close_requested.connect(self._session._close)

    async def walk(self, steps: int) -> None:
        """Take so many steps; raise AssertionError with the trail where one goes wrong."""
        for number in range(steps):
            if number % HOME_EVERY == 0:
                await self.go_home()
            self._step()
            await asyncio.sleep(0.001)
            self.pages.add(self._window.current)
            assert not self.faults, f"{self.faults[0]!r} after {list(self.trail)}"

    async def go_home(self) -> None:
        """Come to a page of the rail from wherever this is, by what is on the screen."""
        entry = self._chance.choice(
            [button for button in self._window.rail.findChildren(QAbstractButton) if button.isVisible()]
        )
        for _ in range(TRIES_HOME):
            stage = self._stage()
            if stage is self._window and self._window.isEnabled():
                QTest.mouseClick(entry, Qt.MouseButton.LeftButton)
                await asyncio.sleep(0.002)
                if self._stage() is self._window:
                    return
            elif self._chance.random() < 0.5:
                QTest.keyClick(stage, Qt.Key.Key_Escape)
            else:
                self._click(self._chance.choice(_targets(stage) or [stage]))
            await asyncio.sleep(0.002)
        raise AssertionError(f"no way out of {_told(self._stage())} after {list(self.trail)}")

    async def widgets(self) -> int:
        """Widgets that there are once the first page is shown, nothing is under way, and windows left open are closed."""
        await self.go_home()
        for window in QApplication.topLevelWidgets():
            if isinstance(window, QDialog) and window.isVisible():
                QTest.keyClick(window, Qt.Key.Key_Escape)
        self._window.go("start")
        for _ in range(20):
            await asyncio.sleep(0.01)
            settle()
        return len(QApplication.allWidgets())

    def _stage(self) -> QWidget:
        """What takes the user's clicks now."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._window

    def _step(self) -> None:
        stage = self._stage()
        if isinstance(stage, QFileDialog):  # files of the machine are nobody's to overwrite
            self.trail.append("Esc in a file dialog")
            QTest.keyClick(stage, Qt.Key.Key_Escape)
            return
        found = _targets(stage)
        if not found or self._chance.random() < 0.1:
            key = self._chance.choice(KEYS)
            target = stage.focusWidget() or stage
            self.trail.append(f"{key.name} on {_told(target)}")
            QTest.keyClick(target, key)
            return
        self._click(self._chance.choice(found))

    def _click(self, target: QWidget) -> None:
        self.trail.append(_told(target))
        if isinstance(target, QLineEdit | QPlainTextEdit) and not target.isReadOnly():
            target.setFocus()
            QTest.keyClick(target, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClicks(target, self._chance.choice(WORDS))
            return
        QTest.mouseClick(_surface(target), Qt.MouseButton.LeftButton, pos=self._place(target))

    def _place(self, target: QWidget) -> QPoint:
        """The middle of a button; somewhere in a list, a tab or an entry of a menu elsewhere."""
        area = target.visibleRegion().boundingRect()
        if isinstance(target, QAbstractItemView) and (model := target.model()) is not None and model.rowCount():
            row = self._chance.randrange(min(model.rowCount(), 12))
            inside = target.visualRect(model.index(row, 0)).center()
            return inside if target.viewport().rect().contains(inside) else target.viewport().rect().center()
        if isinstance(target, QTabBar) and target.count():
            return target.tabRect(self._chance.randrange(target.count())).center()
        if isinstance(target, QMenu) and (
            actions := [action for action in target.actions() if not action.isSeparator()]
        ):
            return target.actionGeometry(self._chance.choice(actions)).center()
        return area.center()


def _surface(target: QWidget) -> QWidget:
    return target.viewport() if isinstance(target, QAbstractItemView) else target


def _targets(stage: QWidget) -> list[QWidget]:
    """What can be clicked and is on the screen."""
    if isinstance(stage, QMenu):
        return [stage]
    return [
        widget
        for widget in stage.findChildren(QWidget)
        if widget.isVisible() and widget.isEnabled() and widget.window() is stage.window()
        and (isinstance(widget, QAbstractButton) or widget.focusPolicy() != Qt.FocusPolicy.NoFocus)
        and not widget.visibleRegion().isEmpty() and not widget.objectName().startswith("qt_")
    ]  # fmt: skip


def _told(widget: QWidget) -> str:
    if isinstance(widget, QMenu):
        return f"QMenu of {[action.text() for action in widget.actions()][:6]}"
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or words or widget.windowTitle()!r}"


def _loopback_only(real: Callable[..., Any]) -> Callable[..., Any]:
    def asked(host: Any, *more: Any, **named: Any) -> Any:
        if host not in (None, "localhost", "127.0.0.1", "::1", b"localhost", b"127.0.0.1"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, *more, **named)

    return asked
