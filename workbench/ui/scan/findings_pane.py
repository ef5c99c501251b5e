"""The middle column: the matrix of findings, and below it those that a cell leaves, alike ones folded."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QRect, QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QWidget

from workbench.ui.scan.lines import GroupLine
from workbench.ui.scan.matrix import KindMatrix
from workbench.ui.theme.fonts import px
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.columns import Column, TableModel, column_table
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import ElidedLabel, SectionHeader, column, hairline, label, row
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_box
from workbench.ui.widgets.quantities import full_time, short_time
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from workbench.scan.tally import TallyColumn

_ROW = 28
WAYS = [("server", tr("by server")), ("format", tr("by format")), ("day", tr("by day"))]


def _now() -> datetime:
    return datetime.now().astimezone()


def _paint_mark(painter: QPainter, rect: QRect, line: GroupLine, _chosen: bool) -> None:
    side = px(10)
    box = QRect(rect.left(), rect.center().y() - px(7), px(14), px(14))
    if line.marked:
        paint_icon(painter, "push-pin", box, tokens().accent)
    else:
        paint_verdict(painter, "fail", QRectF(rect.left() + px(2), rect.center().y() - side / 2 + 1, side, side))


class GroupModel(TableModel[GroupLine]):
    """Alike findings, a row each."""

    columns: ClassVar[tuple[Column[Any], ...]] = (
        Column("", lambda line: "marked" if line.marked else "", 34, paint=_paint_mark, left=12),
        Column(tr("Tool"), lambda line: line.tools, 140, sort=lambda line: line.shown.tool, mono=True, token="text", strong=True),
        Column(tr("Text around"), lambda line: line.around, 0, tip=lambda line: line.shown.message, token="text"),
        Column(tr("Read as"), lambda line: line.shown.format or tr("no format"), 118, sort=lambda line: line.shown.format, mono=True, size=11),
        Column(
            tr("Last"), lambda line: short_time(line.last_us, _now()) if line.last_us else "–", 84, sort=lambda line: line.last_us,
            tip=lambda line: full_time(line.last_us, _now()) if line.last_us else tr("the file does not say when"),
        ),
        Column(tr("Times"), lambda line: f"{line.times:,}", 68, sort=lambda line: line.times, right=True),
    )  # fmt: skip

    def spoken(self, line: GroupLine) -> str:
        """A row in words."""
        one = line.shown
        return tr(
            "{kind}, {tool}, {around}, {format}, {times:,} times",
            kind=one.kind,
            tool=one.tool or tr("no tool"),
            around=one.around,
            format=one.format or tr("no format"),
            times=line.times,
        )

    def row_of(self, line: GroupLine) -> int:
        """Where alike findings stand, or -1."""
        wanted = line.shown
        same = (at for at, one in enumerate(self._lines) if one.shown is wanted)
        alike = (at for at, one in enumerate(self._lines) if one.shown.alike == wanted.alike)
        return next(same, next(alike, -1))


class _Swatch(QWidget):
    """What the ground of a cell means."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(px(14), px(12))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_box(QPainter(self), self.rect(), ground=tokens().heat_low, border=tokens().line, radius=2)


