"""What can be done on the settings page, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command

if TYPE_CHECKING:
    from workbench.ui.settings.controller import SettingsController


def _choose(name: str, settings: SettingsController) -> None:
    settings.take_theme(name)


GROUP = "Settings"

COMMANDS: tuple[Command[SettingsController], ...] = (
    *(
        Command(f"settings.{name}", f"Theme: {name}", partial(_choose, name), (), GROUP, "gear")
        for name in ("system", "light", "dark")
    ),
    Command("settings.check", "Check the records", lambda page: page.page.check_asked.emit(), (), GROUP, "check"),
    Command("settings.backup", "Back up the records", lambda page: page.page.backup_asked.emit(), (), GROUP, "copy"),
    Command("settings.folder", "Open the data folder", lambda page: page.page.folder_asked.emit(), (), GROUP, "gear"),
    Command("settings.path", "Copy the data folder's path", lambda page: page.page.copy_path_asked.emit(), (), GROUP,
            "copy"),
    Command("settings.layout", "Reset the window's layout", lambda page: page.page.layout_reset_asked.emit(), (), GROUP,
            "layout"),
)  # fmt: skip
