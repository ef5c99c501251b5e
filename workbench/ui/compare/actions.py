"""What can be done on the comparison's page, as data."""

from __future__ import annotations

from functools import partial

from workbench.ui.bridge.action import Command
from workbench.ui.compare.controller import CompareController as Compare

GROUP = "Compare"


def _has_batch(compare: Compare) -> bool:
    return compare.batch is not None


def _pause(compare: Compare) -> None:
    if compare.page.progress.pause.isVisible():
        compare.running.pause()
    else:
        compare.running.go_on()


def _tab(name: str, compare: Compare) -> None:
    compare.page.panel.tabs.choose(name)
    compare.page.open_panel()


COMMANDS: tuple[Command[Compare], ...] = (
    Command("compare.run", "Run the comparison", Compare.run, ("Ctrl+Return",), GROUP, "play",
            lambda compare: compare.page.shows_setup),
    Command("compare.new", "New comparison", Compare.new, ("Ctrl+N",), GROUP, "plus"),
    Command("compare.again", "Set up the same comparison again", Compare.again, (), GROUP, "arrow-clockwise",
            _has_batch),
    Command("compare.pause", "Pause or resume the batch", _pause, ("Ctrl+P",), GROUP, "pause", _has_batch),
    Command("compare.cancel", "Cancel the batch; it can be resumed", lambda compare: compare.running.cancel(), ("Esc",),
            GROUP, "x", lambda compare: compare.running.active),
    Command("compare.copy", "Copy the comparison as Markdown", lambda compare: compare.exporting.copy_markdown(),
            ("Ctrl+Shift+C",), GROUP, "copy", _has_batch),
    Command("compare.export", "Export the comparison or its runs",
            lambda compare: compare.exporting.menu(compare.export_button), (), GROUP, "export", _has_batch),
    Command("compare.panel", "Fold the panel", lambda compare: compare.page.toggle_panel(), ("Ctrl+I",), GROUP, "layout",
            _has_batch),
    Command("compare.targets", "Two targets compared", partial(_tab, "targets"), ("1",), GROUP, hidden=True),
    Command("compare.cell", "Runs of the chosen cell", partial(_tab, "cell"), ("2",), GROUP, hidden=True),
    Command("compare.filter", "Filter cases", lambda compare: compare.page.to_filter(), ("/", "Ctrl+F"), GROUP, "funnel",
            _has_batch),
)  # fmt: skip
