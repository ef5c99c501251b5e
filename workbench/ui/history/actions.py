"""What can be done on the history page, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.ui.bridge.action import Action

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.ui.history.controller import HistoryController

GROUP = "History"


def actions_of(controller: HistoryController) -> tuple[Action, ...]:
    """The page's actions, bound to its controller."""
    page = controller.page

    def has_run() -> bool:
        return page.chosen is not None

    def to_filter() -> None:
        page.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    return (
        Action(
            "history.open",
            "Open the run in Try",
            controller.open_chosen,
            ("Return",),
            GROUP,
            "play",
            has_run,
            bound=False,
        ),
        *_evidence(controller, has_run),
        Action("history.forensics", "Open in Forensics", controller.forensics.open, ("F",), GROUP, "stack", has_run),
        Action("history.next", "Next run", lambda: page.step(1), ("J",), GROUP, hidden=True),
        Action("history.previous", "Previous run", lambda: page.step(-1), ("K",), GROUP, hidden=True),
        Action("history.filter", "Filter runs", to_filter, ("/", "Ctrl+F"), GROUP, "funnel"),
        Action("history.clear", "Clear the filter", lambda: page.filter.set_filter(""), (), GROUP, "x"),
        *_texts(controller),
        Action("history.bin", "Put the run into the bin", controller.bin_chosen, ("Delete",), GROUP, "trash", has_run),
        Action("history.copy", "Copy the run's id", controller.copy_id, (), GROUP, "copy", has_run),
        Action("history.refresh", "Read the list again", controller.refresh, ("F5",), GROUP, "arrows-clockwise"),
    )


def _evidence(controller: HistoryController, has_run: Callable[[], bool]) -> tuple[Action, ...]:
    """Replays of one run and of all, and what becomes of a run."""
    return (
        Action(
            "history.reparse",
            "Re-parse the run",
            controller.evidence.reparse,
            ("P",),
            GROUP,
            "arrow-clockwise",
            has_run,
        ),
        Action(
            "history.reparse_all",
            "Re-parse all runs of the filter",
            controller.again.start,
            (),
            GROUP,
            "arrows-clockwise",
        ),
        Action(
            "history.offline_all",
            "Replay all runs of the filter offline",
            partial(controller.again.start, "offline"),
            (),
            GROUP,
            "rewind",
        ),
        Action(
            "history.live_all",
            "Send all runs of the filter once more",
            partial(controller.again.start, "live"),
            (),
            GROUP,
            "broadcast",
        ),
        Action(
            "history.keep",
            "Keep the run as a case",
            controller.evidence.keep,
            ("Ctrl+E",),
            GROUP,
            "bookmark-simple",
            has_run,
        ),
        Action(
            "history.offline", "Replay the run offline", controller.evidence.offline, ("O",), GROUP, "rewind", has_run
        ),
        Action("history.live", "Send the run once more", controller.evidence.live, ("R",), GROUP, "broadcast", has_run),
        Action(
            "history.export", "Export the run", controller.evidence.export, ("Ctrl+Shift+E",), GROUP, "export", has_run
        ),
        Action("history.mark", "Mark the run", controller.diff.mark, ("M",), GROUP, "push-pin", has_run),
        Action("history.diff", "Compare with the marked run", controller.diff.diff, ("D",), GROUP, "git-diff", has_run),
    )


def _texts(controller: HistoryController) -> tuple[Action, ...]:
    """Which of the run's texts are shown; keys alone."""
    parts = (
        ("all", "All texts", "", "0"),
        ("raw", "Raw output", "raw", "1"),
        ("parsed", "Parsed calls", "parsed", "2"),
        ("sanitized", "Sanitized reply", "sanitized", "3"),
        ("wire", "Wire bytes", "wire", "W"),
    )
    choose = controller.page.preview.tabs.choose
    return tuple(
        Action(f"history.{name}", title, partial(choose, part), (key,), GROUP, hidden=True)
        for name, title, part, key in parts
    )
