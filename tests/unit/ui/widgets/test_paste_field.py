from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest

from workbench.ui.widgets.paste_field import PasteField, told_size

LONG = "one\ntwo\n" * 50_000


def field(qtbot, *, keep_lines: bool = False) -> tuple[PasteField, list[str]]:
    made = PasteField(hint="Paste", icon_name="stack", keep_lines=keep_lines)
    qtbot.addWidget(made)
    told: list[str] = []
    made.pasted.connect(told.append)
    made.show()
    return made, told


def test_a_pasted_text_is_told_whole_and_not_put_in(theme, qtbot) -> None:
    made, told = field(qtbot)
    QGuiApplication.clipboard().setText(LONG)
    QTest.keyClick(made, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert told == [LONG]
    assert made.text() == ""


def test_typed_text_stands_in_the_field(theme, qtbot) -> None:
    made, told = field(qtbot)
    QTest.keyClicks(made, "run")
    assert (made.text(), told) == ("run", [])


def test_a_short_line_goes_into_a_field_that_searches(theme, qtbot) -> None:
    made, told = field(qtbot, keep_lines=True)
    made.take(" weather ")
    assert (made.text(), told) == ("weather", [])
    made.take("a\nb")
    made.take("x" * 300)
    assert (made.text(), told) == ("weather", ["a\nb", "x" * 300])


def test_nothing_on_the_clipboard_is_nothing(theme, qtbot) -> None:
    made, told = field(qtbot)
    made.take(" \n")
    assert told == []


def test_the_menu_pastes_in_the_same_way(theme, qtbot) -> None:
    made, told = field(qtbot)
    QGuiApplication.clipboard().setText("a\nb")
    made.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1)))
    paste = next(one for one in made.findChildren(QAction) if one.objectName() == "edit-paste")
    paste.trigger()
    assert told == ["a\nb"]


def test_a_text_can_be_dropped(theme, qtbot) -> None:
    made, told = field(qtbot)
    data = QMimeData()
    data.setText("a\nb")
    made.dropEvent(
        QDropEvent(
            QPointF(1, 1), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
    )
    assert told == ["a\nb"]


def test_how_much_it_is() -> None:
    assert told_size("abc") == "3 characters"
    assert told_size("a\nb\n") == "2 lines, 4 characters"
