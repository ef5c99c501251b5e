"""The dialog before a fork: from which iteration on, with which prompt, tools and tool results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import column, frame, hairline, label, row, set_role
from workbench.ui.widgets.tab_order import tab_through

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROMPT, _TOOLS, _RESULT = 76, 120, 64
"""Heights of the fields."""


class ForkDialog(QDialog):
    """Opened, never executed; `forked` carries nothing, the fields are read by whoever opened it."""

    iteration_chosen = Signal(object)
    forked = Signal()

    def __init__(
        self, iterations: Sequence[tuple[str, int]], at: int, prompt: str, tools: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Fork the run"))
        self.setModal(True)
        self.resize(px(760), px(600))
        self.iteration = ComboField(name=tr("Iteration"))
        self.iteration.set_items(iterations)
        self.iteration.choose(at)
        self.iteration.value_chosen.connect(self.iteration_chosen)
        self.prompt = QPlainTextEdit(prompt)
        self.prompt.setAccessibleName(tr("Prompt"))
        self.prompt.setProperty("role", "field")
        self.prompt.setTabChangesFocus(True)
        fix_size(self.prompt, height=_PROMPT)
        self.tools = CodeEdit(tr("Tools as JSON"))
        self.tools.setPlainText(tools)
        self.tools.setTabChangesFocus(True)
        fix_size(self.tools, height=_TOOLS)
        self.results: list[QPlainTextEdit] = []
        """What the tools gave back before the iteration, as JSON, one field each."""
        self._results = QVBoxLayout()
        self._results.setContentsMargins(0, 0, 0, 0)
        self.status = label("", "second", wrap=True)
        self.fork = Button(tr("Fork"), icon="git-fork", kind="primary", keys="Ctrl+Return", on_click=self.forked.emit)
        self.fork.setShortcut("Ctrl+Return")
        self.cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        self._lay_out()
        self.prompt.setFocus()

    def _lay_out(self) -> None:
        inside = frame("surface")
        holder = QWidget()
        holder.setLayout(self._results)
        body = column(
            label(tr("Prompt"), "label_strong"), self.prompt, holder, label(tr("Tools"), "label_strong"), self.tools,
            margins=(0, 0, 8, 0), gap=6,
        )  # fmt: skip
        body.addStretch(1)
        inside.setLayout(body)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inside)
        foot = row(self.status, self.cancel, self.fork)
        foot.setStretch(0, 1)
        note = tr("What was said before the iteration stands as it was sent; what you change goes in its place.")
        head = row(label(tr("Ask again"), "label_strong"), self.iteration, None, gap=10)
        whole = column(
            label(tr("Fork the run"), "object"), label(note, "second", wrap=True), head, area, hairline(), foot,
            margins=(20, 16, 20, 14), gap=12,
        )  # fmt: skip
        whole.setStretch(3, 1)
        self.setLayout(whole)

    def show_results(self, named: Sequence[tuple[str, str]]) -> None:
        """Show the results before the chosen iteration: what each is called, and its JSON."""
        while (item := self._results.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        self.results = []
        for name, text in named:
            field = QPlainTextEdit(text)
            field.setAccessibleName(name)
            field.setProperty("role", "field")
            field.setTabChangesFocus(True)
            fix_size(field, height=_RESULT)
            self._results.addWidget(label(name, "label_strong"))
            self._results.addWidget(field)
            self.results.append(field)
        tab_through((self.prompt, *self.results, self.tools))

    def say_wrong(self, message: str) -> None:
        """Say what keeps the fork from being made; empty: nothing."""
        self.status.setText(message)
        set_role(self.status, "failed" if message else "second")
