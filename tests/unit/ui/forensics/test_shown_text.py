from __future__ import annotations

from workbench.ui.forensics.shown_text import ShownText


def test_empty_text_at_first() -> None:
    one, other = ShownText(), ShownText()
    assert (one.specimen.text, one.exam, one.chosen, one.back) == ("", None, "", None)
    one.chosen = "qwen_xml"
    assert other.chosen == ""
