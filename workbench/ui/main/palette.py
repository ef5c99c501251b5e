"""The command palette: one field over everything that can be done, every page, and recorded runs.

What is pasted into it is read: a short line stands in the field like typed words, a longer text is held beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QWidget

from workbench.core.errors import InvalidInput
from workbench.ui.bridge.action import EVERYWHERE
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import shortcut_text
from workbench.ui.widgets.frames import column, hairline, label
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paste_field import TYPED, PasteField, told_size
from workbench.ui.widgets.rows import RowDelegate, RowList

if TYPE_CHECKING:
    from workbench.app.pasted_result import PastedReading
    from workbench.ui.bridge.action import Action
    from workbench.ui.bridge.tasks import Tasks

_WIDTH, _ROWS, _ROW = 560, 11, 32
_PAUSE_S = 0.12
"""Typing pause before recorded runs are searched."""
_ANYWHERE = QModelIndex()
_AWAY = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""The user looks at another window, perhaps to copy something there, or at the field's own menu: it stays open."""
_KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Up, Qt.Key.Key_Down)


HINT = tr("Type a command, a page, or words of a run; or paste anything")
_READ = "stack"
"""Icon of the line that reads a pasted text."""
_LIKE_A_TEXT = 40
"""Characters from which on words that no command has may be a text to be read."""


class PasteReader(Protocol):
    """Says what pasted texts are, and shows them."""

    async def identify(self, text: str) -> PastedReading: ...

    def read(self, text: str, told: Callable[[str, Callable[[], None] | None], None]) -> None: ...

    def told_in_status(self, sentence: str, instead: Callable[[], None] | None) -> None: ...


class PaletteItem(NamedTuple):
    """One line of the palette."""

    title: str
    note: str
    icon: str
    call: Callable[[], object]
    keys: str = ""
    off: bool = False
    """It is there, and cannot be done now."""

    @property
    def told(self) -> str:
        """The line in words."""
        return f"{self.title} {self.note}".strip() + (tr(", not now") if self.off else "")


Search = Callable[[str], Awaitable[Sequence[PaletteItem]]]


