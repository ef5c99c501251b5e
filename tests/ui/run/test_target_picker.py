"""The target row: guesses and missing providers are marked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from workbench.core.target import Detection, ModelRef
from workbench.ui.run.target_picker import TargetChoice, TargetPicker

if TYPE_CHECKING:
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_guess_is_marked(page: TryPage) -> None:
    detection = Detection("x", "unknown", "react", "default:http", "no rule knows this name", guess=True)
    page.composer.target.show_detection(detection)
    assert page.composer.target.format.accessibleDescription() == "Auto detected: react, unknown name guess"
    assert page.composer.target.format.toolTip() == "no rule knows this name"
    page.composer.target.format.picked.emit("qwen_xml")
    page.composer.target.show_detection(detection)
    assert page.composer.target.format.currentText() == "qwen_xml"
    assert "detected" not in page.composer.target.format.accessibleDescription()


def test_missing_provider_disables_run(page: TryPage) -> None:
    page.composer.target.set_models(
        [(ModelRef("Simulator", "plain"), "")], frozenset({"Simulator"}), frozenset({"Simulator"})
    )
    page.composer.edit(replace(page.composer.draft, model=ModelRef("Recorded", "m")))
    assert page.composer.why_off == "Run is off: there is no provider 'Recorded' here: choose a model"


def test_a_short_picker_keeps_the_name_of_the_model(theme, qtbot) -> None:
    picker = TargetPicker()
    qtbot.addWidget(picker)
    picker.show_choice(TargetChoice(ModelRef("Simulator", "qwen-hasty")))
    picker.show()
    for width, first in ((700, False), (330, True)):
        picker.resize(width, 40)
        fields = picker.model, picker.format, picker.mode
        qtbot.waitUntil(lambda fields=fields, first=first: (max(fields, key=QWidget.width) is fields[0]) is first)
