"""A new comparison: suite, targets, repeats, how many at once, seed; beside it the earlier ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QStringListModel, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QWidget

from workbench.core.batch import StoppingRule
from workbench.core.case import suite_title
from workbench.grading.stopping import looks_of, power_words
from workbench.ui.compare.setup_rows import BatchRows
from workbench.ui.compare.target_list import TargetList
from workbench.ui.compare.variation_row import VariationRow
from workbench.ui.run.target_picker import TargetPicker
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField, NumberField, NumberOrNothing
from workbench.ui.widgets.frames import column, frame, hairline, label, row, set_role
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.ui.compare.values import BatchChoice, ChosenTarget, SuiteChoice

_EARLIER, _BOTH = 340, 1180
_PICK_BESIDE_ADD = 480
"""Width of the picker's row below which Add has a row of its own."""
_STOPS = 840
"""Width below which the limit of cost stands under the rule that stops."""


class EarlierList(QFrame):
    """Earlier comparisons; an unfinished one offers to go on."""

    opened = Signal(str)
    resumed = Signal(str)
    menu_asked = Signal(str, QPoint)
    """A line's id, and where on the screen."""

    def __init__(
        self,
        title: str = tr("Earlier comparisons"),
        none: str = tr("No comparison yet"),
        hint: str = tr("What you run stays here and can be opened, resumed and compared again."),
        *,
        menu: bool = False,
    ) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._batches: tuple[BatchChoice, ...] = ()
        self.unfinished = label("", "second", wrap=True)
        self.resume = Button(tr("Resume"), icon="play", kind="primary", on_click=self._on_resume)
        self._offer = frame("sel")
        self._offer.setLayout(row(self.unfinished, self.resume, margins=(16, 8, 16, 8)))
        self._model = QStringListModel(self)
        self.list = BatchRows(title, self.batch, menu=menu)
        self.list.setModel(self._model)
        self.list.opened.connect(lambda at: self.opened.emit(self._batches[at].id))
        self.list.menu_asked.connect(lambda at, place: self.menu_asked.emit(self._batches[at].id, place))
        self._nothing = Emptiness("scales", none, hint)
        head = column(label(title, "section"), margins=(16, 14, 16, 10))
        box = column(head, self._offer, hairline(), self.list, self._nothing, gap=0)
        box.setStretch(3, 1)
        box.setStretch(4, 1)
        self.setLayout(box)
        self.show_batches(())

    def batch(self, row_of: int) -> BatchChoice:
        """The comparison of a row."""
        return self._batches[row_of]

    def show_batches(self, batches: Sequence[BatchChoice]) -> None:
        """Replace the list."""
        self._batches = tuple(batches)
        self._model.setStringList([f"{one.title}, {one.note}" for one in batches])
        self.list.setVisible(bool(batches))
        self._nothing.setVisible(not batches)
        left = next((one for one in batches if one.resumable), None)
        self._offer.setVisible(left is not None)
        if left is not None:
            self.unfinished.setText(tr("{title} did not finish: {note}", title=left.title, note=left.note))
            self.resume.setText(left.resume_words)
            self.resume.updateGeometry()

    def _on_resume(self) -> None:
        left = next((one for one in self._batches if one.resumable), None)
        if left is not None:
            self.resumed.emit(left.id)


class BesideEarlier(QWidget):
    """A set-up with the earlier ones at its right; they are in their own tab where both have no room."""

    def __init__(self, left: QWidget, earlier: EarlierList) -> None:
        super().__init__()
        self._right = QWidget()
        self._right.setLayout(row(hairline(vertical=True), earlier, gap=0))
        fix_size(earlier, width=_EARLIER)
        whole = row(left, self._right, gap=0)
        whole.setStretch(0, 1)
        self.setLayout(whole)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._right.setVisible(self.width() >= px(_BOTH))


