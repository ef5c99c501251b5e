"""The capability card of one model at one provider: what it costs to ask, the answers, and the exchanges behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QSplitter, QWidget

from workbench.ui.providers.ability_rows import AbilityModel
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.shown_text import shown_line
from workbench.ui.widgets.states import Spinner
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.providers.ability_rows import AbilityLine

_ROW = 28


class CapabilityCardView(QDialog):
    """Opened over a page; asks nothing by itself."""

    probe_asked = Signal()
    cancel_asked = Signal()
    use_asked = Signal()
    """Decide for this model what the card shows."""

    def __init__(self, model: str, provider: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(shown_line(tr("What {model} can do", model=model)))
        self.setModal(True)
        self.resize(px(860), px(640))
        self.rows = AbilityModel(self)
        self.table = column_table(tr("Abilities"), _ROW, self.rows)
        self.table.row_chosen.connect(self._on_row)
        self.evidence = QPlainTextEdit()
        self.evidence.setProperty("role", "pane")
        self.evidence.setReadOnly(True)
        self.evidence.setUndoRedoEnabled(False)
        self.evidence.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.evidence.setTabChangesFocus(True)
        self.evidence.document().setDocumentMargin(px(12))
        self.evidence.setAccessibleName(tr("Exchanges behind the answer"))
        self.when = label("", "second")
        self.cost = label("", "second", wrap=True)
        self.spinner = Spinner()
        self.spinner.hide()
        self.probe = Button(tr("Probe"), icon="broadcast", kind="primary", on_click=self.probe_asked.emit)
        self.stop = Button(tr("Stop"), icon="x", on_click=self.cancel_asked.emit)
        self.stop.hide()
        self.use = Button(tr("Use for this model"), icon="sliders-horizontal", on_click=self.use_asked.emit)
        self.use.hide()
        self.leave = Button(tr("Close"), keys="Esc", on_click=self.reject)
        self._lay_out(model, provider)

    def _lay_out(self, model: str, provider: str) -> None:
        head = column(
            label(model, "object"), row(label(tr("at {provider}", provider=provider), "second"), self.when, None), gap=2
        )
        head.setContentsMargins(16, 14, 16, 10)
        below = frame("surface")
        self.evidence_head = SectionHeader(tr("Exchanges"), tr("choose an answer"), height=32)
        box = column(self.evidence_head, hairline(), self.evidence, gap=0)
        box.setStretch(2, 1)
        below.setLayout(box)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.table)
        split.addWidget(below)
        split.setSizes([px(320), px(200)])
        split.setChildrenCollapsible(False)
        foot = row(self.cost, self.spinner, self.stop, self.use, self.probe, self.leave, margins=(16, 10, 16, 12))
        foot.setStretch(0, 1)
        whole = column(head, hairline(), split, hairline(), foot, gap=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)

    def show_card(self, lines: Sequence[AbilityLine], when: str) -> None:
        """Show a card, or with no lines that there is none."""
        self.rows.show_lines(lines)
        self.when.setText(when)
        self.evidence.clear()
        self.evidence_head.note.setText(tr("choose an answer") if lines else "")

    def show_cost(self, text: str) -> None:
        """Say what a probe costs, or what came of it."""
        self.cost.setText(text)

    def offer_use(self, words: str) -> None:
        """Offer to take the card over into the model's settings; `words` say what that sets, empty: nothing to set."""
        self.use.setVisible(bool(words))
        set_tip(self.use, words)

    def show_busy(self, busy: bool) -> None:
        """A probe is under way."""
        self.spinner.setVisible(busy)
        self.stop.setVisible(busy)
        self.probe.setVisible(not busy)

    def _on_row(self, at: int) -> None:
        if at < 0:
            return
        line = self.rows.line(at)
        self.evidence_head.note.setText(line.title)
        self.evidence.setPlainText(line.evidence or tr("Nothing was sent for this one."))
