"""The export menu of the comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from tests.kit.batches import batch
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.export.batch_exports import KINDS as BATCH_KINDS
from workbench.grading.matrix import matrix
from workbench.ui.compare.controller import CompareController
from workbench.ui.compare.export import REPORTS
from workbench.ui.run.export.exporting import KINDS

if TYPE_CHECKING:
    from pathlib import Path


def test_export_menu_counts_runs(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            await until(lambda: page.page.setup.suite_chosen is not None)
            assert page.exporting.failing() == []
            page.shown_batch.batch = batch({"a": ["fff", "ppp"], "b": ["sss", "sss"]})
            page.page.show_matrix(matrix(page.batch))
            page.page.show_results()
            page.page.matrix.choose("b", 1)
            menu = page.exporting.menu(page.export_button)
            words = [action.text() for action in menu.actions() if action.text()]
            assert words[0] == "Copy the table as Markdown"
            assert words[1:] == ["Report of the comparison", "3 failing runs", "3 runs of the chosen cell"]
            reports, *kinds = [action.menu() for action in menu.actions() if action.menu()]
            assert len(QMenu.actions(reports)) == len(REPORTS)
            assert [len([action for action in QMenu.actions(one) if action.text()]) for one in kinds] == [
                len(KINDS)
            ] * 2
            menu.actions()[0].trigger()
            menu.close()
            await until(lambda: "| b |" in QGuiApplication.clipboard().text())
            page.shown_batch.batch = batch({f"c{place}": ["f" * 10] for place in range(21)})
            menu = page.exporting.menu(page.export_button)
            assert any(action.text() == "First 200 of 210 failing runs" for action in menu.actions())
            menu.close()
            page.exporting.report("html", "HTML file")
            await until(lambda: page.exporting.exporting.preview is not None)
            preview = page.exporting.exporting.preview
            assert preview is not None
            assert [one.path for one in preview.files] == ["report.html"]
            preview.reject()

    run_async(body())


def test_every_report_of_a_batch_is_in_the_menu() -> None:
    assert tuple(kind for kind, _ in REPORTS) == BATCH_KINDS
