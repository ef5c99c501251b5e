"""A combo field whose list can be searched: models and formats come in hundreds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import ComboField, LineField
from workbench.ui.widgets.frames import column, label
from workbench.ui.widgets.menus import close_if_disabled
from workbench.ui.widgets.painting import paint_box, paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_DATA = Qt.ItemDataRole.UserRole
_NOTE, _ICON, _HEADING = _DATA + 1, _DATA + 2, _DATA + 3
_ROW, _ROWS_SHOWN, _SEARCHED_FROM = 28, 12, 8


class Choice(NamedTuple):
    """One line of the list."""

    title: str
    data: Any
    note: str = ""
    icon: str = ""
    heading: bool = False
    """It names what follows and cannot be chosen."""


class _RowPainter(QStyledItemDelegate):
    def __init__(self, mono: bool, parent: QObject) -> None:
        super().__init__(parent)
        self._mono = mono

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(px(120), px(_ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        t = tokens()
        rect: QRect = option.rect
        state = option.state
        if index.data(_HEADING):
            room = rect.adjusted(px(10), px(6), -px(10), 0)
            paint_text(painter, room, str(index.data()), ui_font(11, bold=True), t.text2)
            return
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(t.sel))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(t.hover))
        room = rect.adjusted(px(10), 0, -px(10), 0)
        if icon := index.data(_ICON):
            paint_icon(painter, icon, QRect(room.left(), room.center().y() - px(6), px(14), px(14)), t.text2)
            room.setLeft(room.left() + px(22))
        font = mono_font() if self._mono else ui_font()
        width = paint_text(painter, room, str(index.data()), font, t.text)
        room.setLeft(room.left() + width + px(12))
        paint_text(painter, room, str(index.data(_NOTE) or ""), ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)


class _Filter(QSortFilterProxyModel):
    """Every word of the search stands somewhere in title or note; a heading stays where something below it does."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._words: list[str] = []

    def search(self, text: str) -> None:
        self._words = text.lower().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        index = self.sourceModel().index(row, 0, parent)
        if not index.data(_HEADING):
            text = f"{index.data()} {index.data(_NOTE) or ''}".lower()
            return all(word in text for word in self._words)
        for below in range(row + 1, self.sourceModel().rowCount(parent)):
            if self.sourceModel().index(below, 0, parent).data(_HEADING):
                return False
            if self.filterAcceptsRow(below, parent):
                return True
        return False


