"""A new verification: model, reference, candidates, policy, how many pairs; beside it the earlier ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout

from workbench.ui.compare.setup_view import BesideEarlier, EarlierList
from workbench.ui.compare.target_list import TargetList
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField, NumberField, NumberOrNothing
from workbench.ui.widgets.frames import column, frame, hairline, label, row, set_role
from workbench.ui.widgets.picker_field import PickerField
from workbench.verify.plan import MOST_PAIRS, Streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.compare.values import ChosenTarget
    from workbench.ui.widgets.picker_field import Choice

_STREAMS = (
    (tr("every other reply streamed"), Streams.BOTH),
    (tr("all streamed"), Streams.ON),
    (tr("none streamed"), Streams.OFF),
)


class VerifySetup(QFrame):
    """Everything a verification needs, on one page; Run says how many requests it will be."""

    run_asked = Signal()
    add_asked = Signal()
    remove_asked = Signal(int)
    changed = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.reference = PickerField(tr("Reference"), tr("Reference model"))
        self.candidate = PickerField(tr("Candidate"), tr("Candidate model"))
        self.add = Button(tr("Add"), icon="plus", on_click=self.add_asked.emit, tip=tr("Add this candidate"))
        self.policy = ComboField(name=tr("Policy"), icon_name="sliders")
        self.streams = ComboField(name=tr("Streaming"))
        self.streams.set_items(_STREAMS)
        self.pairs = NumberField(tr("Pairs"), 1, MOST_PAIRS, 244)
        self.parallel = NumberField(tr("At once"), 1, 64, 4)
        self.seed = NumberField(tr("Seed"), 0, 2**31 - 1, 7)
        self.max_cost = NumberOrNothing(tr("Limit of cost"), 0, 1_000_000_000)
        self.max_cost.setPlaceholderText(tr("none"))
        self.sum = label("", "second", wrap=True)
        self.run = Button(tr("Verify"), icon="play", kind="primary", keys="Ctrl+Return", on_click=self.run_asked.emit)
        self.back = Button(tr("Back to the verdicts"), icon="arrow-left", kind="quiet", on_click=self.closed.emit)
        self.earlier = EarlierList(
            tr("Earlier verifications"),
            tr("No verification yet"),
            tr("What you verify stays here, with every exchange as evidence."),
        )
        self.chosen = TargetList(tr("Candidates"), tr("No candidate yet: choose a model at an endpoint, then Add."))
        self.chosen.removed.connect(self.remove_asked)
        self._lay_out()
        for field in (self.pairs, self.parallel, self.seed):
            fix_size(field, width=72)
            field.value_changed.connect(lambda _value: self.changed.emit())
        fix_size(self.max_cost, width=84)
        self.max_cost.textEdited.connect(lambda _text: self.changed.emit())
        self.policy.value_chosen.connect(lambda _value: self.changed.emit())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(12))
        grid.setColumnMinimumWidth(0, px(72))
        grid.setColumnStretch(1, 1)
        pick = row(self.candidate, self.add)
        pick.setStretch(0, 1)
        numbers = row(self.pairs, label(tr("requests to each, the reference twice"), "label"), 16, label(tr("At once"), "second"),
                      self.parallel, 16, label(tr("Seed"), "second"), self.seed, None)  # fmt: skip
        how = row(self.streams, 16, label(tr("Stop at cost"), "second"), self.max_cost, None)
        for number, title in enumerate(
            (tr("Reference"), tr("Candidates"), "", tr("Policy"), tr("Pairs"), tr("Replies"))
        ):
            grid.addWidget(label(title, "label_strong"), number, 0)
        for number, line in enumerate(  # Tab follows the order in which they are added
            (row(self.reference), pick, row(self.chosen), row(self.policy), numbers, how)
        ):
            grid.addLayout(line, number, 1)
        words = tr("The reference is the model's own maker, or an engine of yours: it is taken to be right.")
        foot = row(self.sum, self.run)
        foot.setStretch(0, 1)
        head = row(label(tr("New verification"), "object"), None, self.back)
        left = frame("surface")
        left.setLayout(
            column(
                head, label(words, "second", wrap=True), grid, hairline(), foot, None, margins=(24, 16, 24, 16), gap=14
            )
        )
        self.setLayout(column(BesideEarlier(left, self.earlier)))

    def set_models(self, choices: Sequence[Choice]) -> None:
        """Offer models for both fields."""
        self.reference.set_choices(choices)
        self.candidate.set_choices(choices)

    def show_candidates(self, candidates: Sequence[ChosenTarget]) -> None:
        """Replace the chosen candidates."""
        self.chosen.show_targets(candidates)

    def show_sum(self, words: str, reason: str = "") -> None:
        """Say how many requests it will be, or why it cannot be run."""
        self.sum.setText(reason or words)
        set_role(self.sum, "failed" if reason else "second")
        self.run.setEnabled(not reason)
        self.run.set_tip(reason or tr("Verify these endpoints"))
