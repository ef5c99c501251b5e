from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.kit import runs
from tests.unit.ui.gateway.test_held_row import view
from workbench.core.calls import FieldSpan, Region, Span
from workbench.ui.gateway.exchange_area import TITLES, ExchangeArea
from workbench.ui.gateway.values import ExchangeLine
from workbench.ui.run.loop.content import FieldLink
from workbench.ui.run.run_fold import fold
from workbench.ui.run.run_words import StepChip, StepChipKind


def lines(count: int, trouble: int = 0) -> list[ExchangeLine]:
    return [ExchangeLine(number, f"r{number}", "answer", trouble=number == trouble) for number in range(1, count + 1)]


@pytest.fixture
def area(theme, qtbot) -> ExchangeArea:
    made = ExchangeArea()
    qtbot.addWidget(made)
    made.resize(1088, 500)
    made.show()
    return made


def opened(area: ExchangeArea) -> list[int]:
    return [card.number for card in area.cards if not card.is_folded]


def test_the_last_exchanges_open_and_the_first_with_a_finding(area: ExchangeArea) -> None:
    asked: list[int] = []
    area.run_wanted.connect(asked.append)
    area.show_lines(lines(8, trouble=2))
    assert opened(area) == [2, 6, 7, 8]
    assert asked == [2, 6, 7, 8]
    assert area.current == 8
    assert area.header.model().headerData(3, Qt.Orientation.Horizontal) == TITLES[3] == "To the agent"


def test_a_new_exchange_is_added_at_the_end_and_chosen(area: ExchangeArea) -> None:
    area.show_lines(lines(2))
    area.update_line(ExchangeLine(3, "", "on its way", live=True))
    assert area.current == 3
    area.set_current(1)
    area.update_line(ExchangeLine(4, "", "on its way", live=True))
    assert area.current == 1, "who looks at an earlier one is not moved"
    assert [card.number for card in area.cards] == [1, 2, 3, 4]


def test_the_end_stays_in_view_while_runs_are_read_and_an_earlier_place_too(area: ExchangeArea) -> None:
    area.resize(1088, 160)
    area.show_lines(lines(4))
    bar = area._scroll.verticalScrollBar()
    for number in (2, 3, 4):
        area.show_run(number, fold(runs.make_run()))
    assert bar.value() == bar.maximum() > 0
    area.set_current(1)
    bar.setValue(0)
    area.show_run(4, fold(runs.make_run()))
    assert bar.value() == 0


def test_a_run_that_begins_is_asked_for(area: ExchangeArea) -> None:
    asked: list[int] = []
    area.run_wanted.connect(asked.append)
    area.show_lines([])
    area.update_line(ExchangeLine(1, "", "on its way", live=True))
    assert asked == []
    area.update_line(ExchangeLine(1, "r1", "is asked", live=True))
    area.update_line(ExchangeLine(1, "r1", "answer"))
    assert asked == [1]
    area.show_run(1, fold(runs.make_run()))
    area.update_line(ExchangeLine(1, "r1", "answer", given="r2"))
    assert asked == [1, 1], "what a person wrote is another run"


def test_keys_walk_and_chips_jump(area: ExchangeArea) -> None:
    area.show_lines(lines(6))
    area.step_current(-4)
    assert area.current == 2
    assert 2 in opened(area)
    area.show_run(2, fold(runs.make_run()))
    area.jump_to(2, StepChip(StepChipKind.FAIL, "lost", 0, Span(0, 4)))
    row = area.card(2).rows[0]
    assert row.cells is not None
    assert row.cells.raw.text is not None
    assert row.cells.raw.text.blinking
    area.step_current(99)
    assert area.current == 6


def test_an_argument_marks_its_characters(area: ExchangeArea) -> None:
    area.show_lines(lines(1))
    run = fold([runs.started(), *runs.step(0, "call city=Lima", [runs.call()]), runs.finished()])
    area.show_run(1, run)
    area.set_reading(1, 0, [Region("name", Span(0, 4))], [[FieldSpan(("city",), Span(10, 14))]])
    row = area.card(1).rows[0]
    row.link_chosen.emit(0, FieldLink(0, ("city",)))
    assert row.cells is not None
    assert row.cells.raw.text is not None
    assert row.cells.raw.text.linked_text() == ["Lima"]


def test_held_documents_stand_in_their_cards(area: ExchangeArea) -> None:
    area.show_lines(lines(4))
    told: list[object] = []
    area.show_held([view(exchange=4)], told.append)
    assert area.held == told == [area.card(4).held]
    area.show_held([view(exchange=4, left_s=3.0)], told.append)
    assert len(told) == 1
    area.show_held([], told.append)
    assert area.held == []


def test_a_long_conversation_makes_cells_near_the_viewport_only(area: ExchangeArea) -> None:
    area.show_lines(lines(300))
    for number in range(1, 301):
        area.card(number).set_folded(False)
        area.show_run(number, fold(runs.make_run()))
    assert sum(row.is_made for row in area.rows.values()) < 60
    assert len(area.rows) == 300 * len(fold(runs.make_run()).steps)
