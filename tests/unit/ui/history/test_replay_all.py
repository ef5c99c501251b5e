from __future__ import annotations

from dataclasses import replace

from tests.kit.app import draft
from tests.kit.events import story
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.cases.files import save_case
from workbench.cases.from_run import case_from_run
from workbench.core.calls import ParseResult
from workbench.core.events import RunStarted, StepFinished
from workbench.store import Store
from workbench.ui.cases.controller import CasesController
from workbench.ui.history.controller import HistoryController
from workbench.ui.widgets.dialogs import QuestionDialog


def _record(home, *, forgetful: bool) -> None:
    """One run as an older parser may have left it: its calls were not seen."""
    home.mkdir(parents=True)
    store = Store.open(home / "workbench.db")
    events = [
        replace(event, reply=replace(event.reply, result=replace(event.reply.result, calls=())))
        if forgetful and isinstance(event, StepFinished) and isinstance(event.reply.result, ParseResult)
        else event
        for event in story()
    ]
    started = events[0]
    assert isinstance(started, RunStarted)
    store.record(started.run_id, events)
    store.close()


def test_changed_readings_are_listed(theme, run_async, home, leak_check) -> None:
    _record(home, forgetful=True)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            page.again.button.click()
            flips = page.page.flips
            await until(lambda: flips.model.rowCount() and not flips.stop.isVisible())
            line = flips.model.line(0)
            assert line.number == 1
            assert line.replay != "same"
            assert line.what
            flips.table.choose_row(0)
            await until(lambda: page.page.preview.glance.step is not None)
            await until(page.again.button.isEnabled)

            flips.show_all.click()
            everything = page.page.all_flips
            assert page.page.rows.currentWidget() is everything
            assert everything.model.line(0).number == 1
            everything.table.choose_row(0)
            everything.accept_button.click()
            await until(lambda: everything.model.line(0).accepted)
            page.again.start()
            await until(lambda: not everything.total and "1 run in" in everything.head.note.text())
            assert everything.model.rowCount() == 0, "what was accepted is no news"

    run_async(body())


def test_a_pass_ends_with_the_window(theme, run_async, home, leak_check) -> None:
    _record(home, forgetful=False)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            page.again.start()
            page.again.stop()
            page.again.start()

    run_async(body())


def test_all_runs_are_replayed_offline_and_sent_again_after_a_question(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            wb = session.wb
            assert wb is not None
            for seed in range(2):
                await (await wb.runs.start(draft(f"model=mistral-steady,seed={seed}"))).wait()
            page = go_to(session.window, HistoryController)
            flips = page.page.flips
            page.again.menu().actions()[1].trigger()
            await until(lambda: "2 runs in" in flips.head.note.text())
            assert flips.head.title.text() == "Flips after offline replay"
            assert wb.store.count() == 2

            page.again.start("live")
            await until(lambda: session.window.findChild(QuestionDialog) is not None)
            question = session.window.findChild(QuestionDialog)
            assert question is not None
            assert "2 runs" in question.accept_button.text()
            question.reject()
            await until(lambda: session.window.findChild(QuestionDialog) is None)
            assert wb.store.count() == 2

            page.again.start("live")
            await until(lambda: session.window.findChild(QuestionDialog) is not None)
            session.window.findChild(QuestionDialog).accept()
            await until(lambda: "live" in flips.head.title.text() and "2 runs in" in flips.head.note.text())
            assert flips.head.title.text() == "Flips after live replay"
            assert wb.store.count("origin:replay") == 2
            await until(lambda: page.page.model.rowCount() == 4)  # the new runs are in the list

    run_async(body())


def test_a_suites_runs_are_replayed_from_its_page_and_judged_by_its_cases(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            wb = session.wb
            assert wb is not None
            handle = await wb.runs.start(draft("model=mistral-steady,seed=1"))
            await handle.wait()
            kept = case_from_run((await wb.load(handle.run_id)).events)
            save_case(kept, home / "suites" / "mine")
            cases = go_to(session.window, CasesController)
            cases.show_case("mine", kept.id)
            await until(lambda: cases.page.suite is not None and cases.page.suite.name == "mine")
            await until(cases.suite_actions.replay_button.isEnabled)
            menu = cases.suite_actions.menu()
            menu.actions()[1].trigger()
            menu.close()
            await until(lambda: session.window.current == "history")
            page = session.window.page("history")
            assert isinstance(page, HistoryController)
            flips = page.page.flips
            await until(lambda: "1 run in" in flips.head.note.text())
            assert flips.head.title.text() == "Flips after offline replay of mine"

    run_async(body())
