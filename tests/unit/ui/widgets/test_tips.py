from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import Qt as RichText
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QToolTip

from tests.kit.hostile import MARKUP
from workbench.ui.widgets.tips import LONGEST, hide_tip, plain_tip, set_tip, show_tip


def _read(tip: str) -> str:
    """The characters that a user sees of a tip."""
    if not RichText.mightBeRichText(tip):
        return tip
    document = QTextDocument()
    document.setHtml(tip)
    assert "<img" not in document.toHtml()
    return document.toPlainText()


@pytest.mark.parametrize("text", [*MARKUP, "a plain word", "two\nlines", "1 < 2 and 3 > 2", "x &lt; y", ""])
def test_a_tip_shows_exactly_its_characters(qapp, text: str) -> None:
    assert _read(plain_tip(text)) == text


def test_misleading_and_huge_texts_are_escaped(qapp) -> None:
    assert plain_tip("a\u202eb\x00\ud83d") == "a\ufffdb\u2400\ufffd"
    assert len(plain_tip("x" * 1_000_000)) == LONGEST + 1


def test_a_screen_reader_hears_the_text_and_no_escapes(theme, qtbot) -> None:
    label = QLabel("call")
    qtbot.addWidget(label)
    set_tip(label, "<b>bold</b>")
    assert label.accessibleDescription() == "<b>bold</b>"
    assert label.toolTip() != "<b>bold</b>"


def test_a_tip_shown_at_once_is_plain_too(theme, qtbot) -> None:
    label = QLabel("call")
    qtbot.addWidget(label)
    label.show()
    show_tip(QPoint(10, 10), "<img src='/dev/null'>", label)
    assert "&lt;img" in QToolTip.text()
    hide_tip()
