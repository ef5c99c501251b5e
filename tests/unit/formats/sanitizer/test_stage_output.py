"""StageOutput remembers how the text ended."""

from __future__ import annotations

from workbench.formats.sanitizer.stage_output import StageOutput


def test_state_follows_the_text() -> None:
    out = StageOutput()
    assert (out.line_blank, out.spoken, out.last) == (True, False, "")
    out.emit("  ")
    assert (out.line_blank, out.spoken, out.last) == (True, False, " ")
    out.emit("a")
    assert (out.line_blank, out.spoken, out.last) == (False, True, "a")
    out.emit(" \n\t")
    assert out.line_blank
    out.gap()
    assert out.take() == ["  ", "a", " \n\t", None]
    assert out.take() == []
