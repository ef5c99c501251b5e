from __future__ import annotations

from tests.kit.gui import open_window


def test_a_theme_is_chosen_by_command(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("settings")
            assert session.window.actions_table.run("settings.dark")
            assert session.wb.saved_settings.ui.theme == "dark"
            assert session.window.page("settings").view.theme.value == "dark"

    run_async(body())