class PickerPopup(QFrame):
    """A search field over a list; arrows move, Enter chooses, Esc closes."""

    chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget, *, mono: bool) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("role", "surface")
        self._model = QStandardItemModel(self)
        self._filter = _Filter(self)
        self._filter.setSourceModel(self._model)
        self._own: Callable[[str], Choice | None] | None = None
        self._choices: list[Choice] = []
        self._filled: list[Choice] = []
        self.field = LineField(hint=tr("Search"), icon_name="magnifying-glass", name=tr("Search {name}", name=name))
        self.list = QListView()
        self.list.setModel(self._filter)
        self.list.setItemDelegate(_RowPainter(mono, self))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(name)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.nothing = label(tr("Nothing in the list has these words."), "second")
        self.setLayout(column(self.field, self.list, self.nothing, margins=(8, 8, 8, 8), gap=6))
        self.field.textChanged.connect(self._on_search)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._on_clicked)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        close_if_disabled(self, event)

    def open_at(
        self, field: QWidget, choices: Sequence[Choice], current: Any, own: Callable[[str], Choice | None] | None
    ) -> None:
        """Show the list under a field; `own` makes a choice of a text that is in no list."""
        self._choices, self._own = list(choices), own
        self._fill(self._choices)
        self.field.clear()
        self.list.show()
        self.nothing.hide()
        self.field.setVisible(len(choices) > _SEARCHED_FROM or own is not None)
        self.setGeometry(self._place(field))
        at = next((row for row, one in enumerate(self._choices) if one.data == current), 0)
        self.show()
        self.field.setFocus()
        self._select(at)

    def _place(self, field: QWidget) -> QRect:
        """Below the field; above it, or moved, where the screen has no room there."""
        rows = min(max(self._filter.rowCount(), 1), _ROWS_SHOWN)
        search = px(36) if self.field.isVisibleTo(self) else 0
        screen = field.screen().availableGeometry()
        height = min(rows * px(_ROW) + px(18) + search, screen.height())
        width = min(max(field.width(), px(440)), screen.width())
        below = field.mapToGlobal(QPoint(0, field.height() + 2))
        top = below.y()
        if top + height > screen.bottom() + 1:
            above = below.y() - field.height() - 4 - height
            top = above if above >= screen.top() else screen.bottom() + 1 - height
        left = max(screen.left(), min(below.x(), screen.right() + 1 - width))
        return QRect(left, top, width, height)

    def refill(self, choices: Sequence[Choice]) -> None:
        """Take a longer list while the popup is open; what is typed and chosen stays."""
        at = self.list.currentIndex().data(_DATA)
        current = self._filled[at].data if at is not None else None
        self._choices = list(choices)
        self._fill(self._choices)
        self._filter.search(self.field.text())
        rows = ((row, self._filter.index(row, 0).data(_DATA)) for row in range(self._filter.rowCount()))
        self._select(next((row for row, number in rows if self._filled[number].data == current), 0))

    def _fill(self, choices: Sequence[Choice]) -> None:
        self._model.clear()
        self._filled = list(choices)
        for number, one in enumerate(self._filled):
            item = QStandardItem(one.title)
            item.setData(number, _DATA)
            item.setData(one.note, _NOTE)
            item.setData(one.icon, _ICON)
            item.setData(one.heading, _HEADING)
            item.setFlags(Qt.ItemFlag.NoItemFlags if one.heading else item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            self._model.appendRow(item)
        self._filter.invalidate()  # a heading came before what stands below it

    def _on_search(self, text: str) -> None:
        made = self._own(text) if self._own and text.strip() else None
        if made is not None and all(one.data != made.data for one in self._choices):
            self._fill([*self._choices, made])
        elif self._model.rowCount() != len(self._choices):
            self._fill(self._choices)
        self._filter.search("" if made is not None and self._matches(text) == 0 else text)
        found = self._filter.rowCount() > 0
        self.list.setVisible(found)
        self.nothing.setVisible(not found)
        if made is not None and self._filter.rowCount() > len(self._choices):
            self._select(self._filter.rowCount() - 1)
        else:
            self._select(0)

    def _matches(self, text: str) -> int:
        words = text.lower().split()
        return sum(all(word in f"{one.title} {one.note}".lower() for word in words) for one in self._choices)

    def _select(self, row: int, step: int = 1) -> None:
        """Choose a row, or past a heading the next one in the direction of `step`."""
        index = self._filter.index(row, 0)
        while index.isValid() and index.data(_HEADING):
            index = self._filter.index(index.row() + step, 0)
        if not index.isValid() and self._filter.index(row, 0).isValid():
            return
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            row = self.list.currentIndex().row()
            match event.key():
                case Qt.Key.Key_Down:
                    self._select(min(row + 1, self._filter.rowCount() - 1))
                    return True
                case Qt.Key.Key_Up:
                    self._select(max(row - 1, 0), -1)
                    return True
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._on_clicked(self.list.currentIndex())
                    return True
                case _:
                    pass
        return super().eventFilter(watched, event)

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.isValid() and not index.data(_HEADING):
            one = self._filled[index.data(_DATA)]
            self.close()
            self.chosen.emit(one.data)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_box(QPainter(self), self.rect(), ground=tokens().surface, border=tokens().line2, radius=0)


class PickerField(ComboField):
    """A combo field with a searchable list; `shown` is what stands in the closed field."""

    picked = Signal(object)
    opening = Signal()
    """The list is about to be shown: whoever fills it may look for more."""
    _shown = ""

    def __init__(self, inner: str, name: str, *, icon_name: str = "", mono: bool = False) -> None:
        super().__init__(inner, name=name, icon_name=icon_name)
        self._list_mono = mono
        self._choices: list[Choice] = []
        self._own: Callable[[str], Choice | None] | None = None
        self._popup: PickerPopup | None = None
        self._shown, self._brief = "", ""
        self._data: Any = None

    def set_choices(self, choices: Sequence[Choice], own: Callable[[str], Choice | None] | None = None) -> None:
        """Replace the list."""
        self._choices, self._own = list(choices), own
        if self._popup is not None and self._popup.isVisible():
            self._popup.refill(self._choices)

    @property
    def choices(self) -> list[Choice]:
        """The list."""
        return self._choices

    def show_value(self, data: Any, shown: str, brief: str = "") -> None:
        """Show a value, in the list or not; `brief` where the field is too narrow for all of it."""
        self._data, self._shown, self._brief = data, shown, brief
        set_tip(self, shown)
        self.update()

    def _describe(self) -> None:
        """The value and what is noted behind it: the name is the label here, since Qt has no items of it."""
        self.setAccessibleDescription(" ".join(filter(None, (self._shown, self._note, self._chip))))

    @property
    def value(self) -> Any:
        """What is chosen."""
        return self._data

    def _short(self) -> str:
        return self._brief or self._shown

    def currentText(self) -> str:
        return self._shown

    def showPopup(self) -> None:
        if self._popup is None:
            self._popup = PickerPopup(self.accessibleName(), self, mono=self._list_mono)
            self._popup.chosen.connect(self.picked)
        self.opening.emit()
        self._popup.open_at(self, self._choices, self._data, self._own)

    @property
    def popup(self) -> PickerPopup | None:
        """The list, once it was opened."""
        return self._popup

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_F4):
            self.showPopup()
        else:
            QWidget.keyPressEvent(self, event)
