from __future__ import annotations

from PySide6.QtGui import QPalette

from workbench.ui.theme.palette import palette_for
from workbench.ui.theme.tokens import DARK, LIGHT


def test_palette_takes_the_tokens(qapp) -> None:
    for tokens in (LIGHT, DARK):
        palette = palette_for(tokens)
        assert palette.color(QPalette.ColorRole.Window).name().upper() == tokens.chrome
        assert palette.color(QPalette.ColorRole.Base).name().upper() == tokens.surface
        disabled = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        assert disabled.name().upper() == tokens.text3
