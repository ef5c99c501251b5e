from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.kit.batches import batch
from workbench.core.errors import InvalidInput
from workbench.grading.matrix import matrix
from workbench.ui.compare.shown_batch import ShownBatch
from workbench.ui.compare.view import CompareView


def test_errors_are_told_and_the_chosen_cell_is_shown_again(theme, qtbot) -> None:
    said: list[str] = []
    shell: Any = SimpleNamespace(say=said.append)
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(1400, 800)
    view.show()
    shown = ShownBatch(shell, view)
    shown.refresh_cell(come=True)
    assert view.panel.tabs.current == "targets"
    shown.batch = batch({"a": ["fff", "ppp"]})
    view.show_matrix(matrix(shown.batch))
    view.show_results()
    view.matrix.cells.setCurrentIndex(view.model.index(0, 1))
    shown.refresh_cell(come=True)
    assert view.panel.tabs.current == "cell"
    shown.on_error(InvalidInput("the file is locked"))
    assert said == ["the file is locked"]
    assert view.trouble.isVisible()