class _FoundModel(QAbstractListModel):
    """The lines as a list model."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.items: list[PaletteItem] = []

    def show_items(self, items: list[PaletteItem]) -> None:
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ANYWHERE) -> int:
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        return self.items[index.row()].told


class _FoundDelegate(RowDelegate):
    """Icon, title, note, shortcut."""

    def paint_cell(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex, *, chosen: bool
    ) -> None:
        model = index.model()
        assert isinstance(model, _FoundModel)
        item, t = model.items[index.row()], tokens()
        side = px(16)
        icon = QRect(rect.left() + px(16), rect.top() + (rect.height() - side) // 2, side, side)
        paint_icon(painter, item.icon or "caret-right", icon, t.accent if chosen and not item.off else t.text2)
        keys = tr("not now") if item.off else shortcut_text(item.keys)
        width = QFontMetrics(ui_font(11)).horizontalAdvance(keys)
        room = rect.adjusted(px(44), 0, -px(24) - width, 0)
        used = paint_text(painter, room, item.title, ui_font(12, bold=chosen), t.text3 if item.off else t.text)
        paint_text(painter, room.adjusted(used + px(8), 0, 0, 0), item.note, ui_font(11), t.text3)
        edge = QRect(rect.right() - px(16) - width, rect.top(), width + 2, rect.height())
        paint_text(painter, edge, keys, ui_font(11), t.text3)


class CommandPalette(QFrame):
    """Lies over the window below the top bar; arrows choose, Enter does, Esc goes back to where the focus was."""

    def __init__(
        self, window: QWidget, actions: Callable[[], Sequence[Action]], elsewhere: Callable[[], Sequence[Action]] = list
    ) -> None:
        super().__init__(window)
        self.setProperty("role", "card")
        self.hide()
        self._window = window
        self._actions, self._elsewhere = actions, elsewhere
        self._finding: tuple[Tasks, Search] | None = None
        self._before: QWidget | None = None
        self._pasting: PasteReader | None = None
        self._held = self._is = ""
        """A text that was pasted, and what it is."""
        self.field = PasteField(hint=HINT, icon_name="magnifying-glass", keep_lines=True)
        self._model = _FoundModel(self)
        self.list = RowList(tr("Found"))
        self.list.setModel(self._model)
        self.list.setItemDelegate(_FoundDelegate(_ROW, self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.clicked.connect(lambda index: self._take(index.row()))
        self._hint = label(tr("↑ ↓ choose · Enter do · Esc back"), "faint")
        self._hint.setContentsMargins(px(16), px(6), px(16), px(6))
        self.nothing = label("", "second", wrap=True)
        self.nothing.setContentsMargins(px(16), px(8), px(16), px(8))
        head = column(self.field, margins=(8, 8, 8, 8))
        parts = (head, hairline(), self.list, self.nothing, hairline(), self._hint)
        self.setLayout(column(*parts, margins=(1, 1, 1, 1), gap=0))
        self.field.textChanged.connect(self._on_typed)
        self.field.pasted.connect(self._hold)
        self.field.installEventFilter(self)

    def set_search(self, tasks: Tasks, search: Search) -> None:
        """Find recorded runs too; what was typed while there was nothing to find is looked for now."""
        self._finding = (tasks, search)
        if self.isVisible():
            self._on_typed(self.field.text())

    def set_pasting(self, pasting: PasteReader) -> None:
        """Read what is pasted."""
        self._pasting = pasting

    def open_palette(self) -> None:
        """Show it, empty, with everything that can be done."""
        self._before = self._window.focusWidget()
        self._held = ""
        self.field.clear()
        self._on_typed("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_palette(self) -> None:
        """Hide it and give the focus back."""
        self.hide()
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None

    @property
    def found(self) -> list[PaletteItem]:
        """What is listed now."""
        return self._model.items

    def _hold(self, text: str) -> None:
        """Keep a pasted text; the field shows how much it is, and the list offers to read it."""
        if self._pasting is None or self._finding is None:
            return
        self.field.clear()
        self._held, self._is = text, ""
        self.field.setPlaceholderText(tr("Pasted: {text}", text=told_size(text)))
        self._show([self._to_read(text)])
        self._finding[0].latest("palette search", self._identify(text))

    async def _identify(self, text: str) -> None:
        assert self._pasting is not None
        try:
            found = await self._pasting.identify(text)
        except InvalidInput as error:
            self._is = error.message
        else:
            self._is = found.title if found.kind else tr("not known; read as a reply all the same")
        if self.isVisible() and text in (self._held, self.field.text().strip()):
            self._model.show_items([self._to_read(text) if item.icon == _READ else item for item in self._model.items])
            self.list.choose_row(max(0, self.list.currentIndex().row()))

    def _to_read(self, text: str) -> PaletteItem:
        """The line that reads a pasted text."""
        return PaletteItem(tr("Read the pasted text"), self._is or told_size(text), _READ, lambda: self._read(text))

    def _read(self, text: str) -> None:
        assert self._pasting is not None
        self._pasting.read(text, self._pasting.told_in_status)

    def _on_typed(self, text: str) -> None:
        words = text.strip()
        if self._held and not words:
            return
        self._held = self._is = ""
        self.field.setPlaceholderText(HINT)
        searches = self._finding is not None and 2 <= len(words) <= TYPED
        self.nothing.setText(tr("Looking through recorded runs") if searches else self._nothing(words))
        self._show(self._matching(text))
        if self._finding is not None and searches:
            tasks, search = self._finding
            tasks.latest("palette search", self._add_runs(search, words))

    def _matching(self, text: str) -> list[PaletteItem]:
        """What can be done now; once something is typed, also what other pages can do."""
        found = _matching(self._actions(), text)
        if text.strip():
            found += [item._replace(keys="") for item in _matching(self._elsewhere(), text)]
            found.sort(key=lambda item: item.off)
        if not found and self._pasting is not None and looks_pasted(text):
            found.append(self._to_read(text.strip()))
        return found

    def _nothing(self, words: str) -> str:
        if self._finding is None:
            return tr("The records are being opened. Commands and pages come with them.")
        return tr("Nothing matches “{words}”: no command, no page and no recorded run has these words.", words=words)

    def _show(self, items: list[PaletteItem]) -> None:
        self._model.show_items(items)
        self.list.choose_row(0)
        self._fit()

    def _fit(self) -> None:
        """As high as its lines, up to eleven of them."""
        window = self._window
        rows = min(_ROWS, len(self._model.items))
        self.list.setVisible(rows > 0)
        self.nothing.setVisible(not rows)
        width = min(px(_WIDTH), window.width() - px(96))
        self.list.setFixedHeight(min(rows * px(_ROW), window.height() - px(160)))
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.setGeometry((window.width() - width) // 2, px(52), width, layout.minimumSize().height())

    async def _add_runs(self, search: Search, text: str) -> None:
        await asyncio.sleep(_PAUSE_S)
        runs = await search(text)
        if self.isVisible() and self.field.text().strip() == text:
            at = self.list.currentIndex().row()
            self.nothing.setText(self._nothing(text))
            self._model.show_items([*self._matching(text), *runs])
            self.list.choose_row(max(0, at))
            self._fit()

    def _take(self, row: int) -> None:
        if 0 <= row < len(self._model.items):
            item = self._model.items[row]
            if item.off:  # it says so, and stays open for something else
                return
            self.close_palette()
            item.call()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.field
            and isinstance(event, QFocusEvent)
            and event.lostFocus()
            and event.reason() not in _AWAY
        ):
            self.hide()
        if watched is self.field and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() in _KEYS:
                event.accept()  # else a page's own Esc or Enter would act behind the palette
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._key(event.key())
        return super().eventFilter(watched, event)

    def _key(self, key: int) -> bool:
        at, last = self.list.currentIndex().row(), len(self._model.items) - 1
        match key:
            case Qt.Key.Key_Down:
                self.list.choose_row(min(last, at + 1))
            case Qt.Key.Key_Up:
                self.list.choose_row(max(0, at - 1))
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._take(at)
            case Qt.Key.Key_Escape:
                self.close_palette()
            case _:
                return False
        return True


def looks_pasted(text: str) -> bool:
    """Whether words that no command has are rather a text to be read: long, or with signs of markup or of an address."""
    words = text.strip()
    return len(words) >= _LIKE_A_TEXT or any(sign in words for sign in ("{", "<", "[", "://", "curl "))


def _matching(actions: Sequence[Action], text: str) -> list[PaletteItem]:
    """Actions that have all the words: those whose title begins with them first, those by other words of theirs after, and
    last, once something is typed, those that cannot be done now."""
    words = text.lower().split()
    found = []
    for action in actions:
        title = action.title.lower()
        note = "" if action.group == EVERYWHERE else action.group
        named = f"{title} {note.lower()}"
        off = not action.enabled()
        if action.hidden or (off and not words) or not all(word in f"{named} {action.words}" for word in words):
            continue
        item = PaletteItem(action.title, note, action.icon, action.call, action.keys[0] if action.keys else "", off)
        by_name = all(word in named for word in words)
        found.append(((off, not by_name, not title.startswith(" ".join(words))), item))
    return [item for _, item in sorted(found, key=lambda pair: pair[0])]
