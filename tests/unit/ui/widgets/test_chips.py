from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSizePolicy

from tests.kit.gui import colours
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.chips import Chip


@pytest.mark.parametrize(
    ("kind", "colour"),
    [
        ("problem", LIGHT.failed_tint), ("repair", LIGHT.hover), ("followed", LIGHT.passed_tint),
        ("error", LIGHT.error_tint), ("chosen", LIGHT.sel), ("cancelled", LIGHT.cancelled_tint),
    ],
)  # fmt: skip
def test_each_kind_has_its_tint(theme, qtbot, kind, colour) -> None:
    chip = Chip("word", kind)
    qtbot.addWidget(chip)
    chip.resize(chip.sizeHint())
    assert colour.lower() in colours(chip)


def test_reading_chips_take_no_focus(theme, qtbot) -> None:
    chip = Chip("0 calls")
    qtbot.addWidget(chip)
    assert chip.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_clickable_chips_click(theme, qtbot) -> None:
    chip = Chip("failing", "filter", mark="fail", count=3, height=24, clickable=True)
    qtbot.addWidget(chip)
    chip.show()
    with qtbot.waitSignal(chip.clicked):
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(chip.clicked):
        QTest.keyClick(chip, Qt.Key.Key_Return)
    assert chip.accessibleName() == "failing 3"
    width = chip.sizeHint().width()
    chip.set_count(3_000)
    assert chip.accessibleName() == "failing 3,000"
    assert chip.sizeHint().width() > width


def test_a_chip_with_a_tip_can_be_pointed_at(theme, qtbot) -> None:
    chip = Chip("reported", "reported", tip="Cut at the token limit")
    qtbot.addWidget(chip)
    assert not chip.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    chip.set_kind("followed")
    assert chip.kind == "followed"


def test_a_chip_that_may_shrink_has_room_for_all_its_words(theme, qtbot) -> None:
    words = "Not sent: Recording in the data folder failed. " * 3
    kept, free = Chip(words), Chip(words)
    free.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    for chip in (kept, free):
        qtbot.addWidget(chip)
    assert kept.sizeHint().width() == 400 < free.sizeHint().width()
    assert free.minimumSizeHint().width() == 120
