"""The right side of the page Forensics: who is to blame, and below it what every format reads, or the chunks."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QStackedWidget

from workbench.ui.forensics.engines_panel import EnginesPanel
from workbench.ui.forensics.format_matrix import FormatMatrix
from workbench.ui.forensics.verdict import ForensicsVerdict
from workbench.ui.run.inspector.scrubber import ScrubberTab
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row

WIDEST_SCRUBBER = 640


class ForensicsResult(QFrame):
    """Verdict above, matrix or chunk scrubber below."""

    chunks_wanted = Signal()
    """The scrubber is in front: it wants a reply to play."""
    keep_asked = Signal()
    report_asked = Signal()
    servers_asked = Signal()
    """The parsers of model servers shall read it too."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.verdict = ForensicsVerdict()
        self.keep = Button(
            tr("Keep as case"), icon="bookmark-simple", small=True, keys="Ctrl+E",
            tip=tr("Make a case of this reply, with what must come of it"), on_click=self.keep_asked.emit,
        )  # fmt: skip
        self.report = Button(
            icon="bug", small=True, keys="U", tip=tr("Report upstream, in the receiver's form"),
            on_click=self.report_asked.emit,
        )  # fmt: skip
        self.play = Button(
            tr("Chunks"), icon="broadcast", small=True, keys="C",
            tip=tr("What the parser believed after each piece, and whether other cuts matter"),
            on_click=lambda: self.show_chunks(shown=True),
        )  # fmt: skip
        self.servers = Button(
            icon="hard-drives", small=True, keys="E", tip=tr("Which server loses it? Ask the parsers of vLLM and SGLang"),
            on_click=self.servers_asked.emit,
        )  # fmt: skip
        self.matrix = FormatMatrix(self.play, self.servers, self.report, self.keep)
        self.engines = EnginesPanel()
        self.scrubber = ScrubberTab()
        self.as_format = ElidedLabel("", "label")
        self.back = Button(tr("All formats"), icon="stack", small=True, on_click=lambda: self.show_chunks(shown=False))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.matrix)
        self._stack.addWidget(self._chunks())
        inside = column(self.verdict, hairline(), self._stack, self.engines, gap=0)
        inside.setStretch(2, 1)
        self.setLayout(inside)

    def _chunks(self) -> QFrame:
        head = frame("surface")
        line = row(label(tr("Chunks"), "section"), self.as_format, self.back, margins=(16, 0, 16, 0), gap=8)
        line.setStretch(1, 1)
        head.setLayout(line)
        fix_size(head, height=44)
        bound_width(self.scrubber, most=WIDEST_SCRUBBER)
        whole = frame("surface")
        body = row(self.scrubber, None, margins=(4, 0, 0, 0))
        body.setStretch(0, 100)
        box = column(head, hairline(), body, gap=0)
        box.setStretch(2, 1)
        whole.setLayout(box)
        return whole

    @property
    def shows_chunks(self) -> bool:
        """The scrubber is in front."""
        return self._stack.currentIndex() == 1

    def show_chunks(self, *, shown: bool) -> None:
        """Show the scrubber, or all formats again."""
        self._stack.setCurrentIndex(int(shown))
        if shown:
            self.chunks_wanted.emit()
