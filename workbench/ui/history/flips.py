"""What reading the history again has changed: one line a run, and the counts above the list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from workbench.core.verdict import Verdict

_COLOURS = {"fixed": "passed", "regressed": "failed"}
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
    verdict: Verdict | None = None
    """Today's, where it may be accepted."""
    accepted: bool = False


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
            of = (
                tr("{runs:,} of {total:,} runs", runs=self.runs, total=self.total)
                if self.total
                else counted(self.runs, "run")
            )
            return f"{of}{self._left()}"
        runs = counted(self.runs, "run")
        what = (
            tr("{replies} of {runs}", replies=counted(self.replies, "reply", "replies"), runs=runs)
            if self.replies
            else runs
        )
        speed = (
            tr(", {replies:,.0f} a second", replies=(self.replies or self.runs) / self.seconds)
            if self.seconds > 0.5
            else ""
        )
        cut = tr(", stopped before {total:,} more", total=self.total - self.runs) if self.stopped else ""
        return tr("{what} in {seconds:.1f} s{speed}{cut}", what=what, seconds=self.seconds, speed=speed, cut=cut)

    def _left(self) -> str:
        if not self.runs or self.seconds < 0.5 or self.total <= self.runs:
            return ""
        return tr(", {seconds:.0f} s left", seconds=self.seconds / self.runs * (self.total - self.runs))


def _paint_replay(painter: QPainter, rect: QRect, line: FlipLine, _chosen: bool) -> None:
    colour = tokens().colour(_COLOURS.get(line.replay, "text2"))
    paint_text(painter, rect, line.replay.replace("_", " "), ui_font(12, bold=True), colour)


def _paint_verdicts(painter: QPainter, rect: QRect, line: FlipLine, _chosen: bool) -> None:
    side = px(10)
    top = rect.center().y() - side / 2
    paint_verdict(painter, line.before, QRectF(rect.left(), top, side, side))
    arrow = QRect(rect.left() + px(16), rect.top() + (rect.height() - px(12)) // 2, px(12), px(12))
    paint_icon(painter, "arrow-right", arrow, tokens().text3)
    paint_verdict(painter, line.after, QRectF(rect.left() + px(34), top, side, side))


COLUMNS: tuple[Column[FlipLine], ...] = (
    Column(tr("Replay"), lambda line: line.replay.replace("_", " "), 104, left=16, paint=_paint_replay),
    Column(tr("Verdict"), lambda line: f"{line.before} → {line.after}", 72, paint=_paint_verdicts),
    Column(tr("Run"), lambda line: f"{line.number:,}", 72, size=11),
    Column(tr("Prompt"), lambda line: line.prompt, token="text", strong=True),
    Column(tr("Format"), lambda line: line.format, 132, mono=True, size=11),
    Column(
        tr("What differs"),
        lambda line: tr("accepted · {what}", what=line.what) if line.accepted else line.what,
        220,
        size=11,
    ),
)


class FlipModel(TableModel[FlipLine]):
    """The list of flips, growing while the re-parse runs."""

    columns = COLUMNS
