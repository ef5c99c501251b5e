"""Icons: glyphs of the Phosphor font that lies in QtAwesome's package, painted in token colours.

The package itself is never imported (that costs more than 100 ms): its folder is found, the font file and the table of
code points are read. Where they are missing, a small square stands in, so that every control stays usable.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPen, QPixmap

from workbench.core.json_text import parse_json
from workbench.ui.theme.theme import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Glyphs(NamedTuple):
    family: str
    points: Mapping[str, int]


def _font_folder() -> Path | None:
    """Return the folder of QtAwesome's fonts without importing QtAwesome."""
    spec = importlib.util.find_spec("qtawesome")
    if spec is None or not spec.origin:
        return None
    folder = Path(spec.origin).parent / "fonts"
    return folder if folder.is_dir() else None


@cache
def _glyphs() -> _Glyphs | None:
    """Load the font and its table of names once; None where they cannot be had."""
    folder = _font_folder()
    fonts = sorted(folder.glob("phosphor-*.ttf")) if folder else []
    tables = sorted(folder.glob("phosphor-charmap-*.json")) if folder else []
    fonts = [path for path in fonts if "charmap" not in path.name]
    if not fonts or not tables:
        return None
    number = QFontDatabase.addApplicationFont(str(fonts[-1]))
    families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    if not families:
        return None
    table: dict[str, str] = parse_json(tables[-1].read_text("utf-8"))
    return _Glyphs(families[0], {name: int(point, 16) for name, point in table.items()})


def has_icon(name: str) -> bool:
    """Whether the font has a glyph of that name."""
    glyphs = _glyphs()
    return glyphs is not None and name in glyphs.points


def paint_icon(painter: QPainter, name: str, rect: QRect | QRectF, colour: QColor | str, turn: float = 0.0) -> None:
    """Paint a glyph centred in `rect`, as large as the rectangle's height; `turn` in degrees."""
    box = QRectF(rect)
    glyphs = _glyphs()
    painter.save()
    painter.setPen(QPen(QColor(colour), 1))
    if turn:
        painter.translate(box.center())
        painter.rotate(turn)
        painter.translate(-box.center())
    if glyphs is None or name not in glyphs.points:
        side = box.height() * 0.5
        painter.drawRect(QRectF(box.center() - QPointF(side / 2, side / 2), box.center() + QPointF(side / 2, side / 2)))
    else:
        font = QFont(glyphs.family)
        font.setPixelSize(max(1, round(box.height())))
        painter.setFont(font)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, chr(glyphs.points[name]))
    painter.restore()


class GlyphEngine(QIconEngine):
    """Paints one glyph in a token's colour, looked up at each painting, so that icons follow the theme."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name = name
        self._token = token

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:  # noqa: ARG002
        token = "line2" if mode == QIcon.Mode.Disabled else self._token
        paint_icon(painter, self._name, rect, tokens().colour(token))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return picture

    def clone(self) -> QIconEngine:
        return GlyphEngine(self._name, self._token)


def icon(name: str, token: str = "text2") -> QIcon:
    """Return an icon for menus and actions; `token` names its colour."""
    return QIcon(GlyphEngine(name, token))
