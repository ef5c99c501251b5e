from __future__ import annotations

from tests.unit.ui.compare.test_from_why import MADE
from workbench.grading.matrix import matrix
from workbench.ui.compare.shown_batch import ShownBatch
from workbench.ui.compare.view import CompareView
from workbench.ui.compare.why import CompareWhy


def test_a_bar_brings_its_runs_to_the_front(theme, qtbot) -> None:
    view = CompareView()
    qtbot.addWidget(view)
    shown = ShownBatch(None, view)  # type: ignore[arg-type]
    made = CompareWhy(None, shown, view)  # type: ignore[arg-type]
    view.panel.why.layer_opened.emit(0, "decision")
    assert view.panel.tabs.current == "targets"

    shown.batch = MADE
    view.show_matrix(matrix(MADE))
    view.panel.why.layer_opened.emit(0, "decision")

    assert view.panel.tabs.current == "cell"
    assert view.panel.cell.model.rowCount() == 16
    assert made is not None
