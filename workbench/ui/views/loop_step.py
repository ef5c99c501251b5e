"""One row of a loop card: sent, raw output, parsed calls, sanitized reply, placed from the shared ruler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.calls import Outcome, Region, Span
from workbench.core.events import StepRole
from workbench.ui.models.run_view import StepState
from workbench.ui.models.run_words import step_place
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.views.loop_blocks import Block, Run
from workbench.ui.views.loop_content import (
    CallLink,
    empty_blocks,
    failed_blocks,
    parsed_blocks,
    sanitized_note,
    sent_blocks,
)
from workbench.ui.views.loop_pane import MOST_LINES, Pane
from workbench.ui.views.loop_text import marks_of
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.painting import paint_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from workbench.ui.models.raw_text import Insert
    from workbench.ui.models.run_view import RunView, StepView
    from workbench.ui.views.loop_ruler import ColumnRuler

PAD_X, PAD_Y = 12, 8


class StepRow(QWidget):
    """A step. Its panes exist only while it is near the viewport; otherwise a summary is painted at the same height."""

    height_changed = Signal()
    link_chosen = Signal(int, object)
    """Step and link of the parsed cell."""
    menu_asked = Signal(int, object, QPoint)
    place_chosen = Signal(int, str, int)
    """Step, source and offset of a character that was clicked in the raw cell."""
    selected = Signal(int)
    acted = Signal(int, str)
    """A button: `cancel`, `retry`, `wire`, `report`, `whole`."""
    scrolled_away = Signal(bool)

    def __init__(self, run: RunView, step: StepView, ruler: ColumnRuler, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step = step
        self._run = run
        self._ruler = ruler
        self._regions: Sequence[Region] = ()
        self._now_us = run.last_at_us
        self._shown_state: StepState | None = None
        self._marked = (0, 0)
        self._height = 0
        self._current = False
        self.sent: Pane | None = None
        self.raw: Pane | None = None
        self.parsed: Pane | None = None
        self.sanitized: Pane | None = None
        self.setAccessibleName(step_place(step))

    @property
    def is_made(self) -> bool:
        """Its panes exist."""
        return self.raw is not None

    @property
    def panes(self) -> tuple[Pane, Pane, Pane, Pane] | None:
        """The four cells, if they exist."""
        if self.sent is None or self.raw is None or self.parsed is None or self.sanitized is None:
            return None
        return (self.sent, self.raw, self.parsed, self.sanitized)

    def make(self) -> None:
        """Make the panes and fill them."""
        if self.is_made:
            return
        place = step_place(self.step)
        self.sent = Pane(f"{place}: sent", parent=self)
        self.raw = Pane(f"{place}: raw output", mono=True, parent=self)
        self.parsed = Pane(f"{place}: parsed calls", parent=self)
        self.sanitized = Pane(f"{place}: sanitized reply", parent=self)
        self._connect()
        self._shown_state = None
        self.refresh(self._now_us)
        for pane in (self.sent, self.raw, self.parsed, self.sanitized):
            pane.show()
        self.place()

    def _connect(self) -> None:
        assert self.sent is not None and self.raw is not None  # noqa: PT018
        assert self.parsed is not None and self.sanitized is not None  # noqa: PT018
        number = self.step.number
        for pane in (self.sent, self.raw, self.parsed, self.sanitized):
            pane.height_changed.connect(self._on_height_changed)
            pane.scrolled_away.connect(self.scrolled_away)
        self.parsed.link_chosen.connect(lambda link: self.link_chosen.emit(number, link))
        self.parsed.menu_asked.connect(lambda link, place: self.menu_asked.emit(number, link, place))
        self.raw.place_chosen.connect(lambda source, offset: self.place_chosen.emit(number, source, offset))
        self.raw.whole_asked.connect(lambda: self.acted.emit(number, "whole"))
        self.sanitized.whole_asked.connect(lambda: self.acted.emit(number, "whole_sanitized"))

    def release(self) -> None:
        """Let the panes go; the height stays."""
        if not self.is_made:
            return
        for pane in self.panes or ():
            pane.hide()
            pane.deleteLater()
        self.sent = self.raw = self.parsed = self.sanitized = None
        self.update()

    def set_current(self, current: bool) -> None:
        """Mark the step that the inspector shows."""
        if current != self._current:
            self._current = current
            self.update()

    def set_regions(self, regions: Sequence[Region]) -> None:
        """Colour the raw text by a parser's reading."""
        self._regions = regions
        if self.raw is not None and self.raw.shows_text and self.raw.text is not None:
            self.raw.text.set_marks(marks_of(self.step.raw, self._all_regions()))

    def refresh(self, now_us: int) -> None:
        """Bring every cell up to date."""
        self._now_us = now_us
        self._fill_raw()
        self.refresh_parsed(now_us)
        self._fill_sanitized()
        self.refresh_status(now_us)

    def refresh_status(self, now_us: int, turn: float = 0.0) -> None:
        """Bring state and tokens up to date; turn spinners."""
        self._now_us = now_us
        if self.sent is None:
            return
        self.sent.show_blocks(sent_blocks(self.step, now_us, narrow=self._ruler.narrow))
        for pane in (self.sent, self.parsed):
            if pane is not None and pane.blocks is not None:
                pane.blocks.set_turn(turn)
        state = self.step.state_at(now_us)
        if state is not self._shown_state:
            self._shown_state = state
            self._offer_buttons(state)
            self._follow(state.live)
            if not state.live:
                self._fill_raw_notice()
                self._fill_sanitized()
        elif state.live and self.sanitized is not None and not self.sanitized.shows_text:
            self._fill_sanitized()

    def refresh_parsed(self, now_us: int) -> None:
        """Bring the parsed cell up to date."""
        self._now_us = now_us
        if self.parsed is not None:
            tips: dict[Hashable, str] = {
                CallLink(view.index): "Mended: " + ", ".join(view.call.repairs)
                for view in self.step.calls
                if view.call.repairs
            }
            self.parsed.show_blocks(parsed_blocks(self._run, self.step, now_us), tips)
            self._fill_sanitized()

    def grow(self, inserts: Sequence[Insert]) -> None:
        """Append raw text."""
        if self.raw is None:
            return
        if self.raw.shows_text and self.raw.text is not None:
            self.raw.text.insert(inserts)
            self._mark_new()
        else:
            self._fill_raw()

    def grow_sanitized(self, inserts: Sequence[Insert]) -> None:
        """Append sanitized text."""
        if self.sanitized is None:
            return
        if self.sanitized.shows_text and self.sanitized.text is not None:
            self.sanitized.text.insert(inserts)
        else:
            self._fill_sanitized()

    def reset_text(self) -> None:
        """The texts are others now."""
        self._fill_raw()
        if self.sanitized is not None and self.sanitized.text is not None:
            self.sanitized.text.hide()
        self._fill_sanitized()

    def _fill_raw(self) -> None:
        if self.raw is None:
            return
        if self.step.raw.length:
            self._marked = (len(self.step.reasoning_spans), sum(one.done for one in self.step.live_calls.values()))
            self.raw.show_text(self.step.raw, marks_of(self.step.raw, self._all_regions()))
            self._follow(self.step.state.live)
        else:
            self._fill_raw_notice()

    def _fill_raw_notice(self) -> None:
        if self.raw is None or self.step.raw.length:
            return
        match self.step.state:
            case StepState.FAILED:
                self.raw.show_blocks(failed_blocks(self.step))
            case StepState.EMPTY:
                self.raw.show_blocks(empty_blocks(self.step))
            case StepState.RUNNING:
                self.raw.show_blocks([Block((Run("waiting for the first token", "empty"),))])
            case _:
                self.raw.show_blocks([Block((Run("nothing arrived", "empty"),))])

    def _fill_sanitized(self) -> None:
        if self.sanitized is None:
            return
        note = sanitized_note(self._run, self.step, self._now_us)
        if note:
            self.sanitized.show_blocks([Block((Run(note, "empty"),))])
        elif not self.sanitized.shows_text:
            self.sanitized.show_text(self.step.shown, [])
            self._follow(self.step.state.live)

    def _all_regions(self) -> list[Region]:
        """Regions from the parser; labels of a planner; while text grows, what the parser has met so far."""
        step = self.step
        found = list(self._regions)
        if step.planner is not None:
            found += [Region("marker", section.label_span) for section in step.planner.sections]
        if step.reply is None:
            found += [Region("reasoning", span) for span in step.reasoning_spans]
            found += self._live_regions()
        shown = (one for one in step.problems if one.outcome is not Outcome.IGNORED)
        found += [Region("problem", one.span) for one in shown if one.span.end > one.span.start]
        return found

    def _live_regions(self) -> list[Region]:
        found = []
        for view in self.step.calls:
            call = view.call
            if call.span.source != "text":
                continue
            found += [
                Region("marker", Span(call.span.start, min(call.name_span.start, call.arguments_span.start))),
                Region("name", call.name_span),
            ]
        return found

    def _mark_new(self) -> None:
        met = (len(self.step.reasoning_spans), len(self.step.calls))
        if met != self._marked and self.raw is not None and self.raw.text is not None:
            self._marked = met
            self.raw.text.set_marks(marks_of(self.step.raw, self._all_regions()))

    def _offer_buttons(self, state: StepState) -> None:
        if self.raw is None:
            return
        number = self.step.number

        def button(text: str, icon: str, name: str, keys: str = "") -> Button:
            return Button(text, icon=icon, keys=keys, small=True, on_click=lambda: self.acted.emit(number, name))

        match state:
            case StepState.STALLED:
                self.raw.set_buttons([button("Cancel", "x", "cancel", "Esc")])
            case StepState.FAILED:
                self.raw.set_buttons(
                    [
                        button("Retry", "arrow-clockwise", "retry"),
                        button("Wire", "code", "wire", "W"),
                        button("Copy report", "copy", "report"),
                    ]
                )
            case _:
                self.raw.set_buttons([])

    def follow(self, live: bool) -> None:
        """Stay at the end of the growing texts again."""
        self._follow(live and self.step.state.live)

    def _follow(self, live: bool) -> None:
        for pane in (self.raw, self.sanitized):
            if pane is not None and pane.text is not None:
                pane.text.follow(live)

    def jump(self, span: Span | None) -> int:
        """Blink the characters of a span; return how far down the row they are."""
        if span is None or self.raw is None or self.raw.text is None or not self.raw.shows_text:
            return 0
        found = self.step.raw.range_of(span)
        if found is None:
            return 0
        self.raw.text.blink(*found)
        return px(PAD_Y) + self.raw.text.place_top(found[0])

    def reveal(self, span: Span) -> None:
        """Scroll inside the raw cell so that a span is seen."""
        found = self.step.raw.range_of(span)
        if found is not None and self.raw is not None and self.raw.text is not None and self.raw.shows_text:
            self.raw.text.to_place(found[0])

    def set_linked(self, spans: Sequence[Span], links: frozenset[Hashable]) -> None:
        """Mark characters in the raw cell and words in the parsed cell."""
        if self.raw is not None and self.raw.text is not None:
            ranges = [found for span in spans if (found := self.step.raw.range_of(span)) is not None]
            self.raw.text.set_linked(ranges)
        if self.parsed is not None and self.parsed.blocks is not None:
            self.parsed.blocks.set_linked(links)

    def height_now(self) -> int:
        """The height at the ruler's widths; guessed from the text where no panes exist."""
        panes = self.panes
        if panes is None:
            return self._height or self._guess()
        pad = 2 * px(PAD_X)
        heights = [
            pane.height_for(max(width - pad, px(20))) for pane, width in zip(panes, self._ruler.widths, strict=True)
        ]
        self._height = max(heights) + 2 * px(PAD_Y)
        return self._height

    def _guess(self) -> int:
        columns = max((self._ruler.widths[1] - 2 * px(PAD_X)) // px(7), 8)
        lines = 0
        for line in self.step.text[: columns * MOST_LINES].split("\n"):
            lines += 1 + len(line) // columns
        facts = 1 + len(self.step.news)
        return max(min(lines, MOST_LINES), facts) * px(Sizes.LINE) + 2 * px(PAD_Y)

    def place(self) -> None:
        """Place the four cells from the ruler."""
        panes = self.panes
        if panes is None:
            return
        left = 0
        for pane, width in zip(panes, self._ruler.widths, strict=True):
            box = QRect(left + px(PAD_X), px(PAD_Y), width - 2 * px(PAD_X), self.height() - 2 * px(PAD_Y))
            if pane.geometry() != box:
                pane.setGeometry(box)
            pane.place()
            left += width

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def _on_height_changed(self) -> None:
        self.height_changed.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.selected.emit(self.step.number)
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        left = 0
        for width in self._ruler.widths[:3]:
            left += width
            painter.fillRect(left - 1, 0, 1, self.height(), QColor(t.line))
        if self._current:
            painter.fillRect(0, px(6), px(3), self.height() - px(12), QColor(t.accent))
        if not self.is_made:
            self._paint_summary(painter)

    def _paint_summary(self, painter: QPainter) -> None:
        t = tokens()
        title = "Planner" if self.step.role is StepRole.PLANNER else "Executor"
        line = QRect(px(PAD_X), px(PAD_Y), self._ruler.widths[0] - 2 * px(PAD_X), px(Sizes.LINE))
        paint_text(painter, line, title, ui_font(bold=True), t.text)
        line.moveLeft(self._ruler.widths[0] + px(PAD_X))
        line.setWidth(self._ruler.widths[1] - 2 * px(PAD_X))
        first = self.step.text[:200].split("\n", 1)[0]
        paint_text(painter, line, first, mono_font(), t.text2)
