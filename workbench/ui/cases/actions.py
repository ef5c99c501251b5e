"""What can be done on the cases page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.cases.controller import CasesController as Cases

GROUP = tr("Cases")


def _has_case(cases: Cases) -> bool:
    return cases.page.case is not None


def _in_table(cases: Cases) -> bool:
    return _has_case(cases) and cases.page.table.hasFocus()


COMMANDS: tuple[Command[Cases], ...] = (
    Command("cases.save", tr("Save the case"), lambda page: page.save(), ("Ctrl+S",), GROUP, "check", _has_case),
    Command("cases.new", tr("New case"), lambda page: page.new(), ("Ctrl+N",), GROUP, "plus"),
    Command("cases.duplicate", tr("Duplicate the case"), lambda page: page.duplicate(), ("Ctrl+D",), GROUP, "copy", _has_case,
            words=tr("copy to edit")),
    Command("cases.delete", tr("Move the case to the bin"), lambda page: page.delete(), ("Delete",), GROUP, "trash", _in_table,
            words=tr("remove trash")),
    Command("cases.undo", tr("Take the case out of the bin again"), lambda page: page.undo(), (), GROUP, "arrow-counter-clockwise",
            lambda cases: cases.can_undo, words=tr("undo restore")),
    Command("cases.revert", tr("Take back the changes to the case"), lambda page: page.revert(), (), GROUP, "arrow-counter-clockwise",
            _has_case, words=tr("revert undo discard")),
    Command("cases.suite", tr("New suite"), lambda cases: cases.page.new_suite_asked.emit(), (), GROUP, "plus",
            words=tr("folder")),
    Command("cases.import", tr("Import case files"), lambda page: page.import_cases(), (), GROUP, "export",
            words=tr("add load")),
    Command("cases.replay", tr("Replay the suite: re-parse what is recorded of it"), lambda cases: cases.suite_actions.replay(), (), GROUP,
            "rewind"),
    Command("cases.run", tr("Run the suite in Compare"), lambda cases: cases.suite_actions.run(), ("Ctrl+Return",), GROUP, "play"),
)  # fmt: skip
