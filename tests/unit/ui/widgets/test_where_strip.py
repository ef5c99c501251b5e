"""The where-strip's four looks, at their places."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

from tests.kit.gui import colours
from workbench.ui.theme.theme import Theme, tokens
from workbench.ui.widgets.where_strip import WhereLegend, paint_where


def painted(length: int, *stretches: tuple[int, int, str]) -> QImage:
    image = QImage(100, 8, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    paint_where(painter, QRect(0, 0, 100, 8), length, stretches)
    painter.end()
    return image


def at(image: QImage, x: int, y: int = 4) -> str:
    return QColor(image.pixel(x, y)).name().upper()


def test_outcomes_have_their_looks(theme: Theme) -> None:
    t = tokens()
    image = painted(100, (10, 20, "strict"), (30, 40, "recovered"), (50, 60, "reported"))
    assert (at(image, 5), at(image, 15), at(image, 35)) == (t.hover, t.passed, t.text3)
    assert at(image, 55) == t.surface
    assert at(image, 55, 0) != t.hover
    assert at(image, 95) == t.hover


def test_short_and_last_attempts_are_visible(theme: Theme) -> None:
    t = tokens()
    image = painted(1_000_000, (5, 6, "strict"), (999_999, 1_000_000, "recovered"))
    assert at(image, 1) == t.passed
    assert at(image, 98) == t.text3


def test_the_worse_one_is_on_top(theme: Theme) -> None:
    image = painted(100, (0, 100, "reported"), (0, 100, "strict"))
    assert at(image, 50) == tokens().surface


def test_an_empty_text_has_a_track(theme: Theme) -> None:
    assert at(painted(0), 50) == tokens().hover


def test_legend(theme: Theme, qtbot) -> None:
    legend = WhereLegend()
    qtbot.addWidget(legend)
    legend.resize(legend.sizeHint())
    assert "reported, no call given out" in legend.accessibleName()
    assert tokens().passed.lower() in colours(legend)
