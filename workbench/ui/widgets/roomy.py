"""A page that scrolls where its window is too small for it, as with large text: nothing is squeezed and nothing is cut."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


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

    def bring(self, part: QWidget) -> None:
        """Scroll a part of the view into sight: all of it, or its beginning."""
        if (view := self.widget()) is not None and view.isAncestorOf(part):
            height = min(part.height(), self.viewport().height())
            area = QRect(part.mapTo(view, QPoint(0, 0)), QSize(1, height))
            for y in (area.bottom(), area.top()):
                self.ensureVisible(self.horizontalScrollBar().value(), y, 0, 0)

    def _offer(self) -> None:
        if (view := self.widget()) is not None:
            self.setWidgetResizable(False)  # else it is given what it needed before it hears of the room
            view.resize(self.maximumViewportSize())
            self.setWidgetResizable(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._offer()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_again"):  # Qt asks before the object is whole
            self._again.start()
