"""This will leave the machine: every file of an export as it would be written, before anything is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QStringListModel, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QSplitter, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.dialogs import resize_within
from workbench.ui.widgets.frames import column, hairline, label, row, set_role
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.quantities import counted, size
from workbench.ui.widgets.rows import RowDelegate, RowList
from workbench.ui.widgets.shown_text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence


MOST_TOLD = 3
"""What is left out, in so many lines."""


class FilePreview(NamedTuple):
    """One file as it would be written."""

    path: str
    text: str
    size: int
    """Bytes."""


class _FileDelegate(RowDelegate):
    def __init__(self, parent: ExportPreview) -> None:
        super().__init__(28, parent)
        self._dialog = parent

    def paint_cell(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex, *, chosen: bool
    ) -> None:
        one, t = self._dialog.files[index.row()], tokens()
        right = QRect(rect.right() - px(64), rect.top(), px(56), rect.height())
        paint_text(painter, right, size(one.size), ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)
        room = rect.adjusted(px(12), 0, -px(72), 0)
        middle = Qt.TextElideMode.ElideMiddle
        paint_text(painter, room, one.path, mono_font(11, bold=chosen), t.text, elide=middle)


class ExportPreview(QDialog):
    """Files at the left, the chosen one's text at the right."""

    write_asked = Signal()

    def __init__(
        self,
        title: str,
        summary: str,
        files: Sequence[FilePreview],
        parent: QWidget | None = None,
        *,
        left_out: Sequence[str] = (),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export"))
        self.setModal(True)
        resize_within(self, px(980), px(640))
        self.files = tuple(files)
        total = size(sum(one.size for one in files))
        self.notice = Paragraph(
            TextRun(tr("This will leave the machine. "), bold=True),
            TextRun(tr("{summary}: {files}, {total}. Known keys were looked for in every file and none was found; prompts, replies and tool results are in it as recorded.", summary=summary, files=counted(len(files), "file"), total=total)),
            *([TextRun(tr(" Left out: {left_out}.", left_out=_listed(left_out)))] if left_out else []),
        )  # fmt: skip
        self.list = RowList(tr("Files"))
        self.list.setItemDelegate(_FileDelegate(self))
        self.list.setModel(QStringListModel([one.path for one in files], self.list))
        self.list.row_chosen.connect(self._on_row)
        self.text = QPlainTextEdit()
        self.text.setProperty("role", "pane")
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(mono_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(tr("Text of the file"))
        self.text.setCornerWidget(QWidget())
        self.status = label(tr("Nothing is written yet."), "second", wrap=True)
        self.write = Button(tr("Write …"), icon="export", kind="primary", on_click=self.write_asked.emit)
        self.cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(self.text)
        split.setSizes([px(300), px(640)])
        foot = row(self.status, self.cancel, self.write)
        foot.setStretch(0, 1)
        head = column(label(title, "object"), self.notice, gap=6)
        whole = column(head, hairline(), split, hairline(), foot, margins=(20, 16, 20, 14), gap=10)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self.list.choose_row(0)

    def show_problem(self, words: str) -> None:
        """Say why it was not written."""
        self.status.setText(words)
        set_role(self.status, "failed")

    def _on_row(self, at: int) -> None:
        if 0 <= at < len(self.files):
            self.text.setPlainText(visible(self.files[at].text))


def _listed(left_out: Sequence[str]) -> str:
    """The first few; the command line's --json has all."""
    told = "; ".join(left_out[:MOST_TOLD])
    return (
        told
        if len(left_out) <= MOST_TOLD
        else tr("{told}; and {left_out} more", told=told, left_out=len(left_out) - MOST_TOLD)
    )
