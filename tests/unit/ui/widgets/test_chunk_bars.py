"""The scrubber's bars: clicks, drags, keys."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt

from tests.kit.gui import colours
from workbench.ui.theme.theme import Theme, tokens
from workbench.ui.widgets.chunk_bars import ChunkBars


def make(qtbot, sizes: list[int], at: int = 0) -> tuple[ChunkBars, list[int]]:
    bars = ChunkBars()
    qtbot.addWidget(bars)
    bars.resize(200, 60)
    bars.show_sizes(sizes, at)
    bars.show()
    moved: list[int] = []
    bars.moved.connect(moved.append)
    return bars, moved


def test_click_and_drag(theme: Theme, qtbot) -> None:
    bars, moved = make(qtbot, [3] * 10)
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(100, 20))
    assert bars.position == 5
    qtbot.mousePress(bars, Qt.MouseButton.LeftButton, pos=QPoint(40, 20))
    qtbot.mouseMove(bars, QPoint(60, 20))
    qtbot.mouseRelease(bars, Qt.MouseButton.LeftButton, pos=QPoint(60, 20))
    assert moved[:2] == [5, 2]


def test_keys_walk_and_stop_at_the_ends(theme: Theme, qtbot) -> None:
    bars, moved = make(qtbot, [1, 2, 3], 0)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Home):
        qtbot.keyClick(bars, key)
    assert moved == [1, 2, 4, 0]
    assert bars.last == 4


def test_fed_chunks_are_in_accent(theme: Theme, qtbot) -> None:
    bars, _ = make(qtbot, [5, 5, 5], 0)
    assert tokens().accent.lower() not in colours(bars)
    bars.set_position(2)
    assert tokens().accent.lower() in colours(bars)
    assert bars.accessibleDescription() == "2 of 3 chunks"


def test_no_chunks_and_very_many(theme: Theme, qtbot) -> None:
    bars, moved = make(qtbot, [])
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    assert (bars.last, moved) == (0, [])
    bars.show_sizes([1] * 50_000 + [0], 50_002)
    assert bars.position == 50_002
    assert tokens().accent.lower() in colours(bars)
