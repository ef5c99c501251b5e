"""What can be done on the comparison's page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Action

if TYPE_CHECKING:
    from workbench.ui.compare.controller import CompareController

GROUP = "Compare"


def actions_of(controller: CompareController) -> tuple[Action, ...]:
    """The page's actions, bound to its controller."""
    page = controller.page

    def has_batch() -> bool:
        return controller.batch is not None

    def runs() -> bool:
        return controller.running.active

    def pause() -> None:
        if page.progress.pause.isVisible():
            controller.running.pause()
        else:
            controller.running.go_on()

    def tab(name: str) -> None:
        page.panel.tabs.choose(name)
        page.open_panel()

    return (
        Action("compare.run", "Run the comparison", controller.run, ("Ctrl+Return",), GROUP, "play",
               lambda: page.shows_setup),
        Action("compare.new", "New comparison", controller.new, ("Ctrl+N",), GROUP, "plus"),
        Action("compare.again", "Set up the same comparison again", controller.again, (), GROUP, "arrow-clockwise",
               has_batch),
        Action("compare.pause", "Pause or resume the batch", pause, ("Ctrl+P",), GROUP, "pause", has_batch),
        Action("compare.cancel", "Cancel the batch; it can be resumed", controller.running.cancel, ("Esc",), GROUP, "x", runs),
        Action("compare.copy", "Copy the comparison as Markdown", controller.exporting.copy_markdown, ("Ctrl+Shift+C",), GROUP,
               "copy", has_batch),
        Action("compare.panel", "Fold the panel", page.toggle_panel, ("Ctrl+I",), GROUP, "layout", has_batch),
        Action("compare.targets", "Two targets compared", lambda: tab("targets"), ("1",), GROUP, hidden=True),
        Action("compare.cell", "Runs of the chosen cell", lambda: tab("cell"), ("2",), GROUP, hidden=True),
        Action("compare.filter", "Filter cases", page.to_filter, ("/", "Ctrl+F"), GROUP, "funnel", has_batch),
    )  # fmt: skip
