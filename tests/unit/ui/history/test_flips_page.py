from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit import runs
from tests.unit.ui.history.test_flips import LINE
from workbench.ui.history.flips import FlipCounts
from workbench.ui.history.flips_page import FlipsPage

FIXED = replace(LINE, run_id="a", verdict=runs.PASSED)
WORSE = replace(LINE, run_id="b", replay="regressed", verdict=runs.failed("x"))


def filled(qtbot) -> FlipsPage:
    page = FlipsPage()
    qtbot.addWidget(page)
    page.resize(900, 400)
    page.show()
    page.begin("Re-parse")
    page.add([FIXED, WORSE])
    page.show_counts(FlipCounts(9, 9, 0.1, True, {"same": 7, "fixed": 1, "regressed": 1}))
    page.table.choose_row(0)
    return page


def test_chips_choose_the_kinds(theme, qtbot) -> None:
    page = filled(qtbot)
    assert page.head.title.text() == "Flips after re-parse"
    assert (page.total, page.model.rowCount()) == (2, 2)
    QTest.mouseClick(page.chips["fixed"], Qt.MouseButton.LeftButton)
    assert [page.model.line(at).run_id for at in range(page.model.rowCount())] == ["b"]
    QTest.keyClick(page.chips["fixed"], Qt.Key.Key_Space)
    assert page.model.rowCount() == 2


def test_a_row_is_looked_at_and_opened(theme, qtbot) -> None:
    page = filled(qtbot)
    with qtbot.waitSignal(page.flip_chosen) as seen:
        page.table.choose_row(1)
    assert seen.args == ["b"]
    with qtbot.waitSignal(page.flip_opened):
        QTest.keyClick(page.table, Qt.Key.Key_Return)


def test_one_or_all_shown_are_accepted_and_marked(theme, qtbot) -> None:
    page = filled(qtbot)
    with qtbot.waitSignal(page.accept_asked) as seen:
        page.accept_button.click()
    assert seen.args == [[FIXED]]
    with qtbot.waitSignal(page.accept_asked) as seen:
        page.all_button.click()
    assert [line.run_id for line in seen.args[0]] == ["a", "b"]
    page.mark_accepted({"a"})
    assert page.model.index(0, 5).data().startswith("accepted · ")


def test_nothing_differs_is_said(theme, qtbot) -> None:
    page = FlipsPage()
    qtbot.addWidget(page)
    assert not page.accept_button.isEnabled()
    page.begin("Re-parse")
    assert not page.stop.isHidden()
    page.show_counts(FlipCounts(3, 9, 0.1, True, {"same": 3}))
    assert page.rows.currentWidget() is page.empty
    assert page.stop.isHidden()
