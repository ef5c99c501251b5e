from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.providers.model_dialog import ModelSettingsDialog


@pytest.fixture
def view(theme, qtbot) -> ModelSettingsDialog:
    made = ModelSettingsDialog("qwen", "Groq")
    made.offer_formats(["react", "qwen_xml"], "qwen_xml")
    qtbot.addWidget(made)
    made.show()
    return made


def test_numbers_may_be_left_out_but_not_be_wrong(view) -> None:
    QTest.keyClicks(view.temperature, "0.5")
    QTest.keyClicks(view.max_tokens, "12")
    assert (view.temperature.value, view.max_tokens.value, view.input_price.value) == (0.5, 12, None)
    assert view.save.isEnabled()
    QTest.keyClicks(view.max_tokens, ".5")
    assert "whole number" in view.max_tokens.toolTip()
    assert not view.save.isEnabled()
    view.max_tokens.show_value(None)
    assert not view.fault


def test_non_object_body_is_not_saved(view) -> None:
    saved: list[bool] = []
    view.saved.connect(lambda: saved.append(True))
    view.extra.setPlainText("[1]")
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    assert view.extra_body() is None
    assert not saved
    view.extra.setPlainText('{"reasoning_effort": "low"}')
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    assert view.extra_body() == {"reasoning_effort": "low"}
    assert saved == [True]


def test_empty_format_means_detected(view) -> None:
    view.show_format("")
    assert (view.format.value, view.format.currentText()) == ("", "auto")
    assert [one.data for one in view.format.choices] == ["", "react", "qwen_xml"]
