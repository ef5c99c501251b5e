"""Where the inspector stands: beside the loop in a wide window, as a drawer over the loop in a narrow one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame

from workbench.ui.theme.fonts import px
from workbench.ui.theme.tokens import Sizes
from workbench.ui.widgets.frames import frame, hairline, row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QSplitter, QWidget

    from workbench.ui.run.inspector.panel import Inspector

ROOM_BESIDE = 1300
"""Width of the page from which the inspector is beside the loop unless the user folded it."""
WIDEST = 900
TABS = ("wire", "timing", "forensics", "chunks")


class InspectorPlace(QObject):
    """Moves the inspector between splitter and drawer, and remembers what the user wants of it.

    Beside the loop it stays as the user left it, also over a restart. The drawer is closed at first: it covers what is
    compared, so it is there only while it is wanted.
    """

    folded = Signal(bool)

    def __init__(self, page: QWidget, split: QSplitter, inspector: Inspector, under: QWidget) -> None:
        super().__init__(page)
        self._page, self._split, self._inspector, self._under = page, split, inspector, under
        self._wanted = True
        self._width = 0
        self._drawer = frame("surface")
        self._drawer.setParent(page)
        self._drawer.setObjectName("drawer")
        edge = hairline(vertical=True)
        edge.setProperty("role", "hairline2")
        self._inside = row(edge, gap=0)
        self._drawer.setLayout(self._inside)
        self._drawer.hide()
        split.splitterMoved.connect(self._on_moved)
        under.installEventFilter(self)

    @property
    def is_drawer(self) -> bool:
        """The inspector lies over the loop, or would."""
        return self._drawer.isAncestorOf(self._inspector)

    @property
    def is_open(self) -> bool:
        """The inspector can be seen."""
        return self._inspector.isVisibleTo(self._page)

    @property
    def drawer(self) -> QFrame:
        """What covers the loop in a narrow window."""
        return self._drawer

    def set_open(self, wanted: bool) -> None:
        """Show or fold the inspector because the user wants it so."""
        if not self.is_drawer:
            self._wanted = wanted
        self._show(wanted)

    def fit(self, width: int) -> None:
        """Take the place that a page of this width has for it."""
        beside = width >= px(ROOM_BESIDE)
        if beside and (self.is_drawer or not self._split.isAncestorOf(self._inspector)):
            self._inside.removeWidget(self._inspector)
            self._drawer.hide()
            self._split.addWidget(self._inspector)
            self._split.setStretchFactor(1, 0)
            self._show(self._wanted)
        elif not beside and not self.is_drawer:
            self._inside.addWidget(self._inspector, 1)
            self._show(False)
        self.place_drawer()

    def _show(self, wanted: bool) -> None:
        before = self.is_open
        if self.is_drawer:
            self._inspector.setVisible(True)
            self._drawer.setVisible(wanted)
            self.place_drawer()
            if wanted:
                self._drawer.raise_()
        else:
            self._inspector.setVisible(wanted)
            if wanted:
                width = self._width or px(Sizes.INSPECTOR)
                self._split.setSizes([max(self._page.width() - width - 1, 1), width])
        if before is not wanted:
            self.folded.emit(not wanted)

    def place_drawer(self) -> None:
        """Cover the right part of the loop, and no more: composer and verdict stay."""
        if self.is_drawer:
            width = min(px(Sizes.INSPECTOR) + px(40), self._page.width() * 6 // 10)
            top = self._under.mapTo(self._page, self._under.rect().topLeft()).y()
            self._drawer.setGeometry(self._page.width() - width, top, width, self._under.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not self._drawer.isHidden():
            self.place_drawer()
        return super().eventFilter(watched, event)

    def _on_moved(self, _position: int, _index: int) -> None:
        if self._split.orientation() is Qt.Orientation.Horizontal and self._split.count() > 1:
            self._width = self._split.sizes()[1]

    def state(self) -> dict[str, object]:
        """What to keep for the next start."""
        kept: dict[str, object] = {"inspector": self._wanted, "tab": self._inspector.tabs.current}
        return kept | ({"inspector_width": self._width} if self._width else {})

    def restore(self, state: Mapping[str, object]) -> None:
        """Take what was kept; what does not fit is passed over."""
        wanted, width, tab = state.get("inspector"), state.get("inspector_width"), state.get("tab")
        if isinstance(width, int) and not isinstance(width, bool) and 0 < width <= WIDEST:
            self._width = width
        if isinstance(tab, str) and tab in TABS:
            self._inspector.tabs.choose(tab)
        if isinstance(wanted, bool):
            self._wanted = wanted
        if not self.is_drawer:
            self._show(self._wanted)
