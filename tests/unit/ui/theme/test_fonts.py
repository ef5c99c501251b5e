from __future__ import annotations

from PySide6.QtGui import QFont, QFontInfo

from workbench.ui.theme import fonts


def test_sizes_follow_the_text_size(theme) -> None:
    assert (fonts.px(12), fonts.ui_font(13).pixelSize()) == (12, 13)
    theme.set_scale(1.5)
    assert (fonts.px(12), fonts.mono_font(12).pixelSize(), fonts.scale()) == (18, 18, 1.5)


def test_the_fixed_font_is_fixed(theme) -> None:
    assert QFontInfo(fonts.mono_font()).fixedPitch()


def test_weights_and_slant(theme) -> None:
    font = fonts.ui_font(12, bold=True, italic=True)
    assert font.weight() == QFont.Weight.DemiBold
    assert font.italic()


def test_fonts_given_out_are_copies(theme) -> None:
    fonts.ui_font(12).setPixelSize(40)
    assert fonts.ui_font(12).pixelSize() == 12
