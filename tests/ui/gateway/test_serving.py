"""Starting and stopping with real ports."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.gateway import TOKEN
from tests.kit.gateway_page import gateway_page
from tests.kit.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_taken_port_is_told_and_another_one_offered(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch) as gateway:
            with socket.create_server(("127.0.0.1", 0)) as taken:
                port = taken.getsockname()[1]
                gateway.view.address.port.set_value(port)
                QTest.mouseClick(gateway.page._toggle, Qt.MouseButton.LeftButton)
                await until(lambda: gateway.view.shows_trouble)
                assert str(port) in gateway.view.trouble.line("What").text
                assert not gateway.page.serving.running
                QTest.mouseClick(gateway.view.port_taken, Qt.MouseButton.LeftButton)
                await until(lambda: gateway.page.serving.running)
            assert not gateway.view.shows_trouble
            assert gateway.page.gateway.url != f"http://127.0.0.1:{port}"
            assert f":{gateway.wb.saved_settings.gateway.port}" in gateway.page.gateway.url

    run_async(scenario())


def test_it_can_be_stopped_and_started_again(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch) as gateway:
            for _ in range(2):
                await gateway.start()
                assert (await gateway.ask()).status_code == 200
                assert any("kept" in part for part in gateway.page.status[1].split(" · "))
                QTest.mouseClick(gateway.page._toggle, Qt.MouseButton.LeftButton)
                await until(lambda: not gateway.page.serving.running)
                await until(lambda: "gateway retention" not in gateway.page.shell.tasks.running())
            assert gateway.page.gateway.conversations.exchanges == 2

    run_async(scenario())


def test_another_token_shuts_out_who_has_the_old_one(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch) as gateway:
            await gateway.start()
            gateway.view.address.copied.emit("token", TOKEN)
            assert QGuiApplication.clipboard().text() == TOKEN
            gateway.view.address.renew_asked.emit()
            await until(lambda: gateway.page.gateway.token != TOKEN)
            assert gateway.view.address.token.text().endswith(gateway.page.gateway.token[-4:])
            assert (await gateway.ask()).status_code == 200
            gateway.page.gateway.token, new = "other", gateway.page.gateway.token
            assert new
            assert TOKEN not in " ".join(gateway.said)

    run_async(scenario())
