"""Everything that can be done in Try, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Action
from workbench.ui.try_.drafts import UNDO_KEYS

if TYPE_CHECKING:
    from workbench.ui.try_.controller import TryController

GROUP = "Try"


def actions_of(controller: TryController) -> tuple[Action, ...]:
    """The table of the page."""
    page = controller.page

    def has_run() -> bool:
        return page.run.started is not None

    return (
        Action("try.run", "Run", controller.run, ("Ctrl+Return", "Ctrl+Enter"), GROUP, "play",
               lambda: not controller.is_running),
        Action("try.stop", "Stop the run", controller.escape, ("Esc",), GROUP, "x",
               lambda: controller.is_running or page.shows_preview or page.shows_drawer),
        Action("try.preview", "Preview what will be sent", controller.toggle_preview, ("Ctrl+Shift+P",), GROUP, "eye"),
        Action("try.tools", "Edit the tools", lambda: controller.editors.open_tools(""), ("Ctrl+T",), GROUP, "wrench"),
        Action("try.wrapper", "Edit the boost wrapper", controller.editors.open_wrapper, (), GROUP, "code"),
        Action("try.undo", "Bring the prompt before back", controller.drafts.undo, (UNDO_KEYS,), GROUP,
               "arrow-counter-clockwise", lambda: controller.drafts.can_undo),
        Action("try.next_problem", "Next problem", lambda: controller.next_problem(1), ("F3",), GROUP, enabled=has_run),
        Action("try.previous_problem", "Previous problem", lambda: controller.next_problem(-1), ("Shift+F3",), GROUP,
               enabled=has_run),
        Action("try.raw", "Raw output of the step", lambda: page.focus_column(1), ("1",), GROUP, enabled=has_run),
        Action("try.parsed", "Parsed calls of the step", lambda: page.focus_column(2), ("2",), GROUP, enabled=has_run),
        Action("try.sanitized", "Sanitized reply of the step", lambda: page.focus_column(3), ("3",), GROUP,
               enabled=has_run),
        Action("try.wire", "Wire bytes of the step", lambda: page.show_wire(None), ("W",), GROUP, "code",
               enabled=has_run),
        Action("try.inspector", "Fold or show the inspector", page.toggle_inspector, ("Ctrl+I",), GROUP, "layout"),
        Action("try.replay", "Replay the run offline", controller.replay.start, ("R",), GROUP, "rewind",
               lambda: controller.replay.possible),
        Action("try.forensics", "Open the step in Forensics", controller.forensics.open_page, ("F",), GROUP, "stack",
               has_run),
        Action("try.keep", "Keep the run as a case", controller.keeping.start, ("Ctrl+E",), GROUP, "bookmark-simple",
               lambda: controller.replay.possible),
        Action("try.live", "Jump to live", page.area.to_live, ("End",), GROUP, enabled=lambda: controller.is_running),
    )  # fmt: skip
