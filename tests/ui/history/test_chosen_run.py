"""From the history's preview: keep, replay offline and live, export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.kit.app import draft
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.history.controller import HistoryController
from workbench.ui.run.case.keep_dialog import KeepCaseDialog

if TYPE_CHECKING:
    from pathlib import Path


def test_a_recorded_run_becomes_evidence(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            store = session.wb.store
            await (await session.wb.runs.start(draft("model=mistral-steady,seed=3"))).wait()
            page = go_to(session.window, HistoryController)
            await until(lambda: page.page.preview.glance.step is not None)
            box = page.page.preview.replay
            QTest.mouseClick(box.offline, Qt.MouseButton.LeftButton)
            await until(lambda: box.verdict_of("offline") == "same")
            assert store.count() == 1
            QTest.keyClick(page.page.table, Qt.Key.Key_R)
            await until(lambda: box.verdict_of("live") not in ("running", "not run"))
            assert store.count() == 2
            QTest.keyClick(page.page.table, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: session.window.findChild(KeepCaseDialog) is not None)
            dialog = session.window.findChild(KeepCaseDialog)
            assert dialog is not None
            assert dialog.keep.isEnabled(), dialog.status.text()
            QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
            await until(lambda: list((home / "suites").rglob("*.yaml")))
            QTest.mouseClick(page.page.preview.export_button, Qt.MouseButton.LeftButton)
            menu = QApplication.activePopupWidget() or page.page.preview.export_button.findChild(QMenu)
            assert isinstance(menu, QMenu)
            menu.actions()[1].trigger()
            menu.close()
            await until(lambda: page.chosen_run.exporting.preview is not None)
            assert page.chosen_run.exporting.preview is not None
            page.chosen_run.exporting.preview.reject()

    run_async(body())
