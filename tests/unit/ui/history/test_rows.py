from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QModelIndex, Qt

from tests.kit.pages import NOW_US, history
from workbench.ui.history.rows import PAGE, HistoryModel

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
    assert seen.args == [model.line(PAGE - 1).run.id]
    assert not model.canFetchMore(QModelIndex())
    model.add_page(history(40, PAGE))
    assert (model.rowCount(), model.canFetchMore(QModelIndex())) == (PAGE + 40, False)


def test_overlapping_page_adds_no_run_twice(qtbot) -> None:
    model = HistoryModel()
    model.show_first(history(PAGE), NOW)
    model.add_page(history(PAGE, PAGE - 10))
    assert model.rowCount() == 2 * PAGE - 10


def test_new_runs_stand_above_the_known_ones(qtmodeltester) -> None:
    model, runs = HistoryModel(), history(8)
    model.show_first(runs[3:], NOW)
    qtmodeltester.check(model)
    assert model.add_new(runs) == list(runs[:3])
    assert [model.line(row).run.id for row in range(8)] == [run.id for run in runs]
    assert model.row_of(runs[7].id) == 7
    assert model.add_new(runs) == []
    assert model.add_new(history(2, 20)) == []  # more came than a page holds: where the known ones begin is not told
    assert model.rowCount() == 8


def test_rows_can_go_and_change(qtbot) -> None:
    model = HistoryModel()
    lines = history(5)
    model.show_first(lines, NOW)
    model.remove(lines[1].id)
    model.remove("unknown")
    assert [model.line(row).run.id for row in range(4)] == [line.id for line in lines if line is not lines[1]]
    assert (model.row_of(lines[4].id), model.row_of(lines[1].id)) == (3, -1)
    with qtbot.waitSignal(model.dataChanged):
        model.mark(lines[2].id)
    assert [model.line(row).marked for row in range(4)] == [False, True, False, False]
    model.mark("")
    assert not any(model.line(row).marked for row in range(4))


def test_a_row_is_read_aloud_with_its_mark(qapp) -> None:
    model = HistoryModel()
    model.show_first(history(2), NOW)
    model.mark(history(1)[0].id)
    words = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words.startswith("run 1048213, fail, Weather in Rome")
    assert words.endswith("loop.guidance_ignored, marked")
