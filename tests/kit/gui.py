"""Fixtures of every test that opens a widget: the theme on the application, Qt's loop, and a search for leaks."""

from __future__ import annotations

import asyncio
import gc
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget

from tests.kit.waiting import LIMIT_S
from workbench.ui.bridge.clipboard import hand_over_clipboard
from workbench.ui.bridge.garbage import Garbage
from workbench.ui.bridge.loop import Loop
from workbench.ui.main.session import Session
from workbench.ui.main.window import MainWindow
from workbench.ui.theme.theme import Theme

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
    from pathlib import Path

    from workbench.ui.bridge.page import Page
    from workbench.ui.bridge.tasks import Tasks

C = TypeVar("C", bound="Page")


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The light theme, applied; light again afterwards."""
    made = Theme(qapp, "light")
    yield made
    made.choose("light")
    made.choose_verdicts("blue_orange")
    made.set_scale(1.0)
    made.let_move(True)
    made.deleteLater()
    hand_over_clipboard()


@pytest.fixture(autouse=True)
def no_local_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start page finds no server, whatever runs on the machine of the tests."""
    monkeypatch.setattr("workbench.app.workbench.candidates", lambda _known: ())


def listening(patch: pytest.MonkeyPatch, *, active: bool = True) -> list[str]:
    """What is announced to a screen reader from now on, if one is there."""
    heard: list[str] = []

    told: dict[str, object] = {
        "isActive": lambda: active,
        "updateAccessibility": lambda event: heard.append(event.message()),
    }
    patch.setattr("workbench.ui.widgets.spoken.QAccessible", SimpleNamespace(**told))
    return heard


@pytest.fixture
def run_async(qapp: QApplication) -> Iterator[Callable[[Coroutine[Any, Any, Any]], Any]]:
    """Run a coroutine on the window's own loop."""
    garbage = Garbage(qapp)  # as in the product; its beat lets Python see the time limit's signal while Qt waits
    with asyncio.Runner(loop_factory=lambda: Loop(qapp)) as runner:
        yield runner.run
    garbage.stop()


@pytest.fixture
def leak_check(qapp: QApplication) -> Iterator[None]:
    """Fail where a window or a running timer is left."""
    before = set(map(id, qapp.topLevelWidgets()))
    yield
    settle()
    left = [widget for widget in qapp.topLevelWidgets() if id(widget) not in before and widget.isVisible()]
    assert not left, f"windows left open: {left}"
    timers = [
        timer
        for widget in qapp.topLevelWidgets()
        if id(widget) not in before
        for timer in widget.findChildren(QTimer)
        if timer.isActive()
    ]
    assert not timers, f"timers left running: {timers}"


def settle() -> None:
    """Let deferred deletions happen."""
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()


def picture(widget: QWidget) -> QImage:
    """Return what a widget looks like."""
    return widget.grab().toImage()


def colours(widget: QWidget) -> set[str]:
    """Return the colours of a widget's pixels, as `#rrggbb`."""
    image = picture(widget).convertToFormat(QImage.Format.Format_RGB32)  # 32 bits a pixel: its lines have no gaps
    return {QColor(pixel).name() for pixel in set(image.constBits().cast("I"))}


@asynccontextmanager
async def shown(controller: Page, tasks: Tasks, window: QWidget, width: int = 1368) -> AsyncIterator[None]:
    """A page alone on the screen; closed with its tasks and its window, and nothing may have failed meanwhile."""
    troubles: list[object] = []
    for trouble in (tasks.crashed, tasks.failed):
        trouble.connect(troubles.append)
    for widget in controller.top_widgets():
        widget.setParent(window)
    controller.view.resize(width, 830)
    controller.view.show()
    controller.shown()
    try:
        yield
    finally:
        controller.hidden()
        await controller.aclose()
        await tasks.aclose()
        controller.view.hide()
        controller.view.deleteLater()
        window.deleteLater()
    assert troubles == []


def go_to(window: MainWindow, kind: type[C]) -> C:
    """Show the page of a controller, and return the controller."""
    window.go(kind.key)
    page = window.page(kind.key)
    assert isinstance(page, kind)
    return page


@asynccontextmanager
async def open_window(theme: Theme, home: Path, file: Path | None = None) -> AsyncIterator[Session]:
    """The real window over a data folder, its pages there; closed again as a user closes it."""
    window = MainWindow()
    window.resize(1440, 900)
    window.show()
    session = Session(window, theme, home, file)
    life = asyncio.get_running_loop().create_task(session.run())
    try:
        async with asyncio.timeout(LIMIT_S):
            await session.ready.wait()
        yield session
    finally:
        window.close()
        await life
        assert session.tasks.running() == []
        window.deleteLater()
