"""One step of a recorded run in three parts, raw, parsed, sanitized, one below the other; and its wire text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from workbench.ui.run.glance import Glance, calls_heading, step_name, wire_text
from workbench.ui.run.loop.blocks import Block, BlockRun
from workbench.ui.run.loop.card_header import CHIP_LOOKS
from workbench.ui.run.loop.content import empty_blocks, failed_blocks, parsed_blocks, sanitized_note
from workbench.ui.run.loop.pane import Pane
from workbench.ui.run.loop.text import marks_of
from workbench.ui.run.run_view import StepState
from workbench.ui.run.run_words import step_chips
from workbench.ui.theme.fonts import px
from workbench.ui.theme.syntax import lexed_regions
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import KeyCap, column, frame, hairline, label, row
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.tab_order import tab_through
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from workbench.core.calls import Region
    from workbench.ui.run.run_view import StepView

PARTS = ("raw", "parsed", "sanitized")
_TITLES = {"raw": tr("Raw output"), "parsed": tr("Parsed calls"), "sanitized": tr("Sanitized reply")}
_KEYS = {"raw": "1", "parsed": "2", "sanitized": "3"}


class PaneBox(QWidget):
    """Gives a loop pane the height it wants at its width."""

    def __init__(self, pane: Pane) -> None:
        super().__init__()
        self.pane = pane
        pane.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        pane.height_changed.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = max(px(80), self.width())
        height = max(px(16), self.pane.height_for(width))
        self.pane.setGeometry(0, 0, width, height)
        self.pane.place()
        if height != self.height():
            self.setFixedHeight(height)


class GlancePart(QFrame):
    """A heading with its key, and a pane."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.title = label(_TITLES[part], "label_strong")
        self.pane = Pane(_TITLES[part], mono=part == "raw")
        self.box = PaneBox(self.pane)
        self.chips = WrapBox()
        head = row(self.title, None, KeyCap(_KEYS[part]))
        self.setLayout(column(head, self.box, self.chips, margins=(16, 10, 16, 10), gap=8))


class GlancePane(QFrame):
    """Shows a glance; a menu chooses the step where there are several. `show_part` brings one part alone."""

    step_shown = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._glance: Glance | None = None
        self._step: StepView | None = None
        self._alone = ""
        self.steps = ComboField(tr("Step"), name=tr("Step"), small=True)
        self.steps.value_chosen.connect(self._on_step_chosen)
        self._chooser = frame("surface")
        self._chooser.setLayout(row(self.steps, margins=(16, 8, 16, 0)))
        self.parts = {part: GlancePart(part) for part in PARTS}
        self.wire = RawPane(tr("Wire"), size=11, line=16)
        self.wire.setContentsMargins(16, 8, 8, 8)
        wire_box = frame("surface")
        wire_box.setLayout(row(self.wire, margins=(16, 10, 4, 4)))
        self._wire_box = wire_box
        self._lines = [hairline() for _ in PARTS]
        inside = frame("surface")
        body = column(self._chooser, gap=0)
        for part, line in zip(PARTS, self._lines, strict=True):
            body.addWidget(self.parts[part])
            body.addWidget(line)
        self._body = body
        body.addStretch(1)
        inside.setLayout(body)
        self.area = QScrollArea()
        self.area.setAccessibleName(tr("What the model wrote"))
        self.area.setWidgetResizable(True)
        self.area.setWidget(inside)
        self.setLayout(column(self.area, wire_box, gap=0))
        wire_box.hide()

    @property
    def step(self) -> StepView | None:
        """The step shown."""
        return self._step

    def add_below(self, widget: QWidget) -> None:
        """Put a widget below the parts, inside what scrolls."""
        self._body.insertWidget(self._body.count() - 1, widget)

    def add_above(self, widget: QWidget) -> None:
        """Put a widget above the parts, inside what scrolls."""
        self._body.insertWidget(0, widget)

    def show_glance(self, glance: Glance) -> None:
        """Show a run, at the step that tells most."""
        self._glance = glance
        steps = glance.steps
        self.steps.set_items([(step_name(step), step.number) for step in steps])
        self._chooser.setVisible(len(steps) > 1)
        told = glance.telling_step()
        if told is not None:
            self.steps.choose(told.number)
            self._show_step(told)

    def show_part(self, part: str) -> None:
        """Show `raw`, `parsed`, `sanitized` or `wire` alone; an empty text shows the three together."""
        self._alone = part
        self._wire_box.setVisible(part == "wire")
        self.area.setVisible(part != "wire")
        for (name, widget), line in zip(self.parts.items(), self._lines, strict=True):
            widget.setVisible(part in ("", name))
            line.setVisible(part in ("", name))
        if part == "wire":
            self._fill_wire()

    def focus_part(self, part: str) -> None:
        """Bring a part into view and give it the focus."""
        target = self.parts[part]
        self.area.ensureWidgetVisible(target)
        inner = target.pane.text if target.pane.shows_text else target.pane.blocks
        if inner is not None:
            inner.setFocus()

    def _on_step_chosen(self, number: object) -> None:
        if self._glance is not None and isinstance(number, int):
            self._show_step(self._glance.run.steps[number])
            self.step_shown.emit(number)

    def _show_step(self, step: StepView) -> None:
        assert self._glance is not None
        self._step = step
        run, now = self._glance.run, self._glance.run.last_at_us
        self._fill_raw(step, self._glance.regions.get(step.number, ()))
        self.parts["parsed"].title.setText(calls_heading(step))
        self.parts["parsed"].pane.show_blocks(parsed_blocks(run, step, now))
        note = sanitized_note(run, step, now)
        if note:
            self.parts["sanitized"].pane.show_blocks([Block((BlockRun(note, "empty"),))])
        else:
            self.parts["sanitized"].pane.show_text(step.shown, [])
        chips = [Chip(chip.text, CHIP_LOOKS[chip.kind], tip=chip.tip) for chip in step_chips(step)]
        self.parts["parsed"].chips.show_widgets(chips)
        tab_through(self.stops())  # texts are made when they are first needed
        if self._alone == "wire":
            self._fill_wire()

    def stops(self) -> list[QWidget]:
        """Where Tab goes, as it is read."""
        panes = [part.pane for part in self.parts.values()]
        return [self.area, self.steps, *filter(None, (one.text if one.shows_text else one.blocks for one in panes))]

    def _fill_raw(self, step: StepView, regions: object) -> None:
        pane = self.parts["raw"].pane
        if step.state is StepState.FAILED:
            pane.show_blocks(failed_blocks(step))
        elif step.state is StepState.EMPTY:
            pane.show_blocks(empty_blocks(step))
        else:
            found: list[Region] = list(regions)  # type: ignore[call-overload]
            pane.show_text(step.raw, marks_of(step.raw, found))

    def _fill_wire(self) -> None:
        if self._step is not None:
            text = wire_text(self._step)
            self.wire.show_text(text, lexed_regions(text[: 64 * 1024], "http"))

    def restyle(self) -> None:
        """Make colours again after the theme changed."""
        self.wire.restyle()
        if self._step is not None:
            self._show_step(self._step)
