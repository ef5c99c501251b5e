"""A click on every button of every page, in no order: no exception, no dead end, no leak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.gui import open_window
from tests.kit.walker import Walker

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.ui.theme.theme import Theme


async def _walk(theme: Theme, home: Path, patch: pytest.MonkeyPatch, steps: int, seed: int) -> set[str]:
    async with open_window(theme, home) as session:
        walker = Walker(session, seed, patch)
        try:
            await walker.walk(steps // 3)
            before = await walker.widgets()
            await walker.walk(steps - steps // 3)
            after = await walker.widgets()
        finally:
            walker.let_go()  # else a window that failed never closes, and what failed is never told
        assert after < before * 1.5 + 300, f"{before} widgets after a third of the walk, {after} at its end"
        return walker.pages


@pytest.mark.timeout(1_200)
def test_three_hundred_clicks_break_nothing(theme, run_async, home: Path, leak_check, monkeypatch) -> None:
    pages = run_async(_walk(theme, home, monkeypatch, 300, 1))
    assert len(pages) >= 5


@pytest.mark.long
@pytest.mark.timeout(4 * 3_600)  # some minutes of a core; a busy machine takes longer
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_ten_thousand_clicks_break_nothing(seed: int, theme, run_async, home: Path, leak_check, monkeypatch) -> None:
    pages = run_async(_walk(theme, home, monkeypatch, 10_000, seed))
    assert len(pages) >= 9
