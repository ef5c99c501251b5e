"""A painted cell of short blocks: lines of coloured words that wrap, with an icon or chip before and a figure behind.

One widget paints a whole cell, so that a card of many calls costs few widgets. Words can carry a link (any hashable);
a click, or Enter on the word that has the keyboard, emits it. Lines keep the 16 px pitch of the raw cell beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.syntax import role_format
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_box, paint_text
from workbench.ui.widgets.shown_text import units, visible

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

ChipLook = Literal["followed", "fail", "error", "plain", "outline"]


@dataclass(frozen=True, slots=True)
class BlockRun:
    """Words with one voice: a token name (`text2`), a role of raw panes (`key`), `strong` or `empty`."""

    text: str
    voice: str = "text"
    link: Hashable | None = None


@dataclass(frozen=True, slots=True)
class SmallChip:
    """A chip inside a cell."""

    text: str
    look: ChipLook = "plain"
    mark: str = ""
    """A verdict's shape before the word."""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph of a cell."""

    runs: tuple[BlockRun, ...] = ()
    mono: bool = False
    size: int = Sizes.TEXT
    gap: int = 0
    """Space above, in pixels at 100 %."""
    indent: int = 0
    icon: str = ""
    icon_voice: str = "text2"
    mark: str = ""
    spin: bool = False
    chip: SmallChip | None = None
    """Before the words."""
    lead: str = ""
    """A number before the words; further lines are indented past it."""
    right: BlockRun | None = None
    """A figure at the right edge of the first line."""
    right_chip: SmallChip | None = None
    about: Literal["", "format"] = ""
    """What it says beside the call itself, for who shows calls otherwise: the format that it was written in."""
    tree: str = ""
    """`├` or `└`: a leaf of a tree, with its branch painted."""

    @property
    def plain(self) -> str:
        """The words alone, for assistive technology and the clipboard."""
        parts = [self.chip.text if self.chip else "", self.lead, "".join(run.text for run in self.runs)]
        parts += [self.right.text if self.right else "", self.right_chip.text if self.right_chip else ""]
        return " ".join(part for part in parts if part)


def voice_format(voice: str) -> QTextCharFormat:
    """Return the look of a voice; `name!` is the voice `name` in weight 600, without its ground.

    `label` is a planner's heading, `empty` the sentence of a cell without content.
    """
    t = tokens()
    if voice in t.inks:
        look = role_format(voice)
        if voice != "linked" and not t.inks[voice].colour:
            look.setForeground(QBrush(QColor(t.text)))
        return look
    look = QTextCharFormat()
    if voice == "label":
        look.setFontWeight(QFont.Weight.DemiBold)
        look.setProperty(QTextFormat.Property.FontPixelSize, px(11))
        voice = "marker"
    elif voice == "empty":
        look.setFontItalic(True)
        voice = "text3"
    elif voice == "strong" or voice.endswith("!"):
        look.setFontWeight(QFont.Weight.DemiBold)
        voice = "text" if voice == "strong" else voice[:-1]
    colour = t.inks[voice].colour if voice in t.inks else t.colour(voice)
    look.setForeground(QBrush(QColor(colour)))
    return look


