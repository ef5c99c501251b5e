"""The columns of the history's table. A new column is one more entry of `COLUMNS`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import VERDICTS, verdict_word
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.columns import Column
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.quantities import full_time, short_time

if TYPE_CHECKING:
    from datetime import datetime

    from workbench.store.rows import RunRow


EDITED = "edited"
"""What a row says of a run whose reply was edited at a breakpoint of the gateway."""


class HistoryLine(NamedTuple):
    """One run in the table."""

    run: RunRow
    now: datetime
    """When it was read: times are told beside it, in its zone."""
    marked: bool = False
    """Kept at hand to be compared with another run."""
    hand: str = ""
    """`pass` or `fail` where somebody set it so."""


def _state(line: HistoryLine) -> str:
    return line.run.verdict.state.value


def _format(line: HistoryLine) -> str:
    return tr("boost · {format}", format=line.run.format) if line.run.mode == "boost" else line.run.format


def _seconds(line: HistoryLine) -> str:
    return f"{line.run.duration_us / 1_000_000:.1f}" if line.run.duration_us else ""


def _model_tip(line: HistoryLine) -> str:
    simulated = tr(", simulated") if line.run.simulated else ""
    return f"{line.run.provider} / {line.run.model}{simulated}"


def _verdict_tip(line: HistoryLine) -> str:
    hand = tr("by hand: {hand}", hand=line.hand) if line.hand else ""
    return "\n".join(filter(None, (translated_sentence(line.run.verdict.reason), hand)))


def _paint_verdict(painter: QPainter, rect: QRect, line: HistoryLine, _chosen: bool) -> None:
    look, side = VERDICTS[_state(line)], px(10)
    paint_verdict(painter, _state(line), QRectF(rect.left(), rect.center().y() - side / 2, side, side))
    paint_text(painter, rect.adjusted(px(19), 0, px(8), 0), look.word, ui_font(12), tokens().colour(look.colour))
    if line.hand:
        palm = QRect(rect.right() - px(26), rect.center().y() - px(6), px(13), px(13))
        paint_icon(painter, "hand-palm", palm, tokens().colour(VERDICTS[line.hand].colour))
    if line.marked:
        pin = QRect(rect.right() - px(10), rect.center().y() - px(6), px(13), px(13))
        paint_icon(painter, "push-pin", pin, tokens().accent)


def _prompt(line: HistoryLine) -> str:
    """The title; where that is only the beginning of the prompt, as much of the prompt as there is room for."""
    title, prompt = line.run.title, " ".join(line.run.prompt.split())
    cut = title.endswith("…") and prompt.startswith(title[:-1])
    return prompt if cut else title or prompt


def _spoken_prompt(line: HistoryLine) -> str:
    return f"{EDITED}, {_prompt(line)}" if line.run.edited is not None else _prompt(line)


def _prompt_tip(line: HistoryLine) -> str:
    said = (
        tr("The reply was edited at a breakpoint: the client got that of run {edited:,}.", edited=line.run.edited)
        if line.run.edited
        else ""
    )
    return "\n".join(filter(None, (_prompt(line), said)))


def _paint_prompt(painter: QPainter, rect: QRect, line: HistoryLine, _chosen: bool) -> None:
    if line.run.edited is not None:
        pencil = QRect(rect.left(), rect.center().y() - px(6), px(13), px(13))
        paint_icon(painter, "pencil-simple", pencil, tokens().colour("accent"))
        taken = px(18) + paint_text(
            painter, rect.adjusted(px(18), 0, 0, 0), EDITED, ui_font(11), tokens().colour("text2")
        )
        rect = rect.adjusted(taken + px(8), 0, 0, 0)
    paint_text(painter, rect, _prompt(line), ui_font(12), tokens().colour("text"))


_RECORDED_BY: Column[HistoryLine] = Column(tr("By"), lambda line: line.run.user, 84)
COLUMNS: tuple[Column[HistoryLine], ...] = (
    Column(tr("Verdict"), lambda line: verdict_word(_state(line)), 116, tip=_verdict_tip,
           left=16, paint=_paint_verdict),
    Column(tr("Time ↓"), lambda line: short_time(line.run.started_us, line.now), 56,
           tip=lambda line: tr("run {number:,}, {started_us}", number=line.run.number, started_us=full_time(line.run.started_us, line.now))),
    Column(tr("Prompt"), _spoken_prompt, tip=_prompt_tip, paint=_paint_prompt),
    Column(tr("Model"), lambda line: line.run.model, 112, tip=_model_tip),
    Column(tr("Format"), _format, 158, mono=True, size=11),
    Column(tr("Code"), lambda line: line.run.verdict.codes[0] if line.run.verdict.codes else "", 166,
           tip=lambda line: ", ".join(line.run.verdict.codes), mono=True, size=11),
    Column("s", _seconds, 48, right=True),
    _RECORDED_BY,
)  # fmt: skip
BY = COLUMNS.index(_RECORDED_BY)
"""Who recorded a run: shown where several people share the history."""
