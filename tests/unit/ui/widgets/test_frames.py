from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.kit.gui import colours
from workbench.ui.widgets.frames import (
    ElidedLabel,
    KeyCap,
    SectionHeader,
    column,
    frame,
    hairline,
    label,
    row,
    set_role,
)  # fmt: skip


def test_labels_show_text_as_it_is(theme, qtbot) -> None:
    made = label("<b>not HTML</b>", "section", selectable=True)
    qtbot.addWidget(made)
    assert made.textFormat() == Qt.TextFormat.PlainText
    assert made.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_labels_draw_what_turns_text_around(theme, qtbot) -> None:
    for made in (label("a\u202eb"), label("a\u202eb", wrap=True), ElidedLabel("a\u202eb")):
        qtbot.addWidget(made)
        assert made.text() == "a\ufffdb"
        made.setText("\u2066\x9b")
        assert made.text() == "\ufffd\ufffd"


def test_long_names_give_way(theme, qtbot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    made = label("name" * 500, "object")
    whole.setLayout(row(made, label("word")))
    assert whole.minimumSizeHint().width() < 500
    whole.resize(500, 40)
    whole.grab()
    assert made.toolTip() == "name" * 500
    made.setText("short")
    whole.grab()
    assert made.toolTip() == ""


def test_a_huge_line_costs_a_label_nothing(theme, qtbot) -> None:
    made = label("x" * 50_000_000, wrap=True)
    qtbot.addWidget(made)
    assert len(made.text()) < 30_000


def test_a_role_can_change(theme, qtbot) -> None:
    made = label("word", "second")
    qtbot.addWidget(made)
    made.ensurePolished()
    before = made.palette().color(made.foregroundRole())
    set_role(made, "failed")
    assert made.palette().color(made.foregroundRole()) != before


def test_rows_and_columns_take_widgets_spaces_and_layouts(theme, qtbot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    inner = row(label("a"), 8, None, label("b"), margins=(1, 2, 3, 4), gap=5)
    whole.setLayout(column(inner, hairline(), gap=0))
    assert (inner.count(), inner.spacing(), inner.contentsMargins().left()) == (4, 5, 1)


def test_hairlines_are_one_pixel(theme, qtbot) -> None:
    line, upright = hairline(), hairline(vertical=True, strong=True)
    qtbot.addWidget(line)
    qtbot.addWidget(upright)
    assert (line.maximumHeight(), upright.maximumWidth()) == (1, 1)
    assert frame("card").property("role") == "card"


def test_a_cut_label_tells_its_text_in_the_tip(theme, qtbot) -> None:
    made = ElidedLabel("a text that is far too long for this")
    qtbot.addWidget(made)
    made.resize(60, 20)
    made.grab()
    assert made.toolTip() == made.text()
    made.resize(600, 20)
    made.grab()
    assert made.toolTip() == ""


def test_header_and_key(theme, qtbot) -> None:
    key = KeyCap("Ctrl+K")
    header = SectionHeader("Models", "6 of them", key)
    qtbot.addWidget(header)
    assert key.sizeHint().width() > key.sizeHint().height()
    assert header.minimumHeight() == 40
    assert header.note.text() == "6 of them"


def test_a_cut_text_of_which_nothing_would_be_told_is_left_out(theme, qtbot) -> None:
    made = ElidedLabel("recorded failures")
    qtbot.addWidget(made)
    for width, drawn in ((30, 1), (60, 2), (200, 2)):
        made.resize(width, 20)
        assert min(2, len(colours(made))) == drawn, width
    assert made.toolTip() == ""
    made.resize(30, 20)
    made.grab()
    assert made.toolTip() == "recorded failures"
