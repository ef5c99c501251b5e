"""Time until the window is visible, against an empty PySide6 window: `python tests/bench/start.py`. Budget: 2 times.

Both are measured from the start of the process to the end of the first painting, the best of several runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

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


def first_paint(code: str, *arguments: str) -> float:
    """Seconds from the start of a process to its first painting."""
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
    if line.strip() != "painted":
        raise SystemExit("The window was not painted.")
    return took


def main() -> int:
    with tempfile.TemporaryDirectory() as home:
        pairs = [(first_paint(EMPTY), first_paint(OURS, home)) for _ in range(RUNS)]
    empty, ours = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    print(f"empty window {empty * 1000:.0f} ms, workbench {ours * 1000:.0f} ms, ratio {ours / empty:.2f} (budget 2.00)")
    return 0 if ours <= 2 * empty else 1


if __name__ == "__main__":
    raise SystemExit(main())
