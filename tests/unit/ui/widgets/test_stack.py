from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.ui.widgets.stack import PageStack


def test_only_the_page_in_front_asks_for_room(theme, qtbot) -> None:
    stack = PageStack()
    qtbot.addWidget(stack)
    assert stack.minimumSizeHint().width() <= 0
    for width in (900, 100):
        page = QWidget()
        page.setMinimumSize(width, 50)
        stack.addWidget(page)
    assert stack.minimumSizeHint().width() == 900
    stack.setCurrentIndex(1)
    assert stack.minimumSizeHint().width() == 100
