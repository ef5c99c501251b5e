from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.widgets.frames import column
from workbench.ui.widgets.roomy import RoomyPage


def test_a_view_fills_the_room_and_is_never_squeezed(theme, qtbot) -> None:
    view = QWidget()
    room = RoomyPage(view)
    qtbot.addWidget(room)
    room.resize(400, 300)
    room.show()
    assert view.size() == room.viewport().size()
    assert room.focusPolicy() == Qt.FocusPolicy.NoFocus
    view.setMinimumWidth(900)
    qtbot.waitUntil(lambda: view.width() == 900)
    assert room.horizontalScrollBar().maximum() > 0


class _Folding(QWidget):
    """Needs 700 pixels, or 200 once it has been narrower than 500."""

    def __init__(self) -> None:
        super().__init__()
        self.part = QWidget()
        self.setLayout(column(self.part))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.part.setMinimumWidth(200 if self.width() < 500 else 700)


def test_a_view_may_fold_before_it_scrolls(theme, qtbot) -> None:
    view = _Folding()
    room = RoomyPage(view)
    qtbot.addWidget(room)
    room.resize(800, 300)
    room.show()
    assert view.minimumSizeHint().width() == 700
    room.resize(400, 300)
    qtbot.waitUntil(lambda: view.width() == room.viewport().width())
    assert room.horizontalScrollBar().maximum() == 0


def test_a_part_is_brought_into_sight(theme, qtbot) -> None:
    view, small, tall = QWidget(), QWidget(), QWidget()
    small.setFixedHeight(50)
    tall.setFixedHeight(500)
    view.setLayout(column(small, tall))
    room = RoomyPage(view)
    qtbot.addWidget(room)
    room.resize(400, 300)
    room.show()
    qtbot.waitUntil(lambda: room.verticalScrollBar().maximum() > 0)
    room.bring(tall)
    assert abs(room.verticalScrollBar().value() - tall.y()) <= 1
    room.bring(small)
    assert room.verticalScrollBar().value() == 0
    room.bring(QWidget(room))
    assert room.verticalScrollBar().value() == 0
