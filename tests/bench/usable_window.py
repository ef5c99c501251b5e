"""Time until the window can be used with a long history: `python -m tests.bench.usable_window [--rows N]`. Budget: 1.5 s.

From the start of the process to the first page on the screen, and on to History's first rows after the key that asks for
them, the best of several runs, by the clock and by the processor: on a machine that others use too, the second one is the answer.
Beside it an empty Qt window, as in `start.py`. The modules are compiled before, as an installer does.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import workbench
from tests.bench.history_rows import fill_file
from tests.bench.start import EMPTY, first_paint

RUNS = 5
BUDGET_S = 1.5
USED = """
import pathlib, sys, time
from workbench.__main__ import import_qt
import_qt()
from PySide6.QtCore import QTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView
from workbench.ui.main import start_app

shown = start_app.show_frame
said = []

def show_frame(app, looks):
    window, theme = shown(app, looks)
    timer = QTimer(window)
    def look():
        if window.current and not said and window.page(window.current).view.isVisible():
            said.append(print("page", time.process_time(), flush=True))
            QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
        elif said and window.current == "history":
            tables = window.page("history").view.findChildren(QTableView)
            if any(table.isVisible() and table.model().rowCount() for table in tables):
                print("rows", time.process_time(), flush=True)
                timer.stop()
    timer.timeout.connect(look)
    timer.start(5)
    return window, theme

start_app.show_frame = show_frame
start_app.launch([], pathlib.Path(sys.argv[1]))
"""


class Taken(NamedTuple):
    """Seconds from the start of a process."""

    page: float
    """To the first page, which takes keys."""
    rows: float
    """To the first rows of History, which a key asked for."""
    page_cpu: float
    """Of a processor, by all threads."""
    rows_cpu: float


def usable(home: Path) -> Taken:
    """Start the program once."""
    environment = {**os.environ, "QT_LOGGING_RULES": "default.warning=false"}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    begun = time.perf_counter()
    times, cpus = [], []
    with subprocess.Popen(
        [sys.executable, "-c", USED, str(home)], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for word in ("page", "rows"):
            told, _, cpu = process.stdout.readline().partition(" ")
            if told != word:
                raise SystemExit(f"The window did not come as far as its {word}.")
            times.append(time.perf_counter() - begun)
            cpus.append(float(cpu))
        process.kill()
    return Taken(*times, *cpus)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rows", type=int, default=100_000)
    rows = asked.parse_args().rows
    compileall.compile_dir(Path(workbench.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        fill_file(home / "workbench.db", rows)
        empty = min(first_paint(EMPTY) for _ in range(RUNS))
        found = [usable(home) for _ in range(RUNS)]
    page, listed, page_cpu, listed_cpu = (min(column) for column in zip(*found, strict=True))
    print(
        f"{rows:,} runs: first page {page:.2f} s (budget {BUDGET_S}), History's rows {listed:.2f} s, empty window {empty:.2f} s;"
        f" of a processor {page_cpu:.2f} and {listed_cpu:.2f} s; {os.getloadavg()[0]:.1f} programs want the cores"
    )
    return 0 if page <= BUDGET_S else 1


if __name__ == "__main__":
    raise SystemExit(main())
