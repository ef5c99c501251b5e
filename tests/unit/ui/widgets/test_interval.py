from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.interval import paint_hatch, paint_interval, paint_progress

TRACK = QRect(10, 4, 100, 16)


def _painted(paint) -> QImage:
    image = QImage(120, 24, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def _columns(image: QImage, colour: str) -> list[int]:
    return [x for x in range(120) if any(QColor(image.pixel(x, y)).name() == colour.lower() for y in range(24))]


def test_the_bar_goes_from_low_to_high_with_a_tick_at_the_rate(theme) -> None:
    image = _painted(lambda painter: paint_interval(painter, TRACK, 0.2, 0.6, 0.4))
    bar, tick = _columns(image, LIGHT.text3), _columns(image, LIGHT.text)
    assert (min(bar), max(bar)) in {(30, 69), (31, 68), (31, 69), (30, 68)}
    assert tick == [49, 50]
    assert min(_columns(image, LIGHT.line2)) == 10


def test_a_rate_at_either_end_stays_on_the_track(theme) -> None:
    for value in (0.0, 1.0):
        image = _painted(lambda painter, at=value: paint_interval(painter, TRACK, at, at, at))
        tick = _columns(image, LIGHT.text)
        assert tick
        assert 9 <= min(tick) <= max(tick) <= 110


def test_a_hatch_is_not_a_ground(theme) -> None:
    image = _painted(lambda painter: paint_hatch(painter, TRACK))
    inside = [QColor(image.pixel(x, 12)).name() for x in range(20, 100)]
    assert LIGHT.surface.lower() in inside
    assert len(set(inside)) > 1


def test_progress_puts_its_parts_side_by_side(theme) -> None:
    parts = ((0.5, "passed"), (0.0, "error"), (0.25, "failed"))
    image = _painted(lambda painter: paint_progress(painter, TRACK, parts))
    passed, failed = _columns(image, LIGHT.passed), _columns(image, LIGHT.failed)
    assert max(passed) < 61
    assert min(failed) >= 59
    assert max(failed) < 86
    assert not _columns(image, LIGHT.error)
