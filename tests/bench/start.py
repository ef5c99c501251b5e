"""Time until the window is visible, against an empty PySide6 window: `python tests/bench/start.py`. Budget: 2 times.

Both are measured from the start of the process to the end of the first painting, the best of several runs.

    python tests/bench/start.py --rows 100000     time until it is usable too, with a history: budget 1.5 s

Usable: the pages are there, the first one is shown, and Ctrl+K opens the palette.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 9
EMPTY = """
import sys
from PySide6.QtWidgets import QApplication, QWidget
class Window(QWidget):
    def paintEvent(self, event):
        print("painted", flush=True)
app = QApplication(sys.argv)
window = Window()
window.resize(1440, 900)
window.show()
app.exec()
"""
OURS = """
import pathlib, sys
from PySide6.QtWidgets import QApplication
from workbench.ui.main.start_app import read_looks, show_frame
app = QApplication(sys.argv)
window, theme = show_frame(app, read_looks(pathlib.Path(sys.argv[1])))
window.painted.connect(lambda: print("painted", flush=True))
app.exec()
"""

USABLE = """
import asyncio, pathlib, sys
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from workbench.ui.main.start_app import first_picture
home = pathlib.Path(sys.argv[1])
app = QApplication(sys.argv)
app.setQuitOnLastWindowClosed(False)
window, theme = first_picture(app, home)
from workbench.ui.bridge.loop import run_with_qt
from workbench.ui.main.session import Session
session = Session(window, theme, home)
async def main():
    life = asyncio.get_running_loop().create_task(session.run())
    await session.ready.wait()
    from PySide6.QtTest import QTest
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.palette_box.isVisible()
    print("usable", flush=True)
    await life
run_with_qt(app, main)
"""
BUDGET_S = 1.5


def first_paint(code: str, *arguments: str, word: str = "painted") -> float:
    """Seconds from the start of a process to its first painting, or to another word."""
    environment = {**os.environ, "QT_LOGGING_RULES": "default.warning=false"}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        took = time.perf_counter() - begun
        process.kill()
    if line.strip() != word:
        raise SystemExit(f"The window was not {word}.")
    return took


def usable(rows: int, runs: int) -> int:
    """Measure the start with a history of so many runs."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from tests.bench.history import fill

    with tempfile.TemporaryDirectory() as home:
        fill(Path(home, "workbench.db"), rows)
        times = [first_paint(USABLE, home, word="usable") for _ in range(runs)]
        empty = min(first_paint(EMPTY) for _ in range(runs))
    best = min(times)
    print(
        f"usable with {rows:,} runs {best * 1000:.0f} ms (budget {BUDGET_S * 1000:.0f}), median"
        f" {statistics.median(times) * 1000:.0f} ms; empty window {empty * 1000:.0f} ms, ratio {best / empty:.1f}"
    )
    return 0 if best <= BUDGET_S else 1


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rows", type=int, default=0)
    asked.add_argument("--runs", type=int, default=RUNS)
    options = asked.parse_args()
    if options.rows:
        return usable(options.rows, options.runs)
    with tempfile.TemporaryDirectory() as home:
        pairs = [(first_paint(EMPTY), first_paint(OURS, home)) for _ in range(RUNS)]
    empty, ours = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    print(f"empty window {empty * 1000:.0f} ms, workbench {ours * 1000:.0f} ms, ratio {ours / empty:.2f} (budget 2.00)")
    return 0 if ours <= 2 * empty else 1


if __name__ == "__main__":
    raise SystemExit(main())
