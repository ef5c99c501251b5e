from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QColor, QFocusEvent, QImage, QPainter
from PySide6.QtWidgets import QWidget

from workbench.ui.theme.fonts import ui_font
from workbench.ui.widgets.painting import note_focus, paint_bottom_line, paint_box, paint_text, shows_focus


def _canvas() -> tuple[QImage, QPainter]:
    image = QImage(100, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    return image, QPainter(image)


def test_text_is_elided_only_when_too_long(theme) -> None:
    _image, painter = _canvas()
    whole = paint_text(painter, QRect(0, 0, 100, 20), "short", ui_font(12), "#000000")
    cut = paint_text(painter, QRect(0, 0, 40, 20), "a much longer text", ui_font(12), "#000000")
    painter.end()
    assert 0 < whole < 60
    assert cut <= 41


def test_box_and_line_keep_to_their_rectangle(theme) -> None:
    image, painter = _canvas()
    paint_box(painter, QRect(10, 2, 40, 16), ground="#ff0000", border="#0000ff")
    paint_bottom_line(painter, QRect(60, 0, 20, 20), "#00ff00")
    painter.end()
    assert image.pixelColor(30, 10).name() == "#ff0000"
    assert image.pixelColor(5, 10).name() == "#ffffff"
    assert image.pixelColor(70, 19).name() == "#00ff00"
    assert image.pixelColor(70, 18).name() == "#ffffff"


def test_focus_ring_only_after_keyboard_focus(theme, qtbot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    widget.setFocus()
    note_focus(widget, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    assert not shows_focus(widget)
    note_focus(widget, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert shows_focus(widget)
    widget.setEnabled(False)
    assert not shows_focus(widget)
