"""The parameters form: checked as typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from workbench.core.messages import Reasoning
from workbench.core.target import Policy
from workbench.ui.try_.prompt_draft import Parameters

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_parameters_are_checked_as_typed(qtbot: QtBot, page: TryPage) -> None:
    composer = page.composer
    composer.parameters.showPopup()
    panel = composer.parameters.panel
    panel.fields["temperature"].setText("")
    qtbot.keyClicks(panel.fields["temperature"], "0.7")
    panel.policy.choose(Policy.STRICT)
    panel.policy.value_chosen.emit(Policy.STRICT)
    assert composer.checked.target is not None
    assert composer.checked.target.sampling.temperature == 0.7
    assert composer.checked.target.policy is Policy.STRICT
    assert composer.parameters.currentText() == "temp 0.7 · strict"
    qtbot.keyClicks(panel.fields["seed"], "abc")
    assert composer.why_off == "Run is off: seed: 'abc' is not a whole number"
    panel.fields["seed"].clear()
    panel.extra.setPlainText('{"a": }')
    assert composer.why_off == "Run is off: extra JSON line 1, column 7: a value is expected"
    panel.extra.setPlainText("")
    panel.effort.choose("high")
    panel.effort.value_chosen.emit("high")
    panel.thoughts.choose(True)
    panel.thoughts.value_chosen.emit(True)
    qtbot.keyClicks(panel.fields["budget"], "2048")
    assert composer.checked.target is not None
    assert composer.checked.target.sampling.reasoning == Reasoning("high", 2048, show=True)
    qtbot.keyClicks(panel.fields["calls"], "3")
    qtbot.keyClicks(panel.fields["cost"], "0.5")
    assert composer.checked.target is not None
    assert (composer.checked.target.limits.calls, composer.checked.target.limits.cost) == (3, 0.5)
    panel.close()
    composer.edit(replace(composer.draft, parameters=Parameters()))
    assert composer.run.isEnabled()
