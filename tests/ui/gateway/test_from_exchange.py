"""From an exchange to evidence: kept, compared, exported, opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gateway import LEAK, Upstream, chat_body
from tests.kit.gateway_page import gateway_page
from tests.kit.waiting import until
from workbench.cases.files import load_suite
from workbench.ui.gateway.from_exchange import SUITE
from workbench.ui.run.case.keep_dialog import KeepCaseDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_failing_reply_is_kept_as_a_case_and_compared(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body(LEAK))) as gateway:
            await gateway.start()
            gateway.page.exchange.keep()
            assert gateway.said[-1] == "Choose an exchange that has ended and is recorded"
            await gateway.ask()
            await until(gateway.view.keep.isEnabled)
            QTest.mouseClick(gateway.view.keep, Qt.MouseButton.LeftButton)
            window = gateway.page.shell.window
            await until(lambda: window.findChildren(KeepCaseDialog))
            (dialog,) = window.findChildren(KeepCaseDialog)
            dialog.reject()
            QTest.mouseClick(gateway.view.compare, Qt.MouseButton.LeftButton)
            await until(lambda: gateway.compared == [SUITE])
            (case,) = load_suite(home / "suites" / SUITE).cases
            assert case.messages[-1].text == 'Read the file "app.toml".'
            gateway.page.exchange.open()
            await until(lambda: gateway.opened)
            assert gateway.opened[0].run.origin == "gateway"

    run_async(scenario())


def test_a_conversation_is_exported(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            await gateway.start()
            await gateway.ask()
            await gateway.ask()
            await until(gateway.page._export.isEnabled)
            await until(lambda: gateway.card(2) and not gateway.card(2).line.live)
            asked: list[list[str]] = []
            monkeypatch.setattr(gateway.page.exchange.exporting, "menu", lambda _below, refs: asked.append(list(refs)))
            QTest.mouseClick(gateway.page._export, Qt.MouseButton.LeftButton)
            assert [len(refs) for refs in asked] == [2]

    run_async(scenario())
