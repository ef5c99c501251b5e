"""Starting and ending: the window first, everything heavy after its first picture; closing waits for what runs.

Order: QApplication, theme, empty frame, first paint; then the application is imported in a thread, the data folder
opened, the pages added. Closing: the request is noted, tasks are ended, the application closes its runs and its file
(3 seconds at most), then the loop ends.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from workbench.core.errors import WorkbenchError
from workbench.ui.bridge.loop import run_with_qt
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.main.crash import CrashKeeper
from workbench.ui.main.looks import Looks, read_looks
from workbench.ui.main.opening import OpeningFailed, OpeningNotice
from workbench.ui.main.window import USUAL, MainWindow
from workbench.ui.theme.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.app import Workbench

CLOSE_LIMIT_S = 3.0
HEAVY = ("workbench.app", "workbench.ui.main.pages")
"""Imported in a thread after the first picture."""


def launch(argv: list[str], home: Path | None = None) -> int:
    """Open the window and stay until it is closed; return the exit code."""
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")  # it complains of size hints
    QApplication.setDesktopFileName("tool-calling-workbench")
    app = QApplication.instance() or QApplication([sys.argv[0], *argv])
    assert isinstance(app, QApplication)
    app.setApplicationName("Tool-Calling Workbench")
    app.setQuitOnLastWindowClosed(False)
    session = Session(app, home)
    return int(run_with_qt(app, session.run))


class Session:
    """One life of the window."""

    def __init__(self, app: QApplication, home: Path | None) -> None:
        self._home = home
        looks = read_looks(home)
        self.theme = Theme(app, looks.theme, looks.text_size / 100)
        self.tasks = Tasks()
        self.window = MainWindow(self.tasks)
        self.crashes = CrashKeeper(self.window)
        self.tasks.crashed.connect(self.crashes.take)
        self.tasks.failed.connect(lambda error: self.window.say(str(error)))
        self.wb: Workbench | None = None
        self._closing: asyncio.Event | None = None
        self.ready: asyncio.Event | None = None
        """Set when the pages are there."""
        self._show(looks)

    def _show(self, looks: Looks) -> None:
        self._notice = OpeningNotice()
        self.window.show_placeholder(self._notice)
        if looks.width and looks.height:
            self.window.resize(looks.width, looks.height)
        if looks.maximized:
            self.window.showMaximized()
        else:
            self.window.show()

    async def run(self) -> int:
        """Live until the user closes the window."""
        self._closing, self.ready = asyncio.Event(), asyncio.Event()
        painted = asyncio.Event()
        self.window.close_requested.connect(self._closing.set)
        self.window.painted.connect(painted.set)
        self.crashes.install()
        self._listen_to_signals()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):  # a minimised window is never painted
                    await painted.wait()
            for name in HEAVY:
                await asyncio.to_thread(importlib.import_module, name)
            while not self._closing.is_set() and not await self._live():
                pass
        finally:
            self.crashes.remove()
            self.window.quit_now()
        return 0

    def _listen_to_signals(self) -> None:
        assert self._closing is not None
        with suppress(NotImplementedError, AttributeError):  # Windows has neither
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, self._closing.set)

    async def _live(self) -> bool:
        """Open the data folder and serve the pages until closing; False where the user wants to try opening again."""
        from workbench.app import Workbench

        opening = Workbench.open(self._home)
        try:
            wb = await opening.__aenter__()
        except WorkbenchError as error:
            return not await self._offer_again(error)
        self.wb = wb
        try:
            await self._serve(wb)
        finally:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_LIMIT_S):
                    await self.tasks.aclose(CLOSE_LIMIT_S / 2)
                    for page in self.window.pages():
                        await page.aclose()
            await opening.__aexit__(None, None, None)
        return True

    async def _serve(self, wb: Workbench) -> None:
        from workbench.ui.main.pages import Pages

        assert self._closing is not None
        assert self.ready is not None
        self.crashes.use(wb.home.logs, wb.secrets.all_values)
        pages = Pages(self.window, wb, self.tasks, self.theme)
        pages.add_all(self._reset_layout)
        known = await asyncio.to_thread(wb.store.list_runs, "", None, 1)
        self.window.go("try" if known else "start")
        self._notice.deleteLater()
        self.ready.set()
        await self._closing.wait()
        self.window.setEnabled(False)
        self.window.say("Closing: what runs is ended and written")
        self._remember_size(wb)

    async def _offer_again(self, error: WorkbenchError) -> bool:
        """Show why the data folder cannot be used; True where the user asks to try again."""
        assert self._closing is not None
        card = OpeningFailed(error)
        again = asyncio.Event()
        card.again_asked.connect(again.set)
        card.quit_asked.connect(self._closing.set)
        self._closing_wakes(again)
        self.window.show_placeholder(card)
        await again.wait()
        card.deleteLater()
        return not self._closing.is_set()

    def _closing_wakes(self, event: asyncio.Event) -> None:
        self.window.close_requested.connect(event.set)

    def _remember_size(self, wb: Workbench) -> None:
        saved, window = wb.saved_settings, self.window
        place = {"width": window.width(), "height": window.height(), "maximized": window.isMaximized()}
        if window.isMaximized():
            place |= {key: saved.ui.geometry[key] for key in ("width", "height") if key in saved.ui.geometry}
        if place != saved.ui.geometry:
            with suppress(WorkbenchError):  # sizes are not worth a complaint at the end
                wb.save(replace(saved, ui=replace(saved.ui, geometry=place)))

    def _reset_layout(self) -> None:
        self.window.showNormal()
        self.window.resize(USUAL)
        self.window.say("The window has its usual size again")
