"""The rail: the mark, one entry for each page, Settings at the foot."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import pressed_by_enter
from workbench.ui.widgets.painting import note_focus, paint_box, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.tips import set_tip


class RailEntry(NamedTuple):
    """One place in the rail."""

    key: str
    title: str
    icon: str
    keys: str
    """Shortcut that leads there."""
    rule_after: bool = False
    foot: bool = False


ENTRIES = (
    RailEntry("try", tr("Try"), "play", "Ctrl+1"),
    RailEntry("compare", tr("Compare"), "scales", "Ctrl+2"),
    RailEntry("cases", tr("Cases"), "clipboard-text", "Ctrl+3"),
    RailEntry("history", tr("History"), "clock-counter-clockwise", "Ctrl+4"),
    RailEntry("scan", tr("Scan"), "file-search", "Ctrl+5", rule_after=True),
    RailEntry("tools", tr("Tools"), "wrench", "Ctrl+6"),
    RailEntry("providers", tr("Providers"), "cloud", "Ctrl+7"),
    RailEntry("servers", tr("Servers"), "hard-drives", "Ctrl+8"),
    RailEntry("gateway", tr("Gateway"), "broadcast", "Ctrl+9"),
    RailEntry("settings", tr("Settings"), "gear", "Ctrl+,", foot=True),
)
"""Every place the rail has room for; shown are those whose page exists."""


class ProductMark(QAbstractButton):
    """The product's mark, a call between brackets; it leads back to the first page."""

    def __init__(self) -> None:
        super().__init__()
        fix_size(self, height=Sizes.TOP_BAR)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Recorded failures and simulated models"))
        set_tip(self, tr("Recorded failures and simulated models (Ctrl+0)"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(tokens().accent)
        pen = QPen(colour, px(2.2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        middle = QPointF(self.width() / 2, self.height() / 2)
        for side in (-1, 1):
            points = [(side * 5, -6), (side * 12, 0), (side * 5, 6)]
            painter.drawPolyline(QPolygonF([middle + QPointF(px(1) * x, px(1) * y) for x, y in points]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(middle, px(2), px(2))


class RailButton(QAbstractButton):
    """Icon over caption; the current page has a ground, an accent icon and a bar. Arrows go to the next entry."""

    step_asked = Signal(int)

    def __init__(self, entry: RailEntry) -> None:
        super().__init__()
        self.entry = entry
        self.setText(entry.title)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # one of several, to a screen reader too
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(entry.title)
        set_tip(self, f"{entry.title} ({entry.keys})")

    def sizeHint(self) -> QSize:
        return QSize(px(Sizes.RAIL), px(Sizes.RAIL_ENTRY))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down:
                self.step_asked.emit(1)
            case Qt.Key.Key_Up:
                self.step_asked.emit(-1)
            case _ if not pressed_by_enter(self, event):
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        t = tokens()
        box = self.rect().adjusted(px(6), px(2), -px(6), -px(2))
        current = self.isChecked()
        if current:
            paint_box(painter, box, ground=t.sel)
            bar = px(16)
            painter.fillRect(0, (self.height() - bar) // 2, 3, bar, QColor(t.accent))
        elif self.underMouse():
            paint_box(painter, box, ground=t.hover)
        if shows_focus(self):
            paint_focus_ring(painter, box)
        spare = self.height() - px(38)
        side = px(20) if spare >= 0 else min(px(20), self.height() - px(8))
        top = min(px(10), spare // 2) if spare >= 0 else (self.height() - side) // 2
        icon = QRect((self.width() - side) // 2, top, side, side)
        paint_icon(painter, self.entry.icon, icon, t.accent if current else t.text2)
        if spare < 0:  # large text in a low window: an icon whole, and the tool tip, before half a word
            return
        caption = QRect(0, top + px(22), self.width(), px(16))
        font = ui_font(10, bold=current)
        colour = t.text if current else t.text2
        paint_text(painter, caption, self.text(), font, colour, align=Qt.AlignmentFlag.AlignHCenter)


class Rail(QFrame):
    """All entries whose page exists."""

    chosen = Signal(str)
    """The user wants the page of that key."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        fix_size(self, width=Sizes.RAIL)
        self._buttons: dict[str, RailButton] = {}
        self._box = QVBoxLayout()
        self._box.setContentsMargins(0, 0, 0, px(4))
        self._box.setSpacing(0)
        self.setLayout(self._box)
        self.show_entries(())

    def show_entries(self, keys: tuple[str, ...]) -> None:
        """Show the entries of these pages, in the rail's own order."""
        self._empty()
        self._buttons = {}
        self.mark = ProductMark()
        self.mark.clicked.connect(lambda: self.chosen.emit("start"))
        self._box.addWidget(self.mark)
        self._box.addSpacing(px(6))
        shown = [entry for entry in ENTRIES if entry.key in keys]
        for entry in shown:
            if not entry.foot:
                self._add(entry)
        self._box.addStretch(1)
        for entry in shown:
            if entry.foot:
                self._add(entry)

    def _empty(self) -> None:
        while (item := self._box.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _add(self, entry: RailEntry) -> None:
        button = RailButton(entry)
        button.clicked.connect(lambda _checked=False, key=entry.key: self._on_clicked(key))
        button.step_asked.connect(lambda step, key=entry.key: self._walk(key, step))
        self._buttons[entry.key] = button
        self._box.addWidget(button)
        if entry.rule_after:
            rule = QFrame()
            rule.setProperty("role", "hairline2")
            rule.setFixedSize(px(32), 1)
            self._box.addSpacing(px(4))
            self._box.addWidget(rule, 0, Qt.AlignmentFlag.AlignHCenter)
            self._box.addSpacing(px(4))

    def _on_clicked(self, key: str) -> None:
        self.chosen.emit(key)
        if key in self._buttons:  # a click on the current entry must not take its mark away
            self._buttons[key].setChecked(True)

    def button(self, key: str) -> RailButton | None:
        """Return an entry's button."""
        return self._buttons.get(key)

    def set_current(self, key: str) -> None:
        """Mark the page that is shown, which is also where Tab stops; a page without an entry marks none, and Tab stops at the first."""
        held = any(button.hasFocus() for button in self._buttons.values())
        stop = key if key in self._buttons else next(iter(self._buttons), "")
        for name, button in self._buttons.items():
            button.setAutoExclusive(False)  # or the last one could not lose its mark
            button.setChecked(name == key)
            button.setAutoExclusive(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if name == stop else Qt.FocusPolicy.NoFocus)
        if held and key in self._buttons:  # Space would lead back to the page that was left
            self._buttons[key].setFocus(Qt.FocusReason.OtherFocusReason)

    def _walk(self, key: str, step: int) -> None:
        names = list(self._buttons)
        following = names[(names.index(key) + step) % len(names)]
        self._buttons[following].setFocus(Qt.FocusReason.TabFocusReason)
