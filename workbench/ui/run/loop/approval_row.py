"""A call that waits for the user, as a row of the loop card: who waits, what Allow does, the arguments, the decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from workbench.core.approvals import Consequence
from workbench.ui.run.loop.approval_fields import ArgumentField, ResultField
from workbench.ui.run.loop.waiting_row import PAD_X, PAD_Y, WaitingRow
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.check_box import CheckBox
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph, TextRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.loop.ruler import ColumnRuler

Key = tuple[str, int, int]
_SIGNS = {"does": "›", "undo": "↶", "warn": "!", "removed": "–", "added": "+"}
_OWN = (
    Consequence("does", tr("The tool is not called.")),
    Consequence("does", tr("The model gets your text as its result.")),
    Consequence("undo", tr("Your decision is recorded and replayed offline")),
)
_INKS = {"does": "text", "undo": "text2", "warn": "failed", "removed": "failed", "added": "passed"}


@dataclass(frozen=True, slots=True)
class WaitingView:
    """A waiting call as the row shows it."""

    key: Key
    loop: int
    tool: str
    arguments: dict[str, Any]
    consequences: tuple[Consequence, ...]
    alike: str
    """What further calls would have in common with it: `this path, for this run`."""
    left_s: float
    """Seconds until it is refused."""
    of_s: float


def clock_words(seconds: float) -> str:
    """Return the time left: `refused in 1:46`."""
    whole = max(0, int(seconds + 0.999))
    return tr("refused in {minutes}:{seconds:02d}", minutes=whole // 60, seconds=whole % 60)


class ApprovalRow(WaitingRow):
    """Decides one call. Focus is never moved into it by itself."""

    allowed = Signal(object, object, bool)
    """Key, edited arguments or None, and whether such calls are allowed for the rest of the run."""
    answered = Signal(object, object)
    """Key, and the result that the model gets; nothing is called."""
    refused = Signal(object, bool)
    edited = Signal(object, object)
    """Key, and the arguments as they stand, each time that they can be read."""
    height_changed = Signal()

    def __init__(self, view: WaitingView, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(ruler, parent)
        self.view = view
        self._place_words = tr("1 of 1")
        self.setAccessibleName(tr("Approval: {tool} waits for you", tool=view.tool))
        self.fields = [ArgumentField(name, value) for name, value in view.arguments.items()]
        self.fault = label("", "failed", wrap=True)
        self.fault.hide()
        self.result = ResultField()
        self.allow_button = Button(tr("Allow"), icon="check", kind="primary", keys="Ctrl+Return", on_click=self.allow)
        self.edit_button = Button(tr("Edit"), icon="pencil-simple", keys="F2", on_click=self.edit)
        self.answer_button = Button(
            tr("Answer"),
            icon="chat",
            keys="Shift+F2",
            tip=tr("Give a result without calling the tool"),
            on_click=self.answer,
        )
        self.refuse_button = Button(tr("Refuse"), icon="x", keys="Ctrl+D", on_click=self.refuse)
        self.alike = CheckBox(view.alike)
        self.alike.setAccessibleName(tr("The same for {alike}", alike=view.alike))
        self._consequences = view.consequences
        self._facts = self._fact_cell(tr("What Allow does"), view.consequences)
        self._arguments = self._argument_cell()
        self._answer = self._answer_cell()
        self._buttons = QWidget(self)
        self._buttons.setLayout(
            column(self.allow_button, self.edit_button, self.answer_button, self.refuse_button, self.alike, None, gap=6)
        )
        for button in (self.allow_button, self.edit_button, self.answer_button, self.refuse_button):
            button.setSizePolicy(button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed)
        for one in self.fields:
            one.textChanged.connect(self._on_edited)
        self.result.textChanged.connect(self._on_answer_edited)

    def _fact_cell(self, title: str, consequences: Sequence[Consequence]) -> QWidget:
        made = QWidget(self)
        lines = [
            Paragraph(
                TextRun(f"{_SIGNS[one.kind]} ", token=_INKS[one.kind], mono=one.kind in ("added", "removed")),
                TextRun(one.text, token=_INKS[one.kind], mono=one.kind in ("added", "removed")),
            )
            for one in consequences
        ]
        made.setLayout(column(label(title, "label_strong"), *lines, None, gap=4))
        return made

    def _argument_cell(self) -> QWidget:
        made = QWidget(self)
        self._given = label(tr("as the model gave them"), "label")
        head = QWidget()
        head.setLayout(row(label(tr("Arguments"), "label_strong"), None, self._given))
        parts: list[QWidget] = [head]
        for one in self.fields:
            parts += [label(one.name, "label"), one]
        if not self.fields:
            parts.append(label(tr("none"), "empty"))
        made.setLayout(column(*parts, self.fault, None, gap=4))
        return made

    def _answer_cell(self) -> QWidget:
        made = QWidget(self)
        self._read_as = label("", "label")
        head = QWidget()
        head.setLayout(row(label(tr("Result"), "label_strong"), None, self._read_as))
        made.setLayout(column(head, self.result, None, gap=4))
        made.hide()
        return made

    def show_consequences(self, consequences: tuple[Consequence, ...]) -> None:
        """Say what allowing does with the arguments as they stand."""
        if consequences != self._consequences:
            self._consequences = consequences
            self._show_facts()

    def _show_facts(self) -> None:
        old = self._facts
        if self.answering:
            self._facts = self._fact_cell(tr("What Give does"), _OWN)
        else:
            self._facts = self._fact_cell(tr("What Allow does"), self._consequences)
        old.hide()
        old.deleteLater()
        self.place()
        self._facts.show()
        self.height_changed.emit()

    # -- deciding --------------------------------------------------------------------------------------------------

    def allow(self) -> None:
        """Allow the call with the arguments as they stand, or give the result; tell what cannot be read."""
        if self.answering:
            self.answered.emit(self.view.key, self.result.value())
            return
        for one in self.fields:
            if fault := one.value()[1]:
                self._say(fault)
                one.setFocus()
                return
        edited = self._values() if any(one.edited for one in self.fields) else None
        self.allowed.emit(self.view.key, edited, self.alike.isChecked())

    def _values(self) -> dict[str, Any]:
        return {one.name: one.value()[0] for one in self.fields}

    @property
    def answering(self) -> bool:
        """The person writes the result; the tool is not called."""
        return not self._answer.isHidden()

    def answer(self) -> None:
        """Go to the result that the person gives."""
        self._show_answering(True)
        self.result.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show_answering(self, answering: bool) -> None:
        if answering == self.answering:
            return
        self._say("")
        self._answer.setVisible(answering)
        self._arguments.setVisible(not answering)
        self.allow_button.setText(tr("Give") if answering else tr("Allow"))
        self.alike.setVisible(not answering)
        self._on_answer_edited()
        self._show_facts()

    def edit(self) -> None:
        """Go to the first argument."""
        self._show_answering(False)
        if self.fields:
            self.fields[0].setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.fields[0].selectAll()

    def refuse(self) -> None:
        """Refuse the call."""
        self.refused.emit(self.view.key, self.alike.isChecked())

    def say(self, fault: str) -> None:
        """Tell why a decision was not taken."""
        self._say(fault)

    def _say(self, fault: str) -> None:
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        self.height_changed.emit()

    def _on_edited(self) -> None:
        edited = any(one.edited for one in self.fields)
        self._given.setText(tr("edited by you") if edited else tr("as the model gave them"))
        self._say("")
        if not any(one.value()[1] for one in self.fields):
            self.edited.emit(self.view.key, self._values())

    def _on_answer_edited(self) -> None:
        self._read_as.setText(tr("read as JSON") if self.result.is_json else tr("a text"))
        self.height_changed.emit()

    # -- looks -----------------------------------------------------------------------------------------------------

    def show_clock(self, left_s: float, number: int, count: int) -> None:
        """Bring the time left and the place in the queue up to date."""
        self._place_words = tr("{number} of {count}", number=number, count=count)
        self.show_left(left_s)

    def fit(self, width: int) -> None:
        """Let the fields take their width."""
        for one in (*self.fields, self.result):
            one.setFixedWidth(width)
            one.fit()

    def cells(self) -> tuple[QWidget, QWidget, QWidget]:
        """What Allow does, the arguments or the person's answer, and the decision."""
        return self._facts, self._answer if self.answering else self._arguments, self._buttons

    def paint_who(self, painter: QPainter) -> None:
        """Paint which call waits."""
        t, width = tokens(), self._ruler.widths[0] - 2 * px(PAD_X)
        line = QRect(px(PAD_X), px(PAD_Y), width, px(16))
        paint_icon(painter, "hand-palm", QRect(line.left(), line.top(), px(16), px(16)), t.accent)
        if self._ruler.narrow:
            return
        title = line.adjusted(px(20), 0, 0, 0)
        paint_text(painter, title, tr("Approval"), ui_font(bold=True), t.accent)
        paint_text(painter, line, self._place_words, ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)
        words: Sequence[tuple[str, bool]] = (
            (tr("{tool}, mode ask", tool=self.view.tool), False),
            (clock_words(self._left_s), True),
        )
        for text, bold in words:
            line.translate(0, px(18))
            paint_text(painter, line, text, ui_font(bold=bold), t.text if bold else t.text2)
        bar = self.paint_left(painter, line, self.view.of_s)
        paint_text(painter, bar.adjusted(0, px(8), 0, px(20)), tr("when the time is over"), ui_font(11), t.text2)
