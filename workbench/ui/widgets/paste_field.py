"""A line field that takes a whole pasted text: the text does not go into the line, it is told as one piece.

A line edit would cut it after 32,767 characters and squeeze its line ends. Ctrl+V, the context menu, the middle button and
dropping a text all come here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QClipboard, QGuiApplication, QKeySequence

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import LineField

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QMouseEvent

TYPED = 200
"""Characters of a pasted line that is put into the field as if it were typed."""


class PasteField(LineField):
    """Tells what is pasted into it; what is typed stands in it as ever."""

    pasted = Signal(str)

    def __init__(self, *, hint: str, icon_name: str, name: str = "", keep_lines: bool = False) -> None:
        """`keep_lines`: a short pasted line goes into the field too, as part of what is typed."""
        super().__init__(hint=hint, icon_name=icon_name, name=name)
        self._keep_lines = keep_lines
        self.setAcceptDrops(True)

    def take(self, text: str) -> None:
        """Tell a pasted text, or put a short line in."""
        if self._keep_lines and len(text) <= TYPED and "\n" not in text.strip():
            self.insert(text.strip())
        elif text.strip():
            self.pasted.emit(text)

    def paste_now(self) -> None:
        """Take what is on the clipboard."""
        self.take(QGuiApplication.clipboard().text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste_now()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.MiddleButton and QGuiApplication.clipboard().supportsSelection():
            self.take(QGuiApplication.clipboard().text(QClipboard.Mode.Selection))
        else:
            super().mouseReleaseEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        event.acceptProposedAction() if event.mimeData().hasText() else event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take(event.mimeData().text())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        paste = menu.findChild(QAction, "edit-paste")
        if isinstance(paste, QAction):
            paste.triggered.disconnect()
            paste.triggered.connect(self.paste_now)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


def told_size(text: str) -> str:
    """`214 lines, 18,302 characters`."""
    lines = text.strip("\n").count("\n") + 1
    shown = tr("{lines:,} lines, ", lines=lines) if lines > 1 else ""
    return tr("{shown}{text:,} characters", shown=shown, text=len(text))
