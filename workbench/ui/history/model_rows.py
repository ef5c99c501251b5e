"""History's summary of models: one row each model and format, over its last runs. A new column is one more entry of `MODEL_COLUMNS`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter

from workbench.grading.performance import WANTED, Met
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import VERDICTS
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel
from workbench.ui.widgets.interval import paint_interval
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text

if TYPE_CHECKING:
    from workbench.grading.performance import Measured, Performance


class FormatRecord(NamedTuple):
    """One model in one format."""

    provider: str
    model: str
    format: str
    performance: Performance


_MARKS = {Met.YES: "pass", Met.NO: "fail", Met.UNKNOWN: "not_gradable"}


def _calls(line: FormatRecord) -> str:
    calls = line.performance.calls
    return f"{calls.passed:,} / {calls.of:,}" if calls else "–"


def _interval(line: FormatRecord) -> str:
    """The interval in per cent, as the command line prints it."""
    return line.performance.cells[1] or "–"


def _rate_tip(line: FormatRecord) -> str:
    calls = line.performance.calls
    if calls is None:
        return tr("no call was tried")
    share = tr(
        "{value:.1f} % of the tried calls were executed, 95 % interval {line}",
        value=100 * calls.passed / calls.of,
        line=_interval(line),
    )
    return tr("{share}; wanted: more than {value:.0f} %", share=share, value=100 * WANTED)


def _rate(line: FormatRecord) -> float:
    calls = line.performance.calls
    return calls.passed / calls.of if calls else -1.0


def _met(line: FormatRecord) -> str:
    return line.performance.met.value if line.performance.calls else "–"


def _time(measured: Measured) -> str:
    return "–" if measured.median is None else f"{measured.median / 1e6:.2f}"


def _speed(line: FormatRecord) -> str:
    speed = line.performance.tokens_per_second.median
    return "–" if speed is None else f"{speed:,.0f}"


def _times_tip(line: FormatRecord) -> str:
    done = line.performance
    return tr(
        "medians: first token {first_token} s, first call {first_call} s, total {total} s, {line} tokens a second",
        first_token=_time(done.first_token),
        first_call=_time(done.first_call),
        total=_time(done.total),
        line=_speed(line),
    )


def _median(measured: Measured) -> float:
    return -1.0 if measured.median is None else measured.median


def _paint_interval(painter: QPainter, rect: QRect, line: FormatRecord, _chosen: bool) -> None:
    """The interval on its track, the wanted share as a rule through it."""
    calls = line.performance.calls
    if calls is None:
        paint_text(painter, rect, "–", ui_font(12), tokens().text3)
        return
    track = rect.adjusted(0, 0, -px(8), 0)
    wanted = track.left() + round(WANTED * track.width())
    painter.fillRect(wanted, track.center().y() - px(7), 1, px(15), QColor(tokens().accent))
    paint_interval(painter, track, *calls.interval, _rate(line))


def _paint_met(painter: QPainter, rect: QRect, line: FormatRecord, _chosen: bool) -> None:
    if line.performance.calls is None:
        paint_text(painter, rect, "–", ui_font(12), tokens().text3)
        return
    state, side = _MARKS[line.performance.met], px(10)
    paint_verdict(painter, state, QRectF(rect.left(), rect.center().y() - side / 2, side, side))
    colour = tokens().colour(VERDICTS[state].colour)
    paint_text(painter, rect.adjusted(px(16), 0, 0, 0), _met(line), ui_font(12), colour)


MODEL_COLUMNS: tuple[Column[FormatRecord], ...] = (
    Column(tr("Model"), lambda line: line.model, tip=lambda line: f"{line.provider} / {line.model}", left=16, token="text",
           strong=True, sort=lambda line: line.model.lower()),
    Column(tr("Format"), lambda line: line.format, 108, mono=True, size=11, sort=lambda line: line.format),
    Column(tr("Runs"), lambda line: f"{line.performance.runs:,}", 46, right=True, sort=lambda line: line.performance.runs),
    Column(tr("Executed"), _calls, 76, tip=_rate_tip, right=True, sort=_rate),
    Column("95 %", _interval, 84, tip=_rate_tip, paint=_paint_interval,
           sort=lambda line: line.performance.calls.interval.low if line.performance.calls else -1.0),
    Column("> 95 %", _met, 100, tip=_rate_tip, paint=_paint_met, sort=_met),
    Column(tr("Token s"), lambda line: _time(line.performance.first_token), 64, tip=_times_tip, right=True,
           sort=lambda line: _median(line.performance.first_token)),
    Column(tr("Call s"), lambda line: _time(line.performance.first_call), 52, tip=_times_tip, right=True,
           sort=lambda line: _median(line.performance.first_call)),
    Column(tr("Total s"), lambda line: _time(line.performance.total), 56, tip=_times_tip, right=True,
           sort=lambda line: _median(line.performance.total)),
    Column("Tok/s", _speed, 52, tip=_times_tip, right=True,
           sort=lambda line: _median(line.performance.tokens_per_second)),
)  # fmt: skip


class FormatRecordsModel(TableModel[FormatRecord]):
    """Rows come one model after the other."""

    columns = MODEL_COLUMNS

    def spoken(self, line: FormatRecord) -> str:
        return tr(
            "{provider}, {model}, {format}, {runs} runs, calls executed {calls}, interval {interval}, "
            "more than 95 %: {met}, {times}",
            provider=line.provider,
            model=line.model,
            format=line.format,
            runs=line.performance.runs,
            calls=_calls(line),
            interval=_interval(line),
            met=_met(line),
            times=_times_tip(line),
        )
