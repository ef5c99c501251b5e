"""What can be done on the settings page, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.settings.controller import SettingsController


class SettingPlace(NamedTuple):
    """A setting that the palette leads to."""

    name: str
    """Of the view's attribute."""
    title: str
    words: str


PLACES = (
    SettingPlace("verdicts", tr("Colours of pass and fail"), tr("blue orange green red colour blind")),
    SettingPlace("text_size", tr("Text size"), tr("font zoom scale")),
    SettingPlace("motion", tr("Motion"), tr("animation reduced still")),
    SettingPlace("local_servers", tr("Look for local servers"), tr("ollama lm studio llama.cpp vllm ports")),
    SettingPlace("policy", tr("Which readings count"), tr("policy strict tolerant recovered")),
    SettingPlace("iterations", tr("Iterations of a run"), tr("limit turns")),
    SettingPlace("loops", tr("Boost loops"), tr("limit failed rounds")),
    SettingPlace("workspace", tr("Workspace folder of executed tools"), tr("browse files sandbox")),
    SettingPlace("planner_provider", tr("Planner of boost"), tr("provider model tier big middle small")),
    SettingPlace("foreign", tr("Keys of others in texts"), tr("privacy mask secrets")),
    SettingPlace("secret_names", tr("Further names that hold secrets"), tr("privacy headers fields")),
)


def _lead(name: str, settings: SettingsController) -> None:
    settings.page.lead_to(getattr(settings.page, name))


def _choose(name: str, settings: SettingsController) -> None:
    settings.take_theme(name)


GROUP = tr("Settings")

COMMANDS: tuple[Command[SettingsController], ...] = (
    *(
        Command(f"settings.{name}", tr("Theme: {name}", name=name), partial(_choose, name), (), GROUP, "gear", words=tr("mode colours looks"))
        for name in ("system", "light", "dark")
    ),
    *(
        Command(f"settings.to.{one.name}", tr("Setting: {title}", title=one.title), partial(_lead, one.name), (), GROUP, "gear", words=one.words)
        for one in PLACES
    ),
    Command("settings.check", tr("Check the records"), lambda page: page.page.check_asked.emit(), (), GROUP, "check"),
    Command("settings.backup", tr("Back up the records"), lambda page: page.page.backup_asked.emit(), (), GROUP, "copy"),
    Command("settings.folder", tr("Open the data folder"), lambda page: page.page.folder_asked.emit(), (), GROUP, "gear",
            words=tr("database home")),
    Command("settings.path", tr("Copy the data folder's path"), lambda page: page.page.copy_path_asked.emit(), (), GROUP,
            "copy"),
    Command("settings.layout", tr("Reset the window's layout"), lambda page: page.page.layout_reset_asked.emit(), (), GROUP,
            "layout"),
)  # fmt: skip
