from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QModelIndex, Qt

from tests.kit.pages import NOW_US, history
from workbench.ui.history.rows import PAGE, SECONDS, HistoryModel

NOW = datetime.fromtimestamp(NOW_US / 1_000_000, UTC)


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = HistoryModel()
    qtmodeltester.check(model)
    model.show_first(history(20), NOW)
    qtmodeltester.check(model)


def test_pages_are_asked_for_once_and_by_key(qtbot) -> None:
    model = HistoryModel()
    model.show_first(history(PAGE), NOW)
    assert model.canFetchMore(QModelIndex())
    with qtbot.waitSignal(model.page_wanted) as seen:
        model.fetchMore(QModelIndex())
    assert seen.args == [model.line(PAGE - 1).id]
    assert not model.canFetchMore(QModelIndex())
    model.add_page(history(40, PAGE))
    assert (model.rowCount(), model.canFetchMore(QModelIndex())) == (PAGE + 40, False)


def test_a_page_that_overlaps_adds_no_run_twice(qtbot) -> None:
    model = HistoryModel()
    model.show_first(history(PAGE), NOW)
    model.add_page(history(PAGE, PAGE - 10))
    assert model.rowCount() == 2 * PAGE - 10


def test_rows_can_go_and_change(qtbot) -> None:
    model = HistoryModel()
    lines = history(5)
    model.show_first(lines, NOW)
    model.remove(lines[1].id)
    model.remove("unknown")
    assert [model.line(row).id for row in range(4)] == [line.id for line in lines if line is not lines[1]]
    assert (model.row_of(lines[4].id), model.row_of(lines[1].id)) == (3, -1)
    with qtbot.waitSignal(model.dataChanged):
        model.replace_line(lines[2])


def test_cells_tips_and_alignment(qapp) -> None:
    model = HistoryModel()
    model.show_first(history(6), NOW)
    texts = [model.index(5, column).data() for column in range(7)]
    assert texts[0] == "cancelled"
    assert texts[4] == "boost · qwen_xml"
    assert model.index(0, 3).data(Qt.ItemDataRole.ToolTipRole) == "Simulator / qwen-hasty, simulated"
    assert model.index(0, SECONDS).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert "run 1,048,213" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
