"""What can be done on the page Scan, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.scan.controller import ScanController as Scan

GROUP = tr("Scan")


def _has_finding(scan: Scan) -> bool:
    return scan.from_finding.possible


def _is_unknown(scan: Scan) -> bool:
    return scan.from_finding.is_unknown


def _runs(scan: Scan) -> bool:
    return scan.running.is_running


def _may_repeat(scan: Scan) -> bool:
    return scan.running.scan is not None and not scan.running.is_running


def _step(by: int, scan: Scan) -> None:
    scan.page.findings.step(by)


def _view(value: str, scan: Scan) -> None:
    scan.page.finding.show_view(value)


def _to_filter(scan: Scan) -> None:
    scan.page.findings.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _way(value: str, scan: Scan) -> None:
    scan.page.findings.choose_way(value)


COMMANDS: tuple[Command[Scan], ...] = (
    Command("scan.files", tr("Scan files"), lambda page: page.add_files(), ("Ctrl+O",), GROUP, "file-text"),
    Command("scan.folder", tr("Scan a folder"), lambda page: page.add_folder(), ("Ctrl+Shift+O",), GROUP, "folder"),
    Command("scan.paste", tr("Scan what is in the clipboard"), lambda page: page.paste(), ("Ctrl+V",), GROUP, "clipboard-text"),
    Command("scan.again", tr("Scan again"), lambda page: page.again(), ("F5",), GROUP, "arrow-clockwise", _may_repeat),
    Command("scan.stop", tr("Stop the scan"), lambda scan: scan.running.stop(), ("Esc",), GROUP, "stop", _runs),
    Command("scan.open", tr("Open the finding as a run"), lambda scan: scan.from_finding.open(), ("Return",), GROUP, "play",
            _has_finding, bound=False),
    Command("scan.keep", tr("Keep the finding as a case"), lambda scan: scan.from_finding.keep(), ("Ctrl+E",), GROUP,
            "bookmark-simple", _has_finding),
    Command("scan.report", tr("Report the finding upstream"), lambda scan: scan.from_finding.report(), ("U",), GROUP, "bug",
            _has_finding),
    Command("scan.forensics", tr("Open the finding in Forensics"), lambda scan: scan.from_finding.forensics(), ("F",), GROUP,
            "stack", _has_finding),
    Command("scan.format", tr("Make a format from the findings in this markup"), lambda scan: scan.from_finding.make_format(),
            ("D",), GROUP, "code", _is_unknown),
    Command("scan.mark", tr("Mark the finding and those like it"), lambda scan: scan.listing.mark(), ("M",), GROUP, "push-pin",
            _has_finding),
    Command("scan.next", tr("Next finding"), partial(_step, 1), ("J",), GROUP, hidden=True),
    Command("scan.previous", tr("Previous finding"), partial(_step, -1), ("K",), GROUP, hidden=True),
    Command("scan.filter", tr("Filter the findings"), _to_filter, ("/", "Ctrl+F"), GROUP, "funnel"),
    Command("scan.clear", tr("Show all findings again"), lambda scan: scan.listing.clear(), ("Backspace",), GROUP, "x"),
    Command("scan.raw", tr("Raw text of the finding"), partial(_view, "raw"), ("1",), GROUP, hidden=True),
    Command("scan.parsed", tr("Parsed calls of the finding"), partial(_view, "parsed"), ("2",), GROUP, hidden=True),
    Command("scan.line", tr("Part of the file with the finding"), partial(_view, "line"), ("3",), GROUP, hidden=True),
    Command("scan.by_server", tr("Findings by model and server"), partial(_way, "server"), (), GROUP),
    Command("scan.by_format", tr("Findings by format"), partial(_way, "format"), (), GROUP),
    Command("scan.by_day", tr("Findings by day"), partial(_way, "day"), (), GROUP),
    Command("scan.export", tr("Export the findings as JSON"), lambda page: page.export(), ("Ctrl+Shift+E",), GROUP, "export", _has_finding),
)  # fmt: skip
