"""The form of one provider. What cannot be saved is marked in its field; a key that was saved is never shown again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QSizePolicy, QWidget

from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField, LineField, NumberField
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.hidden_text import SecretField
from workbench.ui.widgets.noted_grid import NotedGrid, NoteLabel
from workbench.ui.widgets.shown_text import shown_line
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.providers.rows import ProviderForm

KEY_PLACES = (
    (tr("System keychain"), "keyring"),
    (tr("This session only"), "session"),
    (tr("Environment variable"), "env"),
    (tr("No key"), "none"),
)
TOOLS = (
    (tr("auto: native where the model can"), "auto"),
    (tr("native: always the tools field"), "native"),
    (tr("emulated: always as text"), "emulated"),
)
_FIELD = 360
_NOTES_BELOW = 680
"""Width of the form below which notes stand under their fields."""


def number(name: str, low: int, high: int) -> NumberField:
    """Return a narrow number field."""
    made = NumberField(name, low, high, low)
    fix_size(made, width=52)
    return made


def _counted(field: NumberField, words: str) -> QWidget:
    made = QWidget()
    made.setLayout(row(field, label(words, "label"), gap=6))
    return made


class ProviderFormView(QFrame):
    """Fields, notes beside them, and Save once something differs."""

    save_asked = Signal(object)
    """The `ProviderForm` as edited."""
    key_given = Signal(str)
    key_removal_asked = Signal()
    edited = Signal()
    extras_asked = Signal()
    """Show further headers and body fields."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._shown: ProviderForm | None = None
        self.name = LineField(name=tr("Name"))
        self.wire = ComboField(name=tr("Protocol"))
        self.base_url = SecretField(name=tr("Base URL"), hint="https://HOST/v1")
        self.key_place = ComboField(name=tr("Where the key is kept"))
        self.key_place.set_items(KEY_PLACES)
        self.variable = LineField(mono=True, name=tr("Environment variable"), hint="NAME_OF_VARIABLE")
        self.key = LineField(name=tr("API key"), icon_name="key")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.use_key = Button(tr("Save key"), icon="lock", on_click=self._give_key)
        self.forget_key = Button(tr("Remove"), kind="quiet", on_click=self.key_removal_asked.emit)
        self.tools = ComboField(name=tr("Tools"))
        self.tools.set_items(TOOLS)
        self.parallel = number(tr("Requests at the same time"), 1, 64)
        self.per_minute = number(tr("Requests a minute, 0 for as many as come"), 0, 100_000)
        self.tokens = number(tr("Tokens a minute, 0 for as many as come"), 0, 100_000_000)
        fix_size(self.tokens, width=92)
        self.retries = number(tr("Retries"), 0, 10)
        self.stall = number(tr("Seconds of silence allowed"), 1, 3600)
        self.extras = Button(tr("Headers and body …"), icon="code", on_click=self.extras_asked.emit)
        self._extras: tuple[dict[str, str], dict[str, Any]] = ({}, {})
        self.save = Button(tr("Save"), kind="primary", keys="Ctrl+S", on_click=self.ask_save)
        self.revert = Button(tr("Revert"), kind="quiet", on_click=self._revert)
        self.notes = {name: NoteLabel() for name in ("name", "wire", "base_url", "key", "tools")}
        self._key_row = QWidget()
        self._variable_row = QWidget()
        self._foot = QWidget()
        self._fill_grid()
        self._connect()
        self.setEnabled(False)  # until there is a provider to edit

    def _fill_grid(self) -> None:
        grid = NotedGrid(labels=128, below=_NOTES_BELOW, margins=(24, 16, 24, 12))
        bound_width(self.key, most=_FIELD)  # as wide as the fields above it
        keys = row(self.key, self.use_key, self.forget_key, None, gap=8)
        keys.setStretch(0, 1_000)
        self._key_row.setLayout(keys)
        self._variable_row.setLayout(row(self.variable))
        numbers = QWidget()
        often = (
            (self.parallel, tr("at once")),
            (self.per_minute, tr("requests a minute")),
            (self.tokens, tr("tokens a minute")),
        )
        patience = (self.retries, "retries"), (self.stall, tr("s of silence"))
        numbers.setLayout(
            column(*(WrapBox([_counted(*one) for one in line], gap=14) for line in (often, patience)), gap=6)
        )
        self.extras_told = label("", "label")
        extras = QWidget()
        extras.setLayout(row(self.extras, self.extras_told, None))
        self._foot.setLayout(row(self.save, self.revert, None))
        lines: list[tuple[str, QWidget, str]] = [
            (tr("Name"), self.name, "name"),
            (tr("Protocol"), self.wire, "wire"),
            (tr("Base URL"), self.base_url, "base_url"),
            (tr("Key is kept in"), self.key_place, ""),
            (tr("Variable"), self._variable_row, ""),
            (tr("API key"), self._key_row, "key"),
            (tr("Tools"), self.tools, "tools"),
            (tr("Limits"), numbers, ""),
            (tr("Extra"), extras, ""),
            ("", self._foot, ""),
        ]
        self._labels = {}
        for title, widget, note in lines:
            widget.setSizePolicy(QSizePolicy.Policy.Expanding, widget.sizePolicy().verticalPolicy())
            bound_width(widget, most=_FIELD + (160 if widget in (self._key_row, numbers) else 0))
            self._labels[widget] = grid.add_line(title, widget, self.notes[note] if note else "")
        self.setLayout(column(self._locked_hint(), grid, gap=0))

    def _locked_hint(self) -> QWidget:
        self.locked = label("", "second", wrap=True)
        self.locked.setContentsMargins(24, 12, 24, 0)
        self.locked.hide()
        return self.locked

    def _connect(self) -> None:
        for field in (self.name, self.base_url, self.variable):
            field.textEdited.connect(self._on_edited)
        for combo in (self.wire, self.key_place, self.tools):
            combo.value_chosen.connect(self._on_edited)
        for limit in self._limits:
            limit.value_changed.connect(self._on_edited)
        self.key.textChanged.connect(self._show_key_buttons)
        self.key.returnPressed.connect(self._give_key)

    @property
    def _limits(self) -> tuple[NumberField, ...]:
        return self.parallel, self.per_minute, self.tokens, self.retries, self.stall

    def set_wires(self, wires: Sequence[tuple[str, str]]) -> None:
        """Offer the protocols: title and id."""
        self.wire.set_items(wires)

    def show_form(self, form: ProviderForm) -> None:
        """Show a provider; what was edited before is dropped."""
        self._shown = form
        self.setEnabled(True)
        self.parallel.set_value(form.parallel)
        self.per_minute.set_value(form.per_minute)
        self.tokens.set_value(form.tokens_per_minute)
        self.retries.set_value(form.retries)
        self.stall.set_value(int(form.stall_s))
        self.name.setText(form.name)
        self.base_url.show_value(form.base_url)
        if not self.wire.choose(form.wire):
            self.wire.addItem(shown_line(form.wire), form.wire)
            self.wire.choose(form.wire)
        source, _, variable = form.key_source.partition(":")
        self.key_place.choose(source)
        self.variable.setText(variable)
        self.tools.choose(form.tools)
        self.notes["tools"].setText("")
        self.notes["base_url"].setText("")
        self.notes["name"].setText("")
        self.key.clear()
        self._show_extras(form.headers, form.extra)
        self._lock(form)
        self.complain({})
        self._after_edit()
        self.show_key_state(form.key_state, has_key=form.has_key)

    def _lock(self, form: ProviderForm) -> None:
        locked = form.read_only
        for field in (self.name, self.base_url, self.variable, self.key):
            field.setReadOnly(locked)
        for widget in (self.wire, self.key_place, self.tools, self.extras, *self._limits):
            widget.setEnabled(not locked)
        self.locked.setText(form.note)
        self.locked.setVisible(bool(form.note))

    def _show_extras(self, headers: dict[str, str], body: dict[str, Any]) -> None:
        self._extras = (headers, body)
        said = [f"{len(part)} {word}" for part, word in ((headers, "in the head"), (body, "in the body")) if part]
        self.extras_told.setText(", ".join(said) or tr("none"))

    def use_extras(self, headers: dict[str, str], body: dict[str, Any]) -> None:
        """Take over further headers and body fields; they are saved with the rest."""
        self._show_extras(headers, body)
        self._on_edited()

    def show_key_state(self, words: str, *, has_key: bool) -> None:
        """Say where the key is; never any part of it."""
        self.notes["key"].setText(words)
        self.key.setPlaceholderText(tr("saved; type here to replace it") if has_key else tr("paste the key"))
        self.forget_key.setVisible(has_key and not self.key.isReadOnly())

    def complain(self, wrong: dict[str, str]) -> None:
        """Mark fields with what is wrong with them: `name`, `base_url`, `variable`, `key`."""
        fields = {"name": self.name, "base_url": self.base_url, "variable": self.variable, "key": self.key}
        for name, field in fields.items():
            reason = wrong.get(name, "")
            field.set_invalid(reason)
            if name in self.notes and (reason or name != "key"):
                self.notes[name].setText(reason)

    def form(self) -> ProviderForm:
        """Return the provider as edited."""
        assert self._shown is not None
        place: Any = self.key_place.value
        source = tr("env:{text}", text=self.variable.text().strip()) if place == "env" else str(place)
        return replace(
            self._shown,
            name=self.name.text().strip(),
            wire=str(self.wire.value),
            base_url=self.base_url.value.strip(),
            key_source=source,
            tools=str(self.tools.value),
            parallel=self.parallel.value,
            per_minute=self.per_minute.value,
            tokens_per_minute=self.tokens.value,
            retries=self.retries.value,
            headers=self._extras[0],
            extra=self._extras[1],
            stall_s=float(self.stall.value),
        )

    @property
    def differs(self) -> bool:
        """Something was edited and is not saved."""
        return self._shown is not None and not self._shown.read_only and self.form() != self._shown

    @property
    def is_locked(self) -> bool:
        """What is shown cannot be edited here."""
        return self._shown is not None and self._shown.read_only

    def ask_save(self) -> None:
        """Ask to save what was edited."""
        if self.differs:
            self.save_asked.emit(self.form())

    def focus_key(self) -> None:
        """Put the cursor where a key is typed in."""
        self.key.setFocus()

    def _give_key(self) -> None:
        key = self.key.text().strip()
        if key:
            self.key.clear()
            self.key_given.emit(key)

    def _revert(self) -> None:
        if self._shown is not None:
            self.show_form(self._shown)

    def _on_edited(self) -> None:
        self.complain({})
        self._after_edit()
        self.edited.emit()

    def _after_edit(self) -> None:
        place = self.key_place.value
        self._show_row(self._variable_row, place == "env")
        self._show_row(self._key_row, place in ("keyring", "session"))
        self.notes["key"].setVisible(place in ("keyring", "session"))
        self.use_key.setText(tr("Use key") if place == "session" else tr("Save key"))
        self._show_key_buttons()
        self._show_row(self._foot, self.differs)

    def _show_row(self, widget: QWidget, shown: bool) -> None:
        widget.setVisible(shown)
        self._labels[widget].setVisible(shown)

    def _show_key_buttons(self) -> None:
        self.use_key.setVisible(bool(self.key.text().strip()))