class PlacedBlock:
    """A block laid out for a width."""

    def __init__(self, block: Block, width: int, linked: frozenset[Hashable], focus: Hashable | None) -> None:
        self.block = block
        self.top = 0
        self._left = px(block.indent)
        self._links: list[tuple[int, int, Hashable]] = []
        pitch = px(Sizes.LINE)
        chip_width = _chip_size(block.chip).width() if block.chip else 0
        self._words_at = self._left + (chip_width + px(8) if block.chip else 0)
        if block.icon or block.mark:
            self._words_at += px(18 if block.size < Sizes.TEXT else 19)
        if block.lead:
            self._words_at += QFontMetrics(mono_font(block.size)).horizontalAdvance(block.lead + " ")
        self.first = px(20) if block.chip else px(17) if block.right_chip else pitch
        right = _right_width(block)
        self._words_down = 0
        """Where the words begin below a chip that leaves no room for the longest of them."""
        if block.chip and width - self._words_at - right < min(_longest_word(block), width - self._left):
            self._words_at, self._words_down, right = self._left, self.first, 0
        self.layout = self._lay_out(max(width - self._words_at, px(40)), right, linked, focus)
        lines = self.layout.lineCount() if self.layout.text() else 0
        self.height = self.first + max(lines if self._words_down else lines - 1, 0) * pitch

    def _lay_out(self, width: int, right: int, linked: frozenset[Hashable], focus: Hashable | None) -> QTextLayout:
        block = self.block
        font = mono_font(block.size) if block.mono else ui_font(block.size)
        text, formats, at = [], [], 0
        for run in block.runs:
            shown = visible(run.text).replace("\n", "\u2028")
            length = units(shown)
            look = voice_format(run.voice)
            if run.link is not None:
                self._links.append((at, at + length, run.link))
                if run.link in linked and run.voice != "key":
                    look.merge(voice_format("linked"))
                if run.link == focus:
                    look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
                    look.setUnderlineColor(QColor(tokens().accent))
            formats.append(_range(at, length, look))
            text.append(shown)
            at += length
        layout = QTextLayout("".join(text), font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(formats)
        self._break_lines(layout, width, right)
        return layout

    def _break_lines(self, layout: QTextLayout, width: int, right: int) -> None:
        pitch, y = px(Sizes.LINE), 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width - (right + px(8) if y == 0 and right else 0))
            room = self.first if y == 0 and not self._words_down else pitch
            line.setPosition(QPointF(0, y + (room - line.height()) / 2))
            y += room
        layout.endLayout()

    def paint(self, painter: QPainter, width: int, turn: float) -> None:
        """Paint at `top`."""
        block, y = self.block, self.top
        x = self._left
        if block.tree:
            self._paint_branch(painter, y)
        if block.chip:
            size = _chip_size(block.chip)
            _paint_chip(
                painter, QRect(x, y + (self.first - size.height()) // 2, size.width(), size.height()), block.chip
            )
        side = px(14 if block.size >= Sizes.TEXT else 13)
        if block.mark:
            paint_verdict(painter, block.mark, QRectF(x, y + (self.first - px(11)) / 2, px(11), px(11)))
        elif block.icon:
            spot = QRectF(x, y + (self.first - side) / 2, side, side)
            paint_icon(painter, block.icon, spot, tokens().colour(block.icon_voice), turn=turn if block.spin else 0.0)
        if block.lead:
            box = QRect(x, y, self._words_at - x, self.first)
            paint_text(painter, box, block.lead, mono_font(block.size), tokens().text3)
        self.layout.draw(painter, QPointF(self._words_at, y + self._words_down))
        self._paint_right(painter, width, y)

    def _paint_right(self, painter: QPainter, width: int, y: int) -> None:
        block = self.block
        if block.right_chip:
            size = _chip_size(block.right_chip)
            box = QRect(width - size.width(), y + (self.first - size.height()) // 2, size.width(), size.height())
            _paint_chip(painter, box, block.right_chip)
        if block.right:
            box = QRect(0, y, width, self.first)
            colour = tokens().colour(block.right.voice)
            paint_text(painter, box, block.right.text, ui_font(11), colour, align=Qt.AlignmentFlag.AlignRight)

    def _paint_branch(self, painter: QPainter, y: int) -> None:
        painter.setPen(QColor(tokens().line2))
        x, middle = self._left - px(12), y + self.first // 2
        painter.drawLine(x, y, x, middle if self.block.tree == "└" else y + self.height)
        painter.drawLine(x, middle, x + px(8), middle)

    def link_at(self, x: float, y: float) -> Hashable | None:
        """The link under a point, relative to the cell."""
        for index in range(self.layout.lineCount()):
            line = self.layout.lineAt(index)
            box = line.naturalTextRect().translated(self._words_at, self.top + self._words_down)
            if box.contains(QPointF(x, y)):
                at = int(line.xToCursor(x - self._words_at, QTextLine.CursorPosition.CursorOnCharacter))
                return next((link for start, end, link in self._links if start <= at < end), None)
        return None

    def links(self) -> list[Hashable]:
        """All links, in order."""
        return [link for _, _, link in self._links]


def _range(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, look
    return found


def _longest_word(block: Block) -> int:
    metrics = QFontMetrics(mono_font(block.size) if block.mono else ui_font(block.size))
    words = "".join(run.text for run in block.runs).split()
    return max((metrics.horizontalAdvance(word) for word in sorted(words, key=len)[-3:]), default=0)


def _right_width(block: Block) -> int:
    if block.right_chip:
        return _chip_size(block.right_chip).width()
    return QFontMetrics(ui_font(11)).horizontalAdvance(block.right.text) if block.right else 0


def _chip_size(chip: SmallChip) -> QSize:
    width = QFontMetrics(ui_font(11, bold=chip.bold)).horizontalAdvance(chip.text) + 2 * px(7)
    return QSize(width + (px(17) if chip.mark else 0), px(16))


def _paint_chip(painter: QPainter, box: QRect, chip: SmallChip) -> None:
    t = tokens()
    ground, border, colour = {
        "followed": (t.passed_tint, "", t.passed),
        "fail": (t.failed_tint, "", t.failed),
        "error": (t.error_tint, "", t.error),
        "plain": (t.hover, "", t.text2),
        "outline": ("", t.line2, t.text2),
    }[chip.look]
    paint_box(painter, box, ground=ground, border=border, radius=Sizes.RADIUS_CHIP)
    left = box.left() + px(7)
    if chip.mark:
        paint_verdict(painter, chip.mark, QRectF(left, box.center().y() - px(4), px(9), px(9)))
        left += px(17)
    room = QRect(left, box.top(), box.right() - left, box.height())
    paint_text(painter, room, chip.text, ui_font(11, bold=chip.bold), colour)


def lay_out(
    blocks: Sequence[Block], width: int, linked: frozenset[Hashable] = frozenset(), focus: Hashable | None = None
) -> tuple[list[PlacedBlock], int]:
    """Place blocks one under the other; return them with the whole height."""
    placed, y = [], 0
    for index, block in enumerate(blocks):
        one = PlacedBlock(block, width, linked, focus)
        y += px(block.gap) if index else 0
        one.top = y
        y += one.height
        placed.append(one)
    return placed, y
