"""This would leave the machine: an upstream report in its receiver's form, to be read, edited, copied or saved. Nothing is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QScrollArea, QSplitter, QStackedWidget, QWidget

from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.dialogs import resize_within
from workbench.ui.widgets.fields import ComboField, LineField
from workbench.ui.widgets.frames import column, frame, hairline, label, row, set_role
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.states import Spinner

if TYPE_CHECKING:
    from collections.abc import Sequence


class ShownReport(NamedTuple):
    """A report as the sheet shows it."""

    title: str
    body: str
    new_issue: str
    """Address of the receiver's form; empty where that is not known."""
    beside: tuple[tuple[str, tuple[str, ...]], ...]
    """What stands beside it: headings with their lines."""


class UpstreamSheet(QDialog):
    """Receiver, title and text at the left; what to add, what to look at and words to search for at the right."""

    receiver_chosen = Signal(str)
    copy_asked = Signal()
    save_asked = Signal()
    form_asked = Signal()
    """The receiver's form is wanted, in the browser."""
    stop_asked = Signal()
    """No smaller reply is looked for; the smallest so far is taken."""

    def __init__(self, receivers: Sequence[tuple[str, str]], chosen: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Report upstream"))
        self.setModal(True)
        resize_within(self, px(1040), px(680))
        self.receiver = ComboField("for", name=tr("Receiver"), icon_name="bug")
        self.receiver.set_items([(title, name) for name, title in receivers])
        self.receiver.choose(chosen)
        self.receiver.value_chosen.connect(lambda value: self.receiver_chosen.emit(str(value)))
        self.title = LineField(name=tr("Title of the report"))
        self.text = QPlainTextEdit()
        self.text.setProperty("role", "pane")
        self.text.setFont(mono_font())
        self.text.setAccessibleName(tr("Text of the report, in Markdown"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setTabChangesFocus(True)
        self.status = label("", "second", wrap=True)
        self.copy = Button(tr("Copy"), icon="copy", kind="primary", keys="Ctrl+Return", on_click=self.copy_asked.emit)
        self.copy.setShortcut("Ctrl+Return")
        self.copy.setDefault(True)
        self.save = Button(tr("Save …"), icon="export", keys="Ctrl+S", on_click=self.save_asked.emit)
        self.save.setShortcut("Ctrl+S")
        self.form = Button(tr("Open the form"), icon="arrow-square-out", tip="", on_click=self.form_asked.emit)
        self.cancel = Button(tr("Close"), keys="Esc", on_click=self.reject)
        self.stop = Button(tr("Take the smallest so far"), icon="x", small=True, on_click=self.stop_asked.emit)
        self.working = label("", "second")
        self._side = QScrollArea()
        self._side.setWidgetResizable(True)
        self._side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._side.setAccessibleName(tr("Before it is sent"))
        self._lay_out()

    def _lay_out(self) -> None:
        notice = Paragraph(
            TextRun(tr("Nothing is sent from here. "), bold=True),
            TextRun(tr("Read it before it leaves: known keys and what looks like one are stars; prompts, replies and tools are"
                " in it as recorded.")),
        )  # fmt: skip
        top = row(self.receiver, self.title)
        top.setStretch(1, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self.text)
        split.addWidget(self._side)
        split.setSizes([px(680), px(300)])
        busy = frame("surface")
        busy.setLayout(column(None, row(None, Spinner(), self.working, None), row(None, self.stop, None), None))
        self._stack = QStackedWidget()
        self._stack.addWidget(split)
        self._stack.addWidget(busy)
        foot = row(self.status, self.cancel, self.form, self.save, self.copy)
        foot.setStretch(0, 1)
        head = column(label(tr("Report upstream"), "object"), notice, gap=6)
        whole = column(head, top, hairline(), self._stack, hairline(), foot, margins=(20, 16, 20, 14), gap=10)
        whole.setStretch(3, 1)
        self.setLayout(whole)

    @property
    def shows_report(self) -> bool:
        """A report stands there, to be copied or saved."""
        return self._stack.currentIndex() == 0 and self.copy.isEnabled()

    def show_working(self, words: str) -> None:
        """A report is being made."""
        self.working.setText(words)
        self._stack.setCurrentIndex(1)
        self._enable(False)

    def _enable(self, on: bool) -> None:
        for button in (self.copy, self.save):
            button.setEnabled(on)
        self.form.setEnabled(on)
        self.title.setEnabled(on)

    def show_report(self, report: ShownReport) -> None:
        """Show a report."""
        self._stack.setCurrentIndex(0)
        self._enable(True)
        self.title.setText(report.title)
        self.title.setCursorPosition(0)
        self.text.setPlainText(report.body)
        self.form.setVisible(bool(report.new_issue))
        self.form.set_tip(report.new_issue)
        inside = frame("surface")
        inside.setLayout(column(*self._beside(report), None, margins=(16, 4, 8, 8), gap=8))
        self._side.setWidget(inside)
        self.show_status(tr("Copy takes title and text as they stand here."), failed=False)
        self.copy.setFocus()

    @staticmethod
    def _beside(report: ShownReport) -> list[QWidget]:
        parts: list[QWidget] = []
        for title, words in report.beside:
            if words:
                parts.append(label(title, "label_strong"))
                parts += [Paragraph(TextRun(one.replace("`", ""))) for one in words]
        return parts

    def show_problem(self, words: str) -> None:
        """Say why there is no report."""
        self._stack.setCurrentIndex(0)
        self._enable(False)
        self.text.setPlainText("")
        self.show_status(words, failed=True)

    def show_status(self, words: str, *, failed: bool) -> None:
        """Say what happened."""
        self.status.setText(words)
        set_role(self.status, "failed" if failed else "second")
