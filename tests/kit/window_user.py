"""Somebody at the real window, in a process of its own that a test may kill.

python -m tests.kit.window_user start HOME REPEATS SEED    sets up the demo suite, presses Run, waits for its end
python -m tests.kit.window_user resume HOME                opens the comparison, presses Resume, waits for its end
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.kit.waiting import until
from workbench.ui.bridge.loop import run_with_qt
from workbench.ui.compare.controller import CompareController
from workbench.ui.main.looks import Looks
from workbench.ui.main.session import Session
from workbench.ui.main.start_app import show_frame


async def press_run(page: CompareController, repeats: int, seed: int) -> None:
    setup = page.page.setup
    await until(lambda: setup.suite_chosen is not None)
    setup.suite.choose("demo")
    setup.repeats.set_value(repeats)
    setup.seed.set_value(seed)
    await until(setup.run.isEnabled)
    QTest.mouseClick(setup.run, Qt.MouseButton.LeftButton)


async def press_resume(page: CompareController) -> None:
    button = page.page.progress.resume
    await until(button.isVisible)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


async def sit(session: Session, what: str, numbers: list[int]) -> None:
    life = asyncio.get_running_loop().create_task(session.run())
    try:
        await until(lambda: session.ready.is_set() or life.done())
        session.window.go("compare")
        page = session.window.page("compare")
        assert isinstance(page, CompareController)
        await (press_run(page, *numbers) if what == "start" else press_resume(page))
        await until(lambda: page.running.active)
        await until(lambda: not page.running.active and page.batch is not None and not page.batch.left)
        print(page.page.panel.targets.sentence.text)
    finally:
        session.window.close()
        await life


def main(what: str, home: str, *numbers: str) -> int:
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    window, theme = show_frame(app, Looks(theme="light"))
    session = Session(window, theme, Path(home))
    run_with_qt(app, lambda: sit(session, what, [int(number) for number in numbers]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
