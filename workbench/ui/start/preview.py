"""The panel beside the recorded failures: what happened, the texts, where, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout

from workbench.ui.run.glance_pane import GlancePane
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_height, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip, ChipKind
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph, TextRun

if TYPE_CHECKING:
    from workbench.ui.run.glance import Glance
    from workbench.ui.start.rows import ExampleLine

_CHIPS: dict[str, ChipKind] = {"fail": "problem", "error": "error", "cancelled": "cancelled"}


class ExamplePreview(QFrame):
    """Shows one recording."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.mark = VerdictLabel("fail", word=False)
        self.title = ElidedLabel("", "section")
        self._head = row(self.mark, self.title, margins=(16, 0, 12, 0), gap=8)
        self._head.setStretch(1, 1)
        self._chip: Chip | None = None
        head = frame("surface")
        head.setLayout(self._head)
        fix_size(head, height=40)
        self.explanation = Paragraph()
        told = frame("surface")
        told.setLayout(column(self.explanation, margins=(16, 12, 16, 12)))
        self.glance = GlancePane()
        self.glance.add_above(hairline())
        self.glance.add_above(told)
        self._add_places()
        self.note = label("", "second")
        self.note.setWordWrap(True)
        self.open_button = Button(tr("Open in Try"), icon="play", kind="primary", keys="Return")
        self.reparse_button = Button(tr("Re-parse"), icon="arrow-clockwise", keys="P")
        foot = frame("surface")
        foot.setLayout(row(self.open_button, self.reparse_button, None, margins=(16, 0, 12, 0)))
        bound_height(foot, 50)
        self.setLayout(column(head, hairline(), self.glance, hairline(), foot, gap=0))

    def _add_places(self) -> None:
        box = frame("surface")
        grid = QGridLayout()
        grid.setContentsMargins(16, 10, 16, 10)
        grid.setHorizontalSpacing(px(16))
        grid.setColumnMinimumWidth(0, px(64))
        grid.setColumnStretch(1, 1)
        self.places = {}
        for number, name in enumerate((tr("Where"), tr("Next"), tr("Parser"))):
            value = label("", "second", wrap=True)
            title = label(name, "label")
            grid.addWidget(title, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, number, 1)
            self.places[name] = (title, value)
        box.setLayout(grid)
        self.glance.add_below(box)

    def show_line(self, line: ExampleLine) -> None:
        """Show what the list knows; the texts follow."""
        self.mark.set_state(line.state)
        self.title.setText(line.title)
        self._show_chip(line)
        self.explanation.show_runs([TextRun(line.headline, bold=True), TextRun(f" {line.what}")])
        self._set_place(tr("Where"), line.where)
        self._set_place(tr("Next"), line.next)
        self._set_place(tr("Parser"), "")

    def _show_chip(self, line: ExampleLine) -> None:
        if self._chip is not None:
            self._head.removeWidget(self._chip)
            self._chip.hide()
            self._chip.deleteLater()
        word = line.code.rpartition(".")[2].replace("_", " ")
        kind = _CHIPS.get(line.state, "plain")
        self._chip = Chip(word, kind, tip=line.code) if word else None
        if self._chip is not None:
            self._head.addWidget(self._chip)

    def _set_place(self, name: str, text: str) -> None:
        title, value = self.places[name]
        value.setText(text)
        title.setVisible(bool(text))
        value.setVisible(bool(text))

    def show_run(self, glance: Glance, note: str = "") -> None:
        """Show the texts of the recording, and what reading it again has found."""
        self.glance.show_glance(glance)
        self._set_place(tr("Parser"), note)
