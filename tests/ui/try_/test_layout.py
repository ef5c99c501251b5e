"""Layout and settings of Try: kept between two sessions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.try_app import trying
from workbench.core.target import ModelRef

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_layout_boost_and_limits_come_from_the_settings(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOST_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("BOOST_MODEL", "big-planner")
    monkeypatch.setenv("ENABLE_BOOST_SUPPORT", "BIG_MODEL,MIDDLE_MODEL,SMALL_MODEL")

    async def scenario() -> None:
        async with trying(home, theme) as page:
            assert page.page.composer.draft.planner == ModelRef("Boost", "big-planner")
            page.page.set_inspector(False)
            wb = page.shell.wb
            wb.save(replace(wb.saved_settings, run=replace(wb.saved_settings.run, iterations=4, boost_loops=2)))
        async with trying(home, theme) as page:
            assert not page.page.inspector_open
            target = page.page.composer.checked.target
            assert target is not None
            assert (target.limits.iterations, target.limits.boost_loops) == (4, 2)

    run_async(scenario())
