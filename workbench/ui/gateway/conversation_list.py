"""The list of conversations: filter, chips of counted findings, rows of three lines. New ones come on top."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QFrame, QStackedWidget

from workbench.ui.gateway.values import ConversationLine
from workbench.ui.gateway.words import ORDER, exchanges, finding_words, sums
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column, frame, hairline, row
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.quantities import short_time
from workbench.ui.widgets.rows import AnyIndex, RowDelegate, RowList
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW = 68
ALL = "all"


class ConversationModel(LineModel[ConversationLine]):
    """The conversations that a filter leaves; the chosen one stays chosen when others come or go."""

    def cell(self, line: ConversationLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.title
            case Qt.ItemDataRole.ToolTipRole:
                return line.title
            case Qt.ItemDataRole.AccessibleTextRole:
                told = [word for _, word in finding_words(line.findings)] or [tr("no findings")]
                held = ["held"] if line.held else []
                return ", ".join([line.title, line.client, exchanges(line.count), *told, *held])
        return None

    def row_of(self, name: str) -> int:
        """Where a conversation stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.id == name), -1)

    def follow(self, lines: Sequence[ConversationLine]) -> None:
        """Show other lines; rows that stay keep their place in the view, as far as the order stays."""
        before, after = [line.id for line in self._lines], [line.id for line in lines]
        if before == after:
            for at, line in enumerate(lines):
                if line != self._lines[at]:
                    self.replace_row(at, line)
            return
        if after and after[1:] == before:
            self.beginInsertRows(QModelIndex(), 0, 0)
            self._lines = list(lines)
            self.endInsertRows()
            return
        self.layoutAboutToBeChanged.emit()
        held = [(index, self._lines[index.row()].id) for index in self.persistentIndexList()]
        self._lines = list(lines)
        places = {name: at for at, name in enumerate(after)}
        for index, name in held:
            there = places.get(name)
            self.changePersistentIndex(index, self.index(there, index.column()) if there is not None else QModelIndex())
        self.layoutChanged.emit()


