"""The comparison in the real window: run, stop, resume, look into cells, copy."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.batches import batch, case
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import LIMIT_S, until
from workbench.app.batch_plan import demo_targets
from workbench.cases.files import save_case
from workbench.core.batch import BatchState, StoppingRule
from workbench.grading.matrix import matrix
from workbench.ui.cases.controller import CasesController
from workbench.ui.compare import controller
from workbench.ui.compare.controller import CompareController
from workbench.ui.history.controller import HistoryController

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.grading.matrix import Matrix
    from workbench.ui.main.session import Session


def _suite(home: Path, cases: int = 2) -> None:
    for at in range(cases):
        save_case(case(f"weather-{at}"), home / "suites" / "small")


async def _page(session: Session, repeats: int = 3) -> CompareController:
    page = go_to(session.window, CompareController)
    await until(lambda: page.page.setup.suite_chosen is not None)
    page.page.setup.suite.choose("small")
    page.page.setup.repeats.set_value(repeats)
    page.targets.show(page.targets.targets[:2])
    return page


def test_a_comparison_from_set_up_to_a_run(run_async, theme, home: Path, leak_check) -> None:
    _suite(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = await _page(session)
            view = page.page
            assert view.setup.sum.text().startswith("2 cases × 2 targets × 3 = 12 runs.")
            QTest.mouseClick(view.setup.run, Qt.MouseButton.LeftButton)
            await until(lambda: page.batch is not None and not page.running.active)
            await until(view.panel.targets.bar.isVisible)
            assert page.batch is not None
            assert page.batch.state is BatchState.DONE
            assert view.model.rowCount() == 2
            assert not view.progress.isVisible()
            place = view.matrix.cells.visualRect(view.model.index(0, 1)).center()
            QTest.mouseClick(view.matrix.cells.viewport(), Qt.MouseButton.LeftButton, pos=place)
            assert view.panel.tabs.current == "cell"
            assert view.panel.cell.model.rowCount() == 3
            shown, told = view.show_matrix, list[bool]()
            view.show_matrix = lambda *all_, **more: (told.append(view.answer.known), shown(*all_, **more))  # type: ignore[method-assign]
            await until(lambda: view.answer.known)
            await page.show_batch(page.batch, True)  # nothing of the batch before stands beside the next one's matrix
            assert (told[0], view.answer.known) == (False, True)
            view.matrix.choose("weather-0", 1)
            page.exporting.copy_markdown()
            await until(lambda: "| weather-0 |" in QGuiApplication.clipboard().text())
            view.matrix.target_clicked.emit(0)
            view.panel.cell.history_button.click()
            history = session.window.page("history")
            assert isinstance(history, HistoryController)
            await until(lambda: session.window.current == "history" and history.page.model.rowCount() == 3)
            session.window.go("compare")
            assert view.panel.tabs.current == "targets"
            QTest.mouseClick(view.panel.cell.open_button, Qt.MouseButton.LeftButton)
            view.panel.cell.run_opened.emit(view.panel.cell.model.line(0).id)
            await until(lambda: session.window.current == "try")

    run_async(body())


def test_stopped_resumed_and_the_same_numbers_as_undisturbed(run_async, theme, home: Path, leak_check) -> None:
    _suite(home, 3)

    async def stop_early() -> None:
        async with open_window(theme, home) as session:
            page = await _page(session, 4)
            page.run()
            await until(lambda: page.running.handle is not None and page.running.handle.progress.done >= 3)
            page.running.pause()
            await until(page.page.progress.resume.isVisible)
            page.running.go_on()
            assert page.running.handle is not None
            page.running.cancel()
            await until(lambda: not page.running.active and page.page.progress.resume.isVisible())
            assert page.batch is not None
            assert page.batch.left

    async def go_on() -> tuple[list[str], list[str]]:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            await until(page.page.progress.resume.isVisible)
            assert page.page.progress.resume.text().startswith("Resume ")
            QTest.mouseClick(page.page.progress.resume, Qt.MouseButton.LeftButton)
            await until(lambda: page.running.active)
            await until(lambda: _complete(page))
            first = page.page.model.matrix
            page.again()
            assert page.page.setup.suite.hasFocus()
            await until(page.page.setup.run.isEnabled)
            page.run()
            await until(lambda: page.running.active)
            await until(lambda: _complete(page))
            again = page.page.model.matrix
            await until(page.page.panel.targets.bar.isVisible)
            return [_told(first), _told(again)]

    run_async(stop_early())
    resumed, undisturbed = run_async(go_on())
    assert resumed == undisturbed


def test_until_decided_is_set_up_run_told_and_set_up_again(run_async, theme, home: Path, leak_check) -> None:
    _suite(home, 6)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = await _page(session, 3)
            setup = page.page.setup
            QTest.mouseClick(setup.until.button("decided"), Qt.MouseButton.LeftButton)
            setup.margin.set_value(10)
            setup.changed.emit()
            told = "6 cases × 2 targets × 3 = 36 runs at most; a look after every repeat. Few cases: with 6 of them no look"
            assert setup.sum.text().startswith(told)
            page.targets.show(page.targets.targets[:1])
            assert "add another one" in setup.sum.text()
            page.targets.show(demo_targets()[:2])
            page.run()
            await until(lambda: page.batch is not None and _complete(page))
            await until(page.page.panel.targets.bar.isVisible)
            assert page.batch is not None
            assert page.batch.spec.stopping == StoppingRule(margin=0.1)
            assert " look " in page.page.panel.targets.sentence.text
            setup.until.choose("all")
            page.again()
            assert setup.stopping == StoppingRule(margin=0.1)

    run_async(body())


def _complete(page: CompareController) -> bool:
    """The batch has ended, and what is shown is all of it."""
    cells = [cell for row in page.page.model.matrix.rows for cell in row.cells]
    return page.running.handle is None and bool(cells) and not any(one.left for one in cells)


def _told(matrix) -> list[tuple[str, int, int, int]]:
    return sorted((row.case.id, one.target, *one.rate) for row in matrix.rows for one in row.cells)


def test_blocked_run_shows_the_reason(run_async, theme, home: Path, leak_check) -> None:
    _suite(home)
    (home / "suites" / "broken").mkdir()
    (home / "suites" / "broken" / "one.yaml").write_text("title: [", encoding="utf-8")

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = await _page(session)
            setup = page.page.setup
            setup.suite.choose("broken")
            setup.changed.emit()
            assert not setup.run.isEnabled()
            assert "one.yaml" in setup.sum.text()
            page.targets.show([])
            setup.suite.choose("small")
            setup.changed.emit()
            assert setup.sum.text() == "Add a target first."
            page.targets.add()
            page.targets.add()
            assert len(page.targets.targets) == 1
            assert "chosen already" in session.window.status.left.text()
            page.targets.remove(0)
            assert page.targets.targets == []
            setup.cases_asked.emit()
            await until(lambda: session.window.current == "cases")
            cases = session.window.page("cases")
            assert isinstance(cases, CasesController)
            await until(lambda: cases.page.cases.rowCount() > 0)
            cases.suite_actions.run()
            await until(lambda: session.window.current == "compare")
            await asyncio.sleep(0.1)

    run_async(body())


def test_leaving_and_coming_back_does_not_lose_what_is_being_opened(
    run_async, theme, home: Path, monkeypatch, leak_check
) -> None:
    go_on = threading.Event()

    def held(*asked: Any) -> Matrix:
        assert go_on.wait(LIMIT_S)
        return matrix(*asked)

    monkeypatch.setattr(controller, "matrix", held)

    async def body() -> None:
        async with open_window(theme, home) as session:
            session.wb.store.batches.add(batch({"good": ["sss", "sff"], "other": ["ssf", "fff"]}))
            page = go_to(session.window, CompareController)
            await until(lambda: page.batch is not None)
            session.window.go("history")
            session.window.go("compare")
            go_on.set()
            await until(lambda: page.page.model.rowCount() == 2 and not page.page.shows_setup)
            await until(lambda: page.page.panel.targets.sentence.text)

    try:
        run_async(body())
    finally:
        go_on.set()
