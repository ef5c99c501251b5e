"""Which findings are listed and which one is shown: follows the source, the cell, the words that people choose."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.app.scan_words import examine_finding
from workbench.scan.sources import SourceState
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.scan.detail import detail_of
from workbench.ui.scan.lines import (
    ALL,
    Chosen,
    chosen_findings,
    group_lines,
    heading_words,
    kind_title,
    source_lines,
)
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from workbench.core.errors import WorkbenchError
    from workbench.scan.finding import Finding
    from workbench.scan.scanner import Seen
    from workbench.scan.tally import TallyColumn
    from workbench.ui.bridge.page import Shell
    from workbench.ui.scan.lines import GroupLine
    from workbench.ui.scan.view import ScanView

TYPED_MS = 150


class Listing(QObject):
    """Keeps what is chosen while findings come in."""

    def __init__(self, shell: Shell, page: ScanView) -> None:
        super().__init__(shell.window)
        self._shell, self._page = shell, page
        self._seen: Seen | None = None
        self._listed: object = None
        """What the list was made of; where it is the same, the list stays as it is."""
        self._marked: dict[object, bool] = {}
        self.chosen = Chosen()
        self.findings: list[Finding] = []
        """Those that the choice leaves."""
        self._typed = Throttle(TYPED_MS, self._refresh, self)
        pane = page.findings
        page.sources.source_chosen.connect(self.choose_source)
        pane.way_chosen.connect(self._on_way)
        pane.cell_chosen.connect(self.choose_cell)
        pane.group_chosen.connect(self._on_group)
        pane.fold_chosen.connect(lambda _folded: self._refresh())
        pane.words_typed.connect(self._on_words)
        page.finding.mark_asked.connect(self.mark)

    @property
    def finding(self) -> Finding | None:
        """The finding that is shown."""
        group = self._page.findings.chosen
        return group.shown if group is not None and self._page.findings.shows_list else None

    def begin(self) -> None:
        """Another scan begins: what was chosen of the one before is forgotten."""
        self.chosen = Chosen(by=self.chosen.by, words=self.chosen.words)
        self._seen = self._listed = None

    def show(self, seen: Seen) -> None:
        """Show what a scan has so far."""
        self._seen = seen
        self._page.sources.show_lines(source_lines(seen))
        self._refresh()

    def choose_source(self, number: int) -> None:
        """List the findings of one source, or of all."""
        if number != self.chosen.source:
            self.chosen = self.chosen._replace(source=number, kind="", column=None)
            self._refresh()

    def choose_cell(self, kind: str, column: TallyColumn | None) -> None:
        """List the findings of one cell; of a whole row without a column; of all without a kind."""
        if (kind, column) != (self.chosen.kind, self.chosen.column):
            self.chosen = self.chosen._replace(kind=kind, column=column)
            self._refresh()

    def clear(self) -> None:
        """List everything of the source again."""
        self.chosen = self.chosen._replace(kind="", column=None, words="")
        self._page.findings.filter.clear()
        self._refresh()

    def mark(self) -> None:
        """Mark the chosen finding and those like it, or take the mark away."""
        if (finding := self.finding) is not None:
            self._marked[finding.alike] = not self._marked.get(finding.alike)
            self._page.finding.show_marked(marked=self._marked[finding.alike])
            self._refresh()

    def _on_way(self, way: str) -> None:
        self.chosen = self.chosen._replace(by=way, column=None)
        self._refresh()

    def _on_words(self, words: str) -> None:
        self.chosen = self.chosen._replace(words=words)
        self._typed.request()

    def _refresh(self) -> None:
        seen, pane = self._seen, self._page.findings
        if seen is None:
            return
        self._show_counts(seen)
        if not pane.shows_list:
            self._listed = None
            return
        listed = (seen.kept, self.chosen, pane.is_folded, tuple(self._marked.items()))
        if listed != self._listed:
            self._listed = listed
            self.findings = chosen_findings(seen.findings[: seen.kept], self.chosen)
            self._show_groups(seen)

    def _show_counts(self, seen: Seen) -> None:
        tally = seen.tally if self.chosen.source == ALL else seen.tallies.get(self.chosen.source, seen.tally)
        pane = self._page.findings
        if not tally.findings:
            self._show_nothing(seen)
            return
        pane.show_matrix(list(tally.kinds), tally.columns(self.chosen.by), tally.cells(self.chosen.by))
        pane.matrix.choose(self.chosen.kind, self.chosen.column)

    def _show_nothing(self, seen: Seen) -> None:
        pane = self._page.findings
        source = next((one for one in seen.sources if one.number == self.chosen.source), None)
        read = source.replies if source is not None else seen.tally.replies
        failed = [one.error for one in ([source] if source else seen.sources) if one.state is SourceState.ERROR]
        alone = source or (seen.sources[0] if len(seen.sources) == 1 else None)
        if failed and not read:
            unknown = alone is not None and alone.may_be_read_as
            pane.show_nothing("warning", tr("This cannot be read"), "\n".join(failed[:3]), "error", unknown=unknown)
        elif seen.running:
            pane.show_nothing(
                "file-search",
                tr("Nothing found so far"),
                tr("{replies} read.", replies=counted(read, "reply", "replies")),
            )
        elif read:
            pane.show_nothing(
                "check-circle",
                tr("Nothing found"),
                tr("{replies} read, every call in order.", replies=counted(read, "reply", "replies")),
                "passed",
            )
        else:
            pane.show_nothing("file-search", tr("No replies"), tr("There is no reply of a model in what was read."))
        self._page.finding.show_none()

    def _show_groups(self, seen: Seen) -> None:
        pane = self._page.findings
        groups = group_lines(self.findings, self._marked)
        lines = groups if pane.is_folded else group_lines(self.findings, self._marked, folded=False)
        title, note = heading_words(self.findings, self.chosen, len(groups))
        if seen.tally.findings > seen.kept:
            note = tr(
                "{note}; of all findings the first {kept:,} are listed, the others counted", note=note, kept=seen.kept
            )
        pane.show_groups(lines, title, note, len(groups), len(self.findings))
        if not lines:
            self._page.finding.show_none(matches=False)

    def _on_group(self, group: GroupLine) -> None:
        self._page.finding.show_waiting(group, kind_title(group.shown.kind))
        self._shell.tasks.latest("scan finding", self._examine(group), on_error=self._on_error)

    async def _examine(self, group: GroupLine) -> None:
        check = self._shell.wb.check
        detail = await asyncio.to_thread(lambda: detail_of(examine_finding(group.shown, check), group))
        now = self._page.findings.chosen
        if now is not None and now.shown is group.shown:
            self._page.finding.show_detail(detail)

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
