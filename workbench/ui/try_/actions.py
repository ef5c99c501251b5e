"""Everything that can be done in Try, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import UNDO_KEYS, Command

if TYPE_CHECKING:
    from workbench.ui.try_.controller import TryController as Try

GROUP = "Try"


def _has_run(page: Try) -> bool:
    return page.page.run.started is not None


def _can_replay(page: Try) -> bool:
    return page.replay.possible


def _can_judge(page: Try) -> bool:
    return page.by_hand.possible


def _runs(page: Try) -> bool:
    return page.is_running


def _waits(page: Try) -> bool:
    return page.approvals.waiting


def _can_run(page: Try) -> bool:
    return not page.is_running or page.approvals.waiting


def _can_stop(page: Try) -> bool:
    return page.is_running or page.page.shows_preview or page.page.shows_drawer


def _problem(step: int, page: Try) -> None:
    page.next_problem(step)


def _column(number: int, page: Try) -> None:
    page.page.focus_column(number)


COMMANDS: tuple[Command[Try], ...] = (
    Command("try.run", "Run, or allow the call that waits", lambda page: page.run_or_allow(), ("Ctrl+Return", "Ctrl+Enter"), GROUP, "play",
            _can_run, words="send ask start"),
    Command("try.new", "New prompt", lambda page: page.new(), ("Ctrl+N",), GROUP, "plus", words="clear empty"),
    Command("try.waiting", "Jump to the call that waits", lambda page: page.approvals.jump(), ("A",), GROUP, "hand-palm",
            _waits),
    Command("try.edit_call", "Edit the call that waits", lambda page: page.approvals.edit(), ("F2",), GROUP,
            "pencil-simple", _waits),
    Command("try.answer_call", "Give the result of the call that waits", lambda page: page.approvals.answer(), ("Shift+F2",), GROUP,
            "chat", _waits),
    Command("try.refuse", "Refuse the call that waits", lambda page: page.approvals.refuse(), ("Ctrl+D",), GROUP, "x",
            _waits),
    Command("try.stop", "Stop the run", lambda page: page.escape(), ("Esc",), GROUP, "x", _can_stop, words="cancel"),
    Command("try.preview", "Preview what will be sent", lambda page: page.toggle_preview(), ("Ctrl+Shift+P",), GROUP, "eye"),
    Command("try.parameters", "Parameters and limits of the run", lambda page: page.page.composer.parameters.showPopup(), (), GROUP,
            "sliders", words="temperature seed top p max tokens iterations cost reasoning policy streaming tool choice json"),
    Command("try.model", "Choose the model", lambda page: page.page.composer.target.model.showPopup(), (), GROUP, "flask",
            words="target provider"),
    Command("try.format", "Choose the format of calls", lambda page: page.page.composer.target.format.showPopup(), (), GROUP,
            "stack", words="target native text auto"),
    Command("try.mode", "Choose direct or boost", lambda page: page.page.composer.target.mode.showPopup(), (), GROUP,
            "compass", words="mode planner target"),
    Command("try.system", "Edit the system text", lambda page: page.page.composer.open_system(), (), GROUP, "pencil-simple",
            words="prompt instructions"),
    Command("try.tools", "Edit the tools", lambda page: page.editors.open_tools(""), ("Ctrl+T",), GROUP, "wrench",
            words="add import"),
    Command("try.wrapper", "Edit the boost wrapper", lambda page: page.editors.open_wrapper(), (), GROUP, "code",
            words="planner prompt"),
    Command("try.fork", "Fork the run from the shown step", lambda page: page.forking.start(), ("B",), GROUP, "git-fork",
            _can_replay, words="edit again"),
    Command("try.undo", "Bring the prompt before back", lambda page: page.drafts.undo(), (UNDO_KEYS,), GROUP,
            "arrow-counter-clockwise", lambda page: page.drafts.can_undo, words="undo"),
    Command("try.next_problem", "Next problem", partial(_problem, 1), ("F3",), GROUP, enabled=_has_run),
    Command("try.previous_problem", "Previous problem", partial(_problem, -1), ("Shift+F3",), GROUP, enabled=_has_run),
    Command("try.raw", "Raw output of the step", partial(_column, 1), ("1",), GROUP, enabled=_has_run),
    Command("try.parsed", "Parsed calls of the step", partial(_column, 2), ("2",), GROUP, enabled=_has_run),
    Command("try.sanitized", "Sanitized reply of the step", partial(_column, 3), ("3",), GROUP, enabled=_has_run),
    Command("try.wire", "Wire bytes of the step", lambda page: page.page.show_wire(None), ("W",), GROUP, "code",
            enabled=_has_run, words="request response headers"),
    Command("try.inspector", "Fold or show the inspector", lambda page: page.page.toggle_inspector(), ("Ctrl+I",), GROUP,
            "layout"),
    Command("try.answer", "Copy the answer", lambda page: page.page.verdict.answer_asked.emit(), (), GROUP, "copy",
            _has_run),
    Command("try.replay", "Replay the run offline", lambda page: page.replay.start(), ("R",), GROUP, "rewind",
            _can_replay),
    Command("try.forensics", "Open the step in Forensics", lambda page: page.forensics.open_page(), ("F",), GROUP,
            "stack", _has_run, words="all formats"),
    Command("try.verdict", "Set the run's verdict by hand", lambda page: page.by_hand.menu(), ("V",), GROUP, "hand-palm",
            _can_judge),
    Command("try.take_back", "Take the verdict set by hand back", lambda page: page.by_hand.take_back(), ("Shift+V",),
            GROUP, "arrow-counter-clockwise", lambda page: page.by_hand.held is not None),
    Command("try.keep", "Keep the run as a case", lambda page: page.keeping.start(), ("Ctrl+E",), GROUP,
            "bookmark-simple", _can_replay, words="save test"),
    Command("try.report", "Report the run upstream", lambda page: page.keeping.report(), ("U",), GROUP, "bug",
            _can_replay, words="bug issue vllm sglang"),
    Command("try.live", "Jump to live", lambda page: page.page.area.to_live(), ("End",), GROUP, enabled=_runs),
)  # fmt: skip
