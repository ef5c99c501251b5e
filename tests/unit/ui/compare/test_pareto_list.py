from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from workbench.ui.compare.pareto_list import BarModel, ParetoList
from workbench.ui.compare.values import BarLine

LINES = (
    BarLine(2, "small · 12 runs"),
    BarLine(2, "small", "argument", 8, 12, "argument.wrong_value 8"),
    BarLine(2, "small", "provider", 4, 12, "provider.rate_limit 4"),
)


def _list(qtbot) -> ParetoList:
    made = ParetoList()
    qtbot.addWidget(made)
    made.resize(360, 200)
    made.show_bars(LINES)
    made.show()
    return made


def test_a_bar_opens_its_runs_by_mouse_and_by_key(theme, qtbot) -> None:
    made, opened = _list(qtbot), []
    made.opened.connect(lambda target, layer: opened.append((target, layer)))

    for row in (0, 1):
        place = made.visualRect(made.model().index(row, 0)).center()
        QTest.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, pos=place)
    made.choose_row(2)
    QTest.keyClick(made, Qt.Key.Key_Return)

    assert opened == [(2, "argument"), (2, "provider")]


def test_bars_are_told_to_assistive_technology(theme, qtbot) -> None:
    model = BarModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_lines(LINES)
    said = [model.data(model.index(row, 0), Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]

    assert said == [
        "small · 12 runs", "argument: 8 of 12 failures, argument.wrong_value 8", "provider: 4 of 12 failures, provider.rate_limit 4",
    ]  # fmt: skip
    assert not _list(qtbot).grab().isNull()
