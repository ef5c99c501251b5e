"""The inspector's tab Chunks: what the parser believed after chunk n, and whether other cuts give the same reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from workbench.ui.run.belief_words import CUTS
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chunk_bars import ChunkBars
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import ElidedLabel, column, hairline, label, row, set_role
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.belief_words import BeliefWords, ParityWords, TapeLine

PLAY_MS = 60
_FIGURES = (tr("State"), tr("Calls given out"), tr("Problems"), tr("Held back"), tr("Progress view"))


class ScrubberTab(QFrame):
    """Moves through the chunks; what was believed is asked for by `position_chosen`."""

    position_chosen = Signal(int)
    cut_chosen = Signal(object)
    """Another size of pieces, None for the chunks as received."""
    parity_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.bars = ChunkBars()
        self.title = label("", "section")
        self.time = label("", "label")
        self.back = Button(icon="caret-left", small=True, tip=tr("Previous chunk"), on_click=lambda: self.step(-1))
        self.play = Button(icon="play", small=True, tip=tr("Play"), on_click=self.toggle_play)
        self.forward = Button(icon="caret-right", small=True, tip=tr("Next chunk"), on_click=lambda: self.step(1))
        self.cuts = ComboField(name=tr("How the reply is cut"), small=True)
        self.cuts.set_items(CUTS)
        self.text = RawPane(tr("What the parser believed"))
        self.values = {name: ElidedLabel("", "body") for name in _FIGURES}
        self.check = Button(tr("Check other cuts"), small=True, on_click=self.parity_asked.emit)
        self._parity = QGridLayout()
        self._parity_labels: list[QWidget] = []
        self._lines: Sequence[TapeLine] = ()
        self._timer = QTimer(self)
        self._timer.setInterval(PLAY_MS)
        self._timer.timeout.connect(self._on_tick)
        self._waiting = Emptiness("broadcast", "", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._waiting)
        self._stack.addWidget(self._inside())
        self.setLayout(column(self._stack))
        self.bars.moved.connect(self._on_moved)
        self.cuts.value_chosen.connect(self.cut_chosen)
        self.show_waiting(tr("Reading"), tr("The parser reads the reply once more."))

    def _inside(self) -> QScrollArea:
        controls = row(self.back, self.play, self.forward, 8, self.cuts, gap=4)
        controls.setStretch(4, 1)
        head = column(row(self.title, None, self.time), self.bars, controls, margins=(12, 10, 12, 10), gap=8)
        self.text.setFixedHeight(px(16) * 9)
        believed = column(label(tr("What the parser believed"), "section"), self.text, margins=(12, 10, 12, 10), gap=8)
        parity = column(
            row(label(tr("Same reply in other chunkings"), "section"), None, self.check),
            self._parity,
            margins=(12, 10, 12, 12),
            gap=8,
        )
        self._parity.setVerticalSpacing(px(4))
        self._parity.setColumnStretch(0, 1)
        whole = QVBoxLayout()
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for part in (head, hairline(), believed, hairline(), self._figures(), hairline(), parity):
            if isinstance(part, QWidget):
                whole.addWidget(part)
            else:
                whole.addLayout(part)
        whole.addStretch(1)
        inside = QWidget()
        inside.setLayout(whole)
        area = QScrollArea()
        area.setAccessibleName(tr("The reply, chunk by chunk"))
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        inside.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        return area

    def _figures(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(px(12), px(10), px(12), px(10))
        grid.setVerticalSpacing(px(4))
        grid.setHorizontalSpacing(px(12))
        grid.setColumnStretch(1, 1)
        for line, (name, value) in enumerate(self.values.items()):
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setMinimumHeight(px(16))
            grid.addWidget(label(name, "second"), line, 0)
            grid.addWidget(value, line, 1)
        return grid

    def offer_received(self, received: bool) -> None:
        """Offer the chunks as received; a pasted text has none."""
        self.cuts.set_items(CUTS if received else CUTS[1:])

    def show_waiting(self, word: str, sentence: str) -> None:
        """There is nothing to scrub: say why."""
        self._stop_play()
        self._waiting.set_state("broadcast", word, sentence)
        self._stack.setCurrentIndex(0)

    @property
    def is_filled(self) -> bool:
        """A reply can be scrubbed."""
        return self._stack.currentIndex() == 1

    def show_tape(self, lines: Sequence[TapeLine], at: int, cut: int | None) -> None:
        """Show the chunks of a reply in one way of cutting."""
        self._stop_play()
        self._lines = lines
        self.cuts.choose(cut)
        self.bars.show_sizes([line.size for line in lines], at)
        self._stack.setCurrentIndex(1)
        self._say_place()
        self.position_chosen.emit(self.bars.position)

    def show_belief(self, words: BeliefWords) -> None:
        """Show what was believed at the handle."""
        self.text.show_text(words.text, words.regions)
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())
        told = (
            words.state, f"{words.calls:,}", f"{words.problems:,}" if words.problems else "none",
            counted(words.held, "character"), words.progress or "–",
        )  # fmt: skip
        for value, text in zip(self.values.values(), told, strict=True):
            value.setText(text)

    def show_parity(self, lines: Sequence[ParityWords], *, checking: bool = False) -> None:
        """Show how other cuttings compare; none yet while they are checked."""
        for old in self._parity_labels:
            old.hide()
            old.deleteLater()
        self._parity_labels = []
        if checking:
            self._add_parity(0, label(tr("checking …"), "empty"), label(""))
        for at, line in enumerate(lines):
            word = label(line.word, "body")
            set_role(word, "passed" if line.equal else "failed")
            name = ElidedLabel(line.name, "second")
            for one in (name, word):
                set_tip(one, line.tip)
            word.setAccessibleDescription(line.tip)
            self._add_parity(at, name, word)
            if line.tip:
                self._add_tip(at, line.tip, len(lines))
        self.check.setVisible(not lines and not checking)

    def _add_parity(self, at: int, name: QWidget, word: QWidget) -> None:
        self._parity.addWidget(name, at, 0)
        self._parity.addWidget(word, at, 1, Qt.AlignmentFlag.AlignRight)
        self._parity_labels += [name, word]

    def _add_tip(self, at: int, tip: str, lines: int) -> None:
        told = label(tip, "faint", wrap=True)
        self._parity.addWidget(told, lines + at, 0, 1, 2)
        self._parity_labels.append(told)

    def step(self, by: int) -> None:
        """Move the handle by chunks."""
        self._stop_play()
        self._go(self.bars.position + by)

    def _go(self, at: int) -> None:
        self.bars.set_position(at)
        self._say_place()
        self.position_chosen.emit(self.bars.position)

    def _on_moved(self, _at: int) -> None:
        self._stop_play()
        self._say_place()
        self.position_chosen.emit(self.bars.position)

    def _say_place(self) -> None:
        at, count = self.bars.position, len(self._lines)
        ended = at > count
        self.title.setText(
            tr("End of the reply")
            if ended
            else tr("Chunk {at:,} of {count:,}", at=at, count=count)
            if at
            else tr("Before chunk 1")
        )
        self.time.setText(self._lines[min(at, count) - 1].time if at and count else "")
        self.back.setEnabled(at > 0)
        self.forward.setEnabled(at < self.bars.last)

    def toggle_play(self) -> None:
        """Play from here to the end, from the beginning if the handle is at the end."""
        if self._timer.isActive():
            self._stop_play()
            return
        if self.bars.position >= self.bars.last:
            self._go(0)
        self._timer.start()
        self.play.set_icon_name("pause")
        self.play.set_tip(tr("Pause"))

    @property
    def is_playing(self) -> bool:
        """The handle moves by itself."""
        return self._timer.isActive()

    def _stop_play(self) -> None:
        self._timer.stop()
        self.play.set_icon_name("play")
        self.play.set_tip(tr("Play"))

    def _on_tick(self) -> None:
        stride = max(1, len(self._lines) // 400)
        self._go(self.bars.position + stride)
        if self.bars.position >= self.bars.last:
            self._stop_play()

    def hideEvent(self, event: QHideEvent) -> None:
        self._stop_play()
        super().hideEvent(event)
