from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.scan.lines import SourceLine
from workbench.ui.scan.sources_pane import SourceModel, SourcesPane

LINES = [
    SourceLine(0, "All sources", "2 places, 9 read", "stack", "3", "fail"),
    SourceLine(1, "server.log", "9 read", "file-text", "3", "fail", 0.5),
    SourceLine(2, "old.parquet", "no text column", "file-text", "error", "error"),
]


def test_the_model(qtmodeltester) -> None:
    model = SourceModel()
    model.show_lines(LINES)
    qtmodeltester.check(model)
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "server.log, 9 read, 3 findings"
    assert model.row_of(2) == 2
    assert model.row_of(9) == -1


def test_the_choice_stays_while_a_source_is_read(theme, qtbot) -> None:
    pane = SourcesPane()
    qtbot.addWidget(pane)
    pane.resize(264, 600)
    pane.show()
    told: list[int] = []
    pane.source_chosen.connect(told.append)
    pane.show_lines(LINES[:2])
    pane.list.choose_row(1)
    pane.show_lines([LINES[0], SourceLine(1, "server.log", "12 read", "file-text", "4", "fail")])
    assert pane.list.currentIndex().row() == 1
    assert told == [0, 1]
    assert not pane.grab().isNull()


def test_stop_is_there_while_it_runs(theme, qtbot) -> None:
    pane = SourcesPane()
    qtbot.addWidget(pane)
    pane.show()
    asked: list[bool] = []
    pane.stop_asked.connect(lambda: asked.append(True))
    pane.show_progress("1 MB of 2 MB", "3 s, about 3 s to go", running=True)
    QTest.mouseClick(pane.stop, Qt.MouseButton.LeftButton)
    pane.show_progress("9 replies, 2 MB", "read in 6 s", running=False)
    assert asked
    assert not pane.stop.isVisible()
    assert pane.read.text() == "9 replies, 2 MB"
