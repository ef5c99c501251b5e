from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField, LineField, NumberField
from workbench.ui.widgets.tips import set_tip


def test_clear_button_comes_with_text(theme, qtbot) -> None:
    field = LineField(hint="filter", icon_name="funnel", clearable=True)
    qtbot.addWidget(field)
    field.show()
    clear = field.findChild(Button)
    assert not clear.isVisible()
    QTest.keyClicks(field, "abc")
    assert (clear.isVisible(), clear.accessibleName()) == (True, "Clear")
    QTest.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert (field.text(), clear.isVisible()) == ("", False)


def test_what_stands_inside_a_field_grows_with_the_text(theme, qtbot) -> None:
    field = LineField("abc", icon_name="funnel", clearable=True)
    qtbot.addWidget(field)
    field.show()
    clear = field.findChild(Button)
    before, margin = clear.height(), field.textMargins().left()
    theme.set_scale(2.0)
    assert (clear.height(), field.textMargins().left()) == (2 * before, 2 * margin)
    assert field.rect().contains(clear.geometry())
    assert field.textMargins().right() > 0


def test_invalid_is_marked_with_its_reason(theme, qtbot) -> None:
    field = LineField("x", name="Base URL")
    qtbot.addWidget(field)
    field.set_invalid("write https://HOST/v1")
    assert (field.is_invalid, field.toolTip()) == (True, "write https://HOST/v1")
    field.set_invalid("")
    assert not field.is_invalid


def test_numbers_outside_their_bounds_change_nothing(theme, qtbot) -> None:
    field = NumberField("Retries", 0, 10, 2)
    qtbot.addWidget(field)
    field.selectAll()
    with qtbot.assertNotEmitted(field.value_changed):
        QTest.keyClicks(field, "-5")
    assert (field.value, field.is_invalid) == (2, True)
    field.selectAll()
    with qtbot.waitSignal(field.value_changed) as seen:
        QTest.keyClicks(field, "7")
    assert (seen.args, field.value, field.is_invalid) == ([7], 7, False)
    field.set_value(3)
    assert field.text() == "3"


def _combo(qtbot) -> ComboField:
    combo = ComboField("Format", name="Format")
    qtbot.addWidget(combo)
    combo.set_items([("Auto", "auto"), ("qwen_xml", "qwen_xml"), ("react", "react")])
    return combo


def test_combo_emits_only_user_choices(theme, qtbot) -> None:
    combo = _combo(qtbot)
    combo.show()
    with qtbot.assertNotEmitted(combo.value_chosen):
        assert combo.choose("react")
    assert not combo.choose("unknown")
    assert combo.value == "react"
    with qtbot.waitSignal(combo.value_chosen) as seen:
        combo.showPopup()
        QTest.keyClick(combo.view(), Qt.Key.Key_Up)
        QTest.keyClick(combo.view(), Qt.Key.Key_Return)
    assert seen.args == ["qwen_xml"]


def test_new_items_keep_the_choice(theme, qtbot) -> None:
    combo = _combo(qtbot)
    combo.choose("react")
    combo.set_items([("react", "react"), ("json_scaffold", "json_scaffold")])
    assert combo.value == "react"


def test_scrolling_the_page_changes_no_choice(theme, qtbot) -> None:
    combo = _combo(qtbot)
    combo.show()
    nowhere, down = QPoint(), QPoint(0, -120)
    middle = QPointF(combo.rect().center())
    event = QWheelEvent(
        middle, middle, nowhere, down, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(combo, event)
    assert combo.value == "auto"


def test_note_and_guess_are_read_out_and_painted(theme, qtbot) -> None:
    combo = _combo(qtbot)
    combo.resize(400, 28)
    plain = combo.grab().toImage()
    combo.set_note("detected: qwen_xml, from name", "guess")
    combo.set_icon_name("flask")
    assert combo.accessibleDescription().endswith("detected: qwen_xml, from name guess")
    combo.set_note("")
    set_tip(combo, "As <tool_call> or so")
    assert combo.accessibleDescription() == "Format As <tool_call> or so"
    assert combo.grab().toImage() != plain


def test_number_field_shows_the_word_for_zero(theme, qtbot) -> None:
    field = NumberField("Days", 0, 100, 14, zero="all")
    qtbot.addWidget(field)
    seen: list[int] = []
    field.value_changed.connect(seen.append)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    assert (field.value, field.text(), field.placeholderText(), seen) == (0, "", "all", [0])
    QTest.keyClicks(field, "7")
    assert (field.value, seen) == (7, [0, 7])
    field.set_value(0)
    assert field.text() == ""
