from __future__ import annotations

from PySide6.QtWidgets import QLabel

from tests.kit.comparing import pair
from tests.kit.gui import picture
from workbench.ui.compare.sections import MOVED_SHOWN, MovedRows, SmallTable, section


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
    assert {"Times", "medians", "small", "2 s"} <= {one.text() for one in made.findChildren(QLabel)}
    table.show_lines(("", "total"), ())
    assert not [one for one in table.findChildren(QLabel) if one.isVisibleTo(table)]
