"""A batch under way on the comparison's page: live cells, paused scores, a target taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from tests.kit.app import fast
from tests.kit.batches import case
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.app.clients import Clients
from workbench.app.pricing import Price
from workbench.cases.files import save_case
from workbench.core.batch import BatchState
from workbench.core.target import ModelRef, Target
from workbench.ui.compare.controller import CompareController

if TYPE_CHECKING:
    from pathlib import Path


def test_live_paused_and_trimmed(run_async, theme, home: Path, leak_check) -> None:
    for at in range(2):
        save_case(case(f"weather-{at}"), home / "suites" / "small")

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            await until(lambda: page.page.setup.suite_chosen is not None)
            setup = page.page.setup
            setup.suite.choose("small")
            setup.repeats.set_value(12)
            page.targets.show([fast(Target(ModelRef("Simulator", name))) for name in ("mistral-steady", "qwen-hasty")])
            page.run()
            await until(lambda: page.running.handle is not None and page.running.handle.progress.done >= 4)
            page.running.pause()
            await until(lambda: any(one.rate.runs for one in page.page.model.matrix.columns))
            await until(lambda: page.running.handle is not None and not page.running.handle.progress.running)
            await until(page.page.panel.targets.bar.isVisible)
            page.page.progress.trim_asked.emit(1)
            await until(lambda: page.page.progress.rows.accessibleDescription() != "")
            assert page.running.handle is not None
            await until(lambda: page.running.handle is None or page.running.handle.progress.targets[1].trimmed)
            page.running.go_on()
            await until(lambda: not page.running.active and page.batch is not None and not page.batch.left)
            assert page.page.trouble.isHidden()
            await until(lambda: "taken out by hand" in page.status[0])

    run_async(body())


def test_an_earlier_batch_stays_on_the_page_while_another_runs(run_async, theme, home: Path, leak_check) -> None:
    for at in range(2):
        save_case(case(f"weather-{at}"), home / "suites" / "small")
    one, two = (fast(Target(ModelRef("Simulator", name))) for name in ("mistral-steady", "qwen-hasty"))

    async def start(page: CompareController, repeats: int, targets: list[Target]) -> None:
        page.new()
        await until(lambda: page.page.setup.suite_chosen is not None)
        page.page.setup.suite.choose("small")
        page.page.setup.repeats.set_value(repeats)
        page.targets.show(targets)
        page.run()
        await until(lambda: page.batch is not None and len(page.batch.spec.targets) == len(targets))

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            await start(page, 1, [one])
            await until(lambda: not page.running.active and page.running.handle is None)
            assert page.batch is not None
            earlier = page.batch.spec.id
            await start(page, 12, [one, two])
            handle = page.running.handle
            assert handle is not None
            page.page.setup.earlier.opened.emit(earlier)
            await until(lambda: page.running.shown is None)
            await until(lambda: len(page.page.model.matrix.columns) == 1)
            page.running.pause()
            assert handle.progress.state is BatchState.RUNNING
            done = handle.progress.done
            await until(lambda: handle.progress.done >= done + 4)
            handle.pause()
            await until(lambda: not handle.progress.running)
            assert page.batch.spec.id == earlier
            assert len(page.page.model.matrix.columns) == 1
            page.running.cancel()
            page.running.go_on()
            assert handle.progress.state is BatchState.PAUSED
            assert page.page.progress.rows.accessibleDescription().endswith(": 2 of 2")
            page.page.setup.earlier.opened.emit(handle.batch_id)
            await until(lambda: len(page.page.model.matrix.columns) == 2)
            assert page.page.progress.rows.accessibleDescription().count(" of 24") == 2
            page.page.setup.earlier.opened.emit(earlier)
            await until(lambda: len(page.page.model.matrix.columns) == 1)
            handle.unpause()
            await until(lambda: page.running.handle is None)
            assert page.batch.spec.id == earlier

    run_async(body())


def test_a_limit_of_cost_is_kept_and_said(run_async, theme, home: Path, leak_check, monkeypatch) -> None:
    monkeypatch.setattr(Clients, "price", lambda _self, _ref: Price(0.0, 1_000_000.0))
    save_case(case("weather"), home / "suites" / "small")

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            await until(lambda: page.page.setup.suite_chosen is not None)
            setup = page.page.setup
            setup.suite.choose("small")
            setup.repeats.set_value(20)
            setup.parallel.set_value(1)
            page.targets.show([fast(Target(ModelRef("Simulator", "mistral-steady")))])
            QTest.keyClicks(setup.max_cost, "much")
            assert not setup.run.isEnabled()
            assert "Limit of cost" in setup.sum.text()
            setup.max_cost.clear()
            QTest.keyClicks(setup.max_cost, "60")
            assert setup.run.isEnabled()
            page.run()
            await until(lambda: not page.page.trouble.isHidden())
            assert "limit of cost is reached" in page.page.trouble.report()
            assert page.batch is not None
            assert 0 < page.batch.left < 20
            setup.max_cost.show_value(None)
            page.running.go_on()
            await until(lambda: not page.running.active and page.batch is not None and not page.batch.left)

    run_async(body())
