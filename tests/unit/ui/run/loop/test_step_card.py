"""A card of rows: heights, folding, and what a subclass puts below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from tests.kit import events as kit
from workbench.ui.run.loop.ruler import ColumnRuler
from workbench.ui.run.loop.step_card import StepCard
from workbench.ui.run.run_fold import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


class Foot(QWidget):
    def height_now(self) -> int:
        return 40

    def place(self) -> None:
        pass


class Card(StepCard):
    def __init__(self, parent: QWidget) -> None:
        super().__init__("Exchange 1", ColumnRuler(parent), parent)
        self.home, self.foot = parent, Foot(self)

    @property
    def below(self) -> Sequence[QWidget]:
        return (self.foot,)


def _card(qtbot: QtBot) -> Card:
    home = QWidget()
    qtbot.addWidget(home)
    home.resize(1100, 600)
    card = Card(home)
    run = fold(kit.story())
    for step in list(run.steps.values())[:2]:
        card.add_row(run, step)
    card.setGeometry(0, 0, 1036, card.height_now())
    home.show()
    card.place()
    return card


def test_parts_stand_one_under_the_other(qtbot: QtBot, theme: Theme) -> None:
    card = _card(qtbot)
    tops = [part.y() for part in (card.header, *card.rows, card.foot)]
    assert tops == sorted(tops)
    assert card.foot.geometry().bottom() < card.height()


def test_a_folded_card_is_its_header(qtbot: QtBot, theme: Theme) -> None:
    card, told = _card(qtbot), []
    whole = card.height_now()
    card.folded.connect(told.append)
    card.set_folded(True)
    card.set_folded(True)
    assert told == [True]
    assert card.height_now() < 40 < whole
    assert not any(part.isVisible() for part in (*card.rows, card.foot))
    card.set_folded(False)
    assert card.height_now() == whole