class FindingsPane(QFrame):
    """Matrix and list."""

    way_chosen = Signal(str)
    cell_chosen = Signal(str, object)
    group_chosen = Signal(object)
    """A `GroupLine`."""
    group_opened = Signal(object)
    fold_chosen = Signal(bool)
    words_typed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.ways = Segments(WAYS)
        self.matrix = KindMatrix()
        self.model = GroupModel(self)
        self.table = column_table(tr("Findings that are alike"), _ROW, self.model)
        self.title = label("", "mono_strong")
        self.note = ElidedLabel("", "second")
        self.folded = Chip(tr("differing texts"), "chosen", count=0, height=24, clickable=True)
        self.every = Chip(tr("all"), "filter", count=0, height=24, clickable=True)
        self.filter = LineField(hint=tr("Filter"), icon_name="funnel", name=tr("Filter findings"), clearable=True)
        set_tip(self.filter, tr("Words, or kind: model: server: format: day: tool: place: with * in values"))
        self.filter.textChanged.connect(self.words_typed)
        self.read_as = Button(tr("Read it as…"), icon="file-text", tip=tr("Say what this file is"))
        self.nothing = Emptiness("file-search", tr("Nothing found so far"), "", self.read_as)
        ground = label(tr("ground: lower end ≥ 1 %"), "label")
        set_tip(ground, tr("At least 1 % of the replies: the lower end of the rate's 95 % interval"))
        self._legend = (ground, _Swatch())
        head = SectionHeader(tr("Findings"), "", *self._legend)
        box = head.layout()
        assert box is not None
        box.insertWidget(1, self.ways)  # type: ignore[attr-defined]
        words = row(self.title, self.note, self.folded, self.every, margins=(16, 8, 16, 0))
        words.setStretch(1, 1)
        body = column(self.matrix, hairline(strong=True), gap=0)
        body.addLayout(words)
        body.addLayout(row(self.filter, margins=(16, 6, 16, 6)))
        body.addWidget(hairline())
        body.addWidget(self.table, 1)
        self._body = QWidget()
        self._body.setLayout(body)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(self._body)
        whole = column(head, hairline(), self._stack, gap=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self.ways.chosen.connect(self.way_chosen)
        self.matrix.cell_chosen.connect(self.cell_chosen)
        self.table.row_chosen.connect(self._on_row)
        self.table.row_opened.connect(lambda at: self.group_opened.emit(self.model.line(at)))
        self.folded.clicked.connect(lambda _checked=False: self._fold(folded=True))
        self.every.clicked.connect(lambda _checked=False: self._fold(folded=False))

    @property
    def chosen(self) -> GroupLine | None:
        """The alike findings that are chosen."""
        at = self.table.currentIndex().row()
        return self.model.line(at) if 0 <= at < self.model.rowCount() else None

    @property
    def is_folded(self) -> bool:
        """Alike findings share a row."""
        return self.folded.kind == "chosen"

    def show_nothing(self, icon: str, word: str, sentence: str, token: str = "text3", *, unknown: bool = False) -> None:
        """Say why there is no list; of an `unknown` file people may say what it is."""
        self.read_as.setVisible(unknown)
        self.nothing.set_state(icon, word, sentence, token)
        self._stack.setCurrentIndex(0)
        self.ways.setEnabled(False)

    @property
    def shows_list(self) -> bool:
        """Matrix and list are on the screen."""
        return self._stack.currentIndex() == 1

    def show_matrix(self, kinds: list[str], columns: list[TallyColumn], cells: Any) -> None:
        """Show the counts."""
        self._stack.setCurrentIndex(1)
        self.ways.setEnabled(True)
        self.matrix.model.show(kinds, columns, cells)

    def show_groups(self, lines: list[GroupLine], title: str, note: str, kinds: int, total: int) -> None:
        """Show a list; what was chosen stays chosen where it is still there."""
        before = self.chosen
        self.title.setText(title)
        self.note.setText(note)
        self.folded.set_count(kinds)
        self.every.set_count(total)
        self.table.selectionModel().blockSignals(True)
        self.model.show_lines(lines)
        at = self.model.row_of(before) if before is not None else -1
        self.table.choose_row(max(at, 0))
        self.table.selectionModel().blockSignals(False)
        self.table.viewport().update()
        now = self.chosen
        if now is not None and (before is None or now.shown is not before.shown or now.times != before.times):
            self.group_chosen.emit(now)

    def show_narrow(self, *, narrow: bool) -> None:
        """Leave out what a narrow window has no room for."""
        for widget in self._legend:
            widget.setVisible(not narrow)

    def choose_way(self, way: str) -> None:
        """Show the matrix by server, format or day."""
        self.ways.choose(way)
        self.way_chosen.emit(way)

    def step(self, by: int) -> None:
        """Choose the next or previous row."""
        at = self.table.currentIndex().row() + by
        if 0 <= at < self.model.rowCount():
            self.table.choose_row(at)

    def _fold(self, *, folded: bool) -> None:
        self.folded.set_kind("chosen" if folded else "filter")
        self.every.set_kind("filter" if folded else "chosen")
        self.fold_chosen.emit(folded)

    def _on_row(self, at: int) -> None:
        if at >= 0:
            self.group_chosen.emit(self.model.line(at))
