"""A held request or reply as a row of its card: who waits, the document, what becomes of it, the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from workbench.core.json_places import line_and_column, locate
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.gateway.words import clock
from workbench.ui.run.loop.waiting_row import PAD_X, PAD_Y, WaitingRow
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, JsonColours
from workbench.ui.widgets.frames import column, label, row, set_role
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph, TextRun

if TYPE_CHECKING:
    from workbench.ui.gateway.values import HeldView
    from workbench.ui.run.loop.ruler import ColumnRuler

EDITOR = 180
"""Height of the editor; a long document scrolls."""
_CHECK_MS = 150
_PING_S = 10
_NEWEST = ("messages", "input", "contents")
"""Where a request has its turns, in each protocol."""


class HeldRow(WaitingRow):
    """Decides about one held document. Focus is never moved into it by itself."""

    released = Signal(int, object)
    """Number and edited document, or None."""
    answered = Signal(int, object)
    """Number and the reply's document."""
    refused = Signal(int)
    height_changed = Signal()

    def __init__(self, view: HeldView, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(ruler, parent)
        self.view = view
        self._left_s, self._answering = view.left_s, False
        self._drafts = {False: view.document, True: view.blank_reply}
        what = "request" if view.is_request else "reply"
        self.setAccessibleName(tr("Held {what} of exchange {exchange}", what=what, exchange=view.exchange))
        self.editor = CodeEdit(tr("Held {what}", what=what))
        self._colours = JsonColours(self.editor.document())
        self.editor.setPlainText(view.document)
        self.editor.setTabChangesFocus(True)
        self.editor.setLineWrapMode(self.editor.LineWrapMode.WidgetWidth)
        self._check_line = label("", "label")
        self._place = label("", "faint")
        self.release_button = Button(
            tr("Release"), icon="play", kind="primary", keys="Ctrl+Return", on_click=self.release
        )
        self.answer_button = Button(tr("Answer it here"), icon="pencil-simple", keys="F2", on_click=self.answer)
        self.refuse_button = Button(tr("Refuse"), icon="x", keys="Ctrl+D", on_click=self.refuse)
        self.answer_button.setVisible(view.is_request)
        for button in (self.release_button, self.answer_button, self.refuse_button):
            button.setSizePolicy(button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed)
        self._document, self._notes, self._buttons = self._document_cell(), self._note_cell(), self._button_cell()
        self._check = Throttle(_CHECK_MS, self._show_check, self)
        self.editor.textChanged.connect(self._check.request)
        self.editor.cursorPositionChanged.connect(self._show_place)
        self._show_check()
        self._to_newest()

    def _document_cell(self) -> QWidget:
        made = QWidget(self)
        fix_size(self.editor, height=EDITOR)
        foot = row(self._check_line, None, self._place)
        made.setLayout(column(self.editor, foot, gap=4))
        return made

    def _note_cell(self) -> QWidget:
        made = QWidget(self)
        title = tr("Changed on the way") if self.view.is_request else tr("Before it goes to the agent")
        lines = [
            Paragraph(TextRun(_sign(note), token="text3"), TextRun(note, token="text2")) for note in self.view.notes
        ]
        if not lines:
            lines = [Paragraph(TextRun(tr("Nothing of it has reached the agent."), token="text2"))]
        made.setLayout(column(label(title, "label_strong"), *lines, None, gap=4))
        return made

    def _button_cell(self) -> QWidget:
        made = QWidget(self)
        sees = tr("the agent sees a 503")
        if self.view.streams:
            sees = tr("{sees}; once it was pinged, in its stream", sees=sees)
        self._sees = Paragraph(TextRun(sees, token="text3"), size=11)
        made.setLayout(column(self.release_button, self.answer_button, self.refuse_button, self._sees, None, gap=6))
        return made

    # -- deciding --------------------------------------------------------------------------------------------------

    def release(self) -> None:
        """Let it go on with the document as it stands; tell what cannot be read."""
        text = self.editor.toPlainText()
        if read_json(text)[1] is not None:
            self._show_check()
            self.editor.setFocus()
        elif self._answering:
            self.answered.emit(self.view.number, text)
        else:
            self.released.emit(self.view.number, None if text == self.view.document else text)

    def answer(self) -> None:
        """Write the reply in place of the request, or go back to the request; both keep what was typed."""
        if not self.view.is_request:
            return
        self._drafts[self._answering] = self.editor.toPlainText()
        self._answering = not self._answering
        self.editor.setPlainText(self._drafts[self._answering])
        self.editor.setAccessibleName(tr("Answer") if self._answering else tr("Held request"))
        self.release_button.setText(tr("Answer") if self._answering else tr("Release"))
        self.release_button.set_tip(self.release_button.text())
        self.answer_button.setText(tr("Back") if self._answering else tr("Answer it here"))
        self.answer_button.set_tip(
            tr("Back to the held request") if self._answering else tr("Write the reply in place of the model")
        )
        self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def refuse(self) -> None:
        """Refuse it."""
        self.refused.emit(self.view.number)

    def say(self, fault: str) -> None:
        """Tell why a decision was not taken."""
        set_role(self._check_line, "failed")
        self._check_line.setText(fault)

    @property
    def edited(self) -> bool:
        """Something else than what came stands in the editor."""
        return self._answering or self.editor.toPlainText() != self.view.document

    def _show_check(self) -> None:
        _, fault = read_json(self.editor.toPlainText())
        self.editor.show_fault(fault)
        set_role(self._check_line, "failed" if fault else "label")
        can = tr("can be given") if self._answering or not self.view.is_request else tr("can be sent")
        self._check_line.setText(fault.words("JSON") if fault else f"✓ {can}{', edited' if self.edited else ''}")
        self.release_button.setEnabled(fault is None)

    def _show_place(self) -> None:
        cursor = self.editor.textCursor()
        self._place.setText(f"{cursor.blockNumber() + 1}:{cursor.positionInBlock() + 1}")

    def _to_newest(self) -> None:
        """Show the newest turn of a request: what came before was seen already."""
        self._show_place()
        value, _ = read_json(self.view.document)
        name = next((one for one in _NEWEST if isinstance(value, dict) and isinstance(value.get(one), list)), "")
        if self.view.is_request and name and value[name]:
            offset = locate(self.view.document, (name, len(value[name]) - 1))
            line, _ = line_and_column(self.view.document, offset)
            block = self.editor.document().findBlockByNumber(line - 1)
            cursor = self.editor.textCursor()
            cursor.setPosition(block.position())
            self.editor.setTextCursor(cursor)
            self.editor.centerCursor()

    # -- looks -----------------------------------------------------------------------------------------------------

    def cells(self) -> tuple[QWidget, QWidget, QWidget]:
        """The document, what becomes of it, and the decision."""
        return self._document, self._notes, self._buttons

    def paint_who(self, painter: QPainter) -> None:
        """Paint what is held, and what the agent sees meanwhile."""
        t, width = tokens(), self._ruler.widths[0] - 2 * px(PAD_X)
        line = QRect(px(PAD_X), px(PAD_Y), width, px(16))
        paint_icon(painter, "hourglass", QRect(line.left(), line.top(), px(16), px(16)), t.accent)
        if self._ruler.narrow:
            paint_text(painter, line.translated(0, px(20)), clock(self._left_s), ui_font(bold=True), t.text)
            return
        title = tr("Held request") if self.view.is_request else tr("Held reply")
        paint_text(painter, line.adjusted(px(20), 0, 0, 0), title, ui_font(bold=True), t.accent)
        waits = (
            [tr("the agent gets a ping"), tr("each {ping_s} s", ping_s=_PING_S)]
            if self.view.streams
            else [tr("the agent waits")]
        )
        for words in waits:
            line.translate(0, px(18))
            paint_text(painter, line, words, ui_font(), t.text2)
        line.translate(0, px(18))
        paint_text(painter, line, tr("goes on in {left_s}", left_s=clock(self._left_s)), ui_font(bold=True), t.text)
        self.paint_left(painter, line, self.view.of_s)


def _sign(note: str) -> str:
    return "–  " if note.startswith("left out") else "→  "
