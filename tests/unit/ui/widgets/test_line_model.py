from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt

from workbench.ui.widgets.line_model import LineModel


class Pairs(LineModel[tuple[str, int]]):
    """Words with numbers."""

    titles = ("Word", "Number")

    def cell(self, line: tuple[str, int], column: int, role: int) -> Any:
        return line[column] if role == Qt.ItemDataRole.DisplayRole else None


def test_lines_are_rows_under_their_headings(qtmodeltester) -> None:
    model = Pairs()
    model.show_lines([("a", 1)])
    model.add_lines([("b", 2), ("c", 3)])
    model.add_lines([])
    assert (model.rowCount(), model.columnCount()) == (3, 2)
    assert (model.index(1, 0).data(), model.index(2, 1).data(), model.line(0)) == ("b", 3, ("a", 1))
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Number"
    assert model.headerData(1, Qt.Orientation.Vertical) is None
    assert model.data(QModelIndex()) is None
    assert model.rowCount(model.index(0, 0)) == model.columnCount(model.index(0, 0)) == 0
    qtmodeltester.check(model)


def test_equal_rows_keep_the_selection() -> None:
    model = Pairs()
    model.show_lines([("a", 1), ("b", 2)])
    reset, changed = [], []
    model.modelReset.connect(lambda: reset.append(True))
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row(), last.column())))
    model.update_lines([("a", 5), ("b", 2)])
    assert (reset, changed, model.line(0)) == ([], [(0, 1, 1)], ("a", 5))
