"""The loop on the screen: states, growth, chips, folding, narrow windows, themes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QTextEdit

from tests.kit import events as kit
from tests.kit.gui import colours
from tests.kit.try_page import make_page, show
from workbench.core.events import ChunkReceived, RunEvent, StepRole
from workbench.ui.views.loop_pane import MOST_LINES
from workbench.ui.views.loop_text import BLINK_MS, PREVIEW

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.views.loop_text import TextCell
    from workbench.ui.views.try_page import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def _raw(page: TryPage, number: int = 0) -> TextCell:
    row = page.area.rows[number]
    assert row.cells is not None
    assert row.cells.raw.text is not None
    return row.cells.raw.text


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
        "no planner heading", "guidance ignored", "no tool call", "recovered: trailing_comma",
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
def test_each_state_says_what_it_is(page: TryPage, make: object, parsed: str, note: str) -> None:
    assert callable(make)
    show(page, make())
    assert _parsed(page).startswith(parsed)
    assert _note(page) == note


def test_cells_of_a_row_stand_on_the_ruler(page: TryPage) -> None:
    show(page, kit.story())
    edges = set()
    for row in page.area.rows.values():
        if row.panes:
            edges.add(tuple(pane.geometry().left() for pane in row.panes))
    assert len(edges) == 1
    assert sum(page.area.ruler.widths) == page.area.cards[0].width() - 2


def test_dragging_the_header_moves_every_card(page: TryPage) -> None:
    show(page, kit.story())
    page.area.header.resizeSection(1, page.area.ruler.widths[1] + 60)
    assert page.area.header.sectionSize(1) == page.area.ruler.widths[1]
    QApplication.processEvents()
    for row in page.area.rows.values():
        if row.panes:
            assert row.panes[2].x() == page.area.ruler.widths[0] + page.area.ruler.widths[1] + 12


def test_a_narrow_window_shortens_sent_first(page: TryPage) -> None:
    show(page, kit.story())
    page.resize(930, 600)
    QApplication.processEvents()
    assert not page.inspector_open
    assert page.area.ruler.narrow
    assert min(page.area.ruler.widths[1:3]) >= 280


def test_a_chip_jumps_to_its_characters_and_blinks_once(qtbot: QtBot, page: TryPage) -> None:
    show(page, kit.story())
    qtbot.mouseClick(page.area.cards[0].header.chips[0], Qt.MouseButton.LeftButton)
    cell = _raw(page)
    assert cell.blinking
    assert cell.linked_text() == ["Sure, I can help with that!"]
    qtbot.waitUntil(lambda: not cell.blinking, timeout=10 * BLINK_MS)
    assert cell.linked_text() == []


def test_next_and_previous_problem_go_round(page: TryPage) -> None:
    show(page, kit.story())
    found = [page.next_problem(1) for _ in range(5)]
    texts = [chip.text for chip in found if chip]
    assert texts == [
        "no planner heading", "guidance ignored", "no tool call", "recovered: trailing_comma", "no planner heading",
    ]  # fmt: skip
    back = page.next_problem(-1)
    assert back is not None
    assert back.text == "recovered: trailing_comma"
    assert page.inspector.step is page.run.steps[4]


def test_folding(qtbot: QtBot, page: TryPage) -> None:
    show(page, kit.story())
    tall = page.area.cards[2].height()
    qtbot.mouseClick(page.bar.fold, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert page.area.all_folded
    assert page.area.cards[2].height() < tall
    assert page.bar.fold.text() == "Expand all"
    qtbot.mouseClick(page.area.cards[0].header.chips[0], Qt.MouseButton.LeftButton)
    assert not page.area.cards[0].is_folded, "a jump opens the card"


def _stream(page: TryPage, events: list[RunEvent], size: int = 5) -> None:
    page.begin()
    for at in range(0, len(events), size):
        page.apply(events[at : at + size])
        QApplication.processEvents()


def test_live_text_is_only_ever_inserted(page: TryPage, monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[str] = []
    monkeypatch.setattr(QTextEdit, "setPlainText", lambda _self, text: whole.append(text))
    _stream(page, kit.story())
    assert whole == []
    for number, step in page.run.steps.items():
        page.area.show_span(number, None)
        assert _raw(page, number).toPlainText() == step.raw.shown_text()
    cells = page.area.rows[5].cells
    assert cells is not None
    sanitized = cells.sanitized
    assert sanitized.text is not None
    assert sanitized.text.toPlainText() == kit.ANSWER.removesuffix("<|im_end|>")


def test_the_live_run_equals_the_stored_one(page: TryPage) -> None:
    _stream(page, kit.story())
    live = [_parsed(page, number) for number in sorted(page.area.rows) if page.area.rows[number].is_made]
    show(page, kit.story())
    stored = [_parsed(page, number) for number in sorted(page.area.rows) if page.area.rows[number].is_made]
    assert live == stored


def test_the_inspector_follows_until_a_step_is_chosen(page: TryPage) -> None:
    events = kit.story()
    half = next(n for n, event in enumerate(events) if isinstance(event, ChunkReceived) and event.step == 2)
    _stream(page, events[:half])
    assert page.inspector.step is page.run.steps[2]
    page.links.choose_step(0)
    page.apply(events[half:])
    assert page.inspector.step is page.run.steps[0]


def test_a_long_reply_scrolls_inside_and_says_how_much_is_hidden(qtbot: QtBot, page: TryPage) -> None:
    _stream(page, kit.running("\n".join(f"line {number}" for number in range(60))))
    QApplication.processEvents()
    row, cell = page.area.rows[0], _raw(page)
    assert row.cells is not None
    assert cell.height() == MOST_LINES * 16
    assert cell.verticalScrollBar().value() == cell.verticalScrollBar().maximum(), "the newest line is seen"
    more = row.cells.raw.more
    assert more.text() == "+ 48 lines"
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert cell.height() == 60 * 16
    assert more.text() == "Show fewer lines"


def test_scrolling_up_stops_following_and_a_chip_leads_back(qtbot: QtBot, page: TryPage) -> None:
    _stream(page, kit.running("\n".join(f"line {number}" for number in range(60))))
    cell = _raw(page)
    cell.setFocus()
    _wheel(cell, 120)
    assert not page.area.is_following
    chip = page.area.live_chip
    assert chip.isVisible()
    at = cell.verticalScrollBar().value()
    page.apply([_chunk("\nmore\nmore\nmore")])
    QApplication.processEvents()
    assert cell.verticalScrollBar().value() == at, "the place that is read stays"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert page.area.is_following
    assert not chip.isVisible()
    assert cell.verticalScrollBar().value() == cell.verticalScrollBar().maximum()


def _chunk(text: str) -> ChunkReceived:
    from workbench.core.exchange import TextDelta

    return ChunkReceived(0, 0, 999, b"", 900_000, (TextDelta(text),))


def _wheel(cell: TextCell, by: int) -> None:
    from PySide6.QtCore import QPoint, QPointF

    middle = QPointF(cell.viewport().rect().center())
    event = QWheelEvent(
        middle, cell.viewport().mapToGlobal(middle), QPoint(), QPoint(0, by), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(cell.viewport(), event)


def test_a_stalled_step_offers_cancel(qtbot: QtBot, page: TryPage) -> None:
    _stream(page, kit.running())
    row = page.area.rows[0]
    row.refresh_status(page.run.last_at_us + 6_000_000)
    assert row.cells is not None
    (button,) = row.cells.raw.buttons
    assert button.text() == "Cancel"
    with qtbot.waitSignal(page.acted) as acted:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert acted.args == [0, "cancel"]
    page.apply([_chunk("on it goes")])
    row.refresh_status(page.run.last_at_us)
    assert row.cells.raw.buttons == []


def test_a_huge_reply_is_a_beginning_and_a_button(qtbot: QtBot, page: TryPage) -> None:
    text = "\n".join("x" * 99 for _ in range(2_000))
    teller = kit.Teller().start().loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request")
    teller.say(step, text, width=4_000)
    teller.finish(step, kit.reply_of(text), tokens=(1, 1))
    show(page, teller.events)
    row, cell = page.area.rows[0], _raw(page)
    assert row.cells is not None
    assert cell.document().characterCount() - 1 == PREVIEW
    assert row.cells.raw.more.text() == "Show all, 200.0 kB"
    with qtbot.waitSignal(page.acted) as acted:
        qtbot.mouseClick(row.cells.raw.more, Qt.MouseButton.LeftButton)
    assert acted.args == [0, "whole"]


def test_rows_far_away_are_painted_summaries(page: TryPage) -> None:
    teller = kit.Teller().start().loop(0)
    for number in range(40):
        step = teller.open(StepRole.EXECUTOR, 0, f"turn {number}")
        teller.say(step, kit.TWO_CALLS)
        teller.finish(step, kit.reply_of(kit.TWO_CALLS), tokens=(1, 1))
    show(page, teller.events)
    QApplication.processEvents()
    made = sum(row.is_made for row in page.area.rows.values())
    assert 3 <= made < 30
    for number in range(40):
        page.area.show_span(number, None)
        QApplication.processEvents()
    assert page.area.rows[39].is_made
    assert not page.area.rows[0].is_made, "far rows are let go where there are many"
    assert sum(row.is_made for row in page.area.rows.values()) < 30


def test_copying_from_the_raw_cell_gives_the_true_characters(page: TryPage) -> None:
    text = "a" * 2_500 + "\r\n😀 end"
    _stream(page, kit.running(text))
    cell = _raw(page)
    cell.selectAll()
    assert cell.createMimeDataFromSelection().text() == text


def test_a_theme_change_recolours_what_is_there(page: TryPage, theme: Theme) -> None:
    show(page, kit.story())
    theme.choose("dark")
    QApplication.processEvents()
    seen = colours(page.area.cards[0])
    assert theme.tokens.surface.lower() in seen
    assert theme.tokens.failed_tint.lower() in seen
    assert "#ffffff" not in seen


def test_larger_text_grows_cells_and_clips_nothing(page: TryPage, theme: Theme) -> None:
    show(page, kit.story())
    theme.set_scale(1.5)
    QApplication.processEvents()
    page.area.place()
    for row in page.area.rows.values():
        if row.panes:
            for pane in row.panes:
                assert pane.height() >= pane.height_for(pane.width())
