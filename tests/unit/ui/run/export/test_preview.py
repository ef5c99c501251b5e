from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.run.export.preview import ExportPreview, FilePreview

FILES = (FilePreview("replies.json", '{"a": 1}', 8), FilePreview("README.md", "read me ü", 10))


def test_every_file_is_seen_before_it_is_written(theme, qtbot) -> None:
    dialog = ExportPreview("Export as pytest folder", "2 replies of 1 run", FILES)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.text.toPlainText() == '{"a": 1}'
    assert "This will leave the machine. 2 replies of 1 run: 2 files, 18 B." in dialog.notice.text
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    assert dialog.text.toPlainText() == "read me ü"
    assert dialog.text.isReadOnly()
    with qtbot.waitSignal(dialog.write_asked):
        QTest.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    dialog.show_problem("It exists already.")
    assert dialog.status.text() == "It exists already."
    assert not dialog.grab().isNull()


def test_what_is_left_out_is_told(theme, qtbot) -> None:
    dialog = ExportPreview("Export", "1 run", FILES, left_out=["a: b", "c: d", "e: f", "g: h"])
    qtbot.addWidget(dialog)
    assert "Left out: a: b; c: d; e: f; and 1 more." in dialog.notice.text
