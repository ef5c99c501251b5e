from __future__ import annotations

from PySide6.QtCore import Qt

from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.pair_rows import PairDelegate, PairModel, lines_of
from workbench.ui.widgets.rows import RowTable
from workbench.verify.metrics import METRICS


def test_faulty_pairs_only() -> None:
    lines = lines_of(virtual_verification(), METRICS["leaked_as_text"], 0)
    assert lines
    assert {line.candidate for line in lines} == {"fail"}
    assert {line.reference for line in lines} == {"pass"}


def test_times_show_values_of_the_furthest() -> None:
    lines = lines_of(virtual_verification(count=80), METRICS["total_time"], 1)
    assert 0 < len(lines) <= 50
    assert all(line.candidate not in ("pass", "fail") for line in lines)


def test_rows_are_painted(theme, qtbot) -> None:
    table, model = RowTable("Pairs", 28, (54, 0, 44, 44, 74)), PairModel()
    qtbot.addWidget(table)
    model.setParent(table)
    table.setItemDelegate(PairDelegate(28, table))
    table.setModel(model)
    model.show_lines(lines_of(virtual_verification(), METRICS["leaked_as_text"], 0), "A")
    table.resize(380, 200)
    table.show()
    assert not table.grab().isNull()
    assert model.headerData(3, Qt.Orientation.Horizontal) == "A"
    assert len(model.data(model.index(0, 0))) == 3
