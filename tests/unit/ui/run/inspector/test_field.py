"""The foot: words for spans and wire places, values of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Span
from workbench.ui.run.inspector.field import FieldFoot, field_selection, span_words, wire_words
from workbench.ui.run.span_index import WireHit

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_words() -> None:
    assert span_words(Span(184, 201)) == "characters 184–201"
    assert span_words(Span(1, 2, "reasoning")) == "characters 1–2 of reasoning"
    assert wire_words(WireHit((1,), 30, 32, (3744, 4118))) == "chunks 30–32, bytes 3,744–4,118"
    assert wire_words(WireHit((1,), 3, 3, (0, 9))) == "chunk 3, bytes 0–9"


def test_values_of_every_kind(qtbot: QtBot, theme: Theme) -> None:
    foot = FieldFoot()
    qtbot.addWidget(foot)
    foot.resize(308, 200)
    for value, kind in (("x", "string"), (3, "integer"), (True, "boolean"), (None, "null"), ({"a": [1]}, "object")):
        foot.show_selection(field_selection(("a",), value, Span(0, 1), None))
        assert foot.kind.text() == kind
        assert foot.wire.text() == "not recorded"
    foot.show_selection(field_selection(("a",), "long " * 2_000, None, None))
    assert foot.value.height() <= 96
    assert foot.raw.text() == "not in the text"
    foot.show_selection(None)
    assert not foot.isVisible()