class SetupView(QFrame):
    """Everything a comparison needs, on one page; Run says how many runs it will be."""

    run_asked = Signal()
    add_asked = Signal()
    remove_asked = Signal(int)
    changed = Signal()
    cases_asked = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.suite = ComboField(name=tr("Suite"), icon_name="clipboard-text")
        self.picker = TargetPicker()
        self.add = Button(tr("Add"), icon="plus", on_click=self.add_asked.emit, tip=tr("Add this target"))
        self.repeats = NumberField(tr("Repeats"), 1, 200, 10)
        self.parallel = NumberField(tr("Runs at once"), 1, 64, 4)
        self.seed = NumberField(tr("Seed"), 0, 2**31 - 1, 7)
        self.max_cost = NumberOrNothing(tr("Limit of cost"), 0, 1_000_000_000)
        self.max_cost.setPlaceholderText(tr("none"))
        set_tip(
            self.max_cost, tr("No further run is started once this is spent, by the prices in the models' settings")
        )
        self.until = Segments(
            (("all", tr("after all repeats")), ("decided", tr("once it is decided which is best"))), wraps=True
        )
        self.margin = NumberField(tr("Same within points"), 0, 99, 5)
        self._times = label(tr("runs of each case"), "label")
        self._within = frame("surface")
        self.variations_row = VariationRow()
        self.variations_row.changed.connect(self.changed)
        self.sum = label("", "second", wrap=True)
        self.run = Button(tr("Run"), icon="play", kind="primary", keys="Ctrl+Return", on_click=self.run_asked.emit)
        self.back = Button(tr("Back to the matrix"), icon="arrow-left", kind="quiet", on_click=self.closed.emit)
        self.earlier = EarlierList()
        self._suites: tuple[SuiteChoice, ...] = ()
        self.chosen = TargetList(
            tr("Chosen targets"), tr("No target yet: choose a model, a format and a mode, then Add.")
        )
        self.chosen.removed.connect(self.remove_asked)
        self._lay_out()
        self.suite.value_chosen.connect(lambda _value: self.changed.emit())
        self.max_cost.textEdited.connect(lambda _text: self.changed.emit())
        fix_size(self.max_cost, width=84)
        set_tip(self.until, tr("Looked at after every repeat by a rule that is fixed now and kept with the comparison: no more than"
                            " 5 in 100 such comparisons call a difference that is none; what is beaten runs no further"))  # fmt: skip
        set_tip(self.margin, tr("Targets whose scores are this close are the same"))
        self.until.chosen.connect(lambda _value: self._on_until())
        for field in (self.repeats, self.parallel, self.seed, self.margin):
            fix_size(field, width=72)
            field.value_changed.connect(lambda _value: self.changed.emit())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(12))
        grid.setColumnMinimumWidth(0, px(60))
        grid.setColumnStretch(1, 1)
        look = Button(
            tr("Cases"), icon="clipboard-text", on_click=self.cases_asked.emit, tip=tr("Look at the suite's cases")
        )
        often, how = frame("surface"), frame("surface")
        often.setLayout(row(self.repeats, self._times, None))
        how.setLayout(
            row(label(tr("At once"), "second"), self.parallel, 16, label(tr("Seed"), "second"), self.seed, None)
        )
        numbers = StackRow(often, how, gap=16)
        numbers.set_shares(0, 1)
        self._within.setLayout(row(label(tr("same within ±"), "second"), self.margin, label(tr("points"), "label")))
        self._within.hide()
        self._stops = row(
            self.until, row(self._within, 8, label(tr("or at cost"), "second"), self.max_cost, None), None
        )
        adding = frame("surface")
        adding.setLayout(row(None, self.add))
        pick = StackRow(self.picker, adding, below=_PICK_BESIDE_ADD, gap=8)
        pick.set_shares(1, 0)
        what = row(self.suite, look)
        what.setStretch(0, 1)
        for number, title in enumerate((tr("Suite"), tr("Targets"), "", tr("Vary"), tr("Repeat"), tr("Stop"))):
            grid.addWidget(label(title, "label_strong"), number, 0)
        grid.addLayout(what, 0, 1)
        grid.addWidget(pick, 1, 1)
        grid.addWidget(self.chosen, 2, 1)
        grid.addWidget(self.variations_row, 3, 1)
        grid.addWidget(numbers, 4, 1)
        grid.addLayout(self._stops, 5, 1)
        foot = row(self.sum, self.run)
        foot.setStretch(0, 1)
        head = row(label(tr("New comparison"), "object"), None, self.back)
        left = frame("surface")
        left.setLayout(column(head, grid, hairline(), foot, None, margins=(24, 16, 24, 16), gap=14))
        self.setLayout(column(BesideEarlier(left, self.earlier)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        whole = event.size().width() >= px(_STOPS)
        self._stops.setDirection(QBoxLayout.Direction.LeftToRight if whole else QBoxLayout.Direction.TopToBottom)

    def _on_until(self) -> None:
        decided = self.until.value == "decided"
        self._within.setVisible(decided)
        self._times.setText(tr("runs of each case at most") if decided else tr("runs of each case"))
        self.changed.emit()

    @property
    def stopping(self) -> StoppingRule | None:
        """The rule by which it stops; None: after all repeats."""
        if self.until.value != "decided":
            return None
        return StoppingRule(margin=self.margin.value / 100, max_cost=self.max_cost.value)

    @property
    def variations(self) -> tuple[str, ...]:
        """In what other ways every target is asked the same."""
        return self.variations_row.words

    def show_stopping(self, rule: StoppingRule | None) -> None:
        """Show the rule of a comparison that is set up again."""
        self.until.choose("decided" if rule is not None else "all")
        if rule is not None:
            self.margin.set_value(round(100 * rule.margin))
            self.max_cost.show_value(rule.max_cost)
        self._on_until()

    def show_suites(self, suites: Sequence[SuiteChoice]) -> None:
        """Offer suites; the chosen one stays chosen."""
        self._suites = tuple(suites)
        self.suite.set_items((f"{suite_title(one.name)}  ·  {_cases(one)}", one.name) for one in suites)

    @property
    def suite_chosen(self) -> SuiteChoice | None:
        """The chosen suite."""
        return next((one for one in self._suites if one.name == self.suite.value), None)

    def show_targets(self, targets: Sequence[ChosenTarget]) -> None:
        """Replace the chosen targets."""
        self.chosen.show_targets(targets)

    def show_state(self, targets: int, *, running: bool) -> None:
        """Say how many runs so many targets will be, or why they cannot be run."""
        suite, repeats = self.suite_chosen, self.repeats.value
        if running:
            self.show_sum("", tr("A comparison is running; wait for its end, or cancel it."))
        elif suite is None or not suite.usable:
            self.show_sum("", f"{suite.name}: {suite.note}" if suite else tr("Choose a suite."))
        elif not targets:
            self.show_sum("", tr("Add a target first."))
        elif targets < 2 and self.stopping is not None:
            self.show_sum("", tr("Which is best takes two targets: add another one."))
        elif self.variations and self.stopping is not None:
            self.show_sum(
                "", tr("Which is best is decided on plain cases: vary them in a comparison after all repeats.")
            )
        elif self.max_cost.fault:
            self.show_sum("", self.max_cost.fault)
        else:
            few = tr("  Under three runs a rate says too little.") if repeats < 3 else ""
            words = f"{counted(suite.cases, 'case')} × {counted(targets, 'target')} × {repeats}"
            total = counted(suite.cases * targets * repeats, "run")
            if (rule := self.stopping) is None:
                self.show_sum(f"{words} = {total}.{few}")
            else:
                weak = power_words(suite.cases, targets, len(looks_of(rule, repeats)), rule.level)
                self.show_sum(f"{words} = {total} at most; a look after every repeat. {weak}".rstrip())

    def show_sum(self, words: str, reason: str = "") -> None:
        """Say how many runs it will be, or why it cannot be run."""
        self.sum.setText(reason or words)
        set_role(self.sum, "failed" if reason else "second")
        self.run.setEnabled(not reason)
        self.run.set_tip(reason or tr("Run the comparison"))


def _cases(suite: SuiteChoice) -> str:
    words = counted(suite.cases, "case") if suite.usable else tr("cannot be read")
    return f"{words}, {suite.note}" if suite.note and suite.usable else words
