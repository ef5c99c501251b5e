from __future__ import annotations

from workbench.core.calls import Region, Span
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.raw_pane import LIMIT, RawPane


def _colour_at(view: RawPane, position: int) -> str:
    cursor = view.textCursor()
    cursor.setPosition(position + 1)
    return cursor.charFormat().foreground().color().name().upper()


def test_roles_stand_on_their_characters(theme, qtbot) -> None:
    view = RawPane()
    qtbot.addWidget(view)
    view.show_text("<tool_call>x", [Region("marker", Span(0, 11))])
    assert _colour_at(view, 0) == LIGHT.inks["marker"].colour
    assert _colour_at(view, 11) != LIGHT.inks["marker"].colour


def test_characters_beyond_the_first_plane_shift_nothing(theme, qtbot) -> None:
    view = RawPane()
    qtbot.addWidget(view)
    view.show_text("𝄞𝄞 42", [Region("number", Span(3, 5))])
    assert _colour_at(view, 5) == LIGHT.inks["number"].colour
    assert _colour_at(view, 4) != LIGHT.inks["number"].colour


def test_long_texts_are_shown_in_part_first(theme, qtbot) -> None:
    view = RawPane()
    qtbot.addWidget(view)
    view.show_text("a" * (LIMIT + 5_000))
    assert view.toPlainText().endswith("… 5,000 more characters")
    assert len(view.raw) == LIMIT + 5_000
    view.show_all()
    assert len(view.toPlainText()) == LIMIT + 5_000


def test_lines_are_sixteen_pixels_high(theme, qtbot) -> None:
    view = RawPane()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show_text("one\ntwo\nthree")
    assert view.text_height(400) == 48


def test_theme_restyles_raw_text(theme, qtbot) -> None:
    view = RawPane()
    qtbot.addWidget(view)
    view.show_text("name", [Region("name", Span(0, 4))])
    theme.choose("dark")
    view.restyle()
    assert _colour_at(view, 0) != LIGHT.inks["name"].colour
