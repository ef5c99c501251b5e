"""What can be done on the cases page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command

if TYPE_CHECKING:
    from workbench.ui.cases.controller import CasesController as Cases

GROUP = "Cases"


def _has_case(cases: Cases) -> bool:
    return cases.page.case is not None


def _in_table(cases: Cases) -> bool:
    return _has_case(cases) and cases.page.table.hasFocus()


COMMANDS: tuple[Command[Cases], ...] = (
    Command("cases.save", "Save the case", lambda page: page.save(), ("Ctrl+S",), GROUP, "check", _has_case),
    Command("cases.new", "New case", lambda page: page.new(), ("Ctrl+N",), GROUP, "plus"),
    Command("cases.duplicate", "Duplicate the case", lambda page: page.duplicate(), ("Ctrl+D",), GROUP, "copy", _has_case,
            words="copy to edit"),
    Command("cases.delete", "Move the case to the bin", lambda page: page.delete(), ("Delete",), GROUP, "trash", _in_table,
            words="remove trash"),
    Command("cases.undo", "Take the case out of the bin again", lambda page: page.undo(), (), GROUP, "arrow-counter-clockwise",
            lambda cases: cases.can_undo, words="undo restore"),
    Command("cases.revert", "Take back the changes to the case", lambda page: page.revert(), (), GROUP, "arrow-counter-clockwise",
            _has_case, words="revert undo discard"),
    Command("cases.suite", "New suite", lambda cases: cases.page.new_suite_asked.emit(), (), GROUP, "plus",
            words="folder"),
    Command("cases.import", "Import case files", lambda page: page.import_cases(), (), GROUP, "export",
            words="add load"),
    Command("cases.replay", "Replay the suite: re-parse what is recorded of it", lambda cases: cases.suite_actions.replay(), (), GROUP,
            "rewind"),
    Command("cases.run", "Run the suite in Compare", lambda cases: cases.suite_actions.run(), ("Ctrl+Return",), GROUP, "play"),
)  # fmt: skip
