"""A card's header: caret, name, one line of summary, chips that jump to their characters, figures at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.run.run_words import StepChipKind
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from workbench.ui.run.run_words import StepChip
    from workbench.ui.widgets.chips import ChipKind

HEADER = 28
CHIP_LOOKS: dict[StepChipKind, ChipKind] = {
    StepChipKind.FAIL: "problem",
    StepChipKind.ERROR: "error",
    StepChipKind.REPAIR: "repair",
    StepChipKind.NOTE: "plain",
    StepChipKind.KEY: "reported",
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
        self._caret = Button(
            "", icon="caret-down", kind="quiet", small=True, tip=tr("Fold {name}", name=name), parent=self
        )
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
            made = Chip(chip.text, CHIP_LOOKS[chip.kind], clickable=True, tip=chip.tip, parent=self)
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
