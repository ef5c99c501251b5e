"""Questions to the user as awaitables: dialogs are opened, never executed, so that tasks go on meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.shown_text import shown_line

if TYPE_CHECKING:
    from collections.abc import Callable


async def opened(dialog: QDialog) -> bool:
    """Open a dialog and wait until it is closed; tell whether it was accepted. The dialog is deleted afterwards."""
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def _on_finished(code: int) -> None:
        if not answer.done():
            answer.set_result(code == QDialog.DialogCode.Accepted.value)

    dialog.finished.connect(_on_finished)
    dialog.open()
    try:
        return await answer
    finally:
        dialog.close()
        dialog.deleteLater()


def resize_within(dialog: QDialog, width: int, height: int) -> None:
    """Give a dialog its size, no wider or higher than the window that it stands before: large text makes both larger."""
    if (parent := dialog.parentWidget()) is not None:
        width, height = min(width, parent.window().width()), min(height, parent.window().height())
    dialog.resize(width, height)


async def ask_open_file(parent: QWidget, title: str, kinds: str = tr("All files (*)"), folder: str = "") -> Path | None:
    """Ask for an existing file."""
    return await _ask_path(QFileDialog(parent, title, folder, kinds), QFileDialog.FileMode.ExistingFile)


async def ask_open_files(parent: QWidget, title: str, kinds: str = tr("All files (*)"), folder: str = "") -> list[Path]:
    """Ask for existing files; none if the user went back."""
    return await _ask_paths(QFileDialog(parent, title, folder, kinds), QFileDialog.FileMode.ExistingFiles)


async def ask_folder(parent: QWidget, title: str, folder: str = "") -> Path | None:
    """Ask for an existing folder."""
    return await _ask_path(QFileDialog(parent, title, folder), QFileDialog.FileMode.Directory)


async def ask_save_file(parent: QWidget, title: str, name: str, kinds: str = tr("All files (*)")) -> Path | None:
    """Ask where to write a file; an existing one is confirmed by the dialog."""
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    return await _ask_path(dialog, QFileDialog.FileMode.AnyFile)


async def _ask_path(dialog: QFileDialog, mode: QFileDialog.FileMode) -> Path | None:
    chosen = await _ask_paths(dialog, mode)
    return chosen[0] if chosen else None


async def _ask_paths(dialog: QFileDialog, mode: QFileDialog.FileMode) -> list[Path]:
    dialog.setFileMode(mode)
    chosen: list[str] = []
    dialog.filesSelected.connect(chosen.extend)
    return [Path(one) for one in chosen] if await opened(dialog) else []


class QuestionDialog(QDialog):
    """A sentence, an optional field, and two buttons; Enter takes the first, Esc the second."""

    def __init__(self, parent: QWidget | None, title: str, text: str, yes: str, *, field: str | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(shown_line(title))
        self.setModal(True)
        bound_width(self, least=420)
        accept = Button(yes, kind="primary", on_click=self.accept)
        accept.setDefault(True)
        self.accept_button = accept
        self.cancel_button = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        body = label(text, "body", wrap=True)
        box = column(label(title, "object"), body, margins=(20, 18, 20, 18), gap=12)
        self.field: LineField | None = None
        if field is not None:
            self.field = LineField(field, name=title)
            self.field.selectAll()
            box.addWidget(self.field)
        box.addLayout(row(None, self.cancel_button, accept))
        self.setLayout(box)
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)


async def confirm(parent: QWidget | None, title: str, text: str, yes: str) -> bool:
    """Ask whether to go on; `yes` names what will happen."""
    return await opened(QuestionDialog(parent, title, text, yes))


async def ask_text(parent: QWidget | None, title: str, text: str, yes: str, value: str = "") -> str | None:
    """Ask for one line of text; None if the user went back."""
    question = QuestionDialog(parent, title, text, yes, field=value)
    field = question.field
    assert field is not None
    read: Callable[[], str] = field.text
    found: list[str] = []
    question.accepted.connect(lambda: found.append(read()))
    return found[0] if await opened(question) and found else None
