from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from workbench.ui.main.crash import CrashKeeper
from workbench.ui.main.crash_dialog import CrashDialog

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "sk-" + "secret-value-42"


def _boom() -> Exception:
    try:
        raise ZeroDivisionError(SECRET)
    except ZeroDivisionError as error:
        return error


def test_a_bug_is_written_without_secrets_and_shown_once(theme, qtbot, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("MY_API_KEY", SECRET)
    parent = QWidget()
    qtbot.addWidget(parent)
    keeper = CrashKeeper(parent)
    keeper.use(tmp_path / "logs")
    error = _boom()
    keeper.take(error)
    keeper.take(error)
    written = list((tmp_path / "logs").glob("crash-*.txt"))
    assert len(written) == 1
    text = written[0].read_text("utf-8")
    assert "ZeroDivisionError" in text
    assert SECRET not in text
    assert SECRET not in capsys.readouterr().err
    dialogs = parent.findChildren(CrashDialog)
    assert len(dialogs) == 1
    assert SECRET not in dialogs[0].text.raw
    dialogs[0].close()


def test_the_hook_is_given_back(theme, qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    before = sys.excepthook
    keeper = CrashKeeper(parent)
    keeper.install()
    assert sys.excepthook is not before
    keeper.remove()
    assert sys.excepthook is before
