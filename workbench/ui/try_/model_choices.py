"""Which models Try offers, and what Auto means for the chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.core.target import ModelRef
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from workbench.settings.values import ProviderConfig
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.composer import Composer

SIMULATOR = "Simulator"
PREFERRED = "qwen-hasty"
BOOST = "Boost"
"""The planner's own endpoint: no model of it executes."""


class TryModels:
    """Lists come from the settings at once; a provider is asked when its models are wanted, once a session."""

    def __init__(self, shell: Shell, composer: Composer) -> None:
        self._shell, self._composer = shell, composer
        self._listed: dict[str, list[str]] = {}
        self._asked: set[str] = set()
        self._troubles: dict[str, str] = {}
        composer.target.model.opening.connect(self.ask_all)
        composer.target.mode.opening.connect(self.ask_all)
        self._offer()

    def first(self) -> ModelRef:
        """The model that Try begins with: of the provider chosen in the settings, any configured, else simulated."""
        chosen = self._shell.wb.settings.run.provider.lower()
        if chosen == SIMULATOR.lower():
            return ModelRef(SIMULATOR, PREFERRED)
        for config in sorted(self._shell.wb.providers(), key=lambda one: one.name.lower() != chosen):
            if config.name not in (SIMULATOR, BOOST) and (config.default_model or config.models):
                return ModelRef(config.name, config.default_model or next(iter(config.models)))
        return ModelRef(SIMULATOR, PREFERRED)

    def refresh(self) -> None:
        """Providers may be others now."""
        names = {config.name for config in self._shell.wb.providers()}
        self._asked &= names
        self._ask(SIMULATOR)
        self._offer()
        self.show_detection()

    def ask_all(self) -> None:
        """Ask every provider that was not asked yet for its models."""
        for config in self._shell.wb.providers():
            self._ask(config.name)

    def _ask(self, provider: str) -> None:
        if provider in self._asked:
            return
        self._asked.add(provider)
        self._shell.tasks.start(
            self._list(provider),
            f"try: models of {provider}",
            on_error=lambda error: self._on_no_list(provider, error),
        )

    async def _list(self, provider: str) -> None:
        models = await self._shell.wb.list_models(provider)
        self._listed[provider] = [model.id for model in models]
        self._troubles.pop(provider, None)
        self._offer()

    def _on_no_list(self, provider: str, error: WorkbenchError) -> None:
        self._asked.discard(provider)
        self._troubles[provider] = error.message
        self._offer()

    def _offer(self) -> None:
        models: list[tuple[ModelRef, str]] = []
        simulated, known = set(), set()
        for config in self._shell.wb.providers():
            known.add(config.name)
            if config.name == SIMULATOR:
                simulated.add(config.name)
            note = self._troubles.get(config.name, "simulated" if config.name == SIMULATOR else "")
            models += [(ModelRef(config.name, name), note) for name in self._names(config)]
        self._composer.target.set_models(models, frozenset(simulated), frozenset(known))
        self._composer.refresh()

    def _names(self, config: ProviderConfig) -> list[str]:
        known = [config.default_model] if config.default_model else []
        known += [*config.models, *self._listed.get(config.name, [])]
        if config.name == SIMULATOR and not known:
            known.append(PREFERRED)
        return list(dict.fromkeys(known))

    def show_detection(self) -> None:
        """Say what Auto means for the chosen model."""
        ref = self._composer.draft.model
        if ref is None:
            self._composer.target.show_detection(None)
            return
        try:
            self._composer.target.show_detection(self._shell.wb.detect(ref))
        except WorkbenchError as error:
            self._composer.target.show_detection(None)
            set_tip(self._composer.target.format, str(error))
