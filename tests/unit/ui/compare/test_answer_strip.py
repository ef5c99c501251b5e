from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.comparing import matrix
from workbench.ui.compare.answer_strip import AnswerStrip
from workbench.ui.compare.view import CompareView

LINES = ("A is in front with 90 %.", "B fails in 3 runs.")


def test_the_answer_stands_in_one_line_with_the_rest_as_its_tip(theme, qtbot) -> None:
    strip = AnswerStrip("Why", "2", "Where the others fail")
    qtbot.addWidget(strip)
    strip.resize(700, 34)
    assert not strip.known
    strip.show_lines(LINES)
    strip.show()
    assert strip.known
    assert [line.text() for line in strip.lines] == [LINES[0]]
    assert strip.toolTip().splitlines() == list(LINES)
    with qtbot.waitSignal(strip.why_asked):
        QTest.mouseClick(strip.why, Qt.MouseButton.LeftButton)


def test_of_several_sentences_as_many_are_shown_as_there_is_room_for(theme, qtbot) -> None:
    strip = AnswerStrip("Next FAIL", "F", "Go there", most=3)
    qtbot.addWidget(strip)
    strip.show_lines(LINES)
    strip.show()
    assert [line.isVisible() for line in strip.lines] == [True, True, False]
    two = strip.sizeHint().height()
    strip.show_lines((*LINES, "C passes."))
    assert strip.sizeHint().height() > two
    assert strip.accessibleName().endswith("C passes.")


def test_a_folded_panel_leaves_the_answer_above_the_matrix(theme, qtbot) -> None:
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(1208, 830)
    view.show_matrix(matrix())
    view.show_results()
    view.show()
    assert view.panel.isHidden()
    assert view.answer.isHidden()
    view.show_glance(LINES)
    assert view.answer.isVisible()
    assert [line.text() for line in view.answer.lines if line.isVisible()] == list(LINES)
    QTest.mouseClick(view.answer.why, Qt.MouseButton.LeftButton)
    assert view.panel.isVisible()
    assert view.panel.tabs.current == "why"
    assert view.answer.isHidden()
    view.toggle_panel()
    view.show_glance(())
    assert view.answer.isHidden()


def test_a_few_targets_leave_room_for_the_panel_in_a_narrow_window(theme, qtbot) -> None:
    from tests.kit.batches import batch
    from workbench.grading.matrix import matrix as matrix_of

    view = CompareView()
    qtbot.addWidget(view)
    view.resize(1208, 830)
    view.show_matrix(matrix_of(batch({"a": ["sss"] * 4})))
    view.show_results()
    view.show()
    assert view.panel.isVisible()
    view.show_matrix(matrix_of(batch({"a": ["sss"] * 6})))
    assert view.panel.isHidden()
