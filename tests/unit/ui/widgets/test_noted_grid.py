from __future__ import annotations

from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.noted_grid import NotedGrid, NoteLabel
from workbench.ui.widgets.roomy import RoomyPage

NOTE = "a note that says at length what this field is for, and that wraps where it has to"


def _grid() -> tuple[NotedGrid, LineField, NoteLabel]:
    grid, field, note = NotedGrid(labels=100, fields=200, below=500), LineField(name="Name"), NoteLabel(NOTE)
    grid.add_line("Name", field, note)
    return grid, field, note


def test_a_note_stands_beside_its_field_and_under_it_where_it_is_narrow(theme, qtbot) -> None:
    grid, field, note = _grid()
    room = RoomyPage(grid)
    qtbot.addWidget(room)
    room.resize(700, 200)
    room.show()
    qtbot.waitUntil(lambda: note.x() > field.geometry().right())
    room.resize(400, 200)
    qtbot.waitUntil(lambda: note.y() > field.geometry().bottom())
    assert grid.is_narrow
    assert note.x() == field.x()
    assert room.horizontalScrollBar().maximum() == 0


def test_an_empty_note_takes_no_room(theme, qtbot) -> None:
    note = NoteLabel()
    qtbot.addWidget(note)
    assert note.minimumSizeHint().height() == note.sizeHint().height() == note.heightForWidth(100) == 0
    note.setText(NOTE)
    assert note.heightForWidth(100) > note.heightForWidth(1000) > 0


def test_cleared_lines_are_gone(theme, qtbot) -> None:
    grid, _, _ = _grid()
    qtbot.addWidget(grid)
    grid.resize(700, 200)
    wide = grid.minimumSizeHint().height()
    grid.clear()
    assert grid.minimumSizeHint().height() < wide
    grid.add_line("Other", LineField(name="Other"), NOTE)
    assert grid.minimumSizeHint().height() == wide
