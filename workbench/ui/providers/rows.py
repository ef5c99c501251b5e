"""What the providers page shows, as plain values and two item models. No value here ever holds a key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel
from workbench.ui.widgets.painting import paint_box, paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence


class PresetLine(NamedTuple):
    """A known provider that can be added."""

    id: str
    name: str
    place: str
    """Host of its address."""
    local: bool = False


@dataclass(frozen=True, slots=True)
class ProviderForm:
    """The editable fields of one provider."""

    name: str
    wire: str
    base_url: str
    key_source: str
    """`keyring`, `session`, `none` or `env:VARIABLE`."""
    key_state: str
    """Where the key is, in one phrase."""
    has_key: bool
    tools: str
    parallel: int
    retries: int
    stall_s: float
    per_minute: int = 0
    tokens_per_minute: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    preset: str = ""
    note: str = ""
    read_only: bool = False
    fixed_by: str = ""
    """Environment variable that sets this provider, if one does."""


@dataclass(frozen=True, slots=True)
class ProviderTrouble:
    """What a test found wrong, in the three lines of the error card."""

    title: str
    what: str
    where: str
    next: str
    time: str
    answer: str = ""
    """The provider's answer in full, masked."""
    needs_key: bool = False


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model that a provider offers."""

    name: str
    format: str
    why: str
    tools: str
    chip: str = ""
    """`guess`, or `yours` where the user decided something."""


def _paint_chip(painter: QPainter, rect: QRect, line: ModelLine, _chosen: bool) -> None:
    if line.chip:
        t = tokens()
        width = QFontMetrics(ui_font(11)).horizontalAdvance(line.chip) + px(14)
        box = QRect(rect.left(), rect.center().y() - px(9), width, px(18))
        paint_box(painter, box, border=t.edge, radius=4, dashed=True)
        paint_text(painter, box, line.chip, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignHCenter)


COLUMNS: tuple[Column[ModelLine], ...] = (
    Column(tr("Name"), lambda line: line.name, 280, left=24, mono=True, token="text", strong=True,
           sort=lambda line: line.name.lower()),
    Column(tr("Format"), lambda line: line.format, 160, mono=True, token="text", strong=True,
           sort=lambda line: line.format),
    Column(tr("Detected from"), lambda line: line.why, sort=lambda line: line.why),
    Column(tr("Tools"), lambda line: line.tools, 110, sort=lambda line: line.tools),
    Column("", lambda line: line.chip, 76, paint=_paint_chip),
)  # fmt: skip


class ModelsModel(TableModel[ModelLine]):
    """The models of a provider, by a search text."""

    columns = COLUMNS

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ModelLine, ...] = ()
        self._search = ""

    def show_lines(self, lines: Sequence[ModelLine]) -> None:
        """Replace the models."""
        self._all = tuple(lines)
        self._fill()

    def search(self, text: str) -> None:
        """Show the models whose name or format has all words."""
        self._search = text.lower()
        self._fill()

    def _fill(self) -> None:
        words = self._search.split()
        super().show_lines(
            [line for line in self._all if all(word in f"{line.name} {line.format}".lower() for word in words)]
        )

    @property
    def total(self) -> int:
        """How many models there are without the search."""
        return len(self._all)
