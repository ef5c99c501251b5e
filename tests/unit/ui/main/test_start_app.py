from __future__ import annotations

import subprocess
import sys

from tests.kit.waiting import LIMIT_S
from workbench.ui.main.looks import Looks
from workbench.ui.main.start_app import show_frame


def test_the_frame_is_shown_as_it_was_left(qapp) -> None:
    window, theme = show_frame(qapp, Looks("dark", width=1200, height=700))
    assert (window.width(), window.height(), window.isVisible()) == (1200, 700, True)
    assert theme.tokens.dark
    theme.choose("light")
    window.quit_now()
    window.deleteLater()
    theme.deleteLater()


def test_nothing_heavy_is_imported_before_the_first_picture() -> None:
    code = (
        "import sys, workbench.ui.main.start_app;"
        "heavy = {'asyncio', 'qasync', 'sqlalchemy', 'httpx', 'aiohttp', 'pygments', 'jinja2', 'workbench.app', 'qtawesome'};"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.stderr.strip() == ""
    assert done.returncode == 0


def test_launch_opens_and_a_signal_closes(home) -> None:
    """The whole way in a process of its own: first picture, pages, SIGTERM, exit code 0, records kept."""
    code = f"""
import os, pathlib, signal, sys, threading, time
from workbench.ui.main import launch
home = pathlib.Path({str(home)!r})
def end():
    while not (home / "workbench.db").exists() or signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGTERM)
threading.Thread(target=end, daemon=True).start()
sys.exit(launch([], home))
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=LIMIT_S)
    assert done.stderr == ""
    assert done.returncode == 0
    assert (home / "workbench.db").exists()
