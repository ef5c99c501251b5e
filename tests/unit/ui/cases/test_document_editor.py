from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.cases.document_editor import DocumentEditor
from workbench.ui.widgets.json_check import fault_at

TEXT = 'title: "Weather" # note\ncount: 3\ndays: {any_of: [1], optional: true}\n'


def _editor(qtbot, read_only: str = "") -> DocumentEditor:
    editor = DocumentEditor()
    qtbot.addWidget(editor)
    editor.resize(500, 400)
    editor.show_document("weather.yaml", TEXT, TEXT, read_only)
    editor.show()
    return editor


def test_a_fault_blocks_saving_and_says_where(theme, qtbot) -> None:
    editor = _editor(qtbot)
    with qtbot.waitSignal(editor.edited):
        QTest.keyClicks(editor.text, "x")
    editor.show_check(fault_at(editor.content, 12, "unknown key"), "")
    assert editor.status.text() == "weather.yaml line 1, column 13: unknown key"
    assert not editor.save.isEnabled()
    editor.show_check(None, "Not saved")
    with qtbot.waitSignal(editor.save_asked):
        QTest.mouseClick(editor.save, Qt.MouseButton.LeftButton)


def test_a_read_only_document_offers_a_copy(theme, qtbot) -> None:
    editor = _editor(qtbot, "built in")
    QTest.keyClicks(editor.text, "x")
    assert editor.content == TEXT
    assert not editor.save.isVisible()
    with qtbot.waitSignal(editor.copy_asked):
        QTest.mouseClick(editor.copy, Qt.MouseButton.LeftButton)
