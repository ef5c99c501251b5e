"""The inspector beside the loop: wire, timing, forensics and chunks of a step, and the selected field at its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout

from workbench.ui.run.inspector.field import FieldFoot, Selection
from workbench.ui.run.inspector.forensics import ForensicsTab
from workbench.ui.run.inspector.scrubber import ScrubberTab
from workbench.ui.run.inspector.timing import TimingTab
from workbench.ui.run.inspector.wire import WireTab
from workbench.ui.theme.fonts import px
from workbench.ui.theme.tokens import Sizes
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import hairline
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from workbench.ui.run.run_view import Changes, ExchangeView, RunView, StepView


class Inspector(QFrame):
    """Follows the newest step of a live run until the user chooses one."""

    piece_chosen = Signal(int)
    reading_wanted = Signal(str)
    """The tab `forensics` or `chunks` is in front, and its step is another one or has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAccessibleName(tr("Inspector"))
        self.tabs = Tabs(
            [("wire", tr("Wire")), ("timing", tr("Timing")), ("forensics", tr("Forensics")), ("chunks", tr("Chunks"))],
            margin=12,
        )
        self.wire = WireTab()
        self.timing = TimingTab()
        self.forensics = ForensicsTab()
        self.chunks = ScrubberTab()
        self.foot = FieldFoot()
        self._run: RunView | None = None
        self._step: StepView | None = None
        self._taken = 0
        self._nothing = Emptiness("broadcast", tr("No step yet"), tr("Bytes and times of each step appear here."))
        self._stack = QStackedWidget()
        for tab in (self.wire, self.timing, self.forensics, self.chunks, self._nothing):
            self._stack.addWidget(tab)
        self._foot_line = hairline()
        box = QVBoxLayout()
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for widget in (self.tabs, self._stack, self._foot_line, self.foot):
            box.addWidget(widget)
        box.setStretch(1, 1)
        self.setLayout(box)
        self.setMinimumWidth(px(Sizes.INSPECTOR) - px(60))
        self.tabs.tab_chosen.connect(lambda _key: self._on_tab())
        self.wire.piece_chosen.connect(self.piece_chosen)
        self.wire.exchange_chosen.connect(self._on_exchange)
        self._on_tab()

    @property
    def step(self) -> StepView | None:
        """The step shown."""
        return self._step

    @property
    def exchange(self) -> ExchangeView | None:
        """The exchange shown."""
        return self.wire.exchange

    def show_run(self, run: RunView | None) -> None:
        """Begin with another run: its last step."""
        self._run = run
        steps = list(run.steps.values()) if run else []
        self.show_step(steps[-1] if steps else None)

    def show_step(self, step: StepView | None) -> None:
        """Show a step, at its last exchange."""
        self._step = step
        self._on_tab()
        self._show_exchange(step.exchange if step else None)
        self.show_selection(None)

    def _show_exchange(self, exchange: ExchangeView | None) -> None:
        self.wire.show_exchange(self._step, exchange)
        self._taken = len(exchange.chunks) if exchange else 0
        self._refresh_timing()

    def _on_exchange(self, number: int) -> None:
        if self._step is not None:
            self._show_exchange(next(one for one in self._step.exchanges if one.number == number))

    def apply(self, changes: Changes) -> None:
        """Follow a batch."""
        step = self._step
        if step is None:
            return
        if step.number in changes.wire:
            shown, last = self.wire.exchange, step.exchange
            if shown is not last and (shown is None or shown.ended_us is not None):
                self._show_exchange(last)
            elif shown is not None and len(shown.chunks) > self._taken:
                self.wire.grow(shown.chunks[self._taken :])
                self._taken = len(shown.chunks)
            self.wire.refresh()
        if changes.totals or changes.status:
            self._refresh_timing()
        if step.number in changes.status and step.reply is not None:
            self._want_reading()

    def _refresh_timing(self) -> None:
        if self.tabs.current == "timing":
            self.timing.show_step(self._run, self._step)

    def _on_tab(self) -> None:
        tabs = {"wire": self.wire, "timing": self.timing, "forensics": self.forensics, "chunks": self.chunks}
        self._stack.setCurrentWidget(tabs[self.tabs.current] if self._step is not None else self._nothing)
        self._refresh_timing()
        self._want_reading()

    def _want_reading(self) -> None:
        if self._step is not None and self.tabs.current in ("forensics", "chunks"):
            self.reading_wanted.emit(self.tabs.current)

    def show_selection(self, selection: Selection | None) -> None:
        """Show the selected field at the foot, or nothing."""
        self.foot.show_selection(selection)
        self._foot_line.setVisible(selection is not None)
