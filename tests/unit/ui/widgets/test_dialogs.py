from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget

from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from pathlib import Path


def _question() -> dialogs.QuestionDialog:
    found = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, dialogs.QuestionDialog)]
    visible = [widget for widget in found if widget.isVisible()]
    assert len(visible) == 1
    return visible[0]


def test_confirm_lets_other_tasks_go_on(run_async, theme, leak_check) -> None:
    async def body() -> tuple[bool, int]:
        ticks = 0

        async def ticking() -> None:
            nonlocal ticks
            for _ in range(5):
                await asyncio.sleep(0.002)
                ticks += 1
            QTest.mouseClick(_question().accept_button, Qt.MouseButton.LeftButton)

        async with asyncio.TaskGroup() as group:
            group.create_task(ticking())
            answer = await dialogs.confirm(None, "Delete 3 runs?", "They go to the bin.", "Delete")
        return answer, ticks

    assert run_async(body()) == (True, 5)


def test_escape_is_no(run_async, theme, leak_check) -> None:
    async def body() -> bool:
        QTimer.singleShot(10, lambda: QTest.keyClick(_question(), Qt.Key.Key_Escape))
        return await dialogs.confirm(None, "Delete?", "", "Delete")

    assert run_async(body()) is False


def test_text_comes_back(run_async, theme, leak_check) -> None:
    async def body() -> str | None:
        def answer() -> None:
            question = _question()
            assert question.field is not None
            question.field.setText("Failures, 7 days")
            QTest.keyClick(question.field, Qt.Key.Key_Return)

        QTimer.singleShot(10, answer)
        return await dialogs.ask_text(None, "Save view", "Name", "Save", "x")

    assert run_async(body()) == "Failures, 7 days"


def test_file_is_asked_without_a_nested_loop(run_async, theme, tmp_path: Path, leak_check) -> None:
    wanted = tmp_path / "a.json"
    wanted.write_text("{}")

    async def body() -> Path | None:
        parent = QWidget()

        def accept() -> None:
            dialog = parent.findChild(QFileDialog)
            assert isinstance(dialog, QFileDialog)
            name = dialog.findChild(QLineEdit)
            assert isinstance(name, QLineEdit)
            name.setText(str(wanted))
            QTest.keyClick(name, Qt.Key.Key_Return)

        QTimer.singleShot(20, accept)
        chosen = await dialogs.ask_open_file(parent, "Open", "JSON (*.json)", str(tmp_path))
        parent.deleteLater()
        return chosen

    assert run_async(body()) == wanted
