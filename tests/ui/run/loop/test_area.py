"""The loop on the screen: every state, growth, jumps from problem to problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QTextEdit

from tests.kit import events as kit
from tests.kit.try_page import make_page, raw_cell, show, stream

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def _parsed(page: TryPage, number: int = 0) -> str:
    row = page.area.rows[number]
    assert row.cells is not None
    assert row.cells.parsed.blocks is not None
    return row.cells.parsed.blocks.plain_text()


def _note(page: TryPage, number: int = 0) -> str:
    row = page.area.rows[number]
    assert row.cells is not None
    assert row.cells.sanitized.blocks is not None
    return row.cells.sanitized.blocks.plain_text()


def test_the_story_is_on_the_screen(page: TryPage) -> None:
    show(page, kit.story())
    assert [chip.text() for card in page.area.cards for chip in card.header.chips] == [
        "no planner heading", "guidance ignored", "no tool call", "recovered, safe: trailing_comma",
    ]  # fmt: skip
    assert _parsed(page, 0) == "OTHER neither SUMMARY nor GUIDANCE"
    assert "ignored" in _parsed(page, 1)
    assert 'read_file(path = "config/app.toml", max_lines = 40)' in _parsed(page, 4)
    assert _parsed(page, 5) == "answer no further calls"
    assert _note(page, 1) == "to the executor, not to the user"
    assert _note(page, 4) == "nothing yet: tools first"
    assert "2 / 3 failed attempts" in page.bar.meter.words
    assert page.verdict.reason.text() == kit.PASS.reason


@pytest.mark.parametrize(
    ("make", "parsed", "note"),
    [
        (kit.unreadable, "qwen_xml: cut inside an argument", "nothing readable"),
        (kit.empty, "0 calls nothing to read", "the model said nothing"),
        (kit.failed, "no reply to read", "no reply"),
        (kit.cancelled, "reported cut, nothing was run", "nothing complete"),
    ],
)
def test_loop_card_states_have_texts(page: TryPage, make: object, parsed: str, note: str) -> None:
    assert callable(make)
    show(page, make())
    assert _parsed(page).startswith(parsed)
    assert _note(page) == note


def test_next_and_previous_problem_go_round(page: TryPage) -> None:
    show(page, kit.story())
    found = [page.next_problem(1) for _ in range(5)]
    texts = [chip.text for chip in found if chip]
    assert texts == [
        "no planner heading", "guidance ignored", "no tool call", "recovered, safe: trailing_comma", "no planner heading",
    ]  # fmt: skip
    back = page.next_problem(-1)
    assert back is not None
    assert back.text == "recovered, safe: trailing_comma"
    assert page.inspector.step is page.run.steps[4]


def test_live_text_is_only_ever_inserted(page: TryPage, monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[str] = []
    monkeypatch.setattr(QTextEdit, "setPlainText", lambda _self, text: whole.append(text))
    stream(page, kit.story())
    assert whole == []
    for number, step in page.run.steps.items():
        page.area.show_span(number, None)
        assert raw_cell(page, number).toPlainText() == step.raw.shown_text()
    cells = page.area.rows[5].cells
    assert cells is not None
    sanitized = cells.sanitized
    assert sanitized.text is not None
    assert sanitized.text.toPlainText() == kit.ANSWER.removesuffix("<|im_end|>")


def test_the_live_run_equals_the_stored_one(page: TryPage) -> None:
    stream(page, kit.story())
    live = [_parsed(page, number) for number in sorted(page.area.rows) if page.area.rows[number].is_made]
    show(page, kit.story())
    stored = [_parsed(page, number) for number in sorted(page.area.rows) if page.area.rows[number].is_made]
    assert live == stored
