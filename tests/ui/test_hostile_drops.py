"""Texts, files and addresses of the worst kind, dropped on and pasted into everything that takes them: no markup, nothing opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from tests.kit.gui import open_window
from tests.kit.hostile import HOSTILE, MARKUP
from tests.kit.hostile_window import check_window
from tests.kit.waiting import until
from workbench.ui.main.pages import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit)


def _rich() -> QMimeData:
    """A selection of a browser: markup, and the same as text."""
    data = QMimeData()
    data.setHtml("".join(MARKUP) + "<b>bold</b>")
    data.setText(HOSTILE)
    return data


def _markup_alone() -> QMimeData:
    data = QMimeData()
    data.setHtml("".join(MARKUP))
    return data


def _addresses(tmp_path: Path) -> QMimeData:
    """A file, one that is not there, a folder, a device, a share, other schemes, and names that are markup."""
    inside = tmp_path / "dropped"
    inside.mkdir(exist_ok=True)
    (inside / "a<img src='x'>\u202e\x1b[31m.txt").write_text(HOSTILE.encode("utf-8", "replace").decode(), "utf-8")
    local = ("/nowhere/bait.png", str(inside), str(inside / "none"), "/dev/zero", "/dev/stdin", f"/{'a/' * 900}")
    others = (
        "http://127.0.0.1:9/bait",
        "javascript:alert(1)",
        "data:text/html,<img src=/nowhere/bait.png>",
        "smb://server/share",
        "file://server/share/bait.png",
    )
    data = QMimeData()
    data.setUrls([*map(QUrl.fromLocalFile, local), *map(QUrl, others)])
    return data


def _no_text() -> QMimeData:
    """A picture, a colour, and data of a kind that nobody knows."""
    data = QMimeData()
    data.setImageData(QImage(8, 8, QImage.Format.Format_RGB32))
    data.setColorData(QColor("red"))
    data.setData('application/x-qt-windows-mime;value="x"', b"\xff\x00" * 50)
    data.setData("text/plain", b"\xff\xfe\x00")
    return data


def _long() -> QMimeData:
    data = QMimeData()
    data.setText(f"{MARKUP[0] * 500}\n\x00\u2029\ud83d")
    return data


def _takers(window: QWidget) -> Iterator[QWidget]:
    for widget in [window, *window.findChildren(QWidget)]:
        if widget.isVisible() and widget.acceptDrops():
            yield widget


def _drop(taker: QWidget, data: QMimeData) -> None:
    place, actions = QPoint(taker.width() // 2, taker.height() // 2), Qt.DropAction.CopyAction
    more: Any = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(place, actions, data, *more)
    QApplication.sendEvent(taker, enter)
    if enter.isAccepted():
        QApplication.sendEvent(taker, QDragMoveEvent(place, actions, data, *more))
        QApplication.sendEvent(taker, QDropEvent(place.toPointF(), actions, data, *more))


def _paste(field: QWidget, data: QMimeData) -> None:
    QGuiApplication.clipboard().setMimeData(data)
    assert isinstance(field, _TEXTS)
    field.paste()
    field.undo()


def test_hostile_drops_and_pastes_on_every_page(theme, run_async, home: Path, tmp_path: Path, leak_check) -> None:
    kinds = (_rich, _markup_alone, lambda: _addresses(tmp_path), _no_text, _long)

    async def body() -> None:
        async with open_window(theme, home) as session:
            window, taken = session.window, 0
            for key in PAGES:
                window.go(key)
                await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])
                for make in kinds:
                    for taker in list(_takers(window)):
                        field = taker.parentWidget() if isinstance(taker.parentWidget(), QAbstractScrollArea) else taker
                        _drop(taker, make())
                        taken += 1
                        if isinstance(field, _TEXTS) and not field.isReadOnly():
                            _paste(field, make())
                    await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])
                    window.go(key)
                check_window(window, key)
            assert taken > 100

    run_async(body())
