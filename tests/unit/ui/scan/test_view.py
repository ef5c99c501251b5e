from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from workbench.ui.scan.matrix import FROZEN, WIDTH
from workbench.ui.scan.view import ScanView
from workbench.ui.theme.fonts import px


def test_places_come_first_then_the_scan(theme, qtbot) -> None:
    view = ScanView()
    qtbot.addWidget(view)
    view.resize(1368, 800)
    view.show()
    assert view.places.isVisible()
    assert view.places.files in view.focus_panes()
    view.show_scan(shown=True)
    assert view.sources.isVisible()
    assert len(view.focus_panes()) == 4
    for width, word, columns in (
        (952, "Keep", 1),
        (1208, "Keep", 4),
        (1368, "Keep as case", 4),
        (1848, "Keep as case", 7),
    ):
        view.resize(width, 700)
        whole = (view.findings.width() - px(FROZEN)) // px(WIDTH)
        assert whole >= columns, f"columns of the matrix that are not cut at {width}"
        assert view.findings.width() >= view.findings.minimumWidth()
        assert view.finding.keep.text() == word
        assert view.finding.keep.accessibleName() == "Keep as case"


def test_large_text_leaves_the_places_on_the_screen(theme, qtbot) -> None:
    theme.set_scale(2.0)
    view = ScanView()
    qtbot.addWidget(view)
    view.resize(1200, 700)
    view.show()
    needed = view.places.minimumSizeHint().height()
    assert max(view.minimumSizeHint().height(), view.heightForWidth(1200)) == needed
    view.show_scan(shown=True)
    assert view.minimumSizeHint().height() > 1200, "sources, findings and finding stand one under the other"


def test_files_that_are_dropped_are_told(theme, qtbot, tmp_path: Path) -> None:
    view = ScanView()
    qtbot.addWidget(view)
    told: list[list[str]] = []
    view.paths_dropped.connect(told.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path)), QUrl("https://example.org")])
    where, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, where, keys)
    view.dragEnterEvent(enter)
    assert enter.isAccepted()
    view.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, where, keys))
    assert told == [[str(tmp_path)]]
