"""Settings that another program changes while the window is open are said and shown, and survive the window's own saving."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.core.errors import SettingsError
from workbench.settings.config import ProviderConfig, RunSettings, load_settings, save_settings
from workbench.ui.providers.controller import ProvidersController

if TYPE_CHECKING:
    from pathlib import Path


def test_a_provider_added_outside_appears_and_stays(run_async, theme, home: Path, leak_check) -> None:
    path = home / "settings.toml"

    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            page = go_to(session.window, ProvidersController)
            before = page.page.list.model().rowCount()
            await until(page.page.models.rowCount)  # the simulator's test is over: it writes into the same line
            save_settings(
                load_settings(path).with_provider(ProviderConfig("mine", base_url="http://127.0.0.1:9/v1")), path
            )
            await until(lambda: page.page.list.model().rowCount() == before + 1)
            assert "Settings changed by another program: providers.mine" in session.window.status.left.text()
            session.window.resize(1100, 700)

    run_async(body())
    assert load_settings(path).provider("mine").base_url == "http://127.0.0.1:9/v1"


def test_a_conflict_is_told_and_a_broken_file_keeps_what_was_read(run_async, theme, home: Path, leak_check) -> None:
    path = home / "settings.toml"

    async def body() -> None:
        from dataclasses import replace

        async with open_window(theme, home) as session:
            wb = session.wb
            assert wb is not None
            mine = replace(wb.saved_settings, run=RunSettings(iterations=3))
            save_settings(replace(load_settings(path), run=RunSettings(iterations=5)), path)
            with pytest.raises(SettingsError, match=r"run\.iterations is 5 there, 3 here"):
                wb.save(mine)
            await until(lambda: wb.saved_settings.run.iterations == 5)
            path.write_text("broken = ")
            await until(lambda: "is not TOML" in session.window.status.left.text())
            assert wb.saved_settings.run.iterations == 5

    run_async(body())
