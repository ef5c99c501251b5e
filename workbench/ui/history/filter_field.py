"""The filter field: the one filter language with completion of fields and values, and errors said in place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QCompleter

from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import LineField

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LAST = re.compile(r"(?P<no>-?)(?:(?P<field>\w+):(?:[^\s,]*,)*)?(?P<part>[^\s,:]*)$")
_PAUSE_MS = 180


class FilterField(LineField):
    """Emits `filter_changed` a moment after the last key, at once on Enter."""

    filter_changed = Signal(str)
    names_wanted = Signal(str, str)
    """Field and beginning of a value that only the store can complete."""

    def __init__(self) -> None:
        super().__init__(
            hint="verdict:fail code:parse.* tool:search since:7d  or words",
            icon_name="funnel",
            mono=True,
            name=tr("Filter"),
            clearable=True,
        )
        fix_size(self, height=30)
        self._fields: dict[str, str] = {}
        self._choices: dict[str, tuple[str, ...]] = {}
        self._words = QStringListModel(self)
        self._completer = QCompleter(self._words, self)
        self._completer.setWidget(self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.activated.connect(self._on_completed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.apply_now)
        self._applied = ""
        self.textEdited.connect(self._on_edited)
        self.textChanged.connect(lambda _text: self._pause.start())
        self.returnPressed.connect(self.apply_now)

    def set_language(self, fields: Mapping[str, str], choices: Mapping[str, Sequence[str]]) -> None:
        """Say which fields there are (with their help) and the values of those that have a fixed list."""
        self._fields = dict(fields)
        self._choices = {name: tuple(values) for name, values in choices.items()}

    def set_filter(self, text: str) -> None:
        """Write a filter and apply it."""
        self.setText(text)
        self.apply_now()

    def apply_now(self) -> None:
        """Apply what is written, if it is not applied yet."""
        self._pause.stop()
        if self.text().strip() != self._applied:
            self._applied = self.text().strip()
            self.filter_changed.emit(self._applied)

    def offer(self, field: str, values: Sequence[str]) -> None:
        """Offer values that the store knows, if they are still what is being typed."""
        found = self._at_cursor()
        if found["field"] == field and values:
            self._popup([value for value in values if value != found["part"]])

    @property
    def offered(self) -> list[str]:
        """What is offered now."""
        return self._words.stringList()

    def _at_cursor(self) -> re.Match[str]:
        found = _LAST.search(self.text()[: self.cursorPosition()])
        assert found is not None  # the pattern matches the empty text
        return found

    def _on_edited(self, _text: str) -> None:
        found = self._at_cursor()
        field, part = found["field"], found["part"].lower()
        if field in self._choices:
            self._popup([value for value in self._choices[field] if value.startswith(part)])
        elif field:
            self._hide()
            self.names_wanted.emit(field, part)
        elif part:
            names = [f"{name}:" for name in self._fields if name.startswith(part)]
            self._popup(names)
        else:
            self._hide()

    def _popup(self, words: list[str]) -> None:
        if not words or (len(words) == 1 and words[0] == self._at_cursor()["part"]):
            self._hide()
            return
        self._words.setStringList(words)
        self._completer.complete()
        self._list().setCurrentIndex(self._completer.completionModel().index(0, 0))

    def _list(self) -> QAbstractItemView:
        popup = self._completer.popup()
        assert popup is not None
        return popup

    def _hide(self) -> None:
        self._words.setStringList([])
        self._list().hide()

    def _on_completed(self, word: str) -> None:
        found = self._at_cursor()
        before = self.text()[: self.cursorPosition()]
        start = before[: len(before) - len(found["part"])]
        written = f'"{word}"' if re.search(r"[\s,]", word) else word
        self.setText(start + written + self.text()[self.cursorPosition() :])
        self.setCursorPosition(len(start) + len(written))
        self._words.setStringList([])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._list().isVisible() and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
            return
        super().keyPressEvent(event)
