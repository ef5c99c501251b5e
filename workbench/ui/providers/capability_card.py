"""The capability card of one model at one provider: what it costs to ask, the answers, and the exchanges behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QSplitter, QWidget

from workbench.ui.providers.ability_rows import ANSWER, TITLE, AbilityModel
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate, RowTable
from workbench.ui.widgets.states import Spinner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.providers.ability_rows import AbilityLine

AnyIndex = QModelIndex | QPersistentModelIndex
_ROW = 28
_ICONS = {"yes": "check", "no": "x", "unclear": "minus", "not_asked": "minus"}


class AbilityDelegate(RowDelegate):
    """The answer with its mark, what was seen in the second voice."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model, t = index.model(), tokens()
        assert isinstance(model, AbilityModel)
        line = model.line(index.row())
        inner = rect.adjusted(px(16 if index.column() == TITLE else 8), 0, -px(8), 0)
        if index.column() == ANSWER:
            side = px(14)
            box = QRect(inner.left(), rect.center().y() - side // 2, side, side)
            if line.kind == "failed":
                paint_verdict(painter, "error", QRectF(box))
            else:
                paint_icon(painter, _ICONS[line.kind], box, t.text if line.kind in ("yes", "no") else t.text3)
            inner.adjust(px(22), 0, 0, 0)
        certain = line.kind in ("yes", "no")
        colour = t.text if index.column() == TITLE or (index.column() == ANSWER and certain) else t.text2
        bold = index.column() == ANSWER and certain
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        paint_text(painter, inner, text, ui_font(12, bold=bold or (chosen and index.column() == TITLE)), colour)


class CapabilityCardView(QDialog):
    """Opened over a page; asks nothing by itself."""

    probe_asked = Signal()
    cancel_asked = Signal()
    use_asked = Signal()
    """Decide for this model what the card shows."""

    def __init__(self, model: str, provider: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"What {model} can do")
        self.setModal(True)
        self.resize(px(860), px(640))
        self.rows = AbilityModel(self)
        self.table = RowTable("Abilities", _ROW, (210, 120, 0))
        self.table.setItemDelegate(AbilityDelegate(_ROW, self.table))
        self.table.setModel(self.rows)
        self.table.row_chosen.connect(self._on_row)
        self.evidence = QPlainTextEdit()
        self.evidence.setProperty("role", "pane")
        self.evidence.setReadOnly(True)
        self.evidence.setUndoRedoEnabled(False)
        self.evidence.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.evidence.setTabChangesFocus(True)
        self.evidence.document().setDocumentMargin(px(12))
        self.evidence.setAccessibleName("Exchanges behind the answer")
        self.when = label("", "second")
        self.cost = label("", "second", wrap=True)
        self.spinner = Spinner()
        self.spinner.hide()
        self.probe = Button("Probe", icon="broadcast", kind="primary", on_click=self.probe_asked.emit)
        self.stop = Button("Stop", icon="x", on_click=self.cancel_asked.emit)
        self.stop.hide()
        self.use = Button("Use for this model", icon="sliders-horizontal", on_click=self.use_asked.emit)
        self.use.hide()
        self.leave = Button("Close", keys="Esc", on_click=self.reject)
        self._lay_out(model, provider)

    def _lay_out(self, model: str, provider: str) -> None:
        head = column(label(model, "object"), row(label(f"at {provider}", "second"), self.when, None), gap=2)
        head.setContentsMargins(16, 14, 16, 10)
        below = frame("surface")
        self.evidence_head = SectionHeader("Exchanges", "choose an answer", height=32)
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
        self.evidence_head.note.setText("choose an answer" if lines else "")

    def show_cost(self, text: str) -> None:
        """Say what a probe costs, or what came of it."""
        self.cost.setText(text)

    def offer_use(self, words: str) -> None:
        """Offer to take the card over into the model's settings; `words` say what that sets, empty: nothing to set."""
        self.use.setVisible(bool(words))
        self.use.setToolTip(words)

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
        self.evidence.setPlainText(line.evidence or "Nothing was sent for this one.")
