from __future__ import annotations

from PySide6.QtWidgets import QLabel

from workbench.ui.main.opening import OpeningNotice


def test_placeholder_names_the_awaited_state(theme, qtbot) -> None:
    notice = OpeningNotice()
    qtbot.addWidget(notice)
    assert [label.text() for label in notice.findChildren(QLabel)] == ["Opening the records"]
