"""The end of a program that something was copied in."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from tests.kit.waiting import LIMIT_S
from workbench.ui.bridge.clipboard import copy_secret, copy_text

COPY = """
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication, QTextEdit
from workbench.ui.bridge.clipboard import hand_over_clipboard

class Pane(QTextEdit):
    def createMimeDataFromSelection(self):
        data = QMimeData()
        data.setText("copied")
        return data

app = QApplication([])
pane = Pane()
pane.setPlainText("x")
pane.selectAll()
pane.copy()
hand_over_clipboard()
print(app.clipboard().text())
"""


def test_clipboard_survives_an_orderly_exit() -> None:
    done = subprocess.run([sys.executable, "-c", COPY], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.returncode, done.stdout) == (0, "copied\n"), done.stderr


def test_without_it_the_end_is_not_orderly() -> None:
    """Why this exists; once Qt's bindings have mended it, this can go."""
    if sys.platform != "linux":
        pytest.skip("seen with the offscreen platform on Linux")
    done = subprocess.run(
        [sys.executable, "-c", COPY.replace("hand_over_clipboard()\nprint", "print")],
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    assert done.returncode < 0


def test_keys_do_not_get_into_the_clipboard(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "ghp_9fX2aQuLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA"
    monkeypatch.setenv("PLANTED_TOKEN", key)
    copy_text(f"a {key} b")
    assert QGuiApplication.clipboard().text() == f"a {'*' * len(key)} b"
    copy_secret(key)
    assert QGuiApplication.clipboard().text() == key
    copy_text("")
