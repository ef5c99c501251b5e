from __future__ import annotations

from workbench.ui.forensics.shown_text import ShownText


def test_at_first_there_is_an_empty_text_that_nobody_read() -> None:
    one, other = ShownText(), ShownText()
    assert (one.specimen.text, one.exam, one.chosen, one.back) == ("", None, "", None)
    one.chosen = "qwen_xml"
    assert other.chosen == ""
