from __future__ import annotations

from tests.kit.gui import open_window
from workbench.ui.settings.actions import PLACES


def test_a_theme_is_chosen_by_command(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("settings")
            assert session.window.actions_table.run("settings.dark")
            assert session.wb.saved_settings.ui.theme == "dark"
            view = session.window.page("settings").view
            assert view.theme.value == "dark"
            for place in PLACES:  # the palette leads to each setting
                assert session.window.actions_table.run(f"settings.to.{place.name}")
                setting = getattr(view, place.name)
                assert setting.isAncestorOf(view.focusWidget()) or setting is view.focusWidget()

    run_async(body())
