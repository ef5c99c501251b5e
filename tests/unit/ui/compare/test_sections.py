from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from tests.kit.comparing import pair
from tests.kit.gui import colours, picture
from workbench.ui.compare.sections import MOVED_SHOWN, MovedRows, SmallTable, section
from workbench.ui.theme.tokens import LIGHT


def test_moved_cases_are_drawn_and_told(theme, qtbot) -> None:
    rows = MovedRows()
    qtbot.addWidget(rows)
    rows.show_moved(pair().moved * 3)
    rows.resize(rows.sizeHint())
    assert rows.accessibleDescription().count(" to ") == MOVED_SHOWN
    assert picture(rows)


def test_a_section_has_a_title_and_its_parts(theme, qtbot) -> None:
    table = SmallTable()
    made = section("Times", QLabel("medians"), table)
    qtbot.addWidget(made)
    table.show_lines(("", "total"), [("small", "2 s")])
    assert {"Times", "medians"} <= {one.text() for one in made.findChildren(QLabel)}
    assert table.accessibleName() == "small, 2 s total"
    assert table.sizeHint().height() == 40
    table.show_lines(("", "total"), ())
    assert (table.lines, table.sizeHint().height()) == ((), 0)


def test_a_table_of_hundreds_of_lines_is_one_widget(theme, qtbot) -> None:
    table = SmallTable()
    qtbot.addWidget(table)
    table.show_lines(("", "calls", "total"), [(f"target {at}", "1", "2 s") for at in range(300)])
    table.resize(300, table.sizeHint().height())
    assert table.findChildren(QWidget) == []
    assert LIGHT.text.lower() in colours(table)
