from __future__ import annotations

from functools import cache

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.policy_words import policy_lines
from workbench.ui.compare.verify.table_model import MetricFilter
from workbench.ui.compare.verify.view import VerifyView
from workbench.verify.verification import Verification


@cache
def _found() -> Verification:
    return virtual_verification(count=200)


def _view(qtbot, *, width: int = 1360, running: bool = False) -> VerifyView:
    view, found = VerifyView(), _found()
    qtbot.addWidget(view)
    view.resize(width, 760)
    view.show()
    view.show_verification(found, found.judged(), running=running)
    view.panel.policy.show_policy(found, policy_lines(found.policy))
    view.show_results()
    return view


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [900, 1360])
def test_table_is_painted(theme, qtbot, mode: str, width: int) -> None:
    theme.choose(mode)
    view = _view(qtbot, width=width)
    assert view.table.isVisible()
    assert view.panel.isVisible() is (width > 1300)
    assert not view.grab().isNull()


def test_a_chosen_fail_tells_its_sentence_and_pairs(theme, qtbot) -> None:
    view, chosen = _view(qtbot), []
    view.cell_chosen.connect(lambda row, result: chosen.append((row, result)))
    index = view.model.place_of("leaked_as_text", 0)
    view.table.choose(index)
    assert [row.reference.metric.id for row, _ in chosen] == ["leaked_as_text"]
    row, result = chosen[0]
    assert view.model.found is not None
    view.panel.show_cell(view.model.found, row, result)
    assert view.panel.cell.title.text() == row.reference.metric.title
    assert view.panel.evidence.model.rowCount() > 0
    assert view.panel.keep.isEnabled()
    view.show_evidence()
    assert view.panel.evidence.pairs.isVisible()


def test_chips_filter(theme, qtbot) -> None:
    view = _view(qtbot)
    whole = view.model.rowCount()
    QTest.mouseClick(view.chips[MetricFilter.FAIL], Qt.MouseButton.LeftButton)
    assert 0 < view.model.rowCount() < whole
    view.choose_chip(MetricFilter.ALL)
    assert view.model.rowCount() == whole


def test_running_has_no_verdict_counts(theme, qtbot) -> None:
    view = _view(qtbot, running=True)
    assert view.model.running
    assert not view.grab().isNull()


def test_trouble_and_emptiness(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_trouble("The price limit was reached.", "Resume with a higher one.")
    assert view.trouble.isVisible()
    view.show_trouble("")
    assert not view.trouble.isVisible()
    view.panel.clear()
    assert not view.panel.keep.isEnabled()


def test_panel_folds(theme, qtbot) -> None:
    view = _view(qtbot)
    view.toggle_panel()
    assert view.panel.isHidden()
    view.open_panel()
    assert view.panel.isVisible()
    assert view.focus_panes()[0] is view.table.cells
    view.show_setup()
    assert view.shows_setup
    assert view.focus_panes()[0] is view.setup.reference
