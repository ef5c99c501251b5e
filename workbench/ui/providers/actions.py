"""What can be done on the providers page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.providers.controller import ProvidersController as Providers

GROUP = tr("Providers")

COMMANDS: tuple[Command[Providers], ...] = (
    Command("providers.add", tr("Add a provider"), lambda page: page.page.show_presets(), ("Ctrl+N",), GROUP, "plus",
            words=tr("endpoint openai anthropic ollama key preset")),
    Command("providers.test", tr("Test connection"), lambda page: page.test(), ("Ctrl+T",), GROUP, "broadcast",
            words=tr("check reload models")),
    Command("providers.abilities", tr("What the chosen model can do"), lambda page: page.page.abilities.click(),
            ("Ctrl+P",), GROUP, "check", lambda page: bool(page.page.chosen_model), words=tr("capabilities probe")),
    Command("providers.model", tr("Settings of the chosen model"), lambda page: page.page.decide.click(), ("F2",), GROUP,
            "sliders-horizontal", lambda page: page.page.decide.isVisible(), words=tr("format price reasoning")),
    Command("providers.save", tr("Save the provider"), lambda page: page.page.form.ask_save(), ("Ctrl+S",), GROUP, "check"),
    Command("providers.extras", tr("Headers and body fields of the provider"),
            lambda page: page.page.form.extras_asked.emit(), (), GROUP, "code", lambda page: page.can_remove),
    Command("providers.remove", tr("Remove the provider"), lambda page: page.remove(), (), GROUP, "trash",
            lambda page: page.can_remove, words=tr("delete")),
)  # fmt: skip
