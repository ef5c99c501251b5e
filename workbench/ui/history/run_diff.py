"""One run marked, another chosen: where they differ."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from workbench.replay.difference import MISSING
from workbench.replay.rundiff import compare_runs
from workbench.ui.history.diff_rows import DiffLine, DiffSide
from workbench.ui.history.diff_view import RunDiff

if TYPE_CHECKING:
    from workbench.core.errors import WorkbenchError
    from workbench.replay.difference import Change
    from workbench.replay.rundiff import RunDifference
    from workbench.store import StoredRun
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView


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
        told = f"Run {line.number:,} is marked; D over another run shows where they differ"
        self._shell.say(told if self.marked else f"Run {line.number:,} is marked no more")

    def diff(self) -> None:
        """Show where the marked run and the chosen one differ."""
        line = self._page.chosen
        if line is None:
            return
        if not self.marked:
            self._shell.say("Mark a run first (M); then choose another one and compare (D).")
        elif line.id == self.marked:
            self._shell.say(f"Run {line.number:,} is the marked one; choose another run to compare it with.")
        else:
            self._shell.tasks.latest("history diff", self._diff(self.marked, line.id), on_error=self._on_error)

    async def _diff(self, first: str, second: str) -> None:
        store = self._shell.wb.store
        one, other = await asyncio.to_thread(store.load, first), await asyncio.to_thread(store.load, second)
        found = await asyncio.to_thread(compare_runs, one, other)
        sides = (_side(one), _side(other))
        self.dialog = RunDiff(sides, found.word, diff_lines(found), found.folded, self._shell.window)
        self.dialog.finished.connect(self._on_closed)
        self.dialog.show()

    def _on_closed(self) -> None:
        self.dialog = None

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))


def diff_lines(found: RunDifference) -> list[DiffLine]:
    """All places, what was asked first."""
    return [
        *(_line(change, asked=True) for change in found.asked.changes),
        *(_line(change) for change in found.came.changes),
    ]


def _line(change: Change, *, asked: bool = False) -> DiffLine:
    return DiffLine(change.path, change.kind, _text(change.before), _text(change.after), asked)


def _text(value: object) -> str:
    if value is MISSING:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _side(stored: StoredRun) -> DiffSide:
    run = stored.run
    where = f"{run.provider} / {run.model} · {run.format} · {run.mode}{' · simulated' if run.simulated else ''}"
    return DiffSide(run.number, run.verdict.state.value, run.title or run.prompt, where)
