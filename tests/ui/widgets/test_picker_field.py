"""Lists that are searched by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.kit import events as kit
from tests.kit.try_page import make_page, show
from workbench.core.target import ModelRef
from workbench.ui.widgets.picker_field import PickerField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    made = make_page(qtbot)
    show(made, kit.story())
    return made


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


def test_a_narrow_field_says_its_value_first(qtbot: QtBot, theme: Theme) -> None:
    field = PickerField("Model", "Model")
    qtbot.addWidget(field)
    field.show_value(1, "Simulator / aux-stubborn", "aux-stubborn")
    assert field.fitting(400) == ("Model", "Simulator / aux-stubborn")
    assert field.fitting(150) == ("Model", "aux-stubborn")
    assert field.fitting(90) == ("", "aux-stubborn")
