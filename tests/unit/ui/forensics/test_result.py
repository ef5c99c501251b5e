"""The right side of Forensics: all formats, or the chunks in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.ui.forensics.result import WIDEST_SCRUBBER, ForensicsResult

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_chunks_take_the_place_of_the_matrix_and_give_it_back(theme: Theme, qtbot: QtBot) -> None:
    result = ForensicsResult()
    qtbot.addWidget(result)
    result.resize(940, 700)
    result.show()
    assert result.matrix.isVisible()
    with qtbot.waitSignal(result.chunks_wanted):
        qtbot.mouseClick(result.play, Qt.MouseButton.LeftButton)
    assert result.shows_chunks
    assert result.scrubber.isVisible()
    assert 0 < result.scrubber.width() <= WIDEST_SCRUBBER
    assert result.scrubber.mapTo(result, result.scrubber.rect().topLeft()).x() < 20
    qtbot.mouseClick(result.back, Qt.MouseButton.LeftButton)
    assert result.matrix.isVisible()
    with qtbot.waitSignal(result.keep_asked):
        qtbot.mouseClick(result.keep, Qt.MouseButton.LeftButton)
