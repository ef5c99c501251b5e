"""What can be done on the settings page, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from workbench.ui.bridge.action import Command

if TYPE_CHECKING:
    from workbench.ui.settings.controller import SettingsController


class SettingPlace(NamedTuple):
    """A setting that the palette leads to."""

    name: str
    """Of the view's attribute."""
    title: str
    words: str


PLACES = (
    SettingPlace("verdicts", "Colours of pass and fail", "blue orange green red colour blind"),
    SettingPlace("text_size", "Text size", "font zoom scale"),
    SettingPlace("motion", "Motion", "animation reduced still"),
    SettingPlace("local_servers", "Look for local servers", "ollama lm studio llama.cpp vllm ports"),
    SettingPlace("policy", "Which readings count", "policy strict tolerant recovered"),
    SettingPlace("iterations", "Iterations of a run", "limit turns"),
    SettingPlace("loops", "Boost loops", "limit failed rounds"),
    SettingPlace("workspace", "Workspace folder of executed tools", "browse files sandbox"),
    SettingPlace("planner_provider", "Planner of boost", "provider model tier big middle small"),
    SettingPlace("foreign", "Keys of others in texts", "privacy mask secrets"),
    SettingPlace("secret_names", "Further names that hold secrets", "privacy headers fields"),
)


def _lead(name: str, settings: SettingsController) -> None:
    settings.page.lead_to(getattr(settings.page, name))


def _choose(name: str, settings: SettingsController) -> None:
    settings.take_theme(name)


GROUP = "Settings"

COMMANDS: tuple[Command[SettingsController], ...] = (
    *(
        Command(f"settings.{name}", f"Theme: {name}", partial(_choose, name), (), GROUP, "gear", words="mode colours looks")
        for name in ("system", "light", "dark")
    ),
    *(
        Command(f"settings.to.{one.name}", f"Setting: {one.title}", partial(_lead, one.name), (), GROUP, "gear", words=one.words)
        for one in PLACES
    ),
    Command("settings.check", "Check the records", lambda page: page.page.check_asked.emit(), (), GROUP, "check"),
    Command("settings.backup", "Back up the records", lambda page: page.page.backup_asked.emit(), (), GROUP, "copy"),
    Command("settings.folder", "Open the data folder", lambda page: page.page.folder_asked.emit(), (), GROUP, "gear"),
    Command("settings.path", "Copy the data folder's path", lambda page: page.page.copy_path_asked.emit(), (), GROUP,
            "copy"),
    Command("settings.layout", "Reset the window's layout", lambda page: page.page.layout_reset_asked.emit(), (), GROUP,
            "layout"),
)  # fmt: skip
