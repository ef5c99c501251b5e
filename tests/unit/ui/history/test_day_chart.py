from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from tests.kit.pages import days
from workbench.ui.history.day_chart import DayChart, since_of
from workbench.ui.history.facets import filled_days
from workbench.ui.theme.tokens import LIGHT

LAST = date(2026, 11, 20)


def _chart(qtbot) -> DayChart:
    chart = DayChart()
    qtbot.addWidget(chart)
    chart.resize(800, 60)
    chart.show()
    return chart


def test_nothing_is_drawn_without_days(theme, qtbot) -> None:
    chart = _chart(qtbot)
    chart.grab()
    QTest.keyClick(chart, Qt.Key.Key_Left)
    assert chart.days == []


def test_a_click_asks_for_its_day(theme, qtbot) -> None:
    chart = _chart(qtbot)
    chart.show_days(filled_days(days(), LAST), date(2026, 11, 14))
    found = colours(chart)
    assert {LIGHT.sel.lower(), LIGHT.failed.lower(), LIGHT.line2.lower()} <= found
    with qtbot.waitSignal(chart.day_chosen) as seen:
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(800 - 20, 20))
    assert seen.args == [LAST]
    assert "runs" in chart.words(0)


def test_the_keyboard_reaches_every_day(theme, qtbot) -> None:
    chart = _chart(qtbot)
    chart.show_days(filled_days(days(), LAST))
    QTest.keyClick(chart, Qt.Key.Key_Left)
    QTest.keyClick(chart, Qt.Key.Key_Left)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    with qtbot.waitSignal(chart.day_chosen) as seen:
        QTest.keyClick(chart, Qt.Key.Key_Return)
    assert seen.args == [date(2026, 11, 19)]
    assert "19 Nov" in chart.accessibleDescription()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("7d", date(2026, 11, 13)), ("today", LAST), ("yesterday", date(2026, 11, 19)),
        ("2026-01-31", date(2026, 1, 31)), ("12h", None), ("nonsense", None),
    ],
)  # fmt: skip
def test_the_filters_first_day(text, day) -> None:
    assert since_of(text, LAST) == day
