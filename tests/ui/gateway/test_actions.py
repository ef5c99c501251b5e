"""The table of commands: keys, and when they can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.gateway import Upstream, chat_body
from tests.kit.gateway_page import gateway_page
from tests.kit.waiting import until
from workbench.ui.gateway.actions import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_no_key_is_given_twice() -> None:
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))
    assert {"C", "B", "Ctrl+Return", "Shift+F5", "J", "K", "Ctrl+E", "F2", "Ctrl+D"} <= set(keys)


def test_commands_can_be_used_where_they_have_an_effect(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            actions = {command.id: command.on(gateway.page) for command in COMMANDS}

            def usable() -> set[str]:
                return {name for name, action in actions.items() if action.enabled()}

            assert not usable() & {"gateway.release", "gateway.keep", "gateway.refuse", "gateway.answer"}
            await gateway.start()
            await gateway.ask()
            await until(lambda: "gateway.keep" in usable())
            actions["gateway.breakpoint"].call()
            waiting = gateway.begin()
            await until(lambda: {"gateway.release", "gateway.answer", "gateway.release_all"} <= usable())
            actions["gateway.release_all"].call()
            await waiting
            for name in (
                "gateway.strip",
                "gateway.filter",
                "gateway.copy",
                "gateway.next",
                "gateway.raw",
                "gateway.route",
            ):
                actions[name].call()
            assert gateway.view.strip_folded

    run_async(scenario())
