"""The capability card in the real window, over simulated models."""

from __future__ import annotations

import shutil

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.providers.probe import Ability, CapabilityCard, ProbeCost, ProbeEvidence
from workbench.providers.questions import Answer
from workbench.settings.config import ModelConfig, ProviderConfig
from workbench.ui.main.session import Session
from workbench.ui.providers.capability_card import CapabilityCardView
from workbench.ui.providers.capability_probe import changes, cost_words, decided, exchange_text, line_of
from workbench.ui.providers.controller import ProvidersController

QUICK = {"mistral-steady": ModelConfig(extra={"simulate": {"tokens_per_second": 0}})}


async def opened_card(session: Session, name: str, model: str) -> CapabilityCardView:
    """The card over the providers page, reached by its button."""
    page = go_to(session.window, ProvidersController)
    page.refresh(name)
    page.test()
    await until(lambda: page.page.models.total > 5)
    page.page.search.clear()
    QTest.keyClicks(page.page.search, model)
    page.page.table.choose_row(0)
    assert page.page.chosen_model == model
    QTest.mouseClick(page.page.abilities, Qt.MouseButton.LeftButton)
    found: list[CapabilityCardView] = []

    def there() -> bool:
        found[:] = [view for view in session.window.findChildren(CapabilityCardView) if view.isVisible()]
        return bool(found)

    await until(there)
    return found[0]


def test_a_probe_from_the_button_to_the_kept_card(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            url = await session.wb.simulator.start()
            session.wb.use(ProviderConfig("Quick", base_url=url, key="none", models=QUICK))
            view = await opened_card(session, "Quick", "mistral-steady")
            assert "never probed" in view.when.text()
            assert "at most 10 small requests" in view.cost.text()
            QTest.mouseClick(view.probe, Qt.MouseButton.LeftButton)
            await until(lambda: view.cost.text().startswith("Took 10 requests"))
            assert view.rows.rowCount() == 10
            view.table.choose_row(2)
            assert "save_note" in view.evidence.toPlainText()
            view.reject()
            await until(lambda: session.tasks.running() == [])
            again = await opened_card(session, "Quick", "mistral-steady")
            assert "probed 20" in again.when.text()
            assert again.rows.rowCount() == 10
            shutil.rmtree(home / "capabilities")
            (home / "capabilities").write_text("no folder", encoding="utf-8")
            QTest.mouseClick(again.probe, Qt.MouseButton.LeftButton)
            await until(lambda: "capabilities" in again.cost.text())
            assert again.rows.rowCount() == 10
            again.reject()
            await until(lambda: session.tasks.running() == [])

    run_async(body())


def test_a_probe_is_stopped_by_its_button_and_by_closing(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            view = await opened_card(session, "Simulator", "mistral-slow")
            QTest.mouseClick(view.probe, Qt.MouseButton.LeftButton)
            await until(view.stop.isVisible)
            QTest.mouseClick(view.stop, Qt.MouseButton.LeftButton)
            await until(lambda: view.cost.text() == "Stopped; nothing was kept.")
            assert view.probe.isVisible()
            QTest.mouseClick(view.probe, Qt.MouseButton.LeftButton)
            await until(view.stop.isVisible)
            view.reject()
            await until(lambda: session.tasks.running() == [])
            assert not (home / "capabilities").exists()

    run_async(body())


def test_an_exchange_reads_as_on_the_wire() -> None:
    error = ErrorInfo(ErrorKind.TIMEOUT, "too slow")
    one = ProbeEvidence(
        "stop", "POST", "http://x/v1", (("accept", "*/*"),), "{}", 200, (("a", "b"),), "data", error, 1500, 2
    )
    text = exchange_text(one)
    assert text.startswith("POST http://x/v1\naccept: */*\n\n{}\n\n200 after 0.00 s, 2 tries\na: b\n")
    assert "timeout: too slow" in text
    assert exchange_text(ProbeEvidence("stop", "POST", "u", (), "")).endswith("no answer after 0.00 s\n\n")
    line = line_of(Ability("stop", Answer.NOT_ASKED, "why"))
    assert (line.word, line.evidence) == ("not asked", "")
    assert "1,000 tokens in" in cost_words(ProbeCost(3, 1000, 2))


def test_card_decides_only_certain_settings() -> None:
    def card(tools: Answer, parallel: Answer) -> CapabilityCard:
        abilities = (Ability("native_tools", tools, ""), Ability("parallel_calls", parallel, ""))
        return CapabilityCard("P", "m", "openai_chat", "http://h", 0, abilities)

    known = ModelConfig(max_tokens=5)
    assert decided(card(Answer.YES, Answer.NO), known) == ModelConfig("", "native", False, max_tokens=5)
    assert decided(card(Answer.NO, Answer.UNCLEAR), known) == ModelConfig("", "emulated", max_tokens=5)
    assert decided(card(Answer.FAILED, Answer.NOT_ASKED), known) == known
    assert changes(known, decided(card(Answer.YES, Answer.NO), known)) == "tools native, parallel calls off"
    assert changes(known, known) == ""


def test_a_card_is_taken_over_into_the_models_settings(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            wb = session.wb
            assert wb is not None
            url = await wb.simulator.start()
            config = ProviderConfig("Quick", base_url=url, key="none", models=QUICK)
            wb.save(wb.saved_settings.with_provider(config))
            view = await opened_card(session, "Quick", "mistral-steady")
            assert view.use.isHidden()
            QTest.mouseClick(view.probe, Qt.MouseButton.LeftButton)
            await until(lambda: not view.use.isHidden())
            QTest.mouseClick(view.use, Qt.MouseButton.LeftButton)
            assert wb.provider("Quick").model("mistral-steady").tools == "native"
            assert view.use.isHidden()
            view.reject()
            await until(lambda: session.tasks.running() == [])

    run_async(body())
