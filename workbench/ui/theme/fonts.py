"""The two typefaces: the platform's UI font and its fixed one, in pixel sizes that follow the text-size setting."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

FALLBACK_MONO = "DejaVu Sans Mono"
_scale = 1.0


def set_scale(scale: float) -> None:
    """Set the text size (1.0 is 100 %); called by `Theme` only."""
    global _scale  # noqa: PLW0603  # looks belong to the whole application, as QPalette does
    _scale = scale


def scale() -> float:
    """Return the text size, 1.0 being 100 %."""
    return _scale


def px(size: float) -> int:
    """Return a size of the specification scaled to the chosen text size."""
    return max(1, round(size * _scale))


@cache
def ui_family() -> str:
    """Return the platform's UI font family."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()


@cache
def mono_family() -> str:
    """Return the platform's fixed font family, if it really is fixed."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    return font.family() if QFontInfo(font).fixedPitch() else FALLBACK_MONO


@cache
def _font(family: str, pixels: int, bold: bool, italic: bool, mono: bool) -> QFont:
    font = QFont(family)
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setItalic(italic)
    if mono:
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFixedPitch(True)
    return font


def ui_font(size: float = 12, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the UI font at a size of the specification."""
    return QFont(_font(ui_family(), px(size), bold, italic, False))


def mono_font(size: float = 12, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the fixed font at a size of the specification."""
    return QFont(_font(mono_family(), px(size), bold, italic, True))
