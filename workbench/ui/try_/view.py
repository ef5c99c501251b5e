"""The page Try: composer above, the loop below, the verdict at the foot, the inspector at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from workbench.core.calls import Region
from workbench.ui.run.argument_regions import argument_regions
from workbench.ui.run.inspector.panel import Inspector
from workbench.ui.run.inspector.place import InspectorPlace
from workbench.ui.run.links import TryLinks
from workbench.ui.run.loop.area import LoopArea
from workbench.ui.run.loop.bar import LoopBar
from workbench.ui.run.run_fold import RunFold
from workbench.ui.run.run_view import RunView
from workbench.ui.run.verdict_bar import VerdictBar
from workbench.ui.theme.theme import bound_height
from workbench.ui.theme.translation import tr
from workbench.ui.try_.composer import Composer
from workbench.ui.try_.preview_panel import PreviewPanel
from workbench.ui.widgets.frames import column, frame, hairline
from workbench.ui.widgets.roomy import bring_into_sight
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import FieldSpan
    from workbench.core.events import RunEvent
    from workbench.ui.run.run_view import Changes, StepView
    from workbench.ui.run.run_words import StepChip


LEAST_RESULT = 205
"""Height of the loop or the preview below which the page is scrolled instead, as with large text."""
AT_ONCE = 64
"""Events of a recorded run that are folded together: what a batch changed is collected, here for nobody."""


class TryPage(QWidget):
    """Shows a draft and a run; what needs the application is asked for by signals."""

    step_finished = Signal(int)
    """A step of the shown run has its reply: its characters can be read now."""
    calls_read = Signal(int, int)
    """A growing reply of a step has more calls: the number of the first new one."""
    acted = Signal(int, str)
    """A button inside a step: `cancel`, `retry`, `wire`, `report`, `formats`, `whole`, `whole_sanitized`."""

    def __init__(self) -> None:
        super().__init__()
        self.composer = Composer()
        self.bar = LoopBar()
        self.area = LoopArea()
        self.preview = PreviewPanel()
        self.verdict = VerdictBar()
        self.inspector = Inspector()
        self.links = TryLinks(self.area, self.inspector)
        self._nothing = Emptiness(
            "play",
            tr("Not run yet"),
            tr("Press Run: what is sent, said, parsed and shown to the user appears here, loop by loop."),
        )
        self._fold = RunFold()
        self._begun = False
        self._told: dict[int, int] = {}
        self._stack = QStackedWidget()
        self._loop = QWidget()
        self._result = frame("chrome")
        """What came of the draft: the loop and its verdict, or the preview."""
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._set_up()
        self._connect()

    def _set_up(self) -> None:
        loop = QVBoxLayout()
        loop.setContentsMargins(0, 0, 0, 0)
        loop.setSpacing(0)
        loop.addWidget(self.bar)
        loop.addWidget(self.area, 1)
        self._loop.setLayout(loop)
        for widget in (self._nothing, self._loop, self.preview):
            self._stack.addWidget(widget)
        left = QFrame()
        left.setProperty("role", "chrome")
        box = QVBoxLayout()
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        bound_height(self._stack, LEAST_RESULT)
        self._result.setLayout(column(self._stack, self.verdict, gap=0))
        for part in (self.composer, hairline(), self._result):
            box.addWidget(part)
        box.setStretch(2, 1)
        left.setLayout(box)
        self._split.addWidget(left)
        self._split.setStretchFactor(0, 1)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        whole = QVBoxLayout()
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._split)
        self.setLayout(whole)
        self.place = InspectorPlace(self, self._split, self.inspector, self._stack)
        self.place.fit(self.width())
        self.composer.setFocusProxy(self.composer.user)
        self.inspector.setFocusProxy(self.inspector.tabs)

    def _connect(self) -> None:
        self.bar.fold_all_asked.connect(self._on_fold_all)
        self.area.acted.connect(self.acted)
        self.area.ticked.connect(self._refresh_bars)
        self.preview.closed.connect(self.show_loop)

    @property
    def run(self) -> RunView:
        """The run shown."""
        return self._fold.view

    def begin(self) -> None:
        """Make room for a run that is about to start."""
        self._fold, self._begun = RunFold(), True
        self._told = {}
        self.verdict.show_outcome("")
        self.area.show_run(self._fold.view)
        self.links.show_run(self._fold.view)
        self.show_loop()
        self._refresh_bars()

    def forget(self) -> None:
        """The run that was to start did not."""
        self._begun = False
        self.show_loop()

    def show_events(self, events: Sequence[RunEvent]) -> None:
        """Show a recorded run."""
        fold = RunFold()
        for at in range(0, len(events), AT_ONCE):
            fold.apply(events[at : at + AT_ONCE])
        fold.close()
        self._fold, self._begun = fold, True
        self.verdict.show_outcome("")
        self.area.show_run(fold.view)
        self.links.show_run(fold.view)
        self.show_loop()
        self._refresh_bars()
        for number, step in fold.view.steps.items():
            if step.reply is not None:
                self.step_finished.emit(number)

    def apply(self, events: Sequence[RunEvent]) -> Changes:
        """Follow a batch of a live run."""
        changes = self._fold.apply(events)
        self.area.apply(changes)
        self.links.apply(changes)
        if changes.totals or changes.loops or changes.verdict:
            self._refresh_bars()
        for number in changes.parsed:
            step = self.run.steps[number]
            if step.reply is None:
                self._tell_calls(step)
            elif number in changes.status:
                self.step_finished.emit(number)
        return changes

    def _tell_calls(self, step: StepView) -> None:
        told = min(self._told.get(step.number, 0), len(step.calls))
        self._told[step.number] = len(step.calls)
        if len(step.calls) > told:
            self.calls_read.emit(step.number, told)

    def interrupt(self) -> None:
        """No more events will come, although the run has not said that it ended."""
        changes = self._fold.close()
        self.area.apply(changes)
        self._refresh_bars()

    def set_reading(self, step: int, regions: Sequence[Region], fields: Sequence[Sequence[FieldSpan]]) -> None:
        """Take roles and argument spans of a finished step."""
        self.area.set_regions(step, [*regions, *argument_regions(self.run.steps[step], fields)])
        self.links.set_fields(step, fields)

    def _refresh_bars(self) -> None:
        shown = self.run if self.run.started is not None else None
        self.bar.show_run(shown, folded=self.area.all_folded)
        self.verdict.show_run(shown, self.area.now_us())

    def show_loop(self) -> None:
        """Show the loop, or that there is none yet."""
        self._stack.setCurrentWidget(self._loop if self._begun else self._nothing)
        if self._begun:
            bring_into_sight(self._result)
        self.composer.preview.set_kind("normal")

    def show_preview(self) -> None:
        """Show what will be sent, in place of the loop."""
        self._stack.setCurrentWidget(self.preview)
        bring_into_sight(self._result)
        self.composer.preview.set_kind("chosen")

    @property
    def shows_preview(self) -> bool:
        """The preview is in front."""
        return self._stack.currentWidget() is self.preview

    def _on_fold_all(self) -> None:
        self.area.fold_all(not self.area.all_folded)
        self._refresh_bars()

    def next_problem(self, step: int) -> StepChip | None:
        """Jump to the next or previous problem."""
        self.show_loop()
        return self.area.next_problem(step)

    def focus_column(self, column: int) -> None:
        """Give the keyboard to raw (1), parsed (2) or sanitized (3) of the inspected step."""
        step = self.inspector.step
        row = self.area.rows.get(step.number) if step else None
        if row is None:
            return
        self.area.show_span(row.step.number, None)
        if row.cells is not None:
            row.cells.panes[column].take_focus()

    @property
    def inspector_open(self) -> bool:
        """The inspector can be seen, beside the loop or over it."""
        return self.place.is_open

    def toggle_inspector(self) -> None:
        """Fold the inspector, or show it; beside the loop the choice holds from now on."""
        self.set_inspector(not self.inspector_open)

    def set_inspector(self, visible: bool) -> None:
        """Show or fold the inspector because the user wants it so."""
        had_focus = self.inspector.isAncestorOf(self.focusWidget() or self)
        self.place.set_open(visible)
        if visible and self.place.is_drawer:
            self.inspector.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif not visible and had_focus:
            self.area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def shows_drawer(self) -> bool:
        """The inspector covers a part of the loop."""
        return self.place.is_drawer and self.place.is_open

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        return [self.composer, self.preview if self.shows_preview else self.area, self.inspector]

    def layout_state(self) -> dict[str, object]:
        """Columns and inspector as the user left them."""
        return {"columns": [round(share, 4) for share in self.area.ruler.shares], **self.place.state()}

    def restore_layout(self, state: Mapping[str, object]) -> None:
        """Take a layout that was kept; what does not fit is passed over."""
        columns = state.get("columns")
        if isinstance(columns, list) and len(columns) == 3 and all(isinstance(one, float | int) for one in columns):
            self.area.ruler.set_shares((columns[0], columns[1], columns[2]))
        self.place.restore(state)

    def show_wire(self, step: int | None) -> None:
        """Show a step's wire bytes."""
        if step is not None:
            self.links.choose_step(step)
        self.set_inspector(True)
        self.inspector.tabs.choose("wire")
        self.inspector.wire.table.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place.fit(event.size().width())
