"""What can be done on the servers page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command

if TYPE_CHECKING:
    from workbench.ui.servers.controller import ServersController as Servers

GROUP = "Servers"

COMMANDS: tuple[Command[Servers], ...] = (
    Command("servers.new", "Start a model", lambda page: page.new(), ("Ctrl+N",), GROUP, "plus"),
    Command("servers.start", "Start the server", lambda page: page.start(), ("Ctrl+Return",), GROUP, "play",
            lambda servers: servers.can_start),
    Command("servers.stop", "Stop the server", lambda page: page.stop(), (), GROUP, "x", lambda servers: servers.can_stop),
)  # fmt: skip
