"""Looking through a window for markup, odd characters and what is wider than its room: widgets, tips, items, what is painted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QBuffer, QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtGui import Qt as RichText
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTableView,
    QTextEdit,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from tests.kit.gui import picture
from workbench.core.unseen import HIDDEN
from workbench.ui.widgets.roomy import RoomyPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

_ODD = re.compile(f"[\x00-\x08\x0b-\x1f]|{HIDDEN.pattern}")
_EDITED = (QLineEdit, QPlainTextEdit)
SCROLLBAR = 20
"""What a bar takes that came with the last change."""
TIP = Qt.ItemDataRole.ToolTipRole


async def history_rows(window: Any, settled: Callable[[], Awaitable[object]]) -> AsyncIterator[str]:
    """Choose each of History's rows and let the window settle; say which one it is."""
    window.go("history")
    await settled()
    page = window.page("history").page
    for row in range(page.model.rowCount()):
        page.table.choose_row(row)
        await settled()
        yield f"history, row {row}"


def _is_markup(text: str) -> bool:
    """Qt would read tags in it, beyond the one that `tips` writes around escaped text."""
    own = text.startswith('<span style="white-space: pre-wrap">')
    return RichText.mightBeRichText(text) and not (own and text.count("<") == 2)


def _faults(top: QWidget) -> Iterator[str]:
    """Every widget whose text, tip or document holds markup."""
    for widget in [top, *top.findChildren(QWidget)]:
        if not isValid(widget) or widget.windowType() is Qt.WindowType.ToolTip:
            continue  # tips come and go while this looks; what they show is asked of QToolTip
        kind = type(widget).__name__
        if _is_markup(widget.toolTip()):
            yield f"tip of {kind}: {widget.toolTip()[:80]}"
        for action in widget.actions():
            if _is_markup(action.toolTip()) and action.toolTip() != action.text():
                yield f"tip of an action of {kind}: {action.toolTip()[:80]}"
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText and not _is_qts_own(widget):
            yield f"label in {type(widget.parent()).__name__} guesses its format: {widget.text()[:80]}"
        if isinstance(widget, QTextEdit) and "<img" in widget.toHtml():
            yield f"image in {kind}"
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            yield from (f"{kind}: {told[:80]}" for told in _tips_of(model) if _is_markup(told))
        if isinstance(widget, QComboBox):
            tips = (widget.itemData(at, TIP) for at in range(widget.count()))
            yield from (f"item of {kind}: {told[:80]}" for told in tips if isinstance(told, str) and _is_markup(told))
        if isinstance(widget, QScrollArea) and widget.isVisible() and (inner := widget.widget()) is not None:
            room = widget.viewport().width()
            scrolls = widget.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            least = max(inner.width(), inner.minimumSizeHint().width())
            if least > room + SCROLLBAR and not (scrolls and not isinstance(widget, RoomyPage)):
                yield f"{type(inner).__name__} is {least} wide, in {room}, by {_widest(inner)}"
        yield from _shown_tip(widget)


def _widest(inner: QWidget) -> str:
    found = max(inner.findChildren(QWidget), key=lambda one: one.minimumSizeHint().width(), default=inner)
    return f"{type(found).__name__} in {type(found.parent()).__name__}"


def _is_qts_own(label: QLabel) -> bool:
    return type(label) is not QLabel or label.objectName().startswith("qt_")


def _tips_of(model: QAbstractItemModel) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for row in range(min(model.rowCount(), 60)):
        for column in range(columns):
            told = model.index(row, column).data(TIP)
            if isinstance(told, str):
                yield told
    for column in range(columns):
        told = model.headerData(column, Qt.Orientation.Horizontal, TIP)
        if isinstance(told, str):
            yield told


def _shown_tip(widget: QWidget) -> Iterator[str]:
    """What a hover over the widget really shows, at several places of it."""
    if not widget.isVisible() or isinstance(widget, QHeaderView):
        return
    target = widget.viewport() if isinstance(widget, QTableView) else widget
    for x, y in ((0.1, 0.1), (0.5, 0.5), (0.3, 0.8)):
        place = QPoint(round(target.width() * x), round(target.height() * y))
        QApplication.sendEvent(target, QHelpEvent(QEvent.Type.ToolTip, place, target.mapToGlobal(place)))
        if _is_markup(QToolTip.text()):
            yield f"hover over {type(widget).__name__}: {QToolTip.text()[:80]}"
        QToolTip.hideText()


def drawn(window: QWidget) -> str:
    """Every text that painting the window draws, one a line, but for what the user edits, which stands as it is."""
    vector, sink = QSvgGenerator(), QBuffer()
    sink.open(QBuffer.OpenModeFlag.WriteOnly)
    vector.setOutputDevice(sink)
    vector.setSize(window.size())
    fields = [one for one in window.findChildren(QWidget) if isinstance(one, _EDITED) and one.isVisible()]
    for field in fields:
        field.setUpdatesEnabled(False)
    painter = QPainter(vector)
    window.render(painter, QPoint(0, 0))
    painter.end()
    for field in fields:
        field.setUpdatesEnabled(True)
    return "\n".join(re.findall(">([^<]*)</text>", bytes(sink.data().data()).decode("utf-8", "surrogatepass")))


def check_window(window: QWidget, place: str) -> None:
    """Fail where hostile text became markup, is drawn as it is, or made a part wider than its room."""
    assert not picture(window).isNull()
    told = drawn(window)
    assert told.strip()
    found = [f"drawn: {line!r}" for line in told.split("\n") if _ODD.search(line)]
    found += _faults(window)
    assert not found, f"{place}: {found}"
