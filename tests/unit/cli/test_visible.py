from __future__ import annotations

from workbench.cli.visible import one_line, visible


def test_control_characters_become_visible() -> None:
    assert visible("a\x1b[31mb\x00c\nd\te\x9b") == "a␛[31mb␀c\nd\te�"
    assert one_line("a\n\n  b\x07", 10) == "a b␇"
    assert one_line("x" * 20, 10) == "x" * 9 + "…"
