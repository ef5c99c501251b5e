"""Starting: the window first. Until its first picture nothing is imported that the picture does not need.

QApplication, theme, an empty frame, Qt's loop until the frame is painted; only then asyncio, the session, and with it
the application.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, QTimer
from PySide6.QtWidgets import QApplication

from workbench.ui.main.looks import Looks, read_looks
from workbench.ui.main.opening import OpeningNotice
from workbench.ui.main.window import MainWindow
from workbench.ui.theme.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path

CALM = (50_000, 50, 50)
"""How much is made between two looks for garbage: Python's own 700 would look hundreds of times during the imports alone."""
UNSEEN_MS = 1000
"""A window that starts minimised is never painted: go on without a picture."""


def launch(argv: list[str], home: Path | None = None, file: Path | None = None) -> int:
    """Open the window, with a case file if there is one, and stay until it is closed; return the exit code."""
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")  # it complains of size hints
    gc.set_threshold(*CALM)
    app = QApplication([sys.argv[0], *argv])
    app.setApplicationName("Tool-Calling Workbench")
    app.setDesktopFileName("tool-calling-workbench")
    app.setQuitOnLastWindowClosed(False)
    window, theme = first_picture(app, home)

    from workbench.ui.bridge.clipboard import hand_over_clipboard
    from workbench.ui.bridge.heaps import share_heaps
    from workbench.ui.bridge.loop import run_with_qt
    from workbench.ui.main.session import Session

    share_heaps()
    session = Session(window, theme, home, file)
    code = int(run_with_qt(app, session.run))
    hand_over_clipboard()
    return code


def first_picture(app: QApplication, home: Path | None) -> tuple[MainWindow, Theme]:
    """Show the empty frame and return when it is on the screen."""
    window, theme = show_frame(app, read_looks(home))
    enough = QTimer()
    enough.setSingleShot(True)
    enough.timeout.connect(lambda: app.exit(0))
    window.painted.connect(lambda: enough.start(0))
    enough.start(UNSEEN_MS)
    outermost_loop = QApplication.exec  # no task exists yet that it could stop
    outermost_loop()
    enough.stop()
    return window, theme


def show_frame(app: QApplication, looks: Looks) -> tuple[MainWindow, Theme]:
    """Show the window as it was left, with a notice that the records are being opened."""
    theme = Theme(app, looks.theme, looks.text_size / 100, looks.verdicts)
    theme.let_move(looks.motion)
    window = MainWindow()
    window.show_placeholder(OpeningNotice())
    if looks.corner:
        window.take_place(QPoint(*looks.corner))
    if looks.width and looks.height:
        window.take_size(QSize(looks.width, looks.height))
    if looks.maximized:
        window.showMaximized()
    else:
        window.show()
    return window, theme
