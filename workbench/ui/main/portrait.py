"""A picture of the window on a recorded run, for people and reports without a display: `workbench demo --screenshot`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from workbench.ui.bridge.loop import run_with_qt
from workbench.ui.main.looks import Looks
from workbench.ui.main.session import Session
from workbench.ui.main.start_app import show_frame
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.main.window import MainWindow

SIZE = (1440, 900)
READY_S = 60.0
SETTLE_S = 0.6
"""Until texts are laid out and panes are filled."""


def portrait(place: str, run_id: str, home: str) -> int:
    """Open the data folder, show a run in Try, save the picture as a PNG; return the exit code."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    window, theme = show_frame(app, Looks(theme="light", width=SIZE[0], height=SIZE[1]))
    session: list[Session] = []

    async def sit() -> int:
        session.append(Session(window, theme, Path(home)))
        return await _sit(session[0], window, Path(place), run_id)

    return int(run_with_qt(app, sit))


async def _sit(session: Session, window: MainWindow, place: Path, run_id: str) -> int:
    saved = False
    async with asyncio.TaskGroup() as group:
        group.create_task(session.run())
        try:
            async with asyncio.timeout(READY_S):
                await session.ready.wait()
            await _show(session, window, run_id)
            await asyncio.sleep(SETTLE_S)
            saved = window.grab().save(str(place), "PNG")
        finally:
            window.close()
    if not saved:
        print(tr("{place!r} could not be written.", place=str(place)), file=sys.stderr)
    return 0 if saved else 2


async def _show(session: Session, window: MainWindow, run_id: str) -> None:
    from workbench.ui.try_.controller import TryController

    assert session.wb is not None
    window.go("try")
    page = window.page("try")
    assert isinstance(page, TryController)
    if run_id:
        page.show_stored(await session.wb.load(run_id))
