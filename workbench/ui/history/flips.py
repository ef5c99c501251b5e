"""What reading the history again has changed: one line a run, and the counts above the list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    pass

COLUMNS = ("Replay", "Verdict", "Run", "Prompt", "Format", "What differs")
REPLAY, VERDICT, RUN, PROMPT, FORMAT, WHAT = range(6)
SHOWN = ("fixed", "regressed", "changed", "not_comparable")
"""Replay verdicts that are listed; `same` is only counted."""


@dataclass(frozen=True, slots=True)
class FlipLine:
    """One run that is read differently today."""

    run_id: str
    number: int
    replay: str
    before: str
    """Verdict state as stored."""
    after: str
    """Verdict state over today's readings."""
    prompt: str
    format: str
    what: str


@dataclass(slots=True)
class FlipCounts:
    """How far a re-parse is and what it found."""

    runs: int = 0
    replies: int = 0
    """0 where runs are replayed as a whole."""
    seconds: float = 0.0
    done: bool = False
    by_replay: dict[str, int] = field(default_factory=dict)
    total: int = 0
    """Runs there are; 0: nobody counted."""
    stopped: bool = False
    """Somebody ended it before its end."""

    def add(self, replay: str, replies: int) -> None:
        """Count one run."""
        self.runs += 1
        self.replies += replies
        self.by_replay[replay] = self.by_replay.get(replay, 0) + 1

    @property
    def words(self) -> str:
        """`1,036,407 replies of 12 runs in 3.1 s`, and while it goes on `120 of 560 runs, 9 s left`."""
        if not self.done:
            of = f"{self.runs:,} of {self.total:,} runs" if self.total else counted(self.runs, "run")
            return f"{of}{self._left()}"
        runs = counted(self.runs, "run")
        what = f"{self.replies:,} replies of {runs}" if self.replies else runs
        speed = f", {(self.replies or self.runs) / self.seconds:,.0f} a second" if self.seconds > 0.5 else ""
        cut = f", stopped before {self.total - self.runs:,} more" if self.stopped else ""
        return f"{what} in {self.seconds:.1f} s{speed}{cut}"

    def _left(self) -> str:
        if not self.runs or self.seconds < 0.5 or self.total <= self.runs:
            return ""
        return f", {self.seconds / self.runs * (self.total - self.runs):.0f} s left"


class FlipModel(LineModel[FlipLine]):
    """The list of flips, growing while the re-parse runs."""

    columns = COLUMNS

    def cell(self, line: FlipLine, column: int, role: int) -> Any:
        texts = (
            line.replay.replace("_", " "), f"{line.before} → {line.after}", f"{line.number:,}", line.prompt,
            line.format, line.what,
        )  # fmt: skip
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return texts[column]
        if role == Qt.ItemDataRole.AccessibleTextRole and column == REPLAY:
            return ", ".join(texts)
        return None
