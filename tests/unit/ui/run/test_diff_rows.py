from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.ui.run.diff_rows import DiffLine, DiffModel

LINES = [
    DiffLine("configuration.format", "changed", "qwen_xml", "react", asked=True),
    DiffLine("calls[0]", "added", "", '{\n "name": "get_weather"\n}'),
    DiffLine("replies[0]", "removed", "x" * 999, ""),
]


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = DiffModel()
    model.show_lines(LINES)
    qtmodeltester.check(model)
    assert model.line(0).asked
    assert [model.headerData(at, Qt.Orientation.Horizontal) for at in range(4)] == ["Where", "", "A", "B"]


def test_values_are_one_short_line_in_a_row() -> None:
    model = DiffModel()
    model.show_lines(LINES)
    assert model.index(1, 3).data() == '{ "name": "get_weather" }'
    assert len(model.index(2, 2).data()) == 200
    assert model.index(2, 1).data() == "removed"


def test_a_row_is_told_in_words() -> None:
    model = DiffModel()
    model.show_lines(LINES)
    told = model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told.startswith("calls[0] added: nothing, then")
