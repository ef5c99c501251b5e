from __future__ import annotations

from PySide6.QtCore import Qt

from tests.kit.comparing import runs
from workbench.ui.compare.cell_runs import RunModel


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = RunModel()
    qtmodeltester.check(model)
    model.show_lines(runs().runs)
    qtmodeltester.check(model)


def test_a_run_speaks(qapp) -> None:
    model = RunModel()
    model.show_lines(runs().runs)
    assert model.line(3).code == "argument.wrong_value"
    assert model.index(3, 0).data() == "wrong city"
    assert (
        model.index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "repeat 4, fail, wrong city argument.wrong_value"
    )
