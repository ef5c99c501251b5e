from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from workbench.ui.widgets.columns import Column, TableModel, column_table


class Fruit(NamedTuple):
    name: str
    weight: int
    note: str = ""


def _paint(painter: QPainter, rect: QRect, _line: Fruit, _chosen: bool) -> None:
    painter.fillRect(rect, QColor("#12ab34"))


class FruitModel(TableModel[Fruit]):
    columns = (
        Column("Name", lambda line: line.name, token="text", strong=True, sort=lambda line: line.name),
        Column("g", lambda line: f"{line.weight}", 60, right=True, tip=lambda line: f"{line.weight} grams",
               sort=lambda line: line.weight),
        Column("", lambda line: line.note, 40, paint=_paint),
    )  # fmt: skip


FRUIT = [Fruit("pear", 180), Fruit("fig", 40, "ripe"), Fruit("melon", 1200)]


def _names(model: FruitModel) -> list[str]:
    return [model.line(row).name for row in range(model.rowCount())]


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = FruitModel()
    qtmodeltester.check(model)
    model.show_lines(FRUIT)
    qtmodeltester.check(model)
    model.sort(1)
    qtmodeltester.check(model)


def test_a_column_says_text_tip_alignment_and_heading(qapp) -> None:
    model = FruitModel()
    model.show_lines(FRUIT)
    cell = model.index(0, 1)
    roles: list[Any] = [cell.data(role) for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)]
    assert roles == ["180", "180 grams"]
    assert cell.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert model.headerData(1, Qt.Orientation.Horizontal) == "g"
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "fig, 40, ripe"
    assert model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "fig"


def test_sorting_keeps_the_chosen_row_and_new_lines_sorted(qapp) -> None:
    model = FruitModel()
    model.show_lines(FRUIT)
    held = QPersistentModelIndex(model.index(2, 0))
    model.sort(1)
    assert _names(model) == ["fig", "pear", "melon"]
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert _names(model) == ["pear", "melon", "fig"]
    assert model.line(held.row()).name == "melon"
    model.sort(2)
    assert _names(model) == ["pear", "melon", "fig"]
    model.show_lines([Fruit("apple", 1), *FRUIT])
    assert _names(model) == ["pear", "melon", "fig", "apple"]


def test_a_table_takes_widths_looks_and_sorting_from_the_columns(theme, qtbot) -> None:
    model = FruitModel()
    table = column_table("Fruit", 28, model)
    qtbot.addWidget(table)
    model.setParent(table)
    model.show_lines(FRUIT)
    table.resize(400, 200)
    table.show()
    assert (table.columnWidth(1), table.columnWidth(2)) == (60, 40)
    assert _names(model) == ["pear", "fig", "melon"]
    assert "#12ab34" in colours(table.viewport())
    header = table.horizontalHeader()
    place = QRect(header.sectionViewportPosition(1), 0, 60, 26).center()
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert _names(model) in (["fig", "pear", "melon"], ["melon", "pear", "fig"])
