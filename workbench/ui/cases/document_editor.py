"""A case's document: a YAML editor that names line and column of what is wrong, and what it says when read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.code_edit import CodeEdit
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row, set_role
from workbench.ui.widgets.tips import set_tip
from workbench.ui.widgets.yaml_colours import YamlColours

if TYPE_CHECKING:
    from workbench.ui.widgets.json_check import TextFault


class DocumentEditor(QFrame):
    """The text of one case with its state, Save and Revert."""

    edited = Signal()
    save_asked = Signal()
    revert_asked = Signal()
    copy_asked = Signal()

    def __init__(self, name: str = tr("Case")) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.name = ElidedLabel("", "mono_strong")
        self.note = Chip(tr("read only"), "neutral")
        self.text = CodeEdit(name)
        self.colours = YamlColours(self.text.document())
        self.status = label("", "second", wrap=True)
        self.save = Button(tr("Save"), icon="check", kind="primary", keys="Ctrl+S", on_click=self.save_asked.emit)
        self.revert = Button(tr("Revert"), icon="arrow-counter-clockwise", on_click=self.revert_asked.emit)
        self.copy = Button(tr("Duplicate to edit"), icon="copy", on_click=self.copy_asked.emit)
        head = frame("surface")
        head.setLayout(row(self.name, self.note, None, margins=(16, 0, 16, 0)))
        fix_size(head, height=44)
        inside = frame("surface")
        inside.setLayout(column(self.text, margins=(12, 8, 12, 8)))
        foot = row(self.status, self.copy, self.revert, self.save, margins=(16, 8, 16, 10))
        foot.setStretch(0, 1)
        whole = column(head, hairline(), inside, hairline(), gap=0)
        whole.setStretch(2, 1)
        whole.addLayout(foot)
        self.setLayout(whole)
        self._saved = ""
        self._filling = False
        self.text.textChanged.connect(self._on_text)

    def show_document(self, name: str, saved: str, text: str, read_only: str = "") -> None:
        """Show another document; `text` is what stands in it now, `saved` what is on disk."""
        self._saved, self._filling = saved, True
        self.name.setText(name)
        self.text.setPlainText(text)
        self._filling = False
        self.text.setReadOnly(bool(read_only))
        self.note.setVisible(bool(read_only))
        set_tip(self.note, read_only)
        self.copy.setVisible(bool(read_only))
        self.save.setVisible(not read_only)
        self.revert.setVisible(not read_only)
        self.edited.emit()

    @property
    def content(self) -> str:
        """The text as it stands."""
        return self.text.toPlainText()

    @property
    def changed(self) -> bool:
        """It differs from what is on disk."""
        return self.content != self._saved

    def show_check(self, fault: TextFault | None, words: str) -> None:
        """Underline a fault and say it with line and column, or say that all is well."""
        self.text.show_fault(fault)
        self.status.setText(fault.words(self.name.text()) if fault else words)
        set_role(self.status, "failed" if fault else "second")
        self.save.setEnabled(fault is None and self.changed)
        self.save.set_tip(fault.message if fault else tr("Save the case"))
        self.revert.setEnabled(self.changed)

    def _on_text(self) -> None:
        if not self._filling:
            self.edited.emit()
