"""What can be done on the cases page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Action

if TYPE_CHECKING:
    from workbench.ui.cases.controller import CasesController

GROUP = "Cases"


def actions_of(controller: CasesController) -> tuple[Action, ...]:
    """The page's actions, bound to its controller."""
    page = controller.page

    def here() -> bool:
        return page.case is not None

    def in_table() -> bool:
        return here() and page.table.hasFocus()

    return (
        Action("cases.save", "Save the case", controller.save, ("Ctrl+S",), GROUP, "check", here),
        Action("cases.new", "New case", controller.new, ("Ctrl+N",), GROUP, "plus"),
        Action("cases.duplicate", "Duplicate the case", controller.duplicate, ("Ctrl+D",), GROUP, "copy", here),
        Action("cases.delete", "Move the case to the bin", controller.delete, ("Delete",), GROUP, "trash", in_table),
        Action("cases.undo", "Take the case out of the bin again", controller.undo, (), GROUP,
               "arrow-counter-clockwise", lambda: controller.can_undo),
        Action("cases.import", "Import case files", controller.import_cases, (), GROUP, "export"),
        Action("cases.replay", "Re-parse what is recorded of the suite", controller.doing.replay, (), GROUP, "rewind"),
        Action("cases.run", "Run the suite in Compare", controller.doing.run, ("Ctrl+Return",), GROUP, "play"),
    )  # fmt: skip
