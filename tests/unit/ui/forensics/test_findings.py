"""Calls and problems of one reading, and the clicked argument."""

from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.core.calls import Span
from workbench.ui.forensics.findings import FieldLine, Findings
from workbench.ui.run.forensics_rows import FieldWords, FindingLine
from workbench.ui.theme.theme import Theme

LINES = [FindingLine("strict", "now()", "here", 0, 4), FindingLine("reported", "bad_json: no", "there", 5, 9)]


def test_clicks_and_next_problem(theme: Theme, qtbot) -> None:
    findings = Findings()
    qtbot.addWidget(findings)
    findings.resize(400, 200)
    told: list[FindingLine] = []
    findings.finding_chosen.connect(told.append)
    findings.show_lines("react", LINES, asked=True)
    findings.show()
    assert findings.title.text() == "Calls and problems of react, the format asked"
    assert told == []
    assert findings.next_problem(1)
    assert told[-1] is LINES[1]
    count = len(told)
    assert findings.next_problem(1)
    assert len(told) > count
    place = findings.list.visualRect(findings.model.index(0, 0)).center()
    qtbot.mouseClick(findings.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told[-1] is LINES[0]


def test_nothing_found(theme: Theme, qtbot) -> None:
    findings = Findings()
    qtbot.addWidget(findings)
    findings.show_lines("react", [], asked=False)
    assert findings.empty.text() == "No call and no problem."
    assert not findings.next_problem(1)


def test_the_argument(theme: Theme, qtbot) -> None:
    field = FieldLine()
    qtbot.addWidget(field)
    field.show_words(FieldWords("arguments.city", '"Rome"', "string", "characters 3–9", "react", Span(3, 9)))
    assert field.isVisibleTo(field.parentWidget())
    assert field.accessibleName() == 'arguments.city = "Rome", characters 3–9'
    field.show_words(None)
    assert field.words is None
