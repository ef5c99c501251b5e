from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.kit import runs
from tests.unit.ui.gateway.test_held_row import view
from workbench.ui.gateway.exchange_card import ExchangeCard
from workbench.ui.gateway.values import ExchangeLine
from workbench.ui.run.loop.ruler import ColumnRuler
from workbench.ui.run.run_fold import RunFold, fold

LINE = ExchangeLine(3, "r1", "answer")


@pytest.fixture
def card(theme, qtbot) -> ExchangeCard:
    home = QWidget()
    qtbot.addWidget(home)
    home.resize(1100, 600)
    made = ExchangeCard(LINE, ColumnRuler(home), home)
    made.home = home  # type: ignore[attr-defined]
    made.setGeometry(0, 0, 1036, 400)
    home.show()
    return made


def test_a_card_asks_for_its_run_once_when_it_is_opened(card: ExchangeCard, qtbot) -> None:
    asked: list[int] = []
    card.run_wanted.connect(asked.append)
    assert card.is_folded
    qtbot.mouseClick(card.header, Qt.MouseButton.LeftButton)
    card.set_folded(True)
    card.set_folded(False)
    assert asked == [3]
    assert card._note.words == "reading the record"
    card.show_run(fold(runs.make_run()))
    assert len(card.rows) == len(fold(runs.make_run()).steps)
    assert card.below == []


def test_what_is_not_recorded_is_said_and_not_asked_for(card: ExchangeCard) -> None:
    asked: list[int] = []
    card.run_wanted.connect(asked.append)
    card.show_line(replace(LINE, note="not recorded"))
    card.set_folded(False)
    assert asked == []
    assert card._note.isVisible()


def test_another_run_takes_the_place_of_the_first(card: ExchangeCard) -> None:
    card.set_folded(False)
    card.show_run(fold(runs.make_run()))
    card.forget_run()
    assert card.rows == []
    asked: list[int] = []
    card.run_wanted.connect(asked.append)
    card.ask()
    assert asked == [3]


def test_a_live_run_grows(card: ExchangeCard) -> None:
    told = runs.make_run()
    live = RunFold()
    live.apply(told[:3])
    card.set_folded(False)
    card.show_run(live.view)
    count = len(card.rows)
    card.apply(live.apply(told[3:]), 0)
    assert len(card.rows) >= count
    assert card.now_us() == live.view.last_at_us


def test_a_held_document_opens_the_card_and_goes(card: ExchangeCard) -> None:
    row = card.show_held(view())
    assert row is not None
    assert not card.is_folded
    assert card.show_held(view(left_s=20.0)) is None
    assert card.held is row
    card.show_held(None)
    assert card.held is None
    assert card.height_now() < 100
