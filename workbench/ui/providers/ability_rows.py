"""What a capability card shows: one row for each ability, with the exchanges that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text

_ICONS = {"yes": "check", "no": "x", "unclear": "minus", "not_asked": "minus"}


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """One ability."""

    title: str
    kind: Literal["yes", "no", "unclear", "failed", "not_asked"]
    word: str
    seen: str
    evidence: str = ""
    """The exchanges as text."""


def _paint_answer(painter: QPainter, rect: QRect, line: AbilityLine, _chosen: bool) -> None:
    t, side, certain = tokens(), px(14), line.kind in ("yes", "no")
    box = QRect(rect.left(), rect.center().y() - side // 2, side, side)
    if line.kind == "failed":
        paint_verdict(painter, "error", QRectF(box))
    else:
        paint_icon(painter, _ICONS[line.kind], box, t.text if certain else t.text3)
    room = rect.adjusted(px(22), 0, 0, 0)
    paint_text(painter, room, line.word, ui_font(12, bold=certain), t.text if certain else t.text2)


COLUMNS: tuple[Column[AbilityLine], ...] = (
    Column(tr("Ability"), lambda line: line.title, 210, left=16, token="text", strong=True),
    Column(tr("Answer"), lambda line: line.word, 120, paint=_paint_answer),
    Column(tr("What was seen"), lambda line: line.seen),
)


class AbilityModel(TableModel[AbilityLine]):
    """The abilities of one card, in the order in which they were asked for."""

    columns = COLUMNS

    def spoken(self, line: AbilityLine) -> str:
        return f"{line.title}: {line.word}, {line.seen}"
