"""What a test with a window leaves behind ends before another file's test begins, and in the thread it belongs to."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.kit.tree import ROOT
from tests.kit.waiting import LIMIT_S

if TYPE_CHECKING:
    from pathlib import Path

WITH_WINDOW = """
from PySide6.QtCore import QTimer

def test_leaves_a_timer_that_runs(qapp):
    timer = QTimer(interval=20)
    timer.itself = timer
    timer.start()
"""
WITHOUT = """
import gc, threading, time

def test_whose_thread_collects():
    elsewhere = threading.Thread(target=gc.collect)
    elsewhere.start()
    elsewhere.join()
    time.sleep(0.05)
"""


def test_no_thread_of_a_later_test_destroys_a_timer(tmp_path: Path) -> None:
    """Qt would call the timer's object when it is due: the process died of it, after a test that has no window."""
    hooks = "pytest_collection_finish, pytest_runtest_protocol"
    (tmp_path / "conftest.py").write_text(f"from tests.conftest import {hooks}\n")
    (tmp_path / "test_a.py").write_text(WITH_WINDOW)
    (tmp_path / "test_b.py").write_text(WITHOUT)
    (tmp_path / "none.ini").write_text("[pytest]\nqt_api = pyside6\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "none.ini"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
