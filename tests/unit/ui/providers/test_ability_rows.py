from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.ui.providers.ability_rows import COLUMNS, AbilityLine, AbilityModel

YES = AbilityLine("answers", "yes", "yes", "said so", "POST /")


def test_the_model_behaves(qtmodeltester) -> None:
    model = AbilityModel()
    model.show_lines([YES])
    model.add_lines([AbilityLine("a seed", "not_asked", "not asked", "why")])
    qtmodeltester.check(model)
    assert (model.rowCount(), model.columnCount()) == (2, 3)
    assert [model.data(model.index(1, column)) for column in range(3)] == ["a seed", "not asked", "why"]
    assert model.data(model.index(0, 0), Qt.ItemDataRole.AccessibleTextRole) == "answers: yes, said so"
    assert [model.headerData(at, Qt.Orientation.Horizontal) for at in range(3)] == [one.title for one in COLUMNS]
    assert model.line(0) is YES
