"""The inspector's tab Forensics."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.unit.ui.run.test_forensics_rows import line
from workbench.ui.run.forensics_rows import VerdictWords
from workbench.ui.run.inspector.forensics import ForensicsTab
from workbench.ui.theme.theme import Theme

WORDS = VerdictWords("First fault: format", True, "The model.", "A comma.", "", (), ())


def test_waiting_then_filled(theme: Theme, qtbot) -> None:
    tab = ForensicsTab()
    qtbot.addWidget(tab)
    tab.show_waiting(running=True)
    assert not tab.is_filled
    tab.show_reading(WORDS, [line("qwen_xml", note="asked"), line("react", found=False)], 40)
    assert tab.is_filled
    assert tab.sentence.text == "The model. A comma."
    assert tab.rest.text() == "1 format found nothing"


def test_ways_to_the_page(theme: Theme, qtbot) -> None:
    tab = ForensicsTab()
    qtbot.addWidget(tab)
    tab.resize(308, 600)
    tab.show()
    asked: list[str] = []
    tab.open_asked.connect(asked.append)
    tab.show_reading(WORDS, [line("qwen_xml"), line("glm45")], 40)
    tab.open.click()
    place = tab.table.visualRect(tab.model.index(1, 0)).center()
    qtbot.mouseClick(tab.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(tab.table, Qt.Key.Key_Return)
    assert asked == ["", "glm45"]
    with qtbot.waitSignal(tab.copy_asked):
        tab.copy.click()
