"""The four cells of a step row, filled from its view and kept up to date while the reply grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from workbench.ui.run.loop.blocks import Block, BlockRun
from workbench.ui.run.loop.content import CallLink, empty_blocks, failed_blocks
from workbench.ui.run.loop.pane import Pane
from workbench.ui.run.loop.text import marks_of
from workbench.ui.run.run_view import StepState
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.core.calls import Region, Span
    from workbench.ui.run.cell_words import CellWords
    from workbench.ui.run.loop.marks import StepMarks
    from workbench.ui.run.run_view import RunView, StepView
    from workbench.ui.widgets.shown_text import Insert


class StepCells(QObject):
    """Sent, raw, parsed, sanitized. Raw and sanitized hold text that only grows, or blocks where there is none."""

    link_chosen = Signal(object)
    menu_asked = Signal(object, QPoint)
    place_chosen = Signal(str, int)
    acted = Signal(str)
    height_changed = Signal()
    scrolled_away = Signal(bool)

    def __init__(self, run: RunView, step: StepView, marks: StepMarks, parent: QWidget, words: CellWords) -> None:
        super().__init__(parent)
        self._run, self._step, self._marks, self._words = run, step, marks, words
        self._now_us = run.last_at_us
        self._state: StepState | None = None
        place = words.place(step)
        self.sent = Pane(tr("{place}: sent", place=place), parent=parent)
        self.raw = Pane(tr("{place}: raw output", place=place), mono=True, parent=parent)
        self.parsed = Pane(tr("{place}: parsed calls", place=place), parent=parent)
        self.sanitized = Pane(f"{place}: {words.last_title}", parent=parent)
        self.panes = (self.sent, self.raw, self.parsed, self.sanitized)
        for pane in self.panes:
            pane.height_changed.connect(self.height_changed)
            pane.scrolled_away.connect(self.scrolled_away)
        self.parsed.link_chosen.connect(self.link_chosen)
        self.parsed.menu_asked.connect(self.menu_asked)
        self.raw.place_chosen.connect(self.place_chosen)
        self.raw.whole_asked.connect(lambda: self.acted.emit("whole"))
        self.sanitized.whole_asked.connect(lambda: self.acted.emit("whole_sanitized"))

    def remove(self) -> None:
        """Let the panes go."""
        for pane in self.panes:
            pane.hide()
            pane.deleteLater()
        self.deleteLater()

    def fill(self, now_us: int, *, narrow: bool) -> None:
        """Bring every cell up to date."""
        self._fill_raw()
        self.refresh_parsed(now_us)
        self.refresh_status(now_us, narrow=narrow)

    def refresh_status(self, now_us: int, *, narrow: bool, turn: float = 0.0) -> None:
        """Bring state and tokens up to date; turn spinners."""
        self._now_us = now_us
        self.sent.show_blocks(self._words.sent(self._run, self._step, now_us, narrow=narrow))
        for pane in (self.sent, self.parsed):
            if pane.blocks is not None:
                pane.blocks.set_turn(turn)
        state = self._step.state_at(now_us)
        if state is not self._state:
            self._state = state
            self._offer_buttons(state)
            self.follow(state.live)
            if not state.live:
                self._fill_notice()
                self._fill_sanitized()

    def shows_state(self, now_us: int) -> bool:
        """The state that is shown still holds."""
        return self._step.state_at(now_us) is self._state

    def refresh_parsed(self, now_us: int) -> None:
        """Bring the parsed cell up to date, and the sentence of an empty sanitized cell with it."""
        self._now_us = now_us
        tips: dict[Hashable, str] = {
            CallLink(view.index): f"Mended ({view.call.danger.value}): " + ", ".join(view.call.repairs)
            for view in self._step.calls
            if view.call.repairs
        }
        self.parsed.show_blocks(self._words.parsed(self._run, self._step, now_us), tips)
        self._fill_sanitized()

    def set_regions(self) -> None:
        """Colour the raw text anew."""
        if self.raw.shows_text and self.raw.text is not None:
            self.raw.text.set_marks(marks_of(self._step.raw, self._marks.everything()))

    def add_regions(self, regions: Sequence[Region]) -> None:
        """Colour what the parser has read in a growing text."""
        if self.raw.shows_text and self.raw.text is not None:
            for role, start, end in marks_of(self._step.raw, regions, captions=False):
                self.raw.text.add_mark(role, start, end)

    def grow(self, inserts: Sequence[Insert]) -> None:
        """Append raw text and colour what the parser has met in it."""
        if not self.raw.shows_text or self.raw.text is None:
            self._fill_raw()
            return
        self.raw.text.insert(inserts)
        for region in self._marks.news():
            found = self._step.raw.range_of(region.span)
            if found is not None:
                self.raw.text.add_mark(region.role, *found)

    def grow_sanitized(self, inserts: Sequence[Insert]) -> None:
        """Append sanitized text."""
        if self.sanitized.shows_text and self.sanitized.text is not None:
            self.sanitized.text.insert(inserts)
        else:
            self._fill_sanitized()

    def reset_text(self) -> None:
        """The texts are others now."""
        self._fill_raw()
        if self.sanitized.text is not None:
            self.sanitized.text.hide()
        self._fill_sanitized()

    def _fill_raw(self) -> None:
        if self._step.raw.length:
            self.raw.show_text(self._step.raw, marks_of(self._step.raw, self._marks.everything()))
            self.follow(self._step.state.live)
        else:
            self._fill_notice()

    def _fill_notice(self) -> None:
        if self._step.raw.length:
            return
        match self._step.state:
            case StepState.FAILED:
                self.raw.show_blocks(failed_blocks(self._step))
            case StepState.EMPTY:
                self.raw.show_blocks(empty_blocks(self._step))
            case StepState.RUNNING:
                self.raw.show_blocks([Block((BlockRun(tr("waiting for the first token"), "empty"),))])
            case _:
                self.raw.show_blocks([Block((BlockRun(tr("nothing arrived"), "empty"),))])

    def _fill_sanitized(self) -> None:
        blocks = self._words.last(self._run, self._step, self._now_us)
        if blocks:
            self.sanitized.show_blocks(blocks)
        elif not self.sanitized.shows_text:
            self.sanitized.show_text(self._step.shown, [])
            self.follow(self._step.state.live)

    def _offer_buttons(self, state: StepState) -> None:
        def button(text: str, icon: str, name: str, keys: str = "") -> Button:
            return Button(text, icon=icon, keys=keys, small=True, on_click=lambda: self.acted.emit(name))

        lost = state is StepState.UNREADABLE
        self.parsed.set_buttons([button(tr("All formats"), "stack", "formats", "F")] if lost else [])
        match state:
            case StepState.STALLED:
                self.raw.set_buttons([button(tr("Cancel"), "x", "cancel", "Esc")])
            case StepState.FAILED:
                self.raw.set_buttons(
                    [
                        button(tr("Retry"), "arrow-clockwise", "retry"),
                        button(tr("Wire"), "code", "wire", "W"),
                        button(tr("Copy report"), "copy", "report"),
                    ]
                )
            case _:
                self.raw.set_buttons([])

    def follow(self, live: bool) -> None:
        """Stay at the end of the growing texts, or no longer."""
        for pane in (self.raw, self.sanitized):
            if pane.text is not None:
                pane.text.follow(live and self._step.state.live)

    def jump(self, span: Span | None) -> int:
        """Blink the characters of a span; return how far down the cell they are."""
        found = self._step.raw.range_of(span) if span is not None else None
        if found is None or self.raw.text is None or not self.raw.shows_text:
            return 0
        self.raw.text.blink(*found)
        return self.raw.text.place_top(found[0])

    def reveal(self, span: Span) -> None:
        """Scroll inside the raw cell so that a span is seen."""
        found = self._step.raw.range_of(span)
        if found is not None and self.raw.text is not None and self.raw.shows_text:
            self.raw.text.to_place(found[0])

    def set_linked(self, spans: Sequence[Span], links: frozenset[Hashable]) -> None:
        """Mark characters in the raw cell and words in the parsed cell."""
        if self.raw.text is not None:
            ranges = [found for span in spans if (found := self._step.raw.range_of(span)) is not None]
            self.raw.text.set_linked(ranges)
        if self.parsed.blocks is not None:
            self.parsed.blocks.set_linked(links)
