"""Everything that can be done in Forensics, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Action
from workbench.ui.forensics.text_actions import UNDO_KEYS

if TYPE_CHECKING:
    from workbench.ui.forensics.controller import ForensicsController

GROUP = "Forensics"


def actions_of(controller: ForensicsController) -> tuple[Action, ...]:
    """The table of the page."""
    page, show, work = controller.page, controller.show_view, controller.work

    def any_text() -> bool:
        return controller.exam is not None

    def any_calls() -> bool:
        return page.minimise.isEnabled() and not work.is_searching

    return (
        Action("forensics.paste", "Paste a reply", work.paste, ("Ctrl+Shift+V",), GROUP, "clipboard-text"),
        Action("forensics.clear", "Clear the text", work.clear, (), GROUP, "x", any_text),
        Action("forensics.next", "Next problem", partial(page.next_problem, 1), ("F3",), GROUP, "arrow-down", any_text),
        Action("forensics.back", "Previous problem", partial(page.next_problem, -1), ("Shift+F3",), GROUP,
               enabled=any_text),
        Action("forensics.reparse", "Re-parse", work.reparse, ("P",), GROUP, "arrow-clockwise", any_text),
        Action("forensics.minimise", "Minimise the text", work.minimise, ("M",), GROUP, "scissors",
               any_calls),
        Action("forensics.stop", "Stop minimising", work.stop, ("Esc",), GROUP, "x",
               lambda: work.is_searching),
        Action("forensics.undo", "Bring the text before back", work.undo, (UNDO_KEYS,), GROUP,
               "arrow-counter-clockwise", lambda: work.can_undo),
        Action("forensics.chunks", "Chunks: what the parser believed",
               lambda: page.result.show_chunks(shown=not page.result.shows_chunks), ("C",), GROUP, "broadcast",
               any_text),
        Action("forensics.open", "Open in Try", work.open_in_try, ("Ctrl+Return",), GROUP, "play", any_text),
        Action("forensics.keep", "Keep as case", work.keep, ("Ctrl+E",), GROUP, "bookmark-simple",
               any_text),
        Action("forensics.report", "Copy the report", work.copy_report, ("Ctrl+Shift+C",), GROUP, "copy",
               any_text),
        Action("forensics.raw", "Raw text", partial(show, "raw"), ("Alt+1",), GROUP),
        Action("forensics.sanitized", "Sanitized text", partial(show, "sanitized"), ("Alt+2",), GROUP),
        Action("forensics.markup", "Text with inert markers", partial(show, "markup"), ("Alt+3",), GROUP, "eye"),
    )  # fmt: skip
