from __future__ import annotations

from tests.kit.comparing import cell, column, made_cell, matrix, row
from tests.kit.gui import colours
from workbench.grading.matrix import Cell, Matrix
from workbench.ui.compare.matrix_model import MatrixModel
from workbench.ui.compare.matrix_view import MatrixView
from workbench.ui.theme.tokens import LIGHT


def _colours(qtbot, one: Cell) -> set[str]:
    view = _shown(qtbot, one)  # kept: a view that nobody holds dies while it is painted
    return colours(view.cells.viewport())


def _shown(qtbot, one: Cell) -> MatrixView:
    model = MatrixModel()
    view = MatrixView(model)
    qtbot.addWidget(view)
    model.setParent(view)
    model.show(Matrix((column(),), (row("a", "a", one),)))
    view.resize(420, 200)
    view.show()
    return view


def test_the_ground_is_the_lower_end_of_the_interval(theme, qtbot) -> None:
    for one, token in ((cell(10), "heat_high"), (cell(8), "heat_mid"), (cell(1), "heat_low")):
        assert LIGHT.colour(token).lower() in _colours(qtbot, one)


def test_too_few_runs_claim_no_colour(theme, qtbot) -> None:
    seen = _colours(qtbot, made_cell("too_few", 2, 2, (0.3, 1.0)))
    assert not {LIGHT.heat_high.lower(), LIGHT.heat_mid.lower(), LIGHT.heat_low.lower()} & seen
    assert LIGHT.passed.lower() not in seen


def test_errors_stay_visible_beside_a_rate(theme, qtbot) -> None:
    assert LIGHT.error.lower() in _colours(qtbot, made_cell("pass", 8, 8, (0.6, 1.0), errors=2))


def test_every_state_can_be_painted_in_both_themes(theme, qtbot) -> None:
    for choice in ("dark", "light"):
        theme.choose(choice)
        for state in ("pass", "fail", "flaky", "too_few", "error", "cancelled", "not_gradable", "running", "not_asked"):
            assert not _shown(qtbot, made_cell(state, 1, 2, left=3)).grab().isNull()


def test_the_frozen_column_names_the_cases(theme, qtbot) -> None:
    view = _shown(qtbot, cell(5))
    view.model.show(matrix())
    assert view.cases.sizeHintForColumn(0) >= 204
    assert LIGHT.text.lower() in colours(view.cases.viewport())
