"""A page that scrolls where its window is too small for it, as with large text: nothing is squeezed and nothing is cut."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QScrollArea, QWidget

from workbench.ui.theme.fonts import px

_SEEN_OF_LARGE = 60
"""Pixels of a large part, such as a table, that are enough of it to have the keyboard: a page opens at its top."""


class RoomyPage(QScrollArea):
    """Holds a page's view; as large as the room there is, never smaller than its parts need.

    A page may fold parts away where room is short, so it is offered the room first and asked for its needs then.
    """

    def __init__(self, view: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(view)
        view.show()
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(self._offer)
        QApplication.instance().focusChanged.connect(self._on_focus)  # type: ignore[union-attr]

        self._kept: QWidget | None = None
        """What was brought into sight, and stays there while parts of the page come, go and grow, until the user scrolls."""
        self.verticalScrollBar().rangeChanged.connect(self._on_range)
        self.verticalScrollBar().actionTriggered.connect(self._on_scrolled)

    def bring(self, part: QWidget) -> None:
        """Scroll a part of the view into sight: all of it, or its beginning."""
        if (view := self.widget()) is not None and view.isAncestorOf(part):
            self._kept = part
            self._scroll_to(part, view, self.viewport().height())

    def _scroll_to(self, part: QWidget, view: QWidget, most: int) -> None:
        """Scroll as little as shows a part, or its first `most` pixels."""
        part = _outermost(part, view)
        height = min(part.height(), most)
        if height:
            area = QRect(part.mapTo(view, QPoint(0, 0)), QSize(1, height))
            for y in (area.bottom(), area.top()):
                self.ensureVisible(self.horizontalScrollBar().value(), y, 0, 0)

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        view = self.widget()
        if now is None or view is None or not view.isAncestorOf(now):
            return
        self._kept = None
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:  # else its release would meet something else
            self._scroll_to(now, view, px(_SEEN_OF_LARGE))

    def _on_range(self) -> None:
        if self._kept is not None:
            self.bring(self._kept)

    def _on_scrolled(self) -> None:
        self._kept = None

    def _offer(self) -> None:
        if (view := self.widget()) is not None:
            at = self.verticalScrollBar().value()  # lost while the view has no more than the room
            self.setWidgetResizable(False)  # else it is given what it needed before it hears of the room
            view.resize(self.maximumViewportSize())
            self.setWidgetResizable(True)
            self.verticalScrollBar().setValue(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._offer()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_again"):  # Qt asks before the object is whole
            self._again.start()


def bring_into_sight(part: QWidget) -> None:
    """Scroll the page that holds a part, if it is scrolled at all, so that the part is seen."""
    above = part.parentWidget()
    while above is not None and not isinstance(above, RoomyPage):
        above = above.parentWidget()
    if above is not None:
        above.bring(part)


def _outermost(part: QWidget, view: QWidget) -> QWidget:
    """The area inside `view` that scrolls `part` by itself, else the part: where it is inside of that is not the page's matter."""
    found, above = part, part.parentWidget()
    while above is not None and above is not view:
        if isinstance(above, QAbstractScrollArea):
            found = above
        above = above.parentWidget()
    return found
