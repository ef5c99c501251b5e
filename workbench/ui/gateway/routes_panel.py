"""The third panel of the strip: the table of routes, edited while the gateway runs; the first that fits counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame

from workbench.ui.gateway.route_editor import RouteEditor
from workbench.ui.gateway.values import RouteLine
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import Column, ColumnDelegate, TableModel
from workbench.ui.widgets.frames import SectionHeader, column, hairline
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowTable
from workbench.ui.widgets.stack import PageStack

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROW = 28


def _paint_target(painter: QPainter, rect: QRect, line: RouteLine, _chosen: bool) -> None:
    t, side = tokens(), px(14)
    colour = t.failed if line.fault else t.text
    paint_icon(
        painter,
        line.icon,
        QRect(rect.left(), rect.center().y() - side // 2, side, side),
        t.failed if line.fault else t.text2,
    )
    room = rect.adjusted(side + px(8), 0, 0, 0)
    paint_text(painter, room, line.target, ui_font(), colour, elide=Qt.TextElideMode.ElideMiddle)


COLUMNS: tuple[Column[RouteLine], ...] = (
    Column(tr("Asked for"), lambda line: line.asked_for, 104, mono=True, token="text", left=16),
    Column(tr("Tier"), lambda line: line.tier, 64, size=11),
    Column(tr("Target"), lambda line: line.target, 0, tip=lambda line: line.fault or line.target, paint=_paint_target),
    Column(tr("Way"), lambda line: line.fault or line.way, 116, size=11),
)


class RouteModel(TableModel[RouteLine]):
    """The routes in their order, and what no route fits."""

    columns = COLUMNS

    def spoken(self, line: RouteLine) -> str:
        return tr(
            "{asked_for}, {tier}, leads to {target}, {fault}",
            asked_for=line.asked_for,
            tier=line.tier,
            target=line.target,
            fault=line.fault or line.way,
        )


class RouteTable(RowTable):
    """Alt and an arrow move a route, Del asks to remove it."""

    move_asked = Signal(int, int)
    """Row and by how much."""
    remove_asked = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, by = self.currentIndex().row(), {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if at >= 0 and by and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.move_asked.emit(at, by)
        elif at >= 0 and event.key() == Qt.Key.Key_Delete:
            self.remove_asked.emit(at)
        else:
            super().keyPressEvent(event)


class RoutesPanel(QFrame):
    """The table, or the form of one route in its place."""

    add_asked = Signal()
    edit_asked = Signal(int)
    move_asked = Signal(int, int)
    remove_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.add = Button(tr("Route"), icon="plus", small=True, tip=tr("Add a route"), on_click=self.add_asked.emit)
        self.up = Button("", icon="caret-up", small=True, kind="quiet", keys="Alt+Up", tip=tr("Move the route up"))
        self.down = Button(
            "", icon="caret-down", small=True, kind="quiet", keys="Alt+Down", tip=tr("Move the route down")
        )
        self.up.clicked.connect(lambda _checked=False: self._move(-1))
        self.down.clicked.connect(lambda _checked=False: self._move(1))
        self.head = SectionHeader(
            tr("Routes"), tr("first match counts, edited while running"), self.up, self.down, self.add, height=40
        )
        self.model = RouteModel(self)
        self.table = RouteTable(tr("Routes"), _ROW, [one.width for one in COLUMNS])
        self.table.setItemDelegate(ColumnDelegate(_ROW, self.table))
        self.table.setModel(self.model)
        self.table.row_opened.connect(self._on_opened)
        self.table.move_asked.connect(self.move_asked)
        self.table.remove_asked.connect(self._on_remove)
        self.table.row_chosen.connect(lambda _at: self._show_moves())
        self.editor = RouteEditor()
        self._stack = PageStack()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.editor)
        box = column(self.head, hairline(), self._stack, gap=0)
        box.setStretch(2, 1)
        self.setLayout(box)
        self._show_moves()

    @property
    def edits(self) -> bool:
        """The form stands in place of the table."""
        return self._stack.currentWidget() is self.editor

    def show_lines(self, lines: Sequence[RouteLine]) -> None:
        """Show the table's lines; the chosen row stays the same one."""
        at = self.table.currentIndex().row()
        if [line.asked_for for line in lines] == [
            self.model.line(row).asked_for for row in range(self.model.rowCount())
        ]:
            self.model.update_lines(lines)
        else:
            self.model.show_lines(lines)
            self.table.choose_row(min(at, len(lines) - 1))
        self._show_moves()

    def show_editor(self, shown: bool) -> None:
        """Show the form, or the table again."""
        self._stack.setCurrentWidget(self.editor if shown else self.table)
        if shown:
            self.editor.asked_for.setFocus()
            self.editor.asked_for.selectAll()
        else:
            self.table.setFocus()
        self._show_moves()

    def _line(self) -> RouteLine | None:
        at = self.table.currentIndex().row()
        return self.model.line(at) if 0 <= at < self.model.rowCount() else None

    def _move(self, by: int) -> None:
        self.move_asked.emit(self.table.currentIndex().row(), by)

    def _show_moves(self) -> None:
        line, at, last = self._line(), self.table.currentIndex().row(), self.model.rowCount() - 2
        own = line is not None and not line.fixed and not self.edits
        self.up.setEnabled(own and at > 0)
        self.down.setEnabled(own and at < last)
        self.add.setEnabled(not self.edits)

    def _on_opened(self, at: int) -> None:
        if not self.model.line(at).fixed:
            self.edit_asked.emit(at)

    def _on_remove(self, at: int) -> None:
        if not self.model.line(at).fixed:
            self.remove_asked.emit(at)
