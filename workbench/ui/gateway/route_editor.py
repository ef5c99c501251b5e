"""The form of one route, over the table while it is edited: pattern, tier or model, way, format, planner, budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout

from workbench.core.target import ModelRef
from workbench.ui.gateway.values import RouteDraft
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField, LineField, NumberOrNothing
from workbench.ui.widgets.frames import ElidedLabel, column, label, row
from workbench.ui.widgets.picker_field import Choice, PickerField

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MODEL = "model"
LEADS = (
    (MODEL, tr("a model")), ("BIG_MODEL", tr("tier BIG")), ("MIDDLE_MODEL", tr("tier MIDDLE")), ("SMALL_MODEL", tr("tier SMALL")),
)  # fmt: skip
WAYS = (
    ("route", tr("routed: native or emulated")), ("repair", tr("routed, calls mended")), ("pass-through", tr("passed through untouched")),
)  # fmt: skip
AUTO, DIRECT = "auto", ""


class RouteEditor(QFrame):
    """Holds a draft; `saved` and `removed` carry nothing, the draft is read by whoever listens."""

    saved = Signal()
    removed = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.asked_for = LineField(hint=tr("*-large*, claude-*, or one name"), name=tr("Asked for"), mono=True)
        self.leads = ComboField(name=tr("Leads to"))
        self.leads.set_items([(title, value) for value, title in LEADS])
        self.model = PickerField("", tr("Model"))
        self.way = ComboField(name=tr("Way"))
        self.way.set_items([(title, value) for value, title in WAYS])
        self.format = PickerField("", tr("Format"))
        self.planner = PickerField("", tr("Planner"))
        self.seconds = NumberOrNothing(tr("Budget of the planner in seconds"), 1, 3600)
        fix_size(self.seconds, width=80)
        self.fault = label("", "failed", wrap=True)
        self.fault.hide()
        self.save = Button(tr("Save"), kind="primary", small=True, keys="Return", on_click=self.saved.emit)
        self.remove = Button("", icon="trash", small=True, tip=tr("Delete the route"), on_click=self.removed.emit)
        self.cancel = Button(
            tr("Cancel"), small=True, tip=tr("Leave the route as it was (Esc)"), on_click=self.closed.emit
        )
        self.asked_for.returnPressed.connect(self.saved)
        self.leads.value_chosen.connect(lambda _value: self._show_enabled())
        self.way.value_chosen.connect(lambda _value: self._show_enabled())
        for picker in (self.model, self.format, self.planner):
            picker.picked.connect(lambda value, one=picker: self._on_picked(one, value))
        self._lay_out()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(6))
        places = (
            (tr("Asked for"), self.asked_for, 0, 0), (tr("Leads to"), self.leads, 0, 2), (tr("Model"), self.model, 1, 0),
            (tr("Way"), self.way, 1, 2), (tr("Format"), self.format, 2, 0), (tr("Planner"), self.planner, 2, 2),
        )  # fmt: skip
        for words, field, line, place in places:
            grid.addWidget(label(words, "label"), line, place)
            grid.addWidget(field, line, place + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        then = ElidedLabel(tr("s, then without the planner"), "label")
        buttons = row(label(tr("Budget"), "label"), self.seconds, then, self.remove, self.cancel, self.save)
        buttons.setStretch(2, 1)
        self.setLayout(column(grid, self.fault, buttons, None, margins=(16, 8, 16, 8), gap=8))

    def offer(self, models: Sequence[ModelRef], formats: Sequence[str], own: Callable[[str], Choice | None]) -> None:
        """Offer models and formats."""
        choices = [Choice(f"{ref.provider} / {ref.model}", str(ref)) for ref in models]
        self.model.set_choices(choices, own)
        self.planner.set_choices([Choice(tr("no planner"), DIRECT), *choices], own)
        self.format.set_choices([Choice(tr("as detected"), AUTO), *(Choice(name, name) for name in formats)])

    def show_draft(self, draft: RouteDraft, *, new: bool) -> None:
        """Fill the form."""
        self.asked_for.setText(draft.asked_for)
        self.leads.choose(draft.leads_to)
        self.way.choose(draft.way)
        self._on_picked(self.model, draft.model)
        self._on_picked(self.format, draft.format)
        self._on_picked(self.planner, draft.planner)
        self.seconds.show_value(draft.seconds)
        self.remove.setVisible(not new)
        self.say("")
        self._show_enabled()

    @property
    def draft(self) -> RouteDraft:
        """What stands in the form."""
        return RouteDraft(
            self.asked_for.text().strip(), str(self.leads.value), str(self.model.value or ""), str(self.way.value),
            str(self.format.value or AUTO), str(self.planner.value or DIRECT), self.seconds.value,
        )  # fmt: skip

    def say(self, fault: str) -> None:
        """Say why it cannot be saved."""
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _on_picked(self, picker: PickerField, value: object) -> None:
        text = str(value or "")
        empty = {self.model: "choose", self.format: "as detected", self.planner: "no planner"}[picker]
        shown = empty if text in ("", AUTO) else text.replace("/", " / ", 1) if picker is not self.format else text
        picker.show_value(text, shown)
        self._show_enabled()

    def _show_enabled(self) -> None:
        """What has no effect cannot be chosen."""
        passed = self.way.value == "pass-through"
        self.model.setEnabled(self.leads.value == MODEL)
        self.format.setEnabled(not passed)
        self.planner.setEnabled(not passed)
        self.seconds.setEnabled(not passed and bool(self.planner.value))
