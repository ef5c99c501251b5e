from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.main.bars import StatusBar, TopBar
from workbench.ui.widgets.buttons import Button


def test_top_bar_shows_title_and_the_pages_own_controls(theme, qtbot) -> None:
    bar = TopBar()
    qtbot.addWidget(bar)
    bar.resize(1200, 44)
    bar.show()
    bar.show_title("History", "12 runs")
    one, two = Button("Re-parse all"), Button("Export")
    qtbot.addWidget(one)
    bar.show_widgets([one])
    assert one.isVisible()
    bar.show_widgets([two])
    assert two.isVisible()
    assert not one.isVisible()
    assert bar.title.text() == "History"
    with qtbot.waitSignal(bar.field.clicked):
        QTest.mouseClick(bar.field, Qt.MouseButton.LeftButton)


def test_empty_left_side_keeps_the_right(theme, qtbot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show_text("Saved run 12", "parser 1")
    bar.show_text("", "parser 2")
    assert (bar.left.text(), bar.right.text()) == ("Saved run 12", "parser 2")
    bar.show_text("Ready")
    assert (bar.left.text(), bar.right.text()) == ("Ready", "parser 2")


def test_large_text_leaves_the_context_its_room(theme, qtbot) -> None:
    bar = TopBar()
    qtbot.addWidget(bar)
    bar.show_title("History", "31,204 runs")
    bar.resize(1126, 44)
    bar.show()
    assert bar.field.width() == 281
    theme.set_scale(2.0)
    bar.resize(1127, 88)
    assert bar.field.width() <= 282
    assert bar.context.width() >= bar.context.sizeHint().width()
