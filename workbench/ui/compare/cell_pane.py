"""The chosen cell, or the failures of a layer: a rate in words, and the runs, each of which opens in Try."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QMenu, QStackedWidget

from workbench.ui.compare.cell_runs import RunModel, with_hand
from workbench.ui.run.hand_verdict import TIP, hand_menu
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import VERDICTS
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row
from workbench.ui.widgets.marks import VerdictLabel, paint_verdict
from workbench.ui.widgets.menus import open_at
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph
from workbench.ui.widgets.rows import RowDelegate, RowList
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.store.opinions import Opinion
    from workbench.ui.compare.values import CellView, RunLine

_ROW = 40


class RunDelegate(RowDelegate):
    """Number of the repeat, verdict, reason; code and time below."""

    def paint_cell(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex, *, chosen: bool
    ) -> None:
        model = index.model()
        assert isinstance(model, RunModel)
        line, t, side = model.line(index.row()), tokens(), px(10)
        left, top = rect.left() + px(16), rect.top() + px(3 if line.code else 11)
        number = QRect(left, top, px(22), px(18))
        paint_text(painter, number, str(line.repeat), ui_font(11), t.text3)
        paint_verdict(painter, line.state, QRectF(left + px(24), number.center().y() - side / 2 + 1, side, side))
        seconds = f"{line.seconds:.1f} s" if line.seconds >= 1 else tr("{seconds:.0f} ms", seconds=line.seconds * 1000)
        room = QRect(left + px(42), top, rect.width() - px(124), px(18))
        words = line.reason or VERDICTS[line.state].word
        paint_text(painter, room, words, ui_font(12, bold=chosen), t.text)
        right = QRect(rect.right() - px(66), top, px(52), px(18))
        paint_text(painter, right, seconds, ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)
        if line.hand:
            below = QRect(right.right() - px(82), top + px(17), px(82), px(18))
            paint_text(
                painter,
                below,
                tr("by hand: {hand}", hand=line.hand),
                ui_font(11),
                t.text2,
                align=Qt.AlignmentFlag.AlignRight,
            )
            paint_verdict(
                painter, line.hand, QRectF(below.left() - side, below.center().y() - side / 2 + 1, side, side)
            )
        lower = room.translated(0, px(17))
        paint_text(painter, lower, line.code, mono_font(11), t.text2)


class CellPane(QFrame):
    """What the chosen cell is made of."""

    run_opened = Signal(str)
    case_asked = Signal(str)
    verdict_asked = Signal(str, str)
    """A run's id, and `pass`, `fail`, or nothing to take back what was set by hand."""
    history_asked = Signal(str)
    """The filter that leaves these runs."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.mark = VerdictLabel("pass")
        self.target = ElidedLabel("", "second")
        self.case = label("", "section", wrap=True)
        self.words = Paragraph(size=12)
        self.model = RunModel(self)
        self.runs = RowList(tr("Runs"))
        self.runs.setItemDelegate(RunDelegate(_ROW, self.runs))
        self.runs.setModel(self.model)
        self.runs.activated.connect(lambda index: self.run_opened.emit(self.model.line(index.row()).id))
        self.open_button = Button(tr("Open in Try"), icon="play", on_click=self._on_open)
        self.case_button = Button(
            tr("Case"), icon="clipboard-text", on_click=lambda: self.case_asked.emit(self._case_id)
        )
        self.history_button = Button(
            icon="clock-counter-clockwise",
            tip=tr("These runs in History"),
            on_click=lambda: self.history_asked.emit(self._history),
        )
        self.hand_button = Button(tr("Verdict"), icon="hand-palm", tip=TIP, keys="V", on_click=self.open_hand)
        self._case_id = self._history = ""
        head = frame("surface")
        head.setLayout(
            column(row(self.mark, None), self.case, self.target, self.words, margins=(16, 12, 16, 12), gap=6)
        )
        foot = row(
            self.open_button, self.case_button, self.hand_button, None, self.history_button, margins=(16, 8, 16, 8)
        )
        shown = frame("surface")
        whole = column(head, hairline(), self.runs, hairline(), gap=0)
        whole.setStretch(2, 1)
        whole.addLayout(foot)
        shown.setLayout(whole)
        self._stack = QStackedWidget()
        self._stack.addWidget(Emptiness("crosshair", tr("No cell chosen"), tr("Choose a cell to see its runs.")))
        self._stack.addWidget(shown)
        self.setLayout(column(self._stack))

    def show_cell(self, view: CellView | None) -> None:
        """Show another cell; None: nothing is chosen."""
        self._stack.setCurrentIndex(0 if view is None else 1)
        if view is None:
            return
        self._case_id, self._history = view.case_id, view.history
        self.case_button.setVisible(bool(view.case_id))
        self.mark.set_state(view.state if view.state in VERDICTS else "not_gradable")
        self.case.setText(view.case_title)
        self.target.setText(view.target)
        self.words.show_runs([view.words])
        self.model.show_lines(view.runs)
        self.runs.choose_row(0)
        self.open_button.setEnabled(bool(view.runs))
        self.hand_button.setEnabled(bool(view.runs))

    def show_hand(self, hand: Mapping[str, Opinion]) -> None:
        """Show what was set by hand meanwhile; the chosen run stays chosen."""
        lines = (self.model.line(row) for row in range(self.model.rowCount()))
        self.model.update_lines([with_hand(line, hand.get(line.id)) for line in lines])

    def _on_open(self) -> None:
        at = self.runs.currentIndex().row()
        if at >= 0:
            self.run_opened.emit(self.model.line(at).id)

    def open_hand(self) -> None:
        """Offer what may be said of the chosen run."""
        if self.chosen is not None:
            open_at(self.hand_menu(), self.hand_button.mapToGlobal(QPoint(0, -2)))

    def hand_menu(self) -> QMenu:
        """What may be said of the chosen run by hand."""
        line = self.chosen
        held = line is not None and bool(line.hand)
        run_id = line.id if line is not None else ""
        return hand_menu(self, held=held, chosen=partial(self.verdict_asked.emit, run_id))

    @property
    def chosen(self) -> RunLine | None:
        """The chosen run, where a cell with runs is shown."""
        at = self.runs.currentIndex().row()
        return self.model.line(at) if self._stack.currentIndex() == 1 and at >= 0 else None

    def take_back(self) -> None:
        """Let the machine's verdict on the chosen run stand alone again."""
        if (line := self.chosen) is not None and line.hand:
            self.verdict_asked.emit(line.id, "")
