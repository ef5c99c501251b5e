"""What can be done on the servers page, as data."""

from __future__ import annotations

from workbench.ui.bridge.action import Command
from workbench.ui.servers.controller import ServersController as Servers

GROUP = "Servers"

COMMANDS: tuple[Command[Servers], ...] = (
    Command("servers.new", "Start a model", Servers.new, ("Ctrl+N",), GROUP, "plus"),
    Command("servers.start", "Start the server", Servers.start, ("Ctrl+Return",), GROUP, "play",
            lambda servers: servers.can_start),
    Command("servers.stop", "Stop the server", Servers.stop, (), GROUP, "x", lambda servers: servers.can_stop),
)  # fmt: skip
