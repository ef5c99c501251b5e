from __future__ import annotations

from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.wrap import WrapBox


def test_chips_flow_into_rows(theme, qtbot) -> None:
    chips = [Chip(f"problem number {at}", "problem") for at in range(6)]
    box = WrapBox(chips)
    qtbot.addWidget(box)
    assert not box.isVisible(), "a box must not become a window of its own"
    box.show()
    box.resize(2000, 20)
    assert len({chip.y() for chip in chips}) == 1
    box.resize(200, 20)
    assert len({chip.y() for chip in chips}) == 6
    assert box.height() >= 6 * 20
    assert all(chip.geometry().right() <= 200 for chip in chips)


def test_an_empty_box_is_not_there(theme, qtbot) -> None:
    box = WrapBox()
    qtbot.addWidget(box)
    assert box.isHidden()
    box.show_widgets([Chip("one")])
    assert not box.isHidden()
    box.show_widgets([])
    assert box.isHidden()
