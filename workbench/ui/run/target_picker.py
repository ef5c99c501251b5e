"""Picks a target: model, format, mode, each from a list that can be searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.target import ModelRef
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import row
from workbench.ui.widgets.picker_field import Choice, PickerField
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.core.target import Detection

_SHARES, _SHORT_SHARES = (6, 7, 6), (10, 5, 6)
_ROOMY = 440
"""Width below which the model's name comes first: format and mode are short words."""
EDIT_WRAPPER = tr("edit wrapper")
_ORIGINS = {
    "alias": tr("from your alias"),
    "template": tr("from the chat template"),
    "default": tr("unknown name"),
    "persona": "simulated",
    "user": tr("your setting"),
    "preset": tr("the endpoint is known"),
    "list": tr("from its model list"),
    "probe": tr("from the probe"),
}
"""Where a detection comes from, by the first part of its rule; else it is the name."""


@dataclass(frozen=True, slots=True)
class TargetChoice:
    """What stands in the picker; there is no target until a model is chosen."""

    model: ModelRef | None = None
    format: str = "auto"
    planner: ModelRef | None = None


class TargetPicker(QWidget):
    """Shows a choice; what the user picks is told by field name and value."""

    edited = Signal(str, object)
    """`model`, `format` or `planner`, and its new value."""
    wrapper_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.model = PickerField(tr("Model"), tr("Model"))
        self.format = PickerField(tr("Format"), tr("Format"))
        self.mode = PickerField(tr("Mode"), tr("Mode"))
        self._simulated: frozenset[str] = frozenset()
        self._providers: frozenset[str] | None = None
        self._box = row(self.model, self.format, self.mode)
        for field in (self.model, self.format, self.mode):
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setLayout(self._box)
        self._share(_SHARES)
        self.model.picked.connect(lambda value: self.edited.emit("model", value))
        self.format.picked.connect(lambda value: self.edited.emit("format", value))
        self.mode.picked.connect(self._on_mode)

    def _share(self, shares: tuple[int, int, int]) -> None:
        for index, share in enumerate(shares):
            self._box.setStretch(index, share)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share(_SHARES if event.size().width() >= px(_ROOMY) else _SHORT_SHARES)

    def show_choice(self, choice: TargetChoice) -> None:
        """Show what is chosen."""
        model, planner = choice.model, choice.planner
        self.model.show_value(
            model, f"{model.provider} / {model.model}" if model else "choose", model.model if model else ""
        )
        self.model.set_icon_name("flask" if model and model.provider in self._simulated else "")
        self.mode.show_value(planner, tr("Boost") if planner else tr("Direct"))
        words = (
            tr("planner: {provider} / {model}", provider=planner.provider, model=planner.model)
            if planner
            else tr("no planner")
        )
        self.mode.set_note(words)
        set_tip(self.mode, words)
        self.format.show_value(choice.format, tr("Auto") if choice.format == "auto" else choice.format)

    def set_models(
        self, models: Sequence[tuple[ModelRef, str]], simulated: frozenset[str], providers: frozenset[str] | None = None
    ) -> None:
        """Offer models, `(reference, note)` each; `simulated` are the providers that cost nothing.

        `providers` are all that can be asked, also those that have listed no model yet; None: any.
        """
        self._simulated, self._providers = simulated, providers
        choices = [
            Choice(f"{ref.provider} / {ref.model}", ref, note, "flask" if ref.provider in simulated else "")
            for ref, note in models
        ]
        known = list(dict.fromkeys([*(ref.provider for ref, _ in models), *sorted(providers or ())]))

        def own(text: str) -> Choice | None:
            return own_model(text, known)

        self.model.set_choices(choices, own)
        planners = [one._replace(title=tr("Boost, planner: {title}", title=one.title)) for one in choices]
        edit = Choice(tr("Edit the boost wrapper …"), EDIT_WRAPPER, "", "code")
        self.mode.set_choices([Choice(tr("Direct, no planner"), None), *planners, edit])

    def set_formats(self, formats: Sequence[tuple[str, str]]) -> None:
        """Offer formats, `(id, for whom)` each; Auto stands first."""
        auto = Choice(tr("Auto"), "auto", tr("detected from the model's name"))
        self.format.set_choices([auto, *(Choice(name, name, note) for name, note in formats)])

    def show_detection(self, detection: Detection | None) -> None:
        """Say which format Auto means, and whether that is a guess."""
        if detection is None or self.format.value != "auto":
            self.format.set_note("")
            return
        origin = _ORIGINS.get(detection.rule.partition(":")[0], "from name")
        self.format.set_note(
            tr("detected: {format}, {origin}", format=detection.format, origin=origin),
            "guess" if detection.guess else "",
        )
        set_tip(self.format, detection.why)

    def is_simulated(self, choice: TargetChoice) -> bool:
        """Every chosen model is simulated."""
        used = [ref.provider for ref in (choice.model, choice.planner) if ref is not None]
        return bool(used) and all(provider in self._simulated for provider in used)

    def missing(self, choice: TargetChoice) -> str:
        """Why a model of a recorded run cannot be asked here; empty if it can."""
        for ref in (choice.model, choice.planner):
            if ref is not None and self._providers is not None and ref.provider not in self._providers:
                return tr("there is no provider {provider!r} here: choose a model", provider=ref.provider)
        return ""

    def _on_mode(self, value: object) -> None:
        if value == EDIT_WRAPPER:
            self.wrapper_asked.emit()
        else:
            self.edited.emit("planner", value)


def own_model(text: str, providers: Sequence[str]) -> Choice | None:
    """A model that is in no list: `provider / model`, or a bare name where there is one provider."""
    provider, slash, model = (part.strip() for part in text.partition("/"))
    if slash and model:
        match = next((one for one in providers if one.lower() == provider.lower()), "")
        if match:
            return Choice(f"{match} / {model}", ModelRef(match, model), tr("not in its list"))
    if len(providers) == 1 and text.strip():
        return Choice(f"{providers[0]} / {text.strip()}", ModelRef(providers[0], text.strip()), tr("not in its list"))
    return None
