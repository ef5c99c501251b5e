"""The table of commands: keys, and when they can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.scan_page import leaky_session, scan_page
from tests.kit.waiting import until
from workbench.ui.scan.actions import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_no_key_is_given_twice() -> None:
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+V", "J", "K", "Return", "M", "U", "Ctrl+E", "Esc"} <= set(keys)


def test_commands_can_be_used_where_they_have_an_effect(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            usable = {name for name, action in scan.actions.items() if action.enabled()}
            assert not usable & {"scan.keep", "scan.open", "scan.report", "scan.again", "scan.stop", "scan.export"}
            await scan.scan(leaky_session(tmp_path / "a.jsonl", leaks=2))
            await until(lambda: scan.view.finding.detail is not None)
            assert {name for name, one in scan.actions.items() if not one.enabled()} == {"scan.stop", "scan.format"}
            scan.actions["scan.next"].call()
            await until(lambda: scan.view.finding.detail.kind == "invented_tool")
            scan.actions["scan.previous"].call()
            for name in (
                "scan.by_day",
                "scan.by_format",
                "scan.by_server",
                "scan.line",
                "scan.raw",
                "scan.filter",
                "scan.clear",
            ):
                scan.actions[name].call()
            await until(lambda: scan.view.finding.detail.kind == "tool_markup_in_content")

    run_async(scenario())
