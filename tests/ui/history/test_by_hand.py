"""A verdict set by hand in History, seen in the row and the details, told in Try, and taken back there by the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.kit.app import draft
from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.ui.history.controller import HistoryController
from workbench.ui.try_.controller import TryController
from workbench.ui.widgets.dialogs import QuestionDialog

if TYPE_CHECKING:
    from pathlib import Path


def test_a_verdict_is_set_where_people_look(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            store = session.wb.store
            await (await session.wb.runs.start(draft("model=mistral-steady"))).wait()
            session.window.go("history")
            page, chosen = session.window.page("history"), ""
            assert isinstance(page, HistoryController)
            await until(lambda: page.page.preview.glance.step is not None)
            chosen = page.page.chosen.id
            QTest.keyClick(page.page.table, Qt.Key.Key_V)
            menu = QApplication.activePopupWidget() or page.page.preview.hand_button.findChild(QMenu)
            assert isinstance(menu, QMenu)
            menu.actions()[1].trigger()
            menu.close()
            await until(lambda: session.window.findChild(QuestionDialog) is not None)
            dialog = session.window.findChild(QuestionDialog)
            assert dialog.field is not None
            dialog.field.setText("the answer is made up")
            QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
            await until(lambda: page.page.model.line(0).hand == "fail")
            assert "by hand: fail · " in page.page.preview.hand.text()
            assert page.page.preview.hand.text().endswith("the answer is made up")
            assert "by hand fail" in page.page.model.spoken(page.page.model.line(0))
            page.refresh()
            await until(lambda: page.page.model.rowCount() == 1 and page.page.model.line(0).hand == "fail")

            page.open_chosen()
            await until(lambda: session.window.current == "try")
            shown = session.window.page("try")
            assert isinstance(shown, TryController)
            await until(shown.page.verdict.by_hand.isVisible)
            assert shown.page.verdict.by_hand.text() == "by hand: fail"
            assert shown.page.verdict.hand.isVisible()
            assert session.window.actions_table.run("try.take_back")
            await until(shown.page.verdict.by_hand.isHidden)
            assert [one.state and one.state.value for one in store.opinions.of_run(chosen)] == ["fail", None]

    run_async(body())
