"""A loop's card: a header with caret, summary, problem chips and figures, one row per step, and calls that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.run.loop.approval_row import ApprovalRow
from workbench.ui.run.loop.step_card import StepCard
from workbench.ui.run.run_words import loop_chips, loop_figures, loop_summary
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.ui.run.loop.approval_row import WaitingView
    from workbench.ui.run.loop.ruler import ColumnRuler
    from workbench.ui.run.loop.step import LoopStepRow
    from workbench.ui.run.run_view import LoopView, RunView, StepView


class LoopCard(StepCard):
    """One boost round, or a whole direct run."""

    def __init__(self, run: RunView, loop: LoopView, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(tr("Loop {number}", number=loop.number), ruler, parent)
        self.loop = loop
        self.approvals: list[ApprovalRow] = []
        """Calls that wait for the user, below the steps."""
        self._run = run
        self.refresh_header(run.last_at_us)

    @property
    def below(self) -> Sequence[QWidget]:
        return self.approvals

    def now_us(self) -> int:
        return self._run.last_at_us

    def add_step(self, step: StepView) -> LoopStepRow:
        """Add a row."""
        return self.add_row(self._run, step)

    def add_approval(self, view: WaitingView) -> ApprovalRow:
        """Add a call that waits."""
        made = ApprovalRow(view, self._ruler, self)
        made.height_changed.connect(self.height_changed)
        self.approvals.append(made)
        made.setVisible(not self._is_folded)
        self.refresh_header(self._run.last_at_us)
        self.height_changed.emit()
        return made

    def drop_approval(self, made: ApprovalRow) -> None:
        """Take a call away that was decided."""
        self.approvals.remove(made)
        made.hide()
        made.deleteLater()
        self.refresh_header(self._run.last_at_us)
        self.height_changed.emit()

    def refresh_header(self, now_us: int) -> None:
        """Bring summary, chips and figures up to date."""
        summary = loop_summary(self.loop, now_us)
        if waiting := len(self.approvals):
            summary = f"{summary} · {waiting} wait{'s' if waiting == 1 else ''} for you".lstrip(" ·")
        self.header.show_loop(summary, loop_chips(self.loop), loop_figures(self.loop, now_us))
