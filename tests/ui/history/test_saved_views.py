"""Views of the history: saved from the filter with a name, listed beside the facets, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.history.controller import HistoryController

if TYPE_CHECKING:
    from pathlib import Path


def test_a_filter_is_saved_with_a_name_and_removed(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            await until(lambda: not session.tasks.running())
            page.page.save_view_asked.emit()
            await until(lambda: "Write a filter first" in session.window.status.left.text())
            page.page.filter.set_filter("verdict:fail")
            page.page.save_view_asked.emit()
            await until(lambda: session.window.findChild(QDialog) is not None)
            dialog = session.window.findChild(QDialog)
            assert dialog is not None
            field = dialog.findChild(QLineEdit)
            assert field is not None
            field.setText(" Failures ")
            QTest.keyClick(field, Qt.Key.Key_Return)
            await until(lambda: dict(page.views.saved) == {"Failures": "verdict:fail"})
            page.page.facet_list.view_removal_asked.emit("Failures")
            assert dict(page.views.saved) == {}

    run_async(body())
