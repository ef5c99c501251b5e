"""The painted cell: clicks, keys, tips, and what assistive technology hears."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from workbench.ui.run.loop.block_cell import BlockCell
from workbench.ui.run.loop.blocks import Block, BlockRun

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme

BLOCKS = [
    Block((BlockRun("alpha", link="a"), BlockRun(" and "), BlockRun("beta", link="b"))),
    Block((BlockRun("plain"),)),
]


def _cell(qtbot: QtBot) -> BlockCell:
    cell = BlockCell("Parsed calls")
    qtbot.addWidget(cell)
    cell.resize(220, 80)
    cell.set_blocks(BLOCKS, {"a": "the first"})
    cell.show()
    return cell


def test_a_click_chooses_a_link(qtbot: QtBot, theme: Theme) -> None:
    cell, chosen = _cell(qtbot), []
    cell.link_chosen.connect(chosen.append)
    place = cell.link_rect_center("b")
    assert place is not None
    qtbot.mouseClick(cell, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseClick(cell, Qt.MouseButton.LeftButton, pos=QPoint(200, 70))
    assert chosen == ["b"]


def test_keys_walk_round_and_choose(qtbot: QtBot, theme: Theme) -> None:
    cell, chosen = _cell(qtbot), []
    cell.link_chosen.connect(chosen.append)
    cell.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space):
        qtbot.keyClick(cell, key)
    qtbot.keyClick(cell, Qt.Key.Key_Up)
    qtbot.keyClick(cell, Qt.Key.Key_Enter)
    assert chosen == ["a", "a", "b"]


def test_a_cell_without_links_is_no_stop_for_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    cell = _cell(qtbot)
    assert cell.focusPolicy() is Qt.FocusPolicy.StrongFocus
    assert cell.set_blocks([Block((BlockRun("nothing"),))])
    assert cell.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert cell.accessibleDescription() == "nothing"
    assert not cell.set_blocks([Block((BlockRun("nothing"),))]), "the same again changes nothing"


def test_a_menu_is_asked_for_with_its_link(qtbot: QtBot, theme: Theme) -> None:
    cell, asked = _cell(qtbot), []
    cell.menu_asked.connect(lambda link, _place: asked.append(link))
    place = cell.link_rect_center("a")
    assert place is not None
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, cell.mapToGlobal(place))
    QApplication.sendEvent(cell, event)
    assert asked == ["a"]


def test_marking_words_lays_out_again(qtbot: QtBot, theme: Theme) -> None:
    cell = _cell(qtbot)
    before = cell.grab().toImage()
    cell.set_linked(frozenset({"a"}))
    assert cell.grab().toImage() != before
    assert cell.natural_height(60) > cell.natural_height(220)
