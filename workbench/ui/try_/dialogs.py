"""Smaller windows of Try: the whole of a long text, and the earlier messages of a conversation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from workbench.core.errors import InvalidInput
from workbench.core.json_places import locate
from workbench.core.messages import message_from_openai
from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, JsonColours
from workbench.ui.widgets.frames import column, hairline, label, row, set_role
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.quantities import size
from workbench.ui.widgets.shown_text import ShownText, shown_line

if TYPE_CHECKING:
    from workbench.core.messages import Message


class _LongLines(QPlainTextEdit):
    """A text whose very long lines are broken for display: laying out one of 50 MB stops the window. It is copied as it is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._shown = ShownText()
        self.setPlainText("".join(insert.text for insert in self._shown.append("text", text)))

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor, data = self.textCursor(), QMimeData()
        data.setText(self._shown.copied(cursor.selectionStart(), cursor.selectionEnd()))
        return data


class WholeText(QDialog):
    """A long text in a view that lays out only what is seen."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(shown_line(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(px(900), px(640))
        self.text = _LongLines(text)
        self.text.setProperty("role", "pane")
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(mono_font())
        self.text.setAccessibleName(title)
        close = Button(tr("Close"), keys="Esc", on_click=self.reject)
        head = row(
            label(title, "section"), label(f"{size(len(text.encode('utf-8', 'replace')))}", "second"), None, close
        )
        self.setLayout(column(head, hairline(), self.text, margins=(16, 12, 8, 8), gap=8))


class MessagesEditor(QDialog):
    """The turns between the system text and the last user message, as OpenAI-style JSON."""

    chosen = Signal(object)
    """A tuple of `Message`."""

    def __init__(self, messages: tuple[Message, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Earlier messages"))
        self.setModal(True)
        self.resize(px(820), px(560))
        self._messages = messages
        self.text = CodeEdit("messages.json")
        self._colours = JsonColours(self.text.document())
        self.text.setPlainText(json.dumps([one.to_openai() for one in messages], ensure_ascii=False, indent=2))
        self._untouched = self.text.toPlainText()
        self.status = label("", "second", wrap=True)
        self.use = Button(tr("Use"), kind="primary", on_click=self._on_use)
        self.cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        foot = row(self.status, self.cancel, self.use)
        foot.setStretch(0, 1)
        self.setLayout(
            column(label(tr("Earlier messages"), "section"), self.text, foot, margins=(16, 14, 16, 12), gap=10)
        )
        self.text.textChanged.connect(self._on_text)
        self._on_text()

    def _on_text(self) -> None:
        value, fault = read_json(self.text.toPlainText())
        words = fault.words("messages.json") if fault else ""
        if fault is None and not words:
            words = self._read(value)
        self.text.show_fault(fault)
        self.use.setEnabled(not words)
        self.status.setText(words or tr("{messages} messages", messages=len(self._messages)))
        set_role(self.status, "failed" if words else "second")

    def _read(self, value: object) -> str:
        if not isinstance(value, list):
            return tr("messages.json: a list is expected")
        if self.text.toPlainText() == self._untouched:
            return ""
        read = []
        for number, item in enumerate(value):
            try:
                read.append(message_from_openai(item, f"messages[{number}]"))
            except InvalidInput as error:
                line = self.text.toPlainText().count("\n", 0, locate(self.text.toPlainText(), (number,))) + 1
                return tr("messages.json line {line}: {error}", line=line, error=error)
        self._messages = tuple(read)
        return ""

    def _on_use(self) -> None:
        self.chosen.emit(self._messages)
        self.accept()
