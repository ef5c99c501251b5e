"""How long a comparison of 10,000 runs takes to open in the window, and to scroll.

    python -m tests.bench.compare_window [RUNS]

Budgets: the matrix stands within 1 s of the click, and no frame of scrolling takes more than 100 ms. What the panel
computes from all runs comes after and is printed by itself. The yardstick is reading the same batch from the database;
work is processor time, which tells a slow program from a busy machine.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")

from tests.kit.batches import batch, target

TARGETS, REPEATS = 5, 10
BUDGET_S, FRAME_MS = 1.0, 100


def fill(home: Path, runs: int) -> None:
    """A batch whose runs are verdicts alone: opening a comparison reads nothing else."""
    from workbench.store import Store

    dice = random.Random(1)

    def word(chance: float) -> str:
        return "".join("s" if dice.random() < chance else "f" for _ in range(REPEATS))

    cells = {f"case-{case}": [word(0.5 + 0.08 * at) for at in range(TARGETS)]
             for case in range(runs // TARGETS // REPEATS)}  # fmt: skip
    store = Store.open(home / "workbench.db")
    store.batches.add(batch(cells, targets=[target(f"model-{at}") for at in range(TARGETS)]))
    begun, worked = time.perf_counter(), time.process_time()
    store.batches.load("b1")
    taken, busy = time.perf_counter() - begun, time.process_time() - worked
    print(f"yardstick: {runs:,} runs read from the database in {taken:.2f} s, {busy:.2f} s of work")
    store.close()


async def quiet() -> None:
    """Wait until what a start brings with it is over."""
    while True:
        worked = time.process_time()
        await asyncio.sleep(0.5)
        if time.process_time() - worked < 0.05:
            return


async def look(home: Path) -> None:
    """Open the comparison as by a click in Earlier, then scroll through it."""
    from PySide6.QtWidgets import QApplication

    from tests.kit.waiting import until
    from workbench.ui.compare.controller import CompareController
    from workbench.ui.main.looks import Looks
    from workbench.ui.main.session import Session
    from workbench.ui.main.start_app import show_frame

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    window, theme = show_frame(app, Looks(theme="light"))
    session = Session(window, theme, home)
    life = asyncio.get_running_loop().create_task(session.run())
    await until(lambda: session.ready.is_set() or life.done())
    page = session.window.page("compare")
    assert isinstance(page, CompareController)
    await quiet()
    begun, worked = time.perf_counter(), time.process_time()
    session.window.go("compare")
    await until(lambda: page.page.model.rowCount() > 0)
    page.page.matrix.grab()
    opened, busy = time.perf_counter() - begun, time.process_time() - worked
    await until(page.page.panel.targets.glance.isVisible)
    told, all_busy = time.perf_counter() - begun, time.process_time() - worked
    print(f"matrix of {page.page.model.rowCount()} × {TARGETS} cells painted after {opened:.2f} s, {busy:.2f} s of work"
          f" (budget {BUDGET_S} s);"
          f" everything beside it after {told:.2f} s, {all_busy:.2f} s of work")  # fmt: skip
    worked = time.process_time()
    bar, frames = page.page.matrix.cells.verticalScrollBar(), []
    for step in range(60):
        begun = time.perf_counter()
        bar.setValue(bar.maximum() * step // 59)
        page.page.matrix.grab()
        frames.append(1000 * (time.perf_counter() - begun))
        await asyncio.sleep(0)
    each = 1000 * (time.process_time() - worked) / len(frames)
    frames.sort()
    print(
        f"scrolling: {frames[30]:.1f} ms a frame in the middle, {frames[-1]:.1f} ms at most (budget {FRAME_MS} ms);"
        f" {each:.1f} ms of work a frame"
    )
    session.window.close()
    await life


def main() -> None:
    from PySide6.QtWidgets import QApplication

    from workbench.ui.bridge.loop import run_with_qt

    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder), runs)
        run_with_qt(app, lambda: look(Path(folder)))


if __name__ == "__main__":
    main()
