"""The first minute in the real window: a server that answers is offered and becomes a provider; steps go away."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tests.kit.gui import open_window
from tests.kit.waiting import until
from tests.kit.wire_server import answer, served
from workbench.settings.presets import get_preset

if TYPE_CHECKING:
    from pathlib import Path

LIST = answer(200, json.dumps({"object": "list", "data": [{"id": "a-7b"}]}).encode())


def test_a_server_that_answers_becomes_a_provider(run_async, theme, home: Path, leak_check, monkeypatch) -> None:
    async def body() -> None:
        with served(LIST) as server:
            config = replace(get_preset("vllm").provider(), base_url=server.url)
            monkeypatch.setattr("workbench.app.workbench.candidates", lambda _known: (config,))
            async with open_window(theme, home) as session:
                window = session.window
                window.go("start")
                strip = window.page("start").page.servers  # type: ignore[attr-defined]
                await until(strip.isVisible)
                QTest.mouseClick(strip.findChild(QPushButton, "add vLLM"), Qt.MouseButton.LeftButton)
                await until(lambda: window.current == "providers")
                assert session.wb is not None
                assert [one.base_url for one in session.wb.saved_settings.providers] == [server.url]

    run_async(body())


def test_steps_and_servers_can_be_turned_off(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.go("start")
            view = window.page("start").page  # type: ignore[attr-defined]
            await until(view.steps.isVisible)
            QTest.mouseClick(view.steps.close_button, Qt.MouseButton.LeftButton)
            assert view.steps.isHidden()
            view.servers.never_asked.emit()
            assert session.wb is not None
            saved = session.wb.saved_settings.ui
            assert (saved.first_steps, saved.local_servers) == (False, False)

    run_async(body())


def test_a_step_leads_to_where_it_is_done(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            for step, page in (("provider", "providers"), ("asked", "providers"), ("kept", "history")):
                window.go("start")
                steps = window.page("start").page.steps  # type: ignore[attr-defined]
                await until(steps.isVisible)
                QTest.mouseClick(steps.buttons[step], Qt.MouseButton.LeftButton)
                assert window.current == page

    run_async(body())
