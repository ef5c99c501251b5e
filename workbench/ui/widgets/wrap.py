"""A box whose widgets flow into as many rows as the width asks for; for chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px

if TYPE_CHECKING:
    from collections.abc import Sequence


class WrapBox(QWidget):
    """Places its widgets from left to right, row after row; it is not there while it is empty."""

    def __init__(self, widgets: Sequence[QWidget] = (), gap: int = 8) -> None:
        super().__init__()
        self._widgets: list[QWidget] = []
        self._gap = gap
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self.show_widgets(widgets)

    def show_widgets(self, widgets: Sequence[QWidget]) -> None:
        """Replace the widgets; the old ones are deleted."""
        for old in self._widgets:
            old.hide()
            old.deleteLater()
        self._widgets = list(widgets)
        for widget in self._widgets:
            widget.setParent(self)
            widget.show()
        if not self._widgets:
            self.hide()
        elif self.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide):
            self.show()  # never in the constructor: a box without a parent would flash as a window of its own
        self.refit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refit()

    def refit(self) -> None:
        """Place the widgets again, as after one was shown or hidden."""
        gap, x, y, tallest = px(self._gap), 0, 0, 0
        for widget in (one for one in self._widgets if not one.isHidden()):
            hint: QSize = widget.sizeHint()
            width = min(hint.width(), max(px(40), self.width()))
            if x and x + width > self.width():
                x, y, tallest = 0, y + tallest + gap, 0
            widget.setGeometry(x, y, width, hint.height())
            x += width + gap
            tallest = max(tallest, hint.height())
        if self._widgets and y + tallest != self.height():
            self.setFixedHeight(y + tallest)
