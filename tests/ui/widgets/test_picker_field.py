"""Lists that are searched by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from workbench.core.target import ModelRef
from workbench.ui.widgets.picker_field import Choice, PickerField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_models_are_found_by_typing(qtbot: QtBot, page: TryPage) -> None:
    picker = page.composer.target.model
    picker.showPopup()
    popup = picker.popup
    assert popup is not None
    qtbot.keyClicks(popup.field, "plai")
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert page.composer.draft.model == ModelRef("Simulator", "plain")
    picker.showPopup()
    qtbot.keyClicks(popup.field, "simulator / my-own")
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert page.composer.draft.model == ModelRef("Simulator", "my-own")
    picker.showPopup()
    qtbot.keyClick(popup.field, Qt.Key.Key_Down)
    qtbot.keyClick(popup.field, Qt.Key.Key_Up)
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    assert page.composer.draft.model == ModelRef("Simulator", "my-own")


def test_a_long_list_says_that_nothing_matches_and_stays_on_the_screen(qtbot: QtBot, theme: Theme) -> None:
    field = PickerField("Model", "Model")
    qtbot.addWidget(field)
    field.set_choices([Choice("Here", None, heading=True), *(Choice(f"model-{n}", n) for n in range(40))])
    screen = field.screen().availableGeometry()
    field.move(screen.right() - 60, screen.bottom() - 40)
    field.show()
    field.showPopup()
    popup = field.popup
    assert popup is not None
    assert screen.contains(popup.geometry())
    assert popup.list.currentIndex().data() == "model-0"
    qtbot.keyClicks(popup.field, "nowhere")
    assert (popup.nothing.isVisible(), popup.list.isVisible()) == (True, False)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert popup.isVisible()
    popup.field.setText("model-39")
    assert (popup.nothing.isVisible(), popup.list.isVisible()) == (False, True)
    with qtbot.waitSignal(field.picked) as seen:
        qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert seen.args == [39]


def test_a_narrow_field_says_its_value_first(qtbot: QtBot, theme: Theme) -> None:
    field = PickerField("Model", "Model")
    qtbot.addWidget(field)
    field.show_value(1, "Simulator / aux-stubborn", "aux-stubborn")
    assert field.fitting(400) == ("Model", "Simulator / aux-stubborn")
    assert field.fitting(150) == ("Model", "aux-stubborn")
    assert field.fitting(90) == ("", "aux-stubborn")
