"""One life of the window: opens the data folder, serves the pages, and ends everything in order.

Closing: the request is noted, tasks are ended, the application closes its runs and its file (3 seconds at most), then
the loop ends.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import signal
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.main.crash import CrashKeeper
from workbench.ui.main.window import USUAL
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.app import Workbench
    from workbench.ui.main.window import MainWindow
    from workbench.ui.theme.theme import Theme

CLOSE_LIMIT_S = 3.0
APPLICATION = "workbench.app.workbench"
"""Imported in a thread, so that the window answers meanwhile; what makes classes of Qt's is never."""


class Session:
    """Runs the application behind a window that is already shown."""

    def __init__(self, window: MainWindow, theme: Theme, home: Path | None, file: Path | None = None) -> None:
        """`file` is a case file that is shown first."""
        self.window, self.theme, self._home, self._file = window, theme, home, file
        self.tasks = Tasks()
        self.crashes = CrashKeeper(window)
        self.tasks.crashed.connect(self.crashes.take)
        self.tasks.failed.connect(lambda error: window.say(str(error)))
        self.wb: Workbench | None = None
        self._closing = asyncio.Event()
        self._again = asyncio.Event()
        """Set when opening is to be tried again, or given up."""
        self.ready = asyncio.Event()
        """Set when the pages are there."""

    async def run(self) -> int:
        """Live until the user closes the window."""
        self.window.close_requested.connect(self._close)
        self.crashes.install()
        self._listen_to_signals()
        try:
            await asyncio.to_thread(importlib.import_module, APPLICATION)
            while not self._closing.is_set() and not await self._live():
                pass
        finally:
            self.crashes.remove()
            self.window.quit_now()
        return 0

    def _close(self) -> None:
        self._closing.set()
        self._again.set()

    def _listen_to_signals(self) -> None:
        with suppress(NotImplementedError, AttributeError):  # Windows has neither
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) is signal.SIG_IGN:  # whoever started us wants it so, as nohup does
                    continue
                asyncio.get_running_loop().add_signal_handler(number, self._close)

    async def _live(self) -> bool:
        """Open the data folder and serve the pages until closing; False where opening shall be tried again."""
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
        from workbench.ui.main.history_trim import HistoryTrim
        from workbench.ui.main.pages import BENEATH, PAGES, Pages, load_page
        from workbench.ui.main.settings_watch import SettingsWatch
        from workbench.ui.main.text_size import TextSize

        self.crashes.use(wb.home.logs)
        pages = Pages(self.window, wb, self.tasks, self.theme)
        pages.add_all(self._reset_layout)
        self.window.add_everywhere(TextSize(wb, self.theme, self.window.say).actions())
        known = await asyncio.to_thread(wb.store.list_runs, "", None, 1)
        left = wb.saved_settings.ui.geometry.get("page")
        first = (left if left in PAGES else "try") if known else "start"
        if self._file is not None:
            first = "cases"
        self.window.go(first)
        if self._file is not None:
            pages.open_file(self._file)
            self._file = None  # where opening has to be tried again, it was shown
        self.window.clear_placeholder()
        if notes := wb.notes:
            self.window.say(" · ".join(notes))
        watch = SettingsWatch(wb, self.window)
        trimming = HistoryTrim(wb, self.tasks, self.window)
        self.ready.set()
        for name in BENEATH:
            await asyncio.to_thread(importlib.import_module, name)
        for key in PAGES:
            if not self._closing.is_set():
                load_page(key)
                await asyncio.sleep(0)
        _keep_what_start_made()
        await self._closing.wait()
        watch.stop()
        trimming.stop()
        self.window.setEnabled(False)
        self.window.say(tr("Closing: what runs is ended and written"))
        self._remember_size(wb)

    async def _offer_again(self, error: WorkbenchError) -> bool:
        """Show why the data folder cannot be used; True where the user asks to try again."""
        from workbench.ui.main.opening_failed import OpeningFailed

        card = OpeningFailed(error)
        card.again_asked.connect(self._again.set)
        card.quit_asked.connect(self._close)
        self.window.show_placeholder(card)
        self._again.clear()
        if not self._closing.is_set():
            await self._again.wait()
        return not self._closing.is_set()

    def _remember_size(self, wb: Workbench) -> None:
        saved, window = wb.saved_settings, self.window
        place: dict[str, object] = {
            "width": window.width(),
            "height": window.height(),
            "maximized": window.isMaximized(),
        }
        place |= {"x": window.x(), "y": window.y(), "page": window.current}
        if window.isMaximized():
            place |= {key: saved.ui.geometry[key] for key in ("width", "height", "x", "y") if key in saved.ui.geometry}
        kept = {**saved.ui.geometry, **place}
        if kept != saved.ui.geometry:
            with suppress(WorkbenchError):  # sizes are not worth a complaint at the end
                wb.save(replace(saved, ui=replace(saved.ui, geometry=kept)))

    def _reset_layout(self) -> None:
        self.window.showNormal()
        self.window.take_size(USUAL)
        self.window.say(tr("The window has its usual size again"))


def _keep_what_start_made() -> None:
    """What start-up made stays: without it a full collection pauses a live stream for less than a frame."""
    gc.collect()
    gc.freeze()
