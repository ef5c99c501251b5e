"""The editor of the boost wrapper: template on the left, the message it makes on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from workbench.core.errors import InvalidInput
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, FieldColours
from workbench.ui.widgets.frames import column, hairline, label, row, set_role
from workbench.ui.widgets.raw_pane import RawPane

if TYPE_CHECKING:
    from collections.abc import Callable


class WrapperEditor(QDialog):
    """A template that lacks a field is refused with the field's name: Use stays off until it is there."""

    chosen = Signal(object)
    """The template, or None for the default one."""

    def __init__(
        self, template: str | None, default: str, render: Callable[[str], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Boost wrapper"))
        self.setModal(True)
        self.resize(px(1040), px(640))
        self._default, self._render = default, render
        self.text = CodeEdit(tr("Boost wrapper template"))
        self.text.setLineWrapMode(CodeEdit.LineWrapMode.WidgetWidth)
        self._colours = FieldColours(self.text.document())
        self.text.setPlainText(default if template is None else template)
        self.preview = RawPane(tr("The planner's message in loop 1"))
        self.status = label("", "second", wrap=True)
        self.reset = Button(tr("Default template"), small=True, on_click=lambda: self.text.set_text(self._default))
        self.use = Button(tr("Use"), kind="primary", on_click=self._on_use)
        self.cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        left = column(row(label(tr("Template"), "section"), None, self.reset), self.text, gap=8)
        title = label(tr("What the planner gets in loop 1"), "section")
        fix_size(title, height=24)
        right = column(title, self.preview, gap=8)
        both = row(margins=(16, 14, 16, 12), gap=16)
        both.addLayout(left, 1)
        both.addWidget(hairline(vertical=True))
        both.addLayout(right, 1)
        foot = row(self.status, self.cancel, self.use, margins=(16, 10, 16, 12))
        foot.setStretch(0, 1)
        self.setLayout(column(both, hairline(), foot, gap=0))
        self.text.textChanged.connect(self._on_text)
        self._on_text()

    def _on_text(self) -> None:
        try:
            message = self._render(self.text.toPlainText())
        except InvalidInput as error:
            self.use.setEnabled(False)
            self.status.setText(str(error))
            set_role(self.status, "failed")
            return
        self.use.setEnabled(True)
        self.preview.show_text(message)
        self.status.setText(tr("All four fields are there: loop, previous_attempts, request, tools."))
        set_role(self.status, "second")

    def _on_use(self) -> None:
        text = self.text.toPlainText()
        self.chosen.emit(None if text == self._default else text)
        self.accept()
