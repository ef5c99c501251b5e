"""The verdict bar: shape, word, reason, totals, and what can be done with the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from workbench.core.verdict import VerdictState
from workbench.ui.run.hand_verdict import TIP
from workbench.ui.run.run_words import totals_words
from workbench.ui.theme.fonts import px
from workbench.ui.theme.tokens import Sizes
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.frames import UNBOUNDED, ElidedLabel, column, hairline, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.spoken import announce
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from workbench.core.events import RunStarted
    from workbench.ui.run.run_view import RunView
    from workbench.ui.widgets.chips import ChipKind

_OUTCOMES: dict[str, ChipKind] = {"same": "plain", "fixed": "followed", "regressed": "problem", "changed": "neutral"}
_REASON = 60
"""What the reason keeps where room is short."""


class VerdictBar(QFrame):
    """Hidden until there is a run."""

    answer_asked = Signal()
    again_asked = Signal()
    replay_asked = Signal()
    keep_asked = Signal()
    report_asked = Signal()
    jump_asked = Signal()
    """The call that waits is wanted."""
    outcome_asked = Signal()
    """What a replay found is wanted in full."""
    hand_asked = Signal()
    """A verdict shall be set by hand, or what was set be told."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.verdict = VerdictLabel(VerdictState.RUNNING)
        self.reason = ElidedLabel("", "second")
        self.totals = ElidedLabel("", "second")
        self.reason.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.answer = Button(
            tr("Copy answer"),
            icon="copy",
            tip=tr("Copy the answer, as the user gets it"),
            on_click=self.answer_asked.emit,
        )
        self.again = Button(
            tr("Run again"),
            icon="arrow-clockwise",
            tip=tr("Send the same prompt once more"),
            on_click=self.again_asked.emit,
        )
        self.replay = Button(
            tr("Replay"), icon="rewind", keys="R", tip=tr("Run it again over the recorded exchanges, offline"),
            on_click=self.replay_asked.emit,
        )  # fmt: skip
        self.keep = Button(
            tr("Keep as case"), icon="bookmark-simple", kind="primary", keys="Ctrl+E", on_click=self.keep_asked.emit
        )
        self.report = Button(
            icon="bug", keys="U", tip=tr("Report upstream, in the receiver's form"), on_click=self.report_asked.emit
        )
        self.hand = Button(icon="hand-palm", keys="V", tip=TIP, on_click=self.hand_asked.emit)
        self._recorded = True
        self.by_hand = Chip("", "chosen", icon="hand-palm", clickable=True)
        self.by_hand.clicked.connect(self.hand_asked)
        self.by_hand.hide()
        self.jump = Button(tr("Jump to it"), icon="crosshair", keys="A", on_click=self.jump_asked.emit)
        self.jump.hide()
        self._waiting = ""
        self._awaited: RunStarted | None = None
        """The run whose end is to be said."""
        self.outcome = Chip("", "plain", clickable=True)
        self.outcome.clicked.connect(self.outcome_asked)
        self.outcome.hide()
        self._said = (self.verdict, self.by_hand, self.reason, self.totals, self.outcome)
        self._asked = (self.jump, self.answer, self.again, self.replay, self.hand, self.report, self.keep)
        line = row(*self._said, None, *self._asked, margins=(16, 0, 16, 0))
        box = column(hairline(), None, line, None, gap=0)
        self.setLayout(box)
        self.setFixedHeight(px(Sizes.VERDICT_BAR))
        self.hide()

    def show_outcome(self, word: str, tip: str = "") -> None:
        """Show what a replay found: `same`, `fixed`, `regressed`, `changed`; empty: nothing yet."""
        self.outcome.setVisible(bool(word))
        if word:
            self.outcome.set_kind(_OUTCOMES.get(word, "neutral"))
            self.outcome.setText(tr("replay: {replace}", replace=word.replace("_", " ")))
            self.outcome.setAccessibleName(self.outcome.text())
            set_tip(self.outcome, tip)
            self.outcome.updateGeometry()

    def show_hand(self, words: str, tip: str = "") -> None:
        """Show what was set by hand, beside the machine's word; empty: nothing was."""
        self.by_hand.setVisible(bool(words))
        if words:
            self.by_hand.setText(words)
            self.by_hand.setAccessibleName(f"{words}, {tip}")
            set_tip(self.by_hand, tr("{tip}\nThe machine says: {state}", tip=tip, state=self.verdict.state))
            self.by_hand.updateGeometry()
        self._fit_words()

    def set_recorded(self, recorded: bool) -> None:
        """A run that is in no history, such as an example, has no verdict to be set."""
        self._recorded = recorded
        self.hand.setVisible(recorded and not self.again.isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_words()

    def _fit_words(self) -> None:
        """The reason is worth more than words on buttons whose icons say enough, and at last than the totals."""
        first = ((self.answer, tr("Copy answer"), ""), (self.again, tr("Run again"), ""))
        then = ((self.replay, tr("Replay"), ""), (self.keep, tr("Keep as case"), tr("Keep")))
        for button, words, _brief in (*first, *then):
            button.setText(words)
        spared = max(0, self.reason.sizeHint().width() - px(_REASON)) if not self.reason.isHidden() else 0
        told = self.totals.sizeHint().width()
        for buttons, spare in ((first, 0), (then, spared), (((self.keep, "", ""),), spared + told)):
            if self._wanted() - spare > self.width():
                for button, _words, brief in buttons:
                    button.setText(brief)
        over = max(0, self._wanted() - spared - self.width())
        across = QSizePolicy.Policy.Maximum if over else QSizePolicy.Policy.Minimum
        self.totals.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        self.totals.setMaximumWidth(max(0, told - over) if over else UNBOUNDED)

    def _wanted(self) -> int:
        """Width at which nothing is cut."""
        return sum(part.sizeHint().width() + px(8) for part in (*self._said, *self._asked) if not part.isHidden()) + px(
            32
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.setFixedHeight(px(Sizes.VERDICT_BAR))

    def show_waiting(self, tool: str) -> None:
        """Say which tool's call waits for the user; empty: none."""
        self._waiting = tool
        self.jump.setVisible(bool(tool))
        if tool:
            self.reason.setText(self._waits())
            self.reason.setVisible(True)
            announce(self, self._waits())

    def _waits(self) -> str:
        return tr("{waiting} waits for you, not decided", waiting=self._waiting)

    def show_run(self, run: RunView | None, now_us: int) -> None:
        """Bring everything up to date."""
        self.setVisible(run is not None and run.started is not None)
        if run is None:
            return
        state, reason = _verdict_of(run)
        if run.live:
            self._awaited = run.started
        if state is not self.verdict.state:
            self.verdict.set_state(state)
        reason = self._waits() if self._waiting and run.live else reason
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        self.totals.setText(f"{'·  ' if reason else ''}{totals_words(run, now_us)}")
        self.answer.setVisible(run.finished is not None and bool(run.finished.answer.strip()))
        self.again.setVisible(not run.live)
        self.replay.setVisible(not run.live)
        self.keep.setVisible(not run.live)
        self.report.setVisible(not run.live)
        self.hand.setVisible(self._recorded and not run.live)
        self.setAccessibleName(tr("Verdict: {state}, {reason}", state=self.verdict.state, reason=reason))
        if self._awaited is not None and run.started is self._awaited and state is not VerdictState.RUNNING:
            self._awaited = None
            announce(self, f"{self.accessibleName()} {self.totals.text()}")
        self._fit_words()


def _verdict_of(run: RunView) -> tuple[VerdictState, str]:
    if run.verdict is not None:
        return run.verdict.state, translated_sentence(run.verdict.reason)
    if run.finished is not None:
        if run.judging:
            return VerdictState.RUNNING, tr("being judged")
        return VerdictState.NOT_GRADABLE, tr("the record has no verdict")
    if run.interrupted:
        return VerdictState.CANCELLED, tr("the program ended during this run")
    return VerdictState.RUNNING, ""
