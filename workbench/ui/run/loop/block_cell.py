"""The widget that shows blocks: parsed calls, what was sent, and the notices of empty and failed replies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.run.loop.blocks import Block, PlacedBlock, lay_out
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.painting import paint_focus_ring, shows_focus
from workbench.ui.widgets.tips import hide_tip, show_tip

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence


class BlockCell(QWidget):
    """Paints blocks and tells which link was chosen."""

    link_chosen = Signal(object)
    menu_asked = Signal(object, QPoint)
    """A context menu was asked for: the link under the pointer (or None) and the place on the screen."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._blocks: tuple[Block, ...] = ()
        self._placed: list[PlacedBlock] = []
        self._linked: frozenset[Hashable] = frozenset()
        self._focus: Hashable | None = None
        self._tips: Mapping[Hashable, str] = {}
        self._turn = 0.0
        self._height = 0
        self._name = name
        self.setMouseTracking(True)
        self.setAccessibleName(name)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What is shown."""
        return self._blocks

    def set_blocks(self, blocks: Sequence[Block], tips: Mapping[Hashable, str] | None = None) -> bool:
        """Show blocks; tell whether the height changed. `tips` are tool tips by link."""
        self._tips = tips or {}
        if tuple(blocks) == self._blocks:
            return False
        self._blocks = tuple(blocks)
        self.setAccessibleDescription("\n".join(block.plain for block in blocks))
        has_links = any(run.link is not None for block in blocks for run in block.runs)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if has_links else Qt.FocusPolicy.NoFocus)
        return self._lay_out()

    @property
    def linked(self) -> frozenset[Hashable]:
        """The links whose words are marked."""
        return self._linked

    def set_linked(self, links: frozenset[Hashable]) -> None:
        """Mark the words of these links."""
        if links != self._linked:
            self._linked = links
            self._lay_out()

    def set_turn(self, degrees: float) -> None:
        """Turn the spinner."""
        self._turn = degrees
        if any(block.spin for block in self._blocks):
            self.update()

    def natural_height(self, width: int) -> int:
        """Height of all blocks at a width."""
        if width == self.width() and self._placed:
            return self._height
        return lay_out(self._blocks, width)[1]

    def plain_text(self) -> str:
        """The words of the cell."""
        return "\n".join(block.plain for block in self._blocks)

    def link_rect_center(self, link: Hashable) -> QPoint | None:
        """A place inside a link's first word; None if it is not shown."""
        for y in range(4, self._height, 4):
            for x in range(2, self.width(), 4):
                if self._link_at(QPoint(x, y)) == link:
                    return QPoint(x + 2, y + 2)
        return None

    def _lay_out(self) -> bool:
        before = self._height
        self._placed, self._height = lay_out(self._blocks, max(self.width(), 1), self._linked, self._focus)
        self.update()
        return before != self._height

    def _link_at(self, place: QPoint) -> Hashable | None:
        for one in self._placed:
            if one.top <= place.y() < one.top + one.height:
                return one.link_at(place.x(), place.y())
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._lay_out()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._lay_out()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(tokens().text)
        clip = event.rect()
        for one in self._placed:
            if one.top + one.height >= clip.top() and one.top <= clip.bottom():
                one.paint(painter, self.width(), self._turn)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._link_at(event.position().toPoint())
        self.setCursor(Qt.CursorShape.PointingHandCursor if over is not None else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        link = self._link_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and link is not None:
            self._focus = link
            self.link_chosen.emit(link)

    def contextMenuEvent(self, event: QEvent) -> None:
        place = event.globalPos()  # type: ignore[attr-defined]
        self.menu_asked.emit(self._link_at(self.mapFromGlobal(place)), place)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            link = self._link_at(event.pos())
            tip = self._tips.get(link, "") if link is not None else ""
            if tip:
                show_tip(event.globalPos(), tip, self)
            else:
                hide_tip()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        links = [link for one in self._placed for link in one.links()]
        key = event.key()
        if links and key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Left):
            step = 1 if key in (Qt.Key.Key_Down, Qt.Key.Key_Right) else -1
            here = links.index(self._focus) if self._focus in links else (-1 if step > 0 else 0)
            self._focus = links[(here + step) % len(links)]
            self._lay_out()
        elif self._focus is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.link_chosen.emit(self._focus)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focus = None
        self._lay_out()
        super().focusOutEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)
