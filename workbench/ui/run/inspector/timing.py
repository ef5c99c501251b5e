"""The Timing tab: the whole run as a waterfall, and the figures of the chosen step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from workbench.ui.run.run_words import step_place, step_title
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, hairline, label
from workbench.ui.widgets.painting import paint_box, paint_text
from workbench.ui.widgets.quantities import seconds

if TYPE_CHECKING:
    from workbench.ui.run.run_view import RunView, StepView

LINE = 24
LABELS = 116


class Bar(NamedTuple):
    """One line of the waterfall, in microseconds of the run."""

    name: str
    start: int
    first: int | None
    """First token; None for a tool."""
    end: int
    error: bool = False


def bars_of(run: RunView) -> list[Bar]:
    """Steps and tools in the order they began."""
    bars = []
    for step in run.steps.values():
        turn = f" {step.turn}" if step.turn > 1 else ""
        end = step.ended_us if step.ended_us is not None else run.last_at_us
        name = (
            tr("{step}{turn}, loop {loop}", step=step_title(step), turn=turn, loop=step.loop)
            if run.boosted
            else f"{step_title(step)} {step.turn}"
        )
        bars.append(Bar(name, step.started_us, step.first_text_us or end, end, step.error is not None))
        for view in step.calls:
            if view.started_us is not None:
                ended = view.ended_us if view.ended_us is not None else run.last_at_us
                bars.append(Bar(view.call.name, view.started_us, None, ended))
    return sorted(bars, key=lambda bar: bar.start)


class Waterfall(QWidget):
    """Grey while waiting for the first token, accent while receiving, a tick for a tool."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: list[Bar] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Waterfall of the run"))

    def show_bars(self, bars: list[Bar]) -> None:
        """Show other bars."""
        if bars != self._bars:
            self._bars = bars
            words = (f"{bar.name}: {seconds(bar.end - bar.start)}" for bar in bars)
            self.setAccessibleDescription("; ".join(words))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(260), px(LINE) * len(self._bars) + px(46))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        left, right = px(LABELS), self.width() - px(12)
        whole = max((bar.end for bar in self._bars), default=0)
        step = tick_of(whole)
        top = max(whole, step)
        bottom = px(LINE) * len(self._bars)

        def x(at: int) -> int:
            return left + round((right - left) * at / top)

        for at in range(0, top + 1, step):
            painter.fillRect(x(at), 0, 1, bottom, QColor(t.line))
            box = QRect(x(at) - px(24), bottom + px(2), px(48), px(14))
            paint_text(painter, box, _tick_words(at), ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignHCenter)
        for line, bar in enumerate(self._bars):
            self._paint_bar(painter, bar, line, x)
        self._paint_legend(painter, bottom + px(26))

    @staticmethod
    def _paint_legend(painter: QPainter, y: int) -> None:
        t, left = tokens(), 0
        for colour, words in ((t.line2, tr("waiting for the first token")), (t.accent, "receiving")):
            paint_box(painter, QRect(left, y + px(4), px(16), px(8)), ground=colour, radius=1)
            room = QRect(left + px(22), y, px(200), px(16))
            left += px(22) + paint_text(painter, room, words, ui_font(11), t.text2) + px(14)

    def _paint_bar(self, painter: QPainter, bar: Bar, line: int, x: object) -> None:
        t, y = tokens(), px(LINE) * line
        assert callable(x)
        paint_text(painter, QRect(0, y, px(LABELS - 8), px(LINE)), bar.name, ui_font(11), t.text)
        mid = y + px(LINE) // 2
        if bar.first is None:
            painter.fillRect(x(bar.start), mid - px(5), max(x(bar.end) - x(bar.start), px(2)), px(10), QColor(t.text))
            return
        wait = QRect(x(bar.start), mid - px(5), max(x(bar.first) - x(bar.start), 1), px(10))
        painter.fillRect(wait, QColor(t.line2))
        colour = t.error if bar.error else t.accent
        get = QRect(x(bar.first), mid - px(5), max(x(bar.end) - x(bar.first), px(2)), px(10))
        paint_box(painter, get, ground=colour, radius=1)


def tick_of(whole: int) -> int:
    """A round distance of ticks, in microseconds, so that three to five fit."""
    step = 1000
    for factor in (1, 2, 5) * 7:
        if whole / (step * factor) <= 4:
            return step * factor
        if factor == 5:
            step *= 10
    return step


def _tick_words(at: int) -> str:
    return f"{at / 1e6:g} s"


class TimingTab(QScrollArea):
    """Waterfall and figures."""

    FIGURES = (
        tr("First token"),
        tr("First complete call"),
        tr("Total"),
        tr("Speed"),
        tr("Longest silence"),
        tr("Parser"),
    )

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Times of the run"))
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.chart = Waterfall()
        self._whole = label("", "section")
        self._step = label("", "section")
        self.values = {name: label("–", "body") for name in self.FIGURES}
        self._set_up()

    def _set_up(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(px(4))
        grid.setColumnStretch(0, 1)
        for line, (name, value) in enumerate(self.values.items()):
            grid.addWidget(label(name, "second"), line, 0)
            grid.addWidget(value, line, 1, Qt.AlignmentFlag.AlignRight)
        box = QVBoxLayout()
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(column(self._whole, self.chart, margins=(12, 12, 12, 12), gap=8))
        box.addWidget(hairline())
        box.addLayout(column(self._step, grid, margins=(12, 12, 12, 12), gap=8))
        box.addStretch(1)
        inside = QWidget()
        inside.setLayout(box)
        self.setWidget(inside)
        inside.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def show_step(self, run: RunView | None, step: StepView | None) -> None:
        """Bring everything up to date."""
        if run is None:
            return
        self._whole.setText(tr("Whole run, {last_at_us}", last_at_us=seconds(run.last_at_us)))
        self.chart.show_bars(bars_of(run))
        if step is None:
            return
        self._step.setText(step_place(step))
        timing, usage = step.timing, step.usage
        shown = {
            tr("First token"): _figure(timing.first_token),
            tr("First complete call"): _figure(timing.first_call),
            tr("Total"): _figure(timing.total or None),
            tr("Longest silence"): _figure(timing.longest_silence or None),
            tr("Parser"): tr("{parser:.2f} ms", parser=timing.parser / 1000) if timing.parser else "–",
        }
        receiving = timing.total - (timing.first_token or 0)
        if usage.output and receiving > 0:
            shown[tr("Speed")] = tr("{output:,.0f} tok/s", output=usage.output * 1000000 / receiving)
        for name, value in self.values.items():
            value.setText(shown.get(name, "–"))


def _figure(microseconds: int | None) -> str:
    if microseconds is None:
        return "–"
    return (
        f"{microseconds / 1e6:.2f} s"
        if microseconds >= 10_000
        else tr("{microseconds:.1f} ms", microseconds=microseconds / 1000)
    )
