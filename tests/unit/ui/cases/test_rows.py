from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from workbench.ui.cases.rows import CaseLine, CaseModel, SuiteLine, SuiteModel
from workbench.ui.widgets.columns import column_table

LINES = (
    CaseLine("a.yaml", "a", "Weather", "get_weather", "one call"),
    CaseLine("b.yaml", "b", "", "", fault="line 2, column 3: no YAML"),
)


def test_they_are_proper_models(qtmodeltester) -> None:
    suites, cases = SuiteModel(), CaseModel()
    suites.show_lines([SuiteLine("demo", 14, read_only=True), SuiteLine("mine", 1, faults=1)])
    cases.show_lines(LINES)
    qtmodeltester.check(suites)
    qtmodeltester.check(cases)


def test_suite_row_texts(qapp) -> None:
    model = SuiteModel()
    model.show_lines([SuiteLine("demo", 14, read_only=True), SuiteLine("mine", 1, faults=1)])
    assert model.line(0).note == "14 cases · built in, read only"
    assert model.line(1).note == "1 case · 1 to mend"
    assert (model.row_of("mine"), model.row_of("other")) == (1, -1)
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "demo, 14 cases · built in, read only"


def test_edited_case_is_marked(theme, qtbot) -> None:
    model = CaseModel()
    model.show_lines(LINES)
    with qtbot.waitSignal(model.dataChanged):
        model.replace_line(replace(LINES[0], edited=True))
    table = column_table("Cases", 44, model)
    qtbot.addWidget(table)
    table.resize(330, 200)
    table.show()
    edited = table.grab().toImage()
    model.replace_line(LINES[0])
    assert table.grab().toImage() != edited
    model.replace_line(replace(LINES[0], edited=True))
    assert model.index(0, 1).data() == "get_weather"
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole).endswith("not saved")
    assert model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == LINES[1].fault
    assert (model.row_of("b.yaml"), model.row_of_id("b"), model.row_of_id("c")) == (1, 1, -1)
