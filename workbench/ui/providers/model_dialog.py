"""What a user decides about one model: its format, how it is asked, what is known of its reasoning, its price."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from workbench.core.masking import Secrets
from workbench.core.secret_values import secrets_in_fields
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_height, bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, JsonColours
from workbench.ui.widgets.fields import ComboField, NumberOrNothing
from workbench.ui.widgets.frames import column, hairline, label, row
from workbench.ui.widgets.hidden_text import restored_value
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.picker_field import Choice, PickerField
from workbench.ui.widgets.shown_text import shown_line

if TYPE_CHECKING:
    from collections.abc import Sequence

THREE_WAYS = ((tr("as the provider does"), None), ("yes", True), ("no", False))
KNOWN_OR_TOLD = ((tr("as the registry says"), None), (tr("yes"), True), (tr("no"), False))
TOOLS = (
    (tr("as the provider's setting"), "auto"),
    (tr("native: the tools field"), "native"),
    (tr("emulated: text"), "emulated"),
)
_FIELD = 300


class ModelSettingsDialog(QDialog):
    """Opened, never executed; whoever opened it fills it and reads it."""

    edited = Signal()
    saved = Signal()
    cleared = Signal()

    def __init__(self, model: str, provider: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(shown_line(tr("Settings of {model}", model=model)))
        self.setModal(True)
        self.resize(px(620), px(600))
        self.format = PickerField("", tr("Format"), mono=True)
        self.tools = ComboField(name=tr("Tools"))
        self.tools.set_items(TOOLS)
        self.parallel = ComboField(name=tr("Parallel calls"))
        self.parallel.set_items(THREE_WAYS)
        self.think_open = ComboField(name=tr("The reply starts inside its reasoning"))
        self.think_open.set_items(KNOWN_OR_TOLD)
        self.calls_in_reasoning = ComboField(name=tr("Calls inside reasoning count"))
        self.calls_in_reasoning.set_items(KNOWN_OR_TOLD)
        self.temperature = NumberOrNothing(tr("Temperature"), 0, 2)
        self.max_tokens = NumberOrNothing(tr("Tokens at most"), 1, 10_000_000, whole=True)
        self.input_price = NumberOrNothing(tr("Price of a million tokens in"), 0, 1_000_000)
        self.output_price = NumberOrNothing(tr("Price of a million tokens out"), 0, 1_000_000)
        self.extra = CodeEdit(tr("Extra body fields"))
        self._real_extra: dict[str, Any] = {}
        self._shown_extra: dict[str, Any] = {}
        self.colours = JsonColours(self.extra.document())
        bound_height(self.extra, 96)
        self.status = label("", "second", wrap=True)
        self.clear = Button(
            tr("Forget all"), kind="quiet", tip=tr("Back to what is detected"), on_click=self.cleared.emit
        )
        self.cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        self.save = Button(tr("Save"), kind="primary", keys="Ctrl+Return", on_click=self._on_save)
        self.save.setShortcut("Ctrl+Return")
        self._lay_out(model, provider)
        self._connect()

    def _lay_out(self, model: str, provider: str) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(20, 14, 20, 14)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(1, 1)
        prices = QWidget()
        prices.setLayout(
            row(self.input_price, label(tr("in"), "label"), 8, self.output_price, label(tr("out"), "label"), None)
        )
        fields: tuple[tuple[str, QWidget, str], ...] = (
            (tr("Format"), self.format, ""),
            (tr("Tools"), self.tools, ""),
            (tr("Parallel calls"), self.parallel, ""),
            (tr("Starts in reasoning"), self.think_open, tr("the prompt opened the block")),
            (tr("Calls in reasoning"), self.calls_in_reasoning, tr("are meant, not thought aloud")),
            (tr("Temperature"), self.temperature, ""),
            (tr("Tokens at most"), self.max_tokens, ""),
            (tr("Price"), prices, tr("of a million tokens")),
        )
        for at, (title, field, note) in enumerate(fields):
            if isinstance(field, ComboField):
                bound_width(field, least=_FIELD)
            grid.addWidget(label(title, "second"), at, 0)
            grid.addLayout(row(field, label(note, "label"), None, gap=10), at, 1)
        grid.addWidget(label(tr("Extra body"), "second"), len(fields), 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.extra, len(fields), 1)
        grid.setRowStretch(len(fields), 1)
        head = column(
            label(model, "object"),
            label(tr("at {provider}", provider=provider), "second"),
            margins=(20, 14, 20, 12),
            gap=2,
        )
        foot = row(self.status, self.clear, self.cancel, self.save, margins=(20, 10, 20, 12))
        foot.setStretch(0, 1)
        whole = column(head, hairline(), grid, hairline(), foot, gap=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)

    def _connect(self) -> None:
        for combo in (self.tools, self.parallel, self.think_open, self.calls_in_reasoning):
            combo.value_chosen.connect(lambda _value: self._on_edited())
        for field in self._numbers:
            field.textEdited.connect(lambda _text: self._on_edited())
        self.format.picked.connect(self._on_format)
        self.extra.textChanged.connect(self._on_edited)

    @property
    def _numbers(self) -> tuple[NumberOrNothing, ...]:
        return self.temperature, self.max_tokens, self.input_price, self.output_price

    def offer_formats(self, formats: Sequence[str], detected: str) -> None:
        """Offer the format ids; nothing chosen means what is detected."""
        self.format.set_choices([Choice("auto", "", detected), *(Choice(one, one) for one in formats)])

    def show_format(self, chosen: str) -> None:
        """Show a format id, or with an empty one that it is detected."""
        self.format.show_value(chosen, chosen or "auto")

    def show_extra(self, extra: dict[str, Any]) -> None:
        """Show the further fields, with stars for what is secret by its name; stars that are left alone keep what they hide."""
        self._real_extra = extra
        self._shown_extra = Secrets(secrets_in_fields(extra)).mask_value(extra)
        self.extra.set_text(json.dumps(self._shown_extra, indent=2, ensure_ascii=False) if extra else "")

    def extra_body(self) -> dict[str, Any] | None:
        """The further fields; None while the text is no JSON object, or has stars that hide nothing."""
        text = self.extra.toPlainText()
        value, fault = read_json(text) if text.strip() else ({}, None)
        self.extra.show_fault(fault)
        if fault is not None or not isinstance(value, dict):
            return None
        value, unknown = restored_value(value, self._real_extra, self._shown_extra)
        return None if unknown else value

    @property
    def fault(self) -> str:
        """What cannot be saved, or nothing."""
        wrong = next((field.fault for field in self._numbers if field.fault), "")
        return wrong or (
            ""
            if self.extra_body() is not None
            else tr("Extra body is no JSON object yet, or stars stand where something secret was")
        )

    def show_status(self, words: str) -> None:
        """Say what the settings come to."""
        self.status.setText(words)

    def _on_format(self, chosen: object) -> None:
        self.show_format(str(chosen or ""))
        self._on_edited()

    def _on_edited(self) -> None:
        self.save.setEnabled(not self.fault)
        self.edited.emit()

    def _on_save(self) -> None:
        if not self.fault:
            self.saved.emit()
