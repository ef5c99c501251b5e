from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.kit.comparing import BATCHES, CHOSEN, SUITES
from workbench.core.batch import StoppingRule
from workbench.ui.compare.setup_rows import menu_place
from workbench.ui.compare.setup_view import EarlierList, SetupView


def _setup(qtbot) -> SetupView:
    view = SetupView()
    qtbot.addWidget(view)
    view.resize(1360, 800)
    view.show_suites(SUITES)
    view.show_targets(CHOSEN)
    view.earlier.show_batches(BATCHES)
    view.show()
    return view


def test_run_is_off_with_the_reason(theme, qtbot) -> None:
    view = _setup(qtbot)
    view.show_sum("", "Add a target first.")
    assert not view.run.isEnabled()
    assert "Add a target first." in view.run.toolTip()
    view.show_sum("14 cases × 4 targets × 10 = 560 runs")
    with qtbot.waitSignal(view.run_asked):
        QTest.mouseClick(view.run, Qt.MouseButton.LeftButton)


def test_the_rule_that_stops_has_its_words_in_any_width(theme, qtbot) -> None:
    view = _setup(qtbot)
    for width in (1360, 620):
        view.resize(width, 800)
        for value in ("all", "decided"):
            button = view.until.button(value)
            qtbot.waitUntil(lambda button=button: button.isVisible() and button.width() >= button.sizeHint().width())
            assert button.visibleRegion().boundingRect().width() == button.width()


def test_a_narrow_set_up_has_the_earlier_ones_in_their_tab(theme, qtbot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    view = _setup(qtbot)
    view.setParent(page)
    page.show()
    view.show()
    assert view.earlier.isVisible()
    needed = view.minimumSizeHint().width()
    view.resize(950, 800)
    qtbot.waitUntil(lambda: view.minimumSizeHint().width() <= needed - 300)
    assert not view.earlier.isVisible()
    view.resize(1360, 800)
    qtbot.waitUntil(view.earlier.isVisible)


def test_a_target_is_taken_out(theme, qtbot) -> None:
    view = _setup(qtbot)
    rows = view.chosen.rows
    rows.setFocus()
    with qtbot.waitSignal(view.remove_asked) as seen:
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=view.chosen.cross(2))
    assert seen.args == [2]
    with qtbot.waitSignal(view.remove_asked) as seen:
        QTest.keyClick(rows, Qt.Key.Key_Delete)
    assert seen.args == [2]


def test_invalid_number_changes_nothing(theme, qtbot) -> None:
    view = _setup(qtbot)
    view.repeats.selectAll()
    QTest.keyClicks(view.repeats, "0")
    assert (view.repeats.value, view.repeats.is_invalid) == (10, True)
    with qtbot.waitSignal(view.changed):
        QTest.keyClick(view.repeats, Qt.Key.Key_Backspace)
        QTest.keyClicks(view.repeats, "5")


def test_the_unfinished_one_is_offered(theme, qtbot) -> None:
    earlier = _setup(qtbot).earlier
    assert earlier.resume.text() == "Resume 37 of 120"
    with qtbot.waitSignal(earlier.resumed) as seen:
        QTest.mouseClick(earlier.resume, Qt.MouseButton.LeftButton)
    assert seen.args == ["b2"]
    place = earlier.list.visualRect(earlier.list.model().index(1, 0)).center()
    with qtbot.waitSignal(earlier.opened) as opened:
        QTest.mouseClick(earlier.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened.args == ["b1"]
    earlier.show_batches(BATCHES[1:])
    assert not earlier.resume.isVisible()


def test_the_chosen_suite_stays_chosen(theme, qtbot) -> None:
    view = _setup(qtbot)
    view.suite.choose("my-cases")
    view.show_suites(SUITES)
    assert view.suite_chosen == SUITES[1]


def test_a_stopping_rule_is_set_up_and_shown_again(theme, qtbot) -> None:
    setup = SetupView()
    qtbot.addWidget(setup)
    setup.show_suites(SUITES)
    setup.suite.choose("demo")
    assert setup.stopping is None
    setup.show_stopping(StoppingRule(margin=0.1, max_cost=2.0))
    assert setup.stopping == StoppingRule(margin=0.1, max_cost=2.0)
    setup.show_state(1, running=False)
    assert (setup.run.isEnabled(), "add another one" in setup.sum.text()) == (False, True)
    setup.show_state(2, running=False)
    assert setup.sum.text() == "14 cases × 2 targets × 10 = 280 runs at most; a look after every repeat."
    setup.variations_row.switch("shuffled tools").click()
    setup.show_state(4, running=False)
    assert "decided on plain cases" in setup.sum.text()
    setup.variations_row.clear()
    setup.show_stopping(None)
    setup.show_state(2, running=False)
    assert setup.sum.text() == "14 cases × 2 targets × 10 = 280 runs."
    setup.show_state(2, running=True)
    assert not setup.run.isEnabled()


def test_the_menu_of_an_earlier_line_is_asked_for_by_dots_button_and_key(theme, qtbot) -> None:
    earlier = EarlierList(menu=True)
    qtbot.addWidget(earlier)
    earlier.resize(700, 300)
    earlier.show_batches(BATCHES)
    earlier.show()
    rows = earlier.list
    line = rows.visualRect(rows.model().index(1, 0))
    seen: list[str] = []
    earlier.menu_asked.connect(lambda batch, _place: seen.append(batch))
    opened: list[str] = []
    earlier.opened.connect(opened.append)
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=menu_place(line).center())
    for reason, place in (
        (QContextMenuEvent.Reason.Mouse, line.center()),
        (QContextMenuEvent.Reason.Keyboard, QPoint()),
    ):
        QApplication.sendEvent(rows.viewport(), QContextMenuEvent(reason, place, rows.viewport().mapToGlobal(place)))
    QTest.keyClick(rows, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    assert (seen, opened) == ([BATCHES[1].id] * 4, [])
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=line.center())
    assert opened == [BATCHES[1].id]


def test_beside_a_set_up_there_is_no_menu(theme, qtbot) -> None:
    earlier = _setup(qtbot).earlier
    line = earlier.list.visualRect(earlier.list.model().index(1, 0))
    with qtbot.waitSignal(earlier.opened):
        QTest.mouseClick(earlier.list.viewport(), Qt.MouseButton.LeftButton, pos=menu_place(line).center())
