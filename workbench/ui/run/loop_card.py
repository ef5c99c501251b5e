"""A loop's card: a header with caret, summary, problem chips and figures, and one row per step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.run.approval_row import ApprovalRow
from workbench.ui.run.loop_step import LoopStepRow
from workbench.ui.run.run_words import StepChipKind, loop_chips, loop_figures, loop_summary
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.painting import paint_box, paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from workbench.ui.run.approval_row import WaitingView
    from workbench.ui.run.loop_ruler import ColumnRuler
    from workbench.ui.run.run_view import LoopView, RunView, StepView
    from workbench.ui.run.run_words import StepChip
    from workbench.ui.widgets.chips import ChipKind

HEADER = 28
_LOOKS: dict[StepChipKind, ChipKind] = {
    StepChipKind.FAIL: "problem",
    StepChipKind.ERROR: "error",
    StepChipKind.REPAIR: "repair",
    StepChipKind.NOTE: "plain",
    StepChipKind.GIVEN: "chosen",
}


class CardHeader(QWidget):
    """Caret, name, one line, chips that jump, figures at the right. A click folds the card."""

    fold_asked = Signal()
    chip_chosen = Signal(object)
    """The `StepChip` whose characters the user wants to see."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._summary, self._figures = name, "", ""
        self._chips: list[Chip] = []
        self._content: list[StepChip] = []
        self._rest = Chip("", "plain", parent=self)
        self._rest.hide()
        self._caret = Button("", icon="caret-down", kind="quiet", small=True, tip=f"Fold {name}", parent=self)
        self._caret.clicked.connect(self.fold_asked)

    @property
    def chips(self) -> list[Chip]:
        """The chips, in order."""
        return self._chips

    def show_loop(self, summary: str, chips: list[StepChip], figures: str) -> None:
        """Bring words, chips and figures up to date."""
        if (summary, figures) != (self._summary, self._figures):
            self._summary, self._figures = summary, figures
            self.update()
        if chips != self._content:
            self._content = chips
            self._make_chips()
        self._place()
        self.setAccessibleName(f"{self._name}: {summary}")

    def _make_chips(self) -> None:
        for old in self._chips:
            old.hide()
            old.deleteLater()
        self._chips = []
        for chip in self._content:
            made = Chip(chip.text, _LOOKS[chip.kind], clickable=True, tip=chip.tip, parent=self)
            made.clicked.connect(lambda _checked=False, one=chip: self.chip_chosen.emit(one))
            self._chips.append(made)

    def set_folded(self, folded: bool) -> None:
        """Turn the caret."""
        self._caret.set_icon_name("caret-right" if folded else "caret-down")
        self._caret.set_tip(f"{'Unfold' if folded else 'Fold'} {self._name}")

    def _words_left(self) -> int:
        return px(32)

    def _place(self) -> None:
        self._caret.setGeometry(px(8), (self.height() - px(24)) // 2, px(24), px(24))
        name = QFontMetrics(ui_font(bold=True)).horizontalAdvance(self._name)
        summary = QFontMetrics(ui_font()).horizontalAdvance(self._summary)
        left = self._words_left() + name + px(10) + summary + (px(14) if self._summary else 0)
        end = self.width() - px(20) - QFontMetrics(ui_font(11)).horizontalAdvance(self._figures)
        hidden: list[str] = []
        for index, chip in enumerate(self._chips):
            hint = chip.sizeHint()
            reserve = px(40) if index < len(self._chips) - 1 else 0
            fits = not hidden and left + hint.width() + reserve <= end
            chip.setVisible(fits)
            if fits:
                chip.setGeometry(left, (self.height() - hint.height()) // 2, hint.width(), hint.height())
                left += hint.width() + px(8)
            else:
                hidden.append(chip.text())
        self._rest.setVisible(bool(hidden))
        if hidden:
            self._rest.setText(f"+{len(hidden)}")
            set_tip(self._rest, "\n".join(hidden))
            hint = self._rest.sizeHint()
            self._rest.setGeometry(
                min(left, end - hint.width()), (self.height() - hint.height()) // 2, hint.width(), hint.height()
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.FontChange:
            self._place()
        super().changeEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.fold_asked.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        height = self.height()
        left = self._words_left()
        figures = QFontMetrics(ui_font(11)).horizontalAdvance(self._figures)
        end = self.width() - px(12) - figures
        left += paint_text(painter, QRect(left, 0, end - left, height), self._name, ui_font(bold=True), t.text) + px(10)
        paint_text(painter, QRect(left, 0, end - left - px(8), height), self._summary, ui_font(), t.text2)
        paint_text(painter, QRect(end, 0, figures + 2, height), self._figures, ui_font(11), t.text3)


class LoopCard(QWidget):
    """A card. Geometry is set by hand, so that all cards share the ruler's columns to the pixel."""

    height_changed = Signal()
    folded = Signal(int, bool)
    chip_chosen = Signal(object)
    row_added = Signal(object)

    def __init__(self, run: RunView, loop: LoopView, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(parent)
        self.loop = loop
        self.rows: list[LoopStepRow] = []
        self.approvals: list[ApprovalRow] = []
        """Calls that wait for the user, below the steps."""
        self._run, self._ruler = run, ruler
        self._is_folded = False
        self.header = CardHeader(f"Loop {loop.number}", self)
        self.header.fold_asked.connect(lambda: self.set_folded(not self._is_folded))
        self.header.chip_chosen.connect(self.chip_chosen)
        ruler.moved.connect(self._on_ruler_moved)
        self.refresh_header(run.last_at_us)

    @property
    def _parts(self) -> list[LoopStepRow | ApprovalRow]:
        """Everything below the header, from above."""
        return [*self.rows, *self.approvals]

    @property
    def is_folded(self) -> bool:
        """Only the header shows."""
        return self._is_folded

    def set_folded(self, folded: bool) -> None:
        """Show or hide the rows."""
        if folded == self._is_folded:
            return
        self._is_folded = folded
        self.header.set_folded(folded)
        for part in self._parts:
            part.setVisible(not folded)
        self.height_changed.emit()
        self.folded.emit(self.loop.number, folded)

    def add_step(self, step: StepView) -> LoopStepRow:
        """Add a row."""
        row = LoopStepRow(self._run, step, self._ruler, self)
        row.height_changed.connect(self.height_changed)
        self.rows.append(row)
        row.setVisible(not self._is_folded)
        self.row_added.emit(row)
        self.height_changed.emit()
        return row

    def add_approval(self, view: WaitingView) -> ApprovalRow:
        """Add a call that waits."""
        made = ApprovalRow(view, self._ruler, self)
        made.height_changed.connect(self.height_changed)
        self.approvals.append(made)
        made.setVisible(not self._is_folded)
        self.refresh_header(self._run.last_at_us)
        self.height_changed.emit()
        return made

    def drop_approval(self, made: ApprovalRow) -> None:
        """Take a call away that was decided."""
        self.approvals.remove(made)
        made.hide()
        made.deleteLater()
        self.refresh_header(self._run.last_at_us)
        self.height_changed.emit()

    def refresh_header(self, now_us: int) -> None:
        """Bring summary, chips and figures up to date."""
        summary = loop_summary(self.loop, now_us)
        if waiting := len(self.approvals):
            summary = f"{summary} · {waiting} wait{'s' if waiting == 1 else ''} for you".lstrip(" ·")
        self.header.show_loop(summary, loop_chips(self.loop), loop_figures(self.loop, now_us))

    def height_now(self) -> int:
        """The height of header and rows, hairlines and border included."""
        height = px(HEADER) + 2
        if not self._is_folded:
            height += sum(part.height_now() + 1 for part in self._parts)
        return height

    def place(self) -> None:
        """Give header and rows their places inside the border."""
        width = self.width() - 2
        self.header.setGeometry(1, 1, width, px(HEADER))
        top = 1 + px(HEADER)
        for part in self._parts:
            height = part.height_now()
            box = QRect(1, top + 1, width, height)
            if part.geometry() != box:
                part.setGeometry(box)
            else:
                part.place()
            top += height + 1
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def _on_ruler_moved(self) -> None:
        for row in self.rows:
            row.update()
            row.refresh_status(self._run.last_at_us)
        self.height_changed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        paint_box(painter, self.rect(), ground=t.surface, border=t.line2, radius=Sizes.RADIUS_CARD)
        if self._is_folded:
            return
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), Sizes.RADIUS_CARD, Sizes.RADIUS_CARD)
        painter.setClipPath(path)
        for part in self._parts:
            painter.fillRect(1, part.y() - 1, self.width() - 2, 1, QColor(t.line))
