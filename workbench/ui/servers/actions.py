"""What can be done on the servers page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.servers.controller import ServersController as Servers

GROUP = tr("Servers")

COMMANDS: tuple[Command[Servers], ...] = (
    Command("servers.new", tr("Start a model"), lambda page: page.new(), ("Ctrl+N",), GROUP, "plus"),
    Command("servers.start", tr("Start the server"), lambda page: page.start(), ("Ctrl+Return",), GROUP, "play",
            lambda servers: servers.can_start),
    Command("servers.stop", tr("Stop the server"), lambda page: page.stop(), (), GROUP, "x", lambda servers: servers.can_stop),
)  # fmt: skip
