from __future__ import annotations

from PySide6.QtCore import Qt

from tests.kit.pages import examples
from workbench.ui.start.rows import COLUMNS, ExampleModel


def _model() -> ExampleModel:
    model = ExampleModel()
    model.show_lines(examples())
    return model


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = ExampleModel()
    qtmodeltester.check(model)
    model.show_lines(examples())
    qtmodeltester.check(model)


def test_cells_and_headers(qapp) -> None:
    model = _model()
    assert [model.headerData(at, Qt.Orientation.Horizontal) for at in range(4)] == [one.title for one in COLUMNS]
    assert model.index(0, 1).data() == model.line(0).title
    assert model.line(0).code in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_next_problem_goes_round_and_skips_good_runs(qapp) -> None:
    model = _model()
    seen, at = [], 0
    for _ in range(model.rowCount()):
        at = model.next_problem(at)
        seen.append(model.line(at).state)
    assert "pass" not in seen
    assert model.next_problem(model.next_problem(3), -1) == 3
    empty = ExampleModel()
    assert empty.next_problem(0) == 0
