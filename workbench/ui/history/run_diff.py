"""One run marked, another chosen: where they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.run.two_runs import open_diff
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView
    from workbench.ui.run.diff_view import RunDiff


class HistoryDiff:
    """Keeps the mark and opens the window of differences."""

    def __init__(self, shell: Shell, page: HistoryView) -> None:
        self._shell, self._page = shell, page
        self.marked = ""
        """Id of the marked run; empty: none."""
        self._number = 0
        self.dialog: RunDiff | None = None
        page.preview.mark_button.clicked.connect(lambda _checked=False: self.mark())
        page.preview.diff_button.clicked.connect(lambda _checked=False: self.diff())

    def mark(self) -> None:
        """Mark the chosen run, or take its mark away."""
        line = self._page.chosen
        if line is None:
            return
        self.marked = "" if line.id == self.marked else line.id
        self._number = line.number
        self._page.model.mark(self.marked)
        told = tr("Run {number:,} is marked; D over another run shows where they differ", number=line.number)
        self._shell.say(told if self.marked else tr("Run {number:,} is marked no more", number=line.number))

    def diff(self) -> None:
        """Show where the marked run and the chosen one differ."""
        line = self._page.chosen
        if line is None:
            return
        if not self.marked:
            self._shell.say(tr("Mark a run first (M); then choose another one and compare (D)."))
        elif line.id == self.marked:
            self._shell.say(
                tr("Run {number:,} is the marked one; choose another run to compare it with.", number=line.number)
            )
        else:
            self._shell.tasks.latest("history diff", self._diff(self.marked, line.id), on_error=self._on_error)

    async def _diff(self, first: str, second: str) -> None:
        self.dialog = await open_diff(self._shell, first, second)
        self.dialog.finished.connect(self._on_closed)

    def _on_closed(self) -> None:
        self.dialog = None

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
