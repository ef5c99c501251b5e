"""Everything that can be done in Forensics, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Action

if TYPE_CHECKING:
    from workbench.ui.controllers.forensics import ForensicsController

GROUP = "Forensics"


def actions_of(controller: ForensicsController) -> tuple[Action, ...]:
    """The table of the page."""
    page, show = controller.page, controller.show_view

    def any_text() -> bool:
        return controller.exam is not None

    return (
        Action("forensics.paste", "Paste a reply", controller.paste, ("Ctrl+Shift+V",), GROUP, "clipboard-text"),
        Action("forensics.clear", "Clear the text", controller.clear, (), GROUP, "x", any_text),
        Action("forensics.next", "Next problem", partial(page.next_problem, 1), ("F3",), GROUP, "arrow-down", any_text),
        Action("forensics.back", "Previous problem", partial(page.next_problem, -1), ("Shift+F3",), GROUP,
               enabled=any_text),
        Action("forensics.report", "Copy the report", controller.copy_report, ("Ctrl+Shift+C",), GROUP, "copy",
               any_text),
        Action("forensics.raw", "Raw text", partial(show, "raw"), ("Alt+1",), GROUP),
        Action("forensics.sanitized", "Sanitized text", partial(show, "sanitized"), ("Alt+2",), GROUP),
        Action("forensics.markup", "Text with inert markers", partial(show, "markup"), ("Alt+3",), GROUP, "eye"),
    )  # fmt: skip
