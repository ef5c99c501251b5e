"""Everything that can be done in Try, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import UNDO_KEYS, Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.try_.controller import TryController as Try

GROUP = tr("Try")


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
    Command("try.run", tr("Run, or allow the call that waits"), lambda page: page.run_or_allow(), ("Ctrl+Return", "Ctrl+Enter"), GROUP, "play",
            _can_run, words=tr("send ask start")),
    Command("try.new", tr("New prompt"), lambda page: page.new(), ("Ctrl+N",), GROUP, "plus", words=tr("clear empty")),
    Command("try.waiting", tr("Jump to the call that waits"), lambda page: page.approvals.jump(), ("A",), GROUP, "hand-palm",
            _waits),
    Command("try.edit_call", tr("Edit the call that waits"), lambda page: page.approvals.edit(), ("F2",), GROUP,
            "pencil-simple", _waits),
    Command("try.answer_call", tr("Give the result of the call that waits"), lambda page: page.approvals.answer(), ("Shift+F2",), GROUP,
            "chat", _waits),
    Command("try.refuse", tr("Refuse the call that waits"), lambda page: page.approvals.refuse(), ("Ctrl+D",), GROUP, "x",
            _waits),
    Command("try.stop", tr("Stop the run"), lambda page: page.escape(), ("Esc",), GROUP, "x", _can_stop, words=tr("cancel")),
    Command("try.preview", tr("Preview what will be sent"), lambda page: page.toggle_preview(), ("Ctrl+Shift+P",), GROUP, "eye"),
    Command("try.parameters", tr("Parameters and limits of the run"), lambda page: page.page.composer.parameters.showPopup(), (), GROUP,
            "sliders", words=tr("temperature seed top p max tokens iterations cost reasoning policy streaming tool choice json")),
    Command("try.model", tr("Choose the model"), lambda page: page.page.composer.target.model.showPopup(), (), GROUP, "flask",
            words=tr("target provider")),
    Command("try.format", tr("Choose the format of calls"), lambda page: page.page.composer.target.format.showPopup(), (), GROUP,
            "stack", words=tr("target native text auto")),
    Command("try.mode", tr("Choose direct or boost"), lambda page: page.page.composer.target.mode.showPopup(), (), GROUP,
            "compass", words=tr("mode planner target")),
    Command("try.system", tr("Edit the system text"), lambda page: page.page.composer.open_system(), (), GROUP, "pencil-simple",
            words=tr("prompt instructions")),
    Command("try.tools", tr("Edit the tools"), lambda page: page.editors.open_tools(""), ("Ctrl+T",), GROUP, "wrench",
            words=tr("add import")),
    Command("try.wrapper", tr("Edit the boost wrapper"), lambda page: page.editors.open_wrapper(), (), GROUP, "code",
            words=tr("planner prompt")),
    Command("try.fork", tr("Fork the run from the shown step"), lambda page: page.forking.start(), ("B",), GROUP, "git-fork",
            _can_replay, words=tr("edit again")),
    Command("try.undo", tr("Bring the prompt before back"), lambda page: page.drafts.undo(), (UNDO_KEYS,), GROUP,
            "arrow-counter-clockwise", lambda page: page.drafts.can_undo, words=tr("undo")),
    Command("try.next_problem", tr("Next problem"), partial(_problem, 1), ("F3",), GROUP, enabled=_has_run),
    Command("try.previous_problem", tr("Previous problem"), partial(_problem, -1), ("Shift+F3",), GROUP, enabled=_has_run),
    Command("try.raw", tr("Raw output of the step"), partial(_column, 1), ("1",), GROUP, enabled=_has_run),
    Command("try.parsed", tr("Parsed calls of the step"), partial(_column, 2), ("2",), GROUP, enabled=_has_run),
    Command("try.sanitized", tr("Sanitized reply of the step"), partial(_column, 3), ("3",), GROUP, enabled=_has_run),
    Command("try.wire", tr("Wire bytes of the step"), lambda page: page.page.show_wire(None), ("W",), GROUP, "code",
            enabled=_has_run, words=tr("request response headers")),
    Command("try.inspector", tr("Fold or show the inspector"), lambda page: page.page.toggle_inspector(), ("Ctrl+I",), GROUP,
            "layout"),
    Command("try.answer", tr("Copy the answer"), lambda page: page.page.verdict.answer_asked.emit(), (), GROUP, "copy",
            _has_run),
    Command("try.replay", tr("Replay the run offline"), lambda page: page.replay.start(), ("R",), GROUP, "rewind",
            _can_replay),
    Command("try.forensics", tr("Open the step in Forensics"), lambda page: page.forensics.open_page(), ("F",), GROUP,
            "stack", _has_run, words=tr("all formats")),
    Command("try.verdict", tr("Set the run's verdict by hand"), lambda page: page.by_hand.menu(), ("V",), GROUP, "hand-palm",
            _can_judge),
    Command("try.take_back", tr("Take the verdict set by hand back"), lambda page: page.by_hand.take_back(), ("Shift+V",),
            GROUP, "arrow-counter-clockwise", lambda page: page.by_hand.held is not None),
    Command("try.keep", tr("Keep the run as a case"), lambda page: page.keeping.start(), ("Ctrl+E",), GROUP,
            "bookmark-simple", _can_replay, words=tr("save test")),
    Command("try.report", tr("Report the run upstream"), lambda page: page.keeping.report(), ("U",), GROUP, "bug",
            _can_replay, words=tr("bug issue vllm sglang")),
    Command("try.live", tr("Jump to live"), lambda page: page.page.area.to_live(), ("End",), GROUP, enabled=_runs),
)  # fmt: skip
