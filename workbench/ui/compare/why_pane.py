"""Why the numbers are as they are: failures by layer, quality against price, boost's part, variations, another batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from workbench.ui.compare.pareto_list import ParetoList
from workbench.ui.compare.sections import MovedRows, SmallTable, section
from workbench.ui.compare.trade_chart import QUANTITIES, TradeChart
from workbench.ui.compare.values import VARIED, Against, Why
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import column, frame, label
from workbench.ui.widgets.paragraph import Paragraph
from workbench.ui.widgets.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence


class WhyPane(QScrollArea):
    """Fills what the batch has; a part without anything to say is not there."""

    layer_opened = Signal(int, str)
    """Target and layer of a bar."""
    other_chosen = Signal(str)
    """Id of the batch to be held against."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Reasons"))
        self._why = Why()
        self.bars = ParetoList()
        self.bars.opened.connect(self.layer_opened)
        self._none = Paragraph(tr("No run failed."), size=12)
        self.quantity = Segments(QUANTITIES)
        self.quantity.chosen.connect(lambda _value: self._show_chart())
        self.chart = TradeChart()
        self.point = Paragraph(size=12)
        self.point.hide()
        self.chart.pointed.connect(self._show_point)
        self.lifts = _Lines()
        self.varied = SmallTable()
        self.varied_words = _Lines()
        self.other = ComboField(name=tr("Hold against"), quiet=True)
        self.other.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.other.value_chosen.connect(lambda value: self.other_chosen.emit(str(value or "")))
        self.against = _Lines()
        self.flips = MovedRows()
        note = label(tr("a bar opens its runs"), "faint")
        self._bar_part = section(tr("Failures by layer"), note, self.bars, self._none)
        self._chart_part = section(
            tr("Quality against price"),
            label(tr("● not beaten   ○ beaten"), "faint"),
            self.quantity,
            self.chart,
            self.point,
        )
        self._lift_part = section(tr("What boost adds"), QWidget(), self.lifts)
        self._varied_part = section(
            tr("Sensitivity"), label(tr("paired by case"), "faint"), self.varied, self.varied_words
        )
        self._other_part = section(tr("Against another comparison"), QWidget(), self.other, self.against, self.flips)
        inside = frame("surface")
        parts = (self._bar_part, self._varied_part, self._lift_part, self._chart_part, self._other_part)
        inside.setLayout(column(*parts, None, gap=0))
        self.setWidget(inside)
        self.show_why(Why())
        self.show_others((), "")

    def show_why(self, why: Why) -> None:
        """Show other reasons."""
        self._why = why
        self.bars.show_bars(why.bars)
        self.bars.setVisible(bool(why.bars))
        self._none.setVisible(not why.bars)
        self.lifts.show_lines(why.lifts)
        self._lift_part.setVisible(bool(why.lifts))
        self.varied.show_lines(VARIED, why.varied)
        self.varied_words.show_lines(why.varied_words)
        self._varied_part.setVisible(bool(why.varied))
        known = [
            key for key, _ in QUANTITIES if any((amount := getattr(one, key)) and amount.high for _, one in why.points)
        ]
        for key, _ in QUANTITIES:
            self.quantity.button(key).setEnabled(key in known)
        if known and self.quantity.value not in known:
            self.quantity.choose(known[0])
        self._chart_part.setVisible(bool(known))
        self._show_chart()

    def _show_chart(self) -> None:
        self.chart.show_points(self._why.points, self.quantity.value)

    def _show_point(self, words: str) -> None:
        self.point.show_runs([words])
        self.point.setVisible(bool(words))

    def show_others(self, others: Sequence[tuple[str, str]], chosen: str) -> None:
        """Offer batches of the same suite, words and id; `chosen` is the one held against."""
        self._other_part.setVisible(bool(others))
        self.other.set_items([("none", ""), *others])
        self.other.choose(chosen)

    def show_against(self, found: Against) -> None:
        """Show what differs from the other batch."""
        self.against.show_lines(found.words)
        self.flips.show_moved(found.flips)
        self.flips.setVisible(bool(found.flips))


class _Lines(QWidget):
    """A few sentences, one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self._box = column(gap=6)
        self.setLayout(self._box)

    def show_lines(self, lines: Sequence[str]) -> None:
        """Replace the sentences."""
        while (item := self._box.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for words in lines:
            self._box.addWidget(Paragraph(words, size=12))
        self.setVisible(bool(lines))

    @property
    def text(self) -> str:
        """All of them."""
        return "\n".join(one.text for one in self.findChildren(Paragraph) if not one.isHidden())
