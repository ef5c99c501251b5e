"""The page Scan: sources, findings and one finding beside each other; files that are dropped on it are read too."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QStackedWidget, QWidget

from workbench.ui.scan.finding_pane import FindingPane
from workbench.ui.scan.findings_pane import FindingsPane
from workbench.ui.scan.matrix import FROZEN, WIDTH
from workbench.ui.scan.places_pane import PlacesPane
from workbench.ui.scan.sources_pane import SourcesPane
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width
from workbench.ui.widgets.frames import column

_SOURCES, _FINDING = (200, 264), (358, 463)
"""Least and most widths of the outer parts."""
_MATRIX = FROZEN + 4 * WIDTH + 2
"""Width at which the matrix shows four columns whole: the outer parts give way to it."""
_LEGEND, _WORDS = 500, 450
"""Widths of the findings and of the finding from which on they say everything."""
_STACK_BELOW, _HEIGHTS = 920, (260, 520, 480)
"""Width of the page below which its parts stand one under the other, and their least heights then."""


class ScanView(QWidget):
    """Shows what its controller computes; asks by signals."""

    paths_dropped = Signal(list)
    """Paths as text."""

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.places = PlacesPane()
        self.sources, self.findings, self.finding = SourcesPane(), FindingsPane(), FindingPane()
        self._moved = False
        self._split = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.sources, self.findings, self.finding):
            self._split.addWidget(part)
        bound_width(self.sources, least=200)
        bound_width(self.findings, least=380)
        bound_width(self.finding, least=330)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(1, 1)
        self._split.splitterMoved.connect(self._on_moved)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.places)
        self._stack.addWidget(self._split)
        self._room = self._split.sizePolicy()
        self.setLayout(column(self._stack))
        self.show_scan(shown=False)

    @property
    def shows_scan(self) -> bool:
        """Sources and findings are on the screen, not the places to choose from."""
        return self._stack.currentIndex() == 1

    def show_scan(self, *, shown: bool) -> None:
        """Show sources and findings, or the places to choose from."""
        none = QSizePolicy.Policy.Ignored  # a stack asks for the room of what is behind, too
        self._split.setSizePolicy(self._room if shown else QSizePolicy(none, none))
        self._stack.setCurrentIndex(1 if shown else 0)

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        if not self.shows_scan:
            return [self.places.start, self.places.files]
        return [self.sources.list, self.findings.matrix.cells, self.findings.table, self.finding.raw]

    def _on_moved(self, _position: int, _index: int) -> None:
        self._moved = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = event.size().width()
        stacked = width < px(_STACK_BELOW)
        if stacked is not (self._split.orientation() is Qt.Orientation.Vertical):
            self._split.setOrientation(Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal)
            self._moved = False
        for part, least in zip((self.sources, self.findings, self.finding), _HEIGHTS, strict=True):
            part.setMinimumHeight(px(least) if stacked else 0)
        if not self._moved and not stacked:
            first = min(max(width * 19 // 100, px(_SOURCES[0])), px(_SOURCES[1]))
            last = min(width * 38 // 100, px(_FINDING[1]))
            if width - first - last < px(_MATRIX):
                first = px(_SOURCES[0])
                last = min(max(width - first - px(_MATRIX), px(_FINDING[0])), last)
            findings = max(width - first - last, 1)
            self.findings.show_narrow(narrow=findings < px(_LEGEND))
            self.finding.show_narrow(narrow=last < px(_WORDS))
            self._split.setSizes([first, findings, last])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.paths_dropped.emit(paths)
