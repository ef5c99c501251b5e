"""Several programs change one settings file at the same moment: all changes are kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from tests.kit.command import start as start_command
from tests.kit.command import workbench
from workbench.app import Workbench
from workbench.settings.config import load_settings


def test_parallel_commands_and_an_open_window_keep_everything(home: Path, tmp_path: Path) -> None:
    async def work() -> None:
        async with Workbench.open() as wb:  # as the window has it: read once, written at its end
            assert workbench("providers", "add", "first", "--base-url", "http://127.0.0.1:1/v1", "--no-key").code == 0
            text = (home / "settings.toml").read_text()
            (home / "settings.toml").write_text(f'{text}\n[aliases]\n"my-model" = "react"  # as I say\n')
            running = [
                start_command(
                    "providers", "add", f"p{number}", "--base-url", "http://127.0.0.1:1/v1", "--no-key",
                    out=tmp_path / f"out{number}", err=tmp_path / f"err{number}",
                )
                for number in range(6)
            ]  # fmt: skip
            assert [process.wait() for process in running] == [0] * 6
            saved = wb.saved_settings
            wb.save(replace(saved, ui=replace(saved.ui, geometry={"width": 900})))
            assert len(wb.settings.providers) == 7

    asyncio.run(work())
    found = load_settings(home / "settings.toml")
    assert {provider.name for provider in found.providers} == {"first", *(f"p{number}" for number in range(6))}
    assert found.aliases == {"my-model": "react"}
    assert found.ui.geometry == {"width": 900}
    assert "# as I say" in (home / "settings.toml").read_text()
