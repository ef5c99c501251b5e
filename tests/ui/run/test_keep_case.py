"""A run becomes a case from the dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit import events
from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.cases.files import load_suite
from workbench.ui.run.keep_case import KeepCase
from workbench.ui.run.keep_case_dialog import NO_CALL, NONE

if TYPE_CHECKING:
    from pathlib import Path


def test_made_calls_become_an_editable_expectation(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            kept: list[tuple[str, str]] = []
            shell = session.window.page("start").shell
            keeper = KeepCase(shell, events.story(), lambda suite, case: kept.append((suite, case)))
            dialog = keeper.open()
            assert dialog.text.toPlainText().startswith("expect:\n  calls:\n  - name: ")
            good = dialog.text.toPlainText()
            dialog.text.set_text(good.replace("name:", "nam:", 1))
            assert "expectation line 3" in dialog.status.text()
            assert not dialog.keep.isEnabled()
            QTest.mouseClick(dialog.kind.button(NONE), Qt.MouseButton.LeftButton)
            assert "no rate" in dialog.status.text()
            QTest.mouseClick(dialog.kind.button(NO_CALL), Qt.MouseButton.LeftButton)
            assert dialog.text.toPlainText() == "expect: no_call\n"
            dialog.text.set_text(good)
            dialog.title.setText("Weather: twice")
            dialog.suite.picked.emit("New one")
            QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
            await until(lambda: kept)
            assert kept == [("new-one", "weather-twice")]

    run_async(body())
    found = load_suite(str(home / "suites" / "new-one")).cases[0]
    assert (found.title, bool(found.source_run)) == ("Weather: twice", True)
    assert found.expectation is not None
    assert found.expectation.calls
