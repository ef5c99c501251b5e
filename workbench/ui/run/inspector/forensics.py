"""The inspector's tab Forensics: the first fault in a sentence, and the formats that found something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QStackedWidget

from workbench.ui.run.forensics_rows import CALLS, FORMAT, STRICT, WHERE, ForensicsModel
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row, set_role
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.rows import AnyIndex, RowDelegate, RowTable
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.forensics_rows import FormatLine, VerdictWords

ROW = 26
_WIDTHS = (0, 88, 76, 1, 1)


class _CompactDelegate(RowDelegate):
    """Format, what strict readers give out, how many calls there are after repairs."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model, t = index.model(), tokens()
        assert isinstance(model, ForensicsModel)
        line, column_at = model.line(index.row()), index.column()
        room = rect.adjusted(px(12) if column_at == FORMAT else px(8), 0, -px(4), 0)
        if column_at == FORMAT:
            paint_text(painter, room, line.format, mono_font(12, bold=bool(line.note) or chosen), t.text)
        elif column_at == STRICT:
            word = line.strict[0]
            paint_text(painter, room, word.text, ui_font(12), t.colour(word.token))
        else:
            told = counted(line.given, "call") if line.given else "0"
            paint_text(painter, room, told, ui_font(12), t.text if line.given else t.text3)


class ForensicsTab(QFrame):
    """Follows the step of the inspector; its controller fills it."""

    open_asked = Signal(str)
    """Open the page, with the text as that format reads it; empty: as it likes."""
    copy_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.title = label("", "strong")
        self.sentence = Paragraph()
        self.model = ForensicsModel(self)
        self.table = RowTable(tr("Formats that found something"), ROW, _WIDTHS)
        self.table.setModel(self.model)
        self.table.setItemDelegate(_CompactDelegate(ROW, self.table))
        self.table.setColumnHidden(CALLS, True)
        self.table.setColumnHidden(WHERE, True)
        self.table.row_opened.connect(lambda at: self.open_asked.emit(self.model.line(at).format))
        self.rest = ElidedLabel("", "second")
        self.open = Button(tr("Open Forensics"), icon="stack", small=True, on_click=lambda: self.open_asked.emit(""))
        self.copy = Button(tr("Copy report"), icon="copy", small=True, on_click=self.copy_asked.emit)
        self._waiting = Emptiness("stack", "", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._waiting)
        self._stack.addWidget(self._result())
        self.setLayout(column(self._stack))
        self.show_waiting()

    def _result(self) -> QFrame:
        made = frame("surface")
        head = column(self.title, self.sentence, margins=(12, 10, 12, 10), gap=4)
        rest = row(self.rest, margins=(12, 6, 12, 6))
        buttons = row(self.open, self.copy, None, margins=(12, 8, 12, 10))
        whole = column(head, hairline(), self.table, hairline(), rest, hairline(), buttons, gap=0)
        whole.setStretch(2, 1)
        made.setLayout(whole)
        return made

    def show_waiting(self, *, running: bool = False) -> None:
        """Nothing is read yet."""
        if running:
            self._waiting.set_state(
                "hourglass", tr("Still arriving"), tr("All formats read the reply when it has ended.")
            )
        else:
            self._waiting.set_state("stack", tr("Reading"), tr("All formats read the reply."))
        self._stack.setCurrentIndex(0)

    def show_reading(self, words: VerdictWords, lines: Sequence[FormatLine], length: int) -> None:
        """Show what the formats found."""
        self.title.setText(words.title)
        set_role(self.title, "failed" if words.fault else "strong")
        self.sentence.show_runs([TextRun(words.headline, bold=True), TextRun(f" {words.detail}")])
        self.model.show_readings(lines, length)
        self.rest.setText(tr("{formats} found nothing", formats=counted(len(self.model.names(found=False)), "format")))
        self._stack.setCurrentIndex(1)

    @property
    def is_filled(self) -> bool:
        """A reading is on the screen."""
        return self._stack.currentIndex() == 1
