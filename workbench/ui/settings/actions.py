"""What can be done on the settings page, as data."""

from __future__ import annotations

from functools import partial

from workbench.ui.bridge.action import Command
from workbench.ui.settings.controller import SettingsController


def _choose(name: str, settings: SettingsController) -> None:
    settings.take_theme(name)


COMMANDS: tuple[Command[SettingsController], ...] = tuple(
    Command(f"settings.{name}", f"Theme: {name}", partial(_choose, name), (), "Settings", "gear")
    for name in ("system", "light", "dark")
)
