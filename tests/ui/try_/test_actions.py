"""Actions of Try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.try_app import trying
from workbench.ui.try_.actions import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_problems_are_walked_by_key_and_named(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_stored(await page.shell.wb.examples.open("06-boost-guidance-ignored"))
            actions = {one.id: one.on(page) for one in COMMANDS}
            actions["try.next_problem"].call()
            assert page.status[0].startswith("guidance ignored")
            actions["try.previous_problem"].call()
            actions["try.wire"].call()
            assert page.page.inspector_open
            actions["try.inspector"].call()
            assert not page.page.inspector_open
            assert not actions["try.stop"].enabled()

    run_async(scenario())
