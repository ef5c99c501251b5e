"""The export menu of a verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import open_window
from tests.kit.verify_tab import verify_tab
from tests.kit.verifying import virtual_verification
from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from pathlib import Path


def test_reports(run_async, theme, home: Path, tmp_path: Path, leak_check, monkeypatch) -> None:
    async def ask_file(_window: object, _title: str, name: str) -> Path:
        return tmp_path / name

    monkeypatch.setattr(dialogs, "ask_save_file", ask_file)

    async def body() -> None:
        async with open_window(theme, home) as session:
            verify = await verify_tab(session)
            assert not verify.export_button.isEnabled()
            await verify.show(virtual_verification(count=20), running=False)
            menu = verify.exporting.menu(verify.export_button)
            assert len(menu.actions()) == 4
            menu.close()
            await verify.exporting.report("md")
            await verify.exporting.report("json")
            assert "main-70b" in (tmp_path / "verification.md").read_text()
            assert (tmp_path / "verification.json").read_text().startswith("{")

    run_async(body())
