"""The table of all formats on the screen."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.kit.gui import colours
from tests.unit.ui.run.test_forensics_rows import line
from workbench.ui.forensics.format_matrix import FormatMatrix
from workbench.ui.theme.theme import Theme, tokens


def make(qtbot) -> FormatMatrix:
    matrix = FormatMatrix()
    qtbot.addWidget(matrix)
    matrix.resize(900, 400)
    matrix.show()
    lines = [line("qwen_xml", note="asked"), line("glm45"), line("react", found=False)]
    matrix.show_lines(lines, 10, "6 readings in 1 ms", "glm45")
    return matrix


def test_the_chosen_format_is_chosen_silently(theme: Theme, qtbot) -> None:
    matrix = FormatMatrix()
    qtbot.addWidget(matrix)
    told: list[str] = []
    matrix.format_chosen.connect(told.append)
    matrix.show_lines([line("qwen_xml"), line("glm45")], 10, "", "glm45")
    assert matrix.table.currentIndex().row() == 1
    assert told == []


def test_a_click_and_the_keyboard_choose(theme: Theme, qtbot) -> None:
    matrix = make(qtbot)
    told: list[str] = []
    matrix.format_chosen.connect(told.append)
    place = matrix.table.visualRect(matrix.model.index(0, 0)).center()
    qtbot.mouseClick(matrix.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(matrix.table, Qt.Key.Key_Down)
    assert told == ["qwen_xml", "glm45"]


def test_counts_and_the_rest(theme: Theme, qtbot) -> None:
    matrix = make(qtbot)
    assert matrix.found.accessibleName() == "found something 2"
    assert matrix.nothing.accessibleName() == "found nothing 1"
    assert (matrix.rest.text(), matrix.names.text()) == ("1 format found nothing", "react")
    matrix.show_found(False)
    assert matrix.model.line(0).format == "react"


def test_empty_format_choice_turns_the_filter(theme: Theme, qtbot) -> None:
    matrix = make(qtbot)
    matrix.show_lines([line("qwen_xml"), line("react", found=False)], 10, "", "react")
    assert not matrix.model.shows_found


def test_outcomes_are_painted(theme: Theme, qtbot) -> None:
    matrix = make(qtbot)
    t = tokens()
    assert {t.passed.lower(), t.failed.lower(), t.sel.lower()} <= colours(matrix.table)
