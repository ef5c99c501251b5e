"""Opens the settings of one model over the providers page, shows what they come to, and saves them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from workbench.formats import list_formats
from workbench.settings.config import ModelConfig
from workbench.ui.providers.model_dialog import ModelSettingsDialog
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.dialogs import opened

if TYPE_CHECKING:
    from workbench.settings.config import ProviderConfig
    from workbench.settings.values import ToolsChoice
    from workbench.ui.bridge.page import Shell


class ModelSettings:
    """One opened dialog."""

    def __init__(self, shell: Shell, provider: ProviderConfig, model: str, detected: str) -> None:
        self._shell, self._provider, self._model = shell, provider.name, model
        self._before = provider.model(model)
        self.view = ModelSettingsDialog(model, provider.name, shell.window)
        self.view.offer_formats([one.id for one in list_formats()], detected)
        fill(self.view, self._before)
        self.view.edited.connect(self._say)
        self.view.saved.connect(self.view.accept)
        self.view.cleared.connect(self._clear)
        self._say()

    async def show(self) -> bool:
        """Wait until it is closed; tell whether something was saved."""
        if not await opened(self.view) or self._now() == self._before:
            return False
        self._shell.wb.save(self._shell.wb.saved_settings.with_model(self._provider, self._model, self._now()))
        return True

    def _now(self) -> ModelConfig:
        return read(self.view, self._before)

    def _clear(self) -> None:
        fill(self.view, ModelConfig())
        self._say()

    def _say(self) -> None:
        if fault := self.view.fault:
            self.view.show_status(fault)
        elif self._now() == ModelConfig():
            self.view.show_status(tr("Nothing is decided: all is as detected."))
        else:
            self.view.show_status("" if self._now() != self._before else tr("As saved."))


def fill(view: ModelSettingsDialog, known: ModelConfig) -> None:
    """Put what is decided into the fields."""
    view.show_format(known.format)
    view.tools.choose(known.tools)
    view.parallel.choose(known.parallel_calls)
    view.think_open.choose(known.think_open)
    view.calls_in_reasoning.choose(known.calls_in_reasoning)
    view.temperature.show_value(known.temperature)
    view.max_tokens.show_value(known.max_tokens)
    view.input_price.show_value(known.input_price)
    view.output_price.show_value(known.output_price)
    view.show_extra(known.extra)


def read(view: ModelSettingsDialog, before: ModelConfig) -> ModelConfig:
    """What the fields say; what has no field here stays."""
    tokens = view.max_tokens.value
    return replace(
        before,
        format=str(view.format.value or ""),
        tools=cast("ToolsChoice", view.tools.value),
        parallel_calls=view.parallel.value,
        think_open=view.think_open.value,
        calls_in_reasoning=view.calls_in_reasoning.value,
        temperature=view.temperature.value,
        max_tokens=None if tokens is None else int(tokens),
        input_price=view.input_price.value,
        output_price=view.output_price.value,
        extra=view.extra_body() or {},
    )
