from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.history.filter_field import FilterField


def _field(qtbot) -> FilterField:
    field = FilterField()
    qtbot.addWidget(field)
    field.set_language({"verdict": "how it was judged", "model": "name", "mode": "x"}, {"verdict": ("pass", "fail")})
    field.show()
    return field


def test_fields_and_fixed_values_are_offered(theme, qtbot) -> None:
    field = _field(qtbot)
    QTest.keyClicks(field, "mo")
    assert field.offered == ["model:", "mode:"]
    field.clear()
    QTest.keyClicks(field, "x -verdict:fail,p")
    assert field.offered == ["pass"]
    field._on_completed("pass")
    assert field.text() == "x -verdict:fail,pass"


def test_names_come_from_outside(theme, qtbot) -> None:
    field = _field(qtbot)
    with qtbot.waitSignal(field.names_wanted) as seen:
        QTest.keyClicks(field, "model:qw")
    assert seen.args[0] == "model"
    field.offer("model", ["qwen-hasty", "qwen 3"])
    assert field.offered == ["qwen-hasty", "qwen 3"]
    field._on_completed("qwen 3")
    assert field.text() == 'model:"qwen 3"'
    field.offer("tool", ["late"])
    assert field.offered == []


def test_it_applies_after_a_pause_and_at_once_on_enter(theme, qtbot) -> None:
    field = _field(qtbot)
    with qtbot.waitSignal(field.filter_changed) as seen:
        QTest.keyClicks(field, "oslo ")
    assert seen.args == ["oslo"]
    QTest.keyClicks(field, "rome")
    with qtbot.waitSignal(field.filter_changed) as seen:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert seen.args == ["oslo rome"]
    with qtbot.assertNotEmitted(field.filter_changed, wait=300):
        field.apply_now()
