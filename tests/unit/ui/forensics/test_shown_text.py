from __future__ import annotations

from workbench.ui.forensics.shown_text import ExaminedText


def test_empty_text_at_first() -> None:
    one, other = ExaminedText(), ExaminedText()
    assert (one.specimen.text, one.exam, one.chosen, one.back) == ("", None, "", None)
    one.chosen = "qwen_xml"
    assert other.chosen == ""
