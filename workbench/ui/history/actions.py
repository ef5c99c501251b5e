"""What can be done on the history page, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.history.controller import HistoryController as History

GROUP = tr("History")


def _has_run(history: History) -> bool:
    return history.page.chosen is not None


def _to_filter(history: History) -> None:
    history.page.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _step(by: int, history: History) -> None:
    history.page.step(by)


def _text(part: str, history: History) -> None:
    history.page.preview.tabs.choose(part)


def _tab(key: str, history: History) -> None:
    history.page.tabs.choose("runs" if key == history.page.tabs.current else key)


def _has_flip(history: History) -> bool:
    return history.in_flips and history.page.all_flips.chosen is not None


def _all(way: str, history: History) -> None:
    history.again.start(way)


COMMANDS: tuple[Command[History], ...] = (
    Command("history.open", tr("Open the run in Try"), lambda page: page.open_chosen(), ("Return",), GROUP, "play", _has_run,
            bound=False, words=tr("show")),
    Command("history.reparse", tr("Re-parse the run"), lambda history: history.chosen_run.reparse(), ("P",), GROUP,
            "arrow-clockwise", _has_run),
    Command("history.reparse_all", tr("Re-parse all runs of the filter"), partial(_all, "parse"), (), GROUP,
            "arrows-clockwise"),
    Command("history.offline_all", tr("Replay all runs of the filter offline"), partial(_all, "offline"), (), GROUP,
            "rewind"),
    Command("history.live_all", tr("Send all runs of the filter once more"), partial(_all, "live"), (), GROUP, "broadcast",
            words=tr("live retry again")),
    Command("history.keep", tr("Keep the run as a case"), lambda history: history.chosen_run.keep(), ("Ctrl+E",), GROUP,
            "bookmark-simple", _has_run, words=tr("save test")),
    Command("history.offline", tr("Replay the run offline"), lambda history: history.chosen_run.offline(), ("O",), GROUP,
            "rewind", _has_run, words=tr("test")),
    Command("history.live", tr("Send the run once more"), lambda history: history.chosen_run.live(), ("R",), GROUP,
            "broadcast", _has_run, words=tr("live replay again repeat")),
    Command("history.fork", tr("Fork the run from an iteration"), lambda history: history.chosen_run.fork(), ("B",), GROUP,
            "git-fork", _has_run),
    Command("history.failed", tr("Send the failures of the filter once more"), lambda history: history.again.start_failed(),
            (), GROUP, "broadcast", words=tr("retry again")),
    Command("history.export", tr("Export the run"), lambda history: history.chosen_run.export(), ("Ctrl+Shift+E",), GROUP,
            "export", _has_run, words=tr("share bundle har curl jsonl parquet")),
    Command("history.report", tr("Report the run upstream"), lambda history: history.chosen_run.report(), ("U",), GROUP, "bug",
            _has_run, words=tr("bug issue vllm sglang")),
    Command("history.verdict", tr("Set the run's verdict by hand"), lambda history: history.by_hand.menu(), ("V",), GROUP,
            "hand-palm", _has_run),
    Command("history.take_back", tr("Take the verdict set by hand back"), lambda history: history.by_hand.take_back(),
            ("Shift+V",), GROUP, "arrow-counter-clockwise", lambda history: history.by_hand.held is not None),
    Command("history.mark", tr("Mark the run"), lambda history: history.diff.mark(), ("M",), GROUP, "push-pin", _has_run,
            words=tr("pin")),
    Command("history.diff", tr("Compare with the marked run"), lambda history: history.diff.diff(), ("D",), GROUP,
            "git-diff", _has_run, words=tr("diff difference")),
    Command("history.forensics", tr("Open in Forensics"), lambda history: history.forensics.open(), ("F",), GROUP, "stack",
            _has_run, words=tr("all formats")),
    Command("history.next", tr("Next run"), partial(_step, 1), ("J",), GROUP, hidden=True),
    Command("history.previous", tr("Previous run"), partial(_step, -1), ("K",), GROUP, hidden=True),
    Command("history.filter", tr("Filter runs"), _to_filter, ("/", "Ctrl+F"), GROUP, "funnel", words=tr("facets search find")),
    Command("history.clear", tr("Clear the filter"), lambda history: history.page.filter.set_filter(""), (), GROUP, "x"),
    Command("history.models", tr("Summary by model and format"), partial(_tab, "models"), ("S",), GROUP, "scales",
            words=tr("statistics latency")),
    Command("history.flips", tr("Flips after replaying"), partial(_tab, "flips"), (), GROUP, "arrows-clockwise"),
    Command("history.accept", tr("Accept today's verdict of the flip"), lambda history: history.page.all_flips.accept(), ("A",),
            GROUP, "check", _has_flip),
    Command("history.accept_all", tr("Accept all flips that are shown"), lambda history: history.page.all_flips.accept_all(),
            (), GROUP, "check", lambda history: history.in_flips),
    Command("history.size", tr("Size of the history and how long it is kept"), partial(_tab, "size"), (), GROUP, "database",
            words=tr("database retention disk space trim")),
    Command("history.runs", tr("List of runs"), partial(_tab, "runs"), (), GROUP, "clock-counter-clockwise"),
    Command("history.all", tr("All texts"), partial(_text, ""), ("0",), GROUP, hidden=True),
    Command("history.raw", tr("Raw output"), partial(_text, "raw"), ("1",), GROUP, hidden=True),
    Command("history.parsed", tr("Parsed calls"), partial(_text, "parsed"), ("2",), GROUP, hidden=True),
    Command("history.sanitized", tr("Sanitized reply"), partial(_text, "sanitized"), ("3",), GROUP, hidden=True),
    Command("history.wire", tr("Wire bytes"), partial(_text, "wire"), ("W",), GROUP, hidden=True),
    Command("history.bin", tr("Put the run into the bin"), lambda page: page.bin_chosen(), ("Delete",), GROUP, "trash", _has_run,
            words=tr("delete remove trash")),
    Command("history.restore", tr("Take the run out of the bin"), lambda page: page.restore_chosen(), (), GROUP,
            "arrow-counter-clockwise", lambda history: history.in_bin and _has_run(history), words=tr("undo")),
    Command("history.empty_bin", tr("Empty the bin"), lambda page: page.empty_bin(), (), GROUP, "trash",
            lambda history: history.in_bin),
    Command("history.save_view", tr("Save the filter as a view"), lambda history: history.page.save_view_asked.emit(), (),
            GROUP, "bookmark-simple"),
    Command("history.copy", tr("Copy the run's id"), lambda page: page.copy_id(), (), GROUP, "copy", _has_run),
    Command("history.refresh", tr("Read the list again"), lambda page: page.refresh(), ("F5",), GROUP, "arrows-clockwise",
            words=tr("reload")),
)  # fmt: skip
