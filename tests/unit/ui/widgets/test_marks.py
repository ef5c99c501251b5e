from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from workbench.ui.theme.tokens import VERDICTS
from workbench.ui.widgets.marks import VerdictLabel, paint_verdict


def _shape(state: str) -> bytes:
    """The mark in black on white: its shape without its colour."""
    image = QImage(24, 24, QImage.Format.Format_Grayscale8)
    image.fill(255)
    painter = QPainter(image)
    paint_verdict(painter, state, QRectF(4, 4, 16, 16), "#000000")
    painter.end()
    return bytes(image.constBits())


def test_every_verdict_has_a_shape_of_its_own(theme) -> None:
    shapes = {_shape(state) for state in VERDICTS}
    assert len(shapes) == len(VERDICTS)
    assert all(min(shape) < 100 for shape in shapes)


def test_label_says_the_word(theme, qtbot) -> None:
    label = VerdictLabel("pass")
    qtbot.addWidget(label)
    label.set_state("not_gradable")
    assert label.accessibleName() == "Verdict: not gradable"
    assert label.state == "not_gradable"
    bare = VerdictLabel("fail", word=False)
    qtbot.addWidget(bare)
    assert bare.sizeHint().width() < label.sizeHint().width()
    assert bare.toolTip() == "fail"
