"""The line above the cards: how much of the budget is used, and why the run stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QRectF, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from workbench.ui.run.run_words import budget_words, failed_attempts
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import row
from workbench.ui.widgets.painting import paint_box, paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from workbench.ui.run.run_view import RunView

BLOCK_WIDTH, BLOCK_HEIGHT = 22, 8
_BETWEEN = "  ·  "


class BudgetMeter(QWidget):
    """One block per allowed failed attempt, filled when used, then the sums in words."""

    def __init__(self) -> None:
        super().__init__()
        self._used = self._allowed = 0
        self._words: list[str] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(28))
        self.setAccessibleName(tr("Loop budget"))

    @property
    def words(self) -> str:
        """The sums."""
        return _BETWEEN.join(self._words)

    def words_in(self, width: int) -> str:
        """The sums that have room: how many attempts failed and how it ended before what each model took."""
        left = list(self._words)
        while len(left) > 1 and QFontMetrics(ui_font()).horizontalAdvance(_BETWEEN.join(left)) > width:
            del left[1 if len(left) > 2 else 0]
        return _BETWEEN.join(left)

    def show_run(self, run: RunView | None) -> None:
        """Bring blocks and words up to date."""
        started = run.started if run else None
        self._allowed = started.target.limits.boost_loops if run and started and run.boosted else 0
        self._used = failed_attempts(run) if run else 0
        self._words = budget_words(run) if run else []
        self.setAccessibleDescription(self.words)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.setFixedHeight(px(28))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        height = self.height()
        left = paint_text(painter, QRect(0, 0, px(80), height), tr("Loop"), ui_font(13, bold=True), t.text) + px(10)
        for number in range(self._allowed):
            box = QRectF(left, (height - px(BLOCK_HEIGHT)) / 2, px(BLOCK_WIDTH), px(BLOCK_HEIGHT))
            used = number < self._used
            paint_box(painter, box, ground=t.text2 if used else "", border=t.text2 if used else t.edge, radius=2)
            left += px(BLOCK_WIDTH + 4)
        left += px(6) if self._allowed else 0
        room = QRect(left, 0, self.width() - left, height)
        words = self.words_in(room.width())
        set_tip(self, self.words if words != self.words else "")
        paint_text(painter, room, words or tr("nothing run yet"), ui_font(), t.text2)


class LoopBar(QFrame):
    """Meter and what can be done with all cards."""

    fold_all_asked = Signal()
    formats_asked = Signal()
    """The shown step's reply is wanted before all formats."""

    fork_asked = Signal()
    """The run shall go another way from the shown step on."""

    def __init__(self) -> None:
        super().__init__()
        self.meter = BudgetMeter()
        self.fold = Button(tr("Collapse all"), kind="quiet", small=True, on_click=self.fold_all_asked.emit)
        self.formats = Button(
            tr("All formats"), icon="stack", kind="quiet", small=True, keys="F",
            tip=tr("Read the step's reply with every format, in Forensics"), on_click=self.formats_asked.emit,
        )  # fmt: skip
        self.fork = Button(
            tr("Fork from here…"), icon="git-fork", kind="quiet", small=True, keys="B",
            tip=tr("Ask the shown step again with something changed, as a new run"), on_click=self.fork_asked.emit,
        )  # fmt: skip
        self.setLayout(row(self.meter, self.fold, self.fork, self.formats, margins=(24, 4, 16, 0), gap=0))

    def show_run(self, run: RunView | None, *, folded: bool) -> None:
        """Bring everything up to date."""
        self.meter.show_run(run)
        self.fold.setVisible(run is not None and bool(run.loops))
        self.formats.setVisible(run is not None and bool(run.loops))
        self.fork.setVisible(run is not None and bool(run.loops) and not run.live)
        self.fold.setText(tr("Expand all") if folded else tr("Collapse all"))
        self.fold.updateGeometry()
