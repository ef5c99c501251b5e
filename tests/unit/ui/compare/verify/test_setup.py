from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.compare.values import ChosenTarget
from workbench.ui.compare.verify.setup import VerifySetup
from workbench.verify.plan import Streams


def test_run_says_why_it_cannot(theme, qtbot) -> None:
    setup, asked = VerifySetup(), []
    qtbot.addWidget(setup)
    setup.show()
    setup.run_asked.connect(lambda: asked.append(1))
    setup.show_sum("", "Add a candidate first.")
    assert not setup.run.isEnabled()
    setup.show_sum("10 pairs × 3 = 30 requests.")
    QTest.mouseClick(setup.run, Qt.MouseButton.LeftButton)
    assert asked == [1]


def test_candidates_are_listed(theme, qtbot) -> None:
    setup = VerifySetup()
    qtbot.addWidget(setup)
    setup.show_candidates([ChosenTarget("Simulator / main-70b", "openai_chat", "", True)] * 2)
    setup.resize(1200, 700)
    setup.show()
    assert not setup.grab().isNull()
    assert Streams(setup.streams.value) is Streams.BOTH
