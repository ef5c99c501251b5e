from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt

from workbench.ui.gateway.held_row import HeldRow
from workbench.ui.gateway.values import HeldView
from workbench.ui.run.loop.ruler import ColumnRuler

MESSAGES = [{"role": "user", "content": "go"}, {"role": "tool", "content": "newest"}]
DOCUMENT = json.dumps({"model": "m", "messages": MESSAGES}, indent=1)


def view(**changed) -> HeldView:
    fields = {"number": 7, "exchange": 4, "is_request": True, "document": DOCUMENT, "blank_reply": '{"text": ""}',
              "notes": ("m → P/m", "left out: thinking"), "streams": True, "left_s": 48.0, "of_s": 60.0}  # fmt: skip
    return HeldView(**{**fields, **changed})


@pytest.fixture
def made(theme, qtbot):
    def make(one: HeldView) -> tuple[HeldRow, list[tuple]]:
        row = HeldRow(one, ColumnRuler(), None)  # type: ignore[arg-type]
        qtbot.addWidget(row)
        row.resize(1034, row.height_now())
        row.show()
        told: list[tuple] = []
        row.released.connect(lambda number, text: told.append(("release", number, text)))
        row.answered.connect(lambda number, text: told.append(("answer", number, text)))
        row.refused.connect(lambda number: told.append(("refuse", number)))
        return row, told

    return make


def test_what_was_not_edited_is_released_as_it_came(made, qtbot) -> None:
    row, told = made(view())
    qtbot.mouseClick(row.release_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(row.refuse_button, Qt.MouseButton.LeftButton)
    assert told == [("release", 7, None), ("refuse", 7)]
    assert row.accessibleName() == "Held request of exchange 4"
    assert not row.grab().isNull()


def test_an_edit_goes_along_and_broken_json_does_not(made, qtbot) -> None:
    row, told = made(view())
    row.editor.setPlainText('{"model": ')
    qtbot.waitUntil(lambda: not row.release_button.isEnabled())
    row.release()
    assert told == []
    assert "JSON line 1" in row._check_line.text()
    row.editor.setPlainText('{"model": "x"}')
    qtbot.waitUntil(row.release_button.isEnabled)
    row.release()
    assert told == [("release", 7, '{"model": "x"}')]


def test_an_answer_is_written_in_place_of_the_request_and_both_keep_what_was_typed(made) -> None:
    row, told = made(view())
    row.editor.setPlainText('{"model": "edited"}')
    row.answer()
    assert row.editor.toPlainText() == '{"text": ""}'
    row.editor.setPlainText('{"text": "by me"}')
    row.answer()
    assert row.editor.toPlainText() == '{"model": "edited"}'
    row.answer()
    row.release()
    assert told == [("answer", 7, '{"text": "by me"}')]


def test_the_newest_turn_is_shown_first(made) -> None:
    row, _ = made(view())
    assert row.editor.textCursor().blockNumber() == DOCUMENT[: DOCUMENT.index("newest")].count("\n") - 2


def test_a_reply_cannot_be_answered(made) -> None:
    row, told = made(view(is_request=False, notes=()))
    assert not row.answer_button.isVisible()
    row.answer()
    row.say("It says nothing.")
    assert row._check_line.text() == "It says nothing."
    assert told == []
