from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget

from workbench.core.approvals import Consequence
from workbench.ui.run.loop.approval_row import ApprovalRow, WaitingView, clock_words
from workbench.ui.run.loop.ruler import ColumnRuler
from workbench.ui.widgets.paragraph import Paragraph


@pytest.fixture
def row(theme, qtbot) -> ApprovalRow:
    arguments = {"path": "a.txt", "limits": {"lines": 3}}
    view = WaitingView(
        ("r", 0, 0),
        0,
        "read_file",
        arguments,
        (Consequence("does", "Reads a.txt"),),
        "this path, for this run",
        100,
        120,
    )
    parent = QWidget()
    qtbot.addWidget(parent)
    made = ApprovalRow(view, ColumnRuler(parent), parent)
    made.keeps = parent  # the parent owns the row
    made.resize(made.sizeHint())
    parent.show()
    return made


def decided(row: ApprovalRow) -> list:
    told: list = []
    row.allowed.connect(lambda *what: told.append(what))
    row.refused.connect(lambda *what: told.append(what))
    return told


def test_allow_as_the_model_gave_it(row: ApprovalRow) -> None:
    told = decided(row)
    row.allow()
    assert told == [(("r", 0, 0), None, False)]


def test_allow_with_edited_values_of_their_types(row: ApprovalRow) -> None:
    told = decided(row)
    row.fields[1].setPlainText('{"lines": 5}')
    row.alike.setChecked(True)
    row.allow()
    assert told == [(("r", 0, 0), {"path": "a.txt", "limits": {"lines": 5}}, True)]


def test_invalid_json_is_reported_and_not_used(row: ApprovalRow) -> None:
    told = decided(row)
    row.fields[1].setPlainText("{lines")
    row.allow()
    assert told == []
    assert row.fault.text().startswith("limits: ")
    assert not row.fault.isHidden()


def test_refuse(row: ApprovalRow) -> None:
    told = decided(row)
    row.refuse_button.click()
    assert told == [(("r", 0, 0), False)]


def test_the_person_gives_the_result(row: ApprovalRow) -> None:
    told: list = []
    row.answered.connect(lambda *what: told.append(what))
    row.answer_button.click()
    assert row.answering
    assert (row.allow_button.text(), row.alike.isHidden()) == ("Give", True)
    row.result.setPlainText("12 °C")
    row.allow()
    row.result.setPlainText('{"degrees": 12}')
    row.allow()
    assert told == [(("r", 0, 0), "12 °C"), (("r", 0, 0), {"degrees": 12})]
    row.edit()
    assert not row.answering
    assert row.allow_button.text() == "Allow"
    row.allow()
    assert len(told) == 2


def test_what_allow_does_follows_the_edited_arguments(row: ApprovalRow) -> None:
    told: list = []
    row.edited.connect(lambda *what: told.append(what))
    row.fields[1].setPlainText("{")
    row.fields[0].setPlainText("b.txt")
    assert told == []
    row.fields[1].setPlainText("{}")
    assert told == [(("r", 0, 0), {"path": "b.txt", "limits": {}})]
    row.show_consequences((Consequence("does", "Reads b.txt"),))
    assert [part.text for part in row.findChildren(Paragraph) if part.isVisible()] == ["› Reads b.txt"]
    row.answer()
    assert "The tool is not called." in str([part.text for part in row.findChildren(Paragraph) if part.isVisible()])


@pytest.mark.parametrize(
    ("left", "words"), [(106, "refused in 1:46"), (59.2, "refused in 1:00"), (-3, "refused in 0:00")]
)
def test_clock(left: float, words: str) -> None:
    assert clock_words(left) == words
