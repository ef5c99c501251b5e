"""The composer's text fields: the system text opens on a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.ui.try_.text_fields import GrowingField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_the_system_text_opens_on_a_click(qtbot: QtBot, page: TryPage) -> None:
    composer = page.composer
    qtbot.mouseClick(composer.system_line, Qt.MouseButton.LeftButton)
    assert composer.system.isVisible()
    qtbot.keyClicks(composer.system, " Be short.")
    assert composer.draft.system.endswith(" Be short.")
    composer.user.setFocus()
    assert not composer.system.isVisible()
    assert composer.system_line.isVisible()


def test_text_that_came_in_unseen_is_shown_whole(qtbot: QtBot, theme: Theme) -> None:
    outer, field = QWidget(), GrowingField("User message")
    outer.setLayout(QVBoxLayout())
    outer.layout().addWidget(field)
    qtbot.addWidget(outer)
    outer.resize(300, 400)
    outer.show()
    one_line = field.height()
    outer.hide()
    field.blockSignals(True)
    field.set_text("some words that go on and on " * 6)
    field.blockSignals(False)
    field.fit()
    outer.show()
    assert field.height() > 2 * one_line


def test_one_line_stands_in_the_middle_at_every_text_size(qtbot: QtBot, theme: Theme) -> None:
    field = GrowingField("User message")
    qtbot.addWidget(field)
    field.set_text("one line")
    field.show()
    for size in (1.0, 2.0):
        theme.set_scale(size)
        line = field.cursorRect().translated(field.viewport().pos())
        assert abs(line.top() - (field.height() - line.bottom())) <= 3, size
