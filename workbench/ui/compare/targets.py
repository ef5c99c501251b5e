"""The targets of a comparison that is being set up: a picker like Try's, and the list of those that were added."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.batch_plan import demo_targets, fast
from workbench.core.errors import WorkbenchError
from workbench.core.target import ModelRef, Target
from workbench.core.variations import with_variations
from workbench.formats import list_formats
from workbench.grading.ablation import with_parts
from workbench.ui.compare.values import ChosenTarget
from workbench.ui.run.target_picker import TargetChoice
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.settings.values import ProviderConfig
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.setup_view import SetupView

SIMULATOR = "Simulator"


class CompareTargets:
    """Keeps the chosen targets; providers are asked for their models when a list is opened."""

    def __init__(self, shell: Shell, view: SetupView) -> None:
        self._shell, self._view = shell, view
        self._listed: dict[str, list[str]] = {}
        self._asked: set[str] = set()
        self._choice = TargetChoice(model=ModelRef(SIMULATOR, "qwen-hasty"))
        self.targets: list[Target] = list(demo_targets())
        picker = view.picker
        formats = list_formats()
        picker.set_formats([(one.id, one.models) for one in formats])
        view.variations_row.offer_formats([one.id for one in formats])
        picker.edited.connect(self._on_edited)
        picker.model.opening.connect(self.ask_all)
        picker.mode.opening.connect(self.ask_all)
        picker.wrapper_asked.connect(lambda: shell.say(tr("The boost wrapper is edited in Settings.")))
        view.add_asked.connect(self.add)
        view.remove_asked.connect(self.remove)
        self._offer()

    @property
    def asked(self) -> tuple[Target, ...]:
        """The chosen targets, each also in every way that is switched on."""
        plain = with_parts(self.targets) if self._view.variations_row.parts.isChecked() else self.targets
        return with_variations(plain, self._view.variations)

    def show(self, targets: Sequence[Target] | None = None) -> None:
        """Show the chosen targets, or others in their place."""
        if targets is not None:
            self.targets = list(targets)
        self._view.show_targets([self._row(target) for target in self.targets])
        self._view.changed.emit()

    def add(self) -> None:
        """Add what stands in the picker; the same target twice is said and not taken."""
        if self._choice.model is None:
            self._shell.say(tr("Choose a model first."))
            return
        target = fast(Target(self._choice.model, self._choice.format, self._choice.planner))
        if any(target.identity() == one.identity() for one in self.targets):
            self._shell.say(tr("{label} is chosen already.", label=target.label))
            return
        self.targets.append(target)
        self.show()

    def remove(self, at: int) -> None:
        """Take a target out."""
        if 0 <= at < len(self.targets):
            del self.targets[at]
            self.show()

    def ask_all(self) -> None:
        """Ask every provider that was not asked yet for its models."""
        for config in self._shell.wb.providers():
            if config.name not in self._asked:
                self._asked.add(config.name)
                self._shell.tasks.start(
                    self._list(config.name), f"compare: models of {config.name}", on_error=self._on_no_list
                )

    async def _list(self, provider: str) -> None:
        self._listed[provider] = [model.id for model in await self._shell.wb.list_models(provider)]
        self._offer()

    def _on_no_list(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))

    def _offer(self) -> None:
        models = [
            (ModelRef(config.name, name), "simulated" if config.name == SIMULATOR else "")
            for config in self._shell.wb.providers()
            for name in self._names(config)
        ]
        names = frozenset(config.name for config in self._shell.wb.providers())
        self._view.picker.set_models(models, frozenset({SIMULATOR}), names)
        self._show_choice()

    def _names(self, config: ProviderConfig) -> list[str]:
        known = [config.default_model] if config.default_model else []
        known += [*config.models, *self._listed.get(config.name, [])]
        if config.name == SIMULATOR and not known:
            known = list(dict.fromkeys(target.executor.model for target in demo_targets()))
        return list(dict.fromkeys(known))

    def _on_edited(self, field: str, value: object) -> None:
        self._choice = replace(self._choice, **{field: value})  # type: ignore[arg-type]
        self._show_choice()

    def _show_choice(self) -> None:
        self._view.picker.show_choice(self._choice)
        if self._choice.model is None:
            return
        try:
            self._view.picker.show_detection(self._shell.wb.detect(self._choice.model))
        except WorkbenchError as error:
            self._view.picker.show_detection(None)
            set_tip(self._view.picker.format, str(error))

    def _row(self, target: Target) -> ChosenTarget:
        mode = tr("boost, planner {model}", model=target.planner.model) if target.planner else "direct"
        mode += f", {target.variation}" if target.variation else ""
        chosen = target.format
        if chosen == "auto":
            try:
                chosen = tr("auto → {format}", format=self._shell.wb.detect(target.executor).format)
            except WorkbenchError:
                chosen = "auto"
        ref = target.executor
        return ChosenTarget(f"{ref.provider} / {ref.model}", chosen, mode, ref.provider == SIMULATOR)
