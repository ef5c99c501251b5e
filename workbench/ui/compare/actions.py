"""What can be done on the comparison's page, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command
from workbench.ui.compare.tabs_view import EARLIER, MATRIX
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.compare.controller import CompareController as Compare

GROUP = tr("Compare")


def _has_batch(compare: Compare) -> bool:
    return compare.batch is not None and compare.tab == MATRIX


def _found(compare: Compare) -> bool:
    return compare.verifies and compare.verify.found is not None and not compare.verify.page.shows_setup


def _run(compare: Compare) -> None:
    (compare.verify if compare.verifies else compare).run()


def _can_run(compare: Compare) -> bool:
    return compare.tab != EARLIER and (compare.verify if compare.verifies else compare).page.shows_setup


def _new(compare: Compare) -> None:
    (compare.verify if compare.verifies else compare).new()


def _pause(compare: Compare) -> None:
    shown = compare.verify if compare.verifies else compare
    if shown.page.progress.pause.isVisible():
        shown.running.pause()
    else:
        shown.running.go_on()


def _runs(compare: Compare) -> bool:
    return (compare.verify if compare.verifies else compare).running.shown is not None


def _cancel(compare: Compare) -> None:
    (compare.verify if compare.verifies else compare).running.cancel()


def _copy(compare: Compare) -> None:
    if compare.verifies:
        compare.verify.report()
    else:
        compare.exporting.copy_markdown()


def _export(compare: Compare) -> None:
    shown = compare.verify if compare.verifies else compare
    shown.exporting.menu(shown.export_button)


def _fold(compare: Compare) -> None:
    (compare.verify if compare.verifies else compare).page.toggle_panel()


def _tab(name: str, verify_name: str, compare: Compare) -> None:
    page, key = (compare.verify.page, verify_name) if compare.verifies else (compare.page, name)
    if key:
        page.panel.tabs.choose(key)
        page.open_panel()


def _something(compare: Compare) -> bool:
    return _found(compare) or _has_batch(compare)


def _has_cell_run(compare: Compare) -> bool:
    return _has_batch(compare) and compare.page.panel.cell.chosen is not None


def _has_hand(compare: Compare) -> bool:
    line = compare.page.panel.cell.chosen
    return _has_batch(compare) and line is not None and bool(line.hand)


COMMANDS: tuple[Command[Compare], ...] = (
    Command("compare.run", tr("Run what is set up"), _run, ("Ctrl+Return",), GROUP, "play",
            _can_run),
    Command("compare.new", tr("New comparison or verification"), _new, ("Ctrl+N",), GROUP, "plus"),
    Command("compare.again", tr("Set up the same comparison again"), lambda page: page.again(), (), GROUP, "arrow-clockwise",
            _has_batch),
    Command("compare.pause", tr("Pause or resume the batch"), _pause, ("Ctrl+P",), GROUP, "pause", _something),
    Command("compare.cancel", tr("Cancel the batch; it can be resumed"), _cancel, ("Esc",), GROUP, "x", _runs),
    Command("compare.copy", tr("Copy the table as Markdown"), _copy, ("Ctrl+Shift+C",), GROUP, "copy", _something),
    Command("compare.export", tr("Export what is shown or its runs"), _export, (), GROUP, "export", _something),
    Command("compare.panel", tr("Fold the panel"), _fold, ("Ctrl+I",), GROUP, "layout", _something),
    Command("compare.targets", tr("First part of the panel"), partial(_tab, "targets", "metric"), ("1",), GROUP,
            hidden=True),
    Command("compare.why", tr("Second part of the panel"), partial(_tab, "why", "evidence"), ("2",), GROUP, hidden=True),
    Command("compare.cell", tr("Third part of the panel"), partial(_tab, "cell", "policy"), ("3",), GROUP, hidden=True),
    Command("compare.verdict", tr("Set the verdict of the chosen run by hand"),
            lambda compare: compare.page.panel.cell.open_hand(), ("V",), GROUP, "hand-palm", _has_cell_run),
    Command("compare.take_back", tr("Take the run's verdict set by hand back"),
            lambda compare: compare.page.panel.cell.take_back(), ("Shift+V",), GROUP, "arrow-counter-clockwise",
            _has_hand),
    Command("compare.filter", tr("Filter cases"), lambda compare: compare.page.to_filter(), ("/", "Ctrl+F"), GROUP, "funnel",
            _has_batch),
    Command("verify.open", tr("Verify an endpoint against a reference"), lambda page: page.choose_verify(), (), GROUP, "check-circle"),
    Command("verify.next-fail", tr("Next FAIL"), lambda compare: compare.verify.next_fail(), ("F",), GROUP, "arrow-down",
            _found),
    Command("verify.both", tr("Open both runs of the chosen pair"), lambda compare: compare.verify.pair.open_both(), ("D",),
            GROUP, "columns", _found),
    Command("verify.keep", tr("Keep the chosen pair as a case"), lambda compare: compare.verify.pair.keep(), ("Ctrl+E",),
            GROUP, "archive", _found),
    Command("verify.report", tr("Copy the verification's report"), lambda compare: compare.verify.report(), ("U",), GROUP,
            "clipboard-text", _found),
    Command("verify.more", tr("Run until decided"), lambda compare: compare.verify.running.until_decided(), (), GROUP,
            "play", _found),
)  # fmt: skip
