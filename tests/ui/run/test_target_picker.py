"""The target row: guesses and missing providers are marked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from workbench.core.target import Detection, ModelRef

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
