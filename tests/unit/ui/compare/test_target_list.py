from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.kit.comparing import CHOSEN
from workbench.ui.compare.target_list import TargetList


def _shown(qtbot) -> TargetList:
    made = TargetList("Chosen targets", "No target yet.")
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show_targets(CHOSEN)
    made.show()
    return made


def test_targets_are_read_out(theme, qtbot) -> None:
    made = _shown(qtbot)
    told = made.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told == f"{CHOSEN[0].model}, {CHOSEN[0].format}, {CHOSEN[0].mode}, simulated"
    assert not made.grab().isNull()
    made.show_targets([CHOSEN[0]._replace(mode="")])
    assert made.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == (
        f"{CHOSEN[0].model}, {CHOSEN[0].format}, simulated"
    )


def test_only_the_cross_takes_a_row_out(theme, qtbot) -> None:
    made, gone = _shown(qtbot), []
    made.removed.connect(gone.append)
    for place in (made.rows.visualRect(made.model.index(1, 0)).center(), made.cross(1)):
        QTest.mouseClick(made.rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gone == [1]


def test_keyboard_keeps_its_place(theme, qtbot) -> None:
    made = _shown(qtbot)
    made.removed.connect(lambda at: made.show_targets([one for n, one in enumerate(CHOSEN) if n != at]))
    made.rows.choose_row(1)
    QTest.keyClick(made.rows, Qt.Key.Key_Delete)
    assert made.rows.currentIndex().row() == 1
    made.show_targets(CHOSEN[:1])
    assert made.rows.currentIndex().row() == 0
    made.show_targets(())
    assert made.rows.isHidden()


def test_many_targets_take_no_widgets(theme, qtbot) -> None:
    made = _shown(qtbot)
    before = len(made.findChildren(QWidget))
    made.show_targets(CHOSEN * 60)
    assert len(made.findChildren(QWidget)) == before
    assert made.rows.height() == 8 * 36 + 2