class ConversationDelegate(RowDelegate):
    """Title; client, count and time; findings. An hourglass where something is held."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model = index.model()
        assert isinstance(model, ConversationModel)
        line, t = model.line(index.row()), tokens()
        left, width = rect.left() + px(16), rect.width() - px(32)
        if line.held:
            side = px(14)
            paint_icon(painter, "hourglass", QRect(left + width - side, rect.top() + px(8), side, side), t.accent)
        title = QRect(left, rect.top() + px(6), width - (px(22) if line.held else 0), px(18))
        paint_text(painter, title, line.title, ui_font(12, bold=chosen), t.text)
        about = " · ".join((line.client, exchanges(line.count), _time(line.at)))
        paint_text(painter, QRect(left, rect.top() + px(24), width, px(16)), about, ui_font(11), t.text3)
        self._paint_findings(painter, QRect(left, rect.top() + px(44), width, px(16)), line)

    @staticmethod
    def _paint_findings(painter: QPainter, rect: QRect, line: ConversationLine) -> None:
        t, left = tokens(), rect.left()
        words = finding_words(line.findings)
        if not words:
            state = tr("held, waits for you") if line.held else tr("under way") if line.open else tr("no findings")
            paint_text(painter, rect, state, ui_font(11), t.accent if line.held else t.text3)
            return
        metrics = QFontMetrics(ui_font(11))
        for name, word in words:
            width = px(15) + metrics.horizontalAdvance(word)
            if left + width > rect.right() and left > rect.left():
                paint_text(painter, QRect(left, rect.top(), px(20), rect.height()), "…", ui_font(11), t.text3)
                return
            colour = t.text2 if name == "repaired" else t.failed
            side = px(9)
            if name == "repaired":
                box = QRect(left, rect.top() + px(2), px(12), px(12))
                paint_icon(painter, "magic-wand", box, colour)
            else:
                paint_verdict(painter, "fail", QRectF(left, rect.center().y() - side / 2 + 1, side, side))
            room = QRect(left + px(15), rect.top(), rect.right() - left - px(14), rect.height())
            paint_text(painter, room, word, ui_font(11), colour)
            left += width + px(10)


def _time(at: float) -> str:
    """`now`, else the time of day, else the date."""
    if time.time() - at < 5:
        return "now"
    return short_time(int(at * 1_000_000), datetime.now().astimezone())


class ConversationPane(QFrame):
    """Filter, chips and rows. It keeps all lines and shows those that are wanted."""

    chosen = Signal(str)
    """The id of the conversation that the user chose; empty: none is left."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._all: tuple[ConversationLine, ...] = ()
        self._group = ALL
        self._shown_counts: dict[str, int] = {}
        self.filter = LineField(
            hint=tr("Filter conversations"), icon_name="funnel", name=tr("Filter conversations"), clearable=True
        )
        self.filter.textChanged.connect(lambda _text: self._show())
        self.chips = WrapBox(gap=4)
        self.model = ConversationModel(self)
        self.list = RowList(tr("Conversations"))
        self.list.setItemDelegate(ConversationDelegate(ROW, self.list))
        self.list.setModel(self.model)
        self.list.row_chosen.connect(self._on_row)
        self.empty = Emptiness("broadcast", tr("No conversations yet"), tr("They appear here when an agent asks."))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.empty)
        head = frame("surface")
        head.setLayout(row(self.filter, margins=(16, 8, 16, 8)))
        chip_bar = frame("surface")
        chip_bar.setLayout(row(self.chips, margins=(12, 4, 12, 4)))
        box = column(head, hairline(), chip_bar, hairline(), self._stack, gap=0)
        box.setStretch(4, 1)
        self.setLayout(box)
        self._show()

    def show_lines(self, lines: Sequence[ConversationLine]) -> None:
        """Show all conversations, the newest first."""
        self._all = tuple(lines)
        self._show()
        self.list.viewport().update()  # what was now is a time of day a moment later

    def choose(self, name: str) -> None:
        """Choose a conversation, if it is shown."""
        if (at := self.model.row_of(name)) >= 0:
            self.list.choose_row(at)

    @property
    def chosen_id(self) -> str:
        """The chosen conversation."""
        at = self.list.currentIndex().row()
        return self.model.line(at).id if 0 <= at < self.model.rowCount() else ""

    @property
    def group(self) -> str:
        """The finding by which the list is narrowed, or `all`."""
        return self._group

    def choose_group(self, group: str) -> None:
        """Narrow the list to conversations with a finding."""
        self._group = group
        self._show_chips(force=True)
        self._show()

    def _show(self) -> None:
        self._show_chips()
        words = self.filter.text().lower().split()
        wanted = [
            line
            for line in self._all
            if (self._group == ALL or line.findings.get(self._group))
            and all(word in f"{line.title} {line.client}".lower() for word in words)
        ]
        self.model.follow(wanted)
        self._stack.setCurrentIndex(0 if wanted else 1)
        if self._all and not wanted:
            self.empty.set_state("funnel", tr("No conversation matches"), tr("Clear the filter, or choose all."))
        elif not wanted:
            self.empty.set_state("broadcast", tr("No conversations yet"), tr("They appear here when an agent asks."))

    def _show_chips(self, *, force: bool = False) -> None:
        found = sums(line.findings for line in self._all)
        counts = {ALL: len(self._all)} | {name: found[name] for name in ORDER if found[name] or name == self._group}
        if counts == self._shown_counts and not force:
            return
        self._shown_counts = counts
        focused = next((chip.text() for chip in self.findChildren(Chip) if chip.hasFocus()), "")
        made = []
        for name, count in counts.items():
            chip = Chip(
                name, "chosen" if name == self._group else "filter", count=count, height=24, clickable=True,
                tip=tr("Every conversation") if name == ALL else tr("Conversations with findings of this kind: {name}", name=name),
            )  # fmt: skip
            chip.clicked.connect(lambda _checked=False, one=name: self.choose_group(one))
            made.append(chip)
        self.chips.show_widgets(made)
        for chip in made:
            if focused and chip.text() == focused:
                chip.setFocus()

    def _on_row(self, at: int) -> None:
        self.chosen.emit(self.model.line(at).id if 0 <= at < self.model.rowCount() else "")
