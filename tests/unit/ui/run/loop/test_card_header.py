"""The header of a card: words, chips that jump, and what does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.ui.run.loop.card_header import CHIP_LOOKS, HEADER, CardHeader
from workbench.ui.run.run_words import StepChip, StepChipKind

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme

CHIPS = [StepChip(StepChipKind.FAIL, f"problem {number}", number) for number in range(4)]


def _header(qtbot: QtBot, width: int) -> CardHeader:
    header = CardHeader("Loop 1", None)  # type: ignore[arg-type]
    qtbot.addWidget(header)
    header.resize(width, HEADER)
    header.show()
    header.show_loop("is asked", CHIPS, "10 in · 2 out")
    return header


def test_a_chip_tells_which_problem_is_wanted(qtbot: QtBot, theme: Theme) -> None:
    header, chosen = _header(qtbot, 1000), []
    header.chip_chosen.connect(chosen.append)
    qtbot.mouseClick(header.chips[2], Qt.MouseButton.LeftButton)
    assert chosen == [CHIPS[2]]
    assert header.accessibleName() == "Loop 1: is asked"


def test_chips_without_room_are_counted(qtbot: QtBot, theme: Theme) -> None:
    header = _header(qtbot, 420)
    shown = [chip for chip in header.chips if chip.isVisible()]
    assert 0 < len(shown) < 4
    assert header._rest.text() == f"+{4 - len(shown)}"


def test_a_click_beside_the_chips_folds(qtbot: QtBot, theme: Theme) -> None:
    header, asked = _header(qtbot, 1000), []
    header.fold_asked.connect(lambda: asked.append(1))
    qtbot.mouseClick(header, Qt.MouseButton.LeftButton)
    assert asked == [1]


def test_every_kind_of_chip_has_a_look() -> None:
    assert set(CHIP_LOOKS) == set(StepChipKind)
