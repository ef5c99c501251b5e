"""Parts beside each other that stand one under the other where the width is short, as with large text.

What holds them is scrolled downwards then, never sideways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.widgets.frames import UNBOUNDED, frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

_ACROSS, _DOWN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class StackRow(QFrame):
    """A row of widgets that turns into a column where it is narrow; numbers are pixels of the specification.

    `below` is the width under which it turns, 0 for the least that the widgets need beside each other.
    `widths` are the widgets' fixed widths in the row, 0 for one that takes what is left.
    `heights` are their least heights in the column, 0 for what they ask for. `ruled` draws hairlines between them.
    """

    turned = Signal(bool)
    """It is a column now, or a row again."""

    def __init__(
        self,
        *widgets: QWidget,
        below: int = 0,
        widths: Sequence[int] = (),
        heights: Sequence[int] = (),
        gap: int = 0,
        margins: tuple[int, int, int, int] = (0, 0, 0, 0),
        ruled: bool = False,
    ) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._widgets, self._below = widgets, below
        self._widths, self._heights = list(widths or [0] * len(widgets)), list(heights or [0] * len(widgets))
        self._rules: list[QFrame] = []
        self._box = QBoxLayout(_ACROSS)
        self._box.setContentsMargins(*margins)
        self._box.setSpacing(gap)
        for at, widget in enumerate(widgets):
            if at and ruled:
                self._rules.append(frame("hairline"))
                self._box.addWidget(self._rules[-1])
            self._box.addWidget(widget, 0 if self._widths[at] else 1)
        self.setLayout(self._box)
        self._arrange(_ACROSS)

    @property
    def is_stacked(self) -> bool:
        """The widgets stand one under the other."""
        return self._box.direction() is _DOWN

    def set_width(self, at: int, width: int) -> None:
        """Give a widget another width in the row."""
        if self._widths[at] != width:
            self._widths[at] = width
            self._arrange(self._box.direction())

    def set_height(self, at: int, height: int) -> None:
        """Give a widget another least height in the column; 0 for what it asks for."""
        if self._heights[at] != height:
            self._heights[at] = height
            self._widgets[at].setMinimumHeight(0)
            self._arrange(self._box.direction())

    def set_shares(self, *shares: int) -> None:
        """Share the row's width in these parts."""
        for widget, share in zip(self._widgets, shares, strict=True):
            self._box.setStretchFactor(widget, share)

    def minimumSizeHint(self) -> QSize:
        margins = self._box.contentsMargins()
        most = max((_least(widget) for widget in self._shown), default=0)
        return QSize(most + margins.left() + margins.right(), self._box.minimumSize().height())

    @property
    def _shown(self) -> list[QWidget]:
        return [widget for widget in self._widgets if not widget.isHidden()]

    def _room(self) -> int:
        """Width under which they stand one under the other."""
        if self._below:
            return px(self._below)
        margins, least = self._box.contentsMargins(), [_least(widget) for widget in self._shown]
        return sum(least) + margins.left() + margins.right() + self._box.spacing() * max(len(least) - 1, 0)

    def _turn(self) -> None:
        was = self.is_stacked
        self._arrange(_DOWN if self.width() < self._room() else _ACROSS)
        if self.is_stacked is not was:
            self.turned.emit(not was)

    def _arrange(self, direction: QBoxLayout.Direction) -> None:
        down = direction is _DOWN
        self._box.setDirection(direction)
        for rule, below in zip(self._rules, self._widgets[1:], strict=False):
            rule.setVisible(not below.isHidden())
            rule.setFixedSize(UNBOUNDED, 1) if down else rule.setFixedSize(1, UNBOUNDED)
            rule.setMinimumSize(0 if down else 1, 1 if down else 0)
        for widget, width, height in zip(self._widgets, self._widths, self._heights, strict=True):
            if width:
                widget.setMinimumWidth(0 if down else px(width))
                widget.setMaximumWidth(UNBOUNDED if down else px(width))
            if height:
                widget.setMinimumHeight(px(height) if down else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def event(self, event: QEvent) -> bool:
        answer = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.StyleChange) and hasattr(self, "_box"):
            self._turn()  # a widget needs another width; Qt asks before the object is whole
        return answer


def _least(widget: QWidget) -> int:
    return max(widget.minimumSizeHint().width(), widget.minimumWidth())
