"""Text fields of the composer: one that grows to eight lines, and the system text that opens on a click."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.painting import paint_box, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.tips import set_tip

MOST_LINES = 8


class GrowingField(QPlainTextEdit):
    """Grows with its text up to eight lines, then scrolls. Tab leaves the field."""

    left = Signal()
    """The keyboard went elsewhere."""

    def __init__(self, name: str, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "field")
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self.fit)
        self._take_size()

    def _take_size(self) -> None:
        self.setFont(ui_font(13))
        self.document().setDocumentMargin(px(2))
        self.fit()

    def text(self) -> str:
        """The text."""
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Replace the text as one step that can be undone."""
        if text != self.toPlainText():
            cursor = self.textCursor()
            cursor.beginEditBlock()
            cursor.select(cursor.SelectionType.Document)
            cursor.insertText(text)
            cursor.endEditBlock()

    def fit(self) -> None:
        """Take the height that the text needs."""
        pitch = QFontMetrics(ui_font(13)).lineSpacing()
        lines = self._lines()
        shown = min(lines, MOST_LINES)
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if lines > MOST_LINES else policy.ScrollBarAlwaysOff)
        height = shown * pitch + px(16)
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)

    def _lines(self) -> int:
        """Lines as they are wrapped now, counted as far as they matter: a text that came in unseen is not laid out yet."""
        layout, block, lines = self.document().documentLayout(), self.document().firstBlock(), 0
        while block.isValid() and lines <= MOST_LINES:
            layout.blockBoundingRect(block)
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return max(1, lines)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._take_size()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.left.emit()


class ClosedText(QAbstractButton):
    """One line of a longer text; a click or a key opens the field. A button to assistive technology."""

    opened = Signal()

    def __init__(self, name: str, hint: str) -> None:
        super().__init__()
        self._text, self._hint, self._name = "", hint, name
        self.clicked.connect(self.opened)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def set_text(self, text: str) -> None:
        """Show another text."""
        self._text = text
        set_tip(self, text if len(text) > 80 else "")
        self.setAccessibleDescription(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(60), px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        if self.underMouse():
            paint_box(painter, self.rect(), ground=t.hover)
        line = " ".join(self._text.split()) or self._hint
        colour = t.text2 if self._text.strip() else t.text3
        paint_text(painter, self.rect().adjusted(0, 0, -px(4), 0), line, ui_font(), colour)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.opened.emit()
        else:
            super().keyPressEvent(event)
