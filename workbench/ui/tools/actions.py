"""What can be done on the tools page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.tools.controller import ToolsController as Tools

GROUP = tr("Tools")


def _has_write(page: Tools) -> bool:
    return page.page.sample.undo.isVisible()


COMMANDS: tuple[Command[Tools], ...] = (
    Command("tools.call", tr("Call the tool"), lambda page: page.page.sample.ask(), ("Ctrl+Return", "Ctrl+Enter"), GROUP, "play"),
    Command("tools.stop", tr("Give up the call of the tool"), lambda page: page.calls.stop(), ("Esc",), GROUP, "stop",
            lambda page: page.calls.is_running),
    Command("tools.filter", tr("Filter the tools"), lambda page: page.page.filter.setFocus(), ("/",), GROUP, "magnifying-glass"),
    Command("tools.mode", tr("Next mode of the tool"), lambda page: page.next_mode(), ("Space",), GROUP, "hand-palm",
            lambda page: page.set.is_set, bound=False, words=tr("mock ask run record")),
    Command("tools.add", tr("Add the tool to a set"), lambda page: page.add(), ("Ctrl+D",), GROUP, "plus", lambda page: not page.set.is_set),
    Command("tools.remove", tr("Take the tool out of the set"), lambda page: page.remove(), ("Del",), GROUP, "x",
            lambda page: page.set.is_set, bound=False, words=tr("delete")),
    Command("tools.save", tr("Save the set as its next version"), lambda page: page.save(), ("Ctrl+S",), GROUP, "check",
            lambda page: page.set.edited),
    Command("tools.diff", tr("Compare two versions of the set"), lambda page: page.diff(), ("D",), GROUP, "git-diff", lambda page: page.set.is_set),
    Command("tools.undo", tr("Take the last edit of the set back"), lambda page: page.undo(), ("Ctrl+Z",), GROUP,
            "arrow-counter-clockwise", lambda page: page.set.can_undo, bound=False, words=tr("undo")),
    Command("tools.undo_write", tr("Take the last write back"), lambda page: page.calls.undo_write(), ("U",), GROUP,
            "arrow-counter-clockwise", _has_write, words=tr("undo")),
    Command("tools.import_mcp", tr("Import the tools of MCP servers"), lambda page: page.imports.of_mcp(), (), GROUP, "broadcast"),
    Command("tools.import_openapi", tr("Import the operations of an OpenAPI file"), lambda page: page.imports.of_openapi(), (), GROUP, "export"),
    Command("tools.import_python", tr("Import the functions of a Python file"), lambda page: page.imports.of_python(), (), GROUP, "file-text"),
    Command("tools.import_pasted", tr("Import the tools of the request in the clipboard"), lambda page: page.imports.of_clipboard(), (), GROUP,
            "clipboard-text"),
    Command("tools.limits", tr("Choose what a call of a tool may do here"), lambda page: page.show_limits(), (), GROUP, "sliders",
            words=tr("limits workspace sandbox commands")),
    Command("tools.use", tr("Use these tools in Try"), lambda page: page.use(), (), GROUP, "play"),
)  # fmt: skip
