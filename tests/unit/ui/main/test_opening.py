from __future__ import annotations

from PySide6.QtWidgets import QLabel

from workbench.ui.main.opening import OpeningNotice


def test_it_says_what_is_waited_for(theme, qtbot) -> None:
    notice = OpeningNotice()
    qtbot.addWidget(notice)
    assert [label.text() for label in notice.findChildren(QLabel)] == ["Opening the records"]
