"""The providers page: adding, editing, keys, testing, and the models that a provider offers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QTimer

from workbench.core.errors import WorkbenchError
from workbench.core.target import ModelRef
from workbench.settings.config import ProviderConfig
from workbench.settings.presets import list_presets
from workbench.settings.secrets import keychain_name
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.page import Page
from workbench.ui.providers.capability_probe import CapabilityDialog
from workbench.ui.providers.extras_dialog import ProviderExtrasDialog
from workbench.ui.providers.field_masks import FieldMasks
from workbench.ui.providers.form_values import (
    BOOST,
    SIMULATOR,
    complaints,
    config_of,
    form_of,
    free_name,
    model_lines,
    provider_line,
    short_trouble,
    trouble_of,
)  # fmt: skip
from workbench.ui.providers.model_settings import ModelSettings
from workbench.ui.providers.rows import PresetLine
from workbench.ui.providers.view import ProvidersView
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.paragraph import TextRun
from workbench.ui.widgets.quantities import counted
from workbench.wires import wires_offered
from workbench.wires.table import OfferedIn

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.providers.client import ConnectionCheck
    from workbench.ui.bridge.page import Shell
    from workbench.ui.providers.rows import ProviderForm

_QUEUE_MS = 400
"""How often the queue is looked at while the page is in front."""
KEYS_NOTE = tr("Keys are kept in {place}. They are removed from recordings before the first write.")
SIMULATOR_NOTE = tr(
    "Served on this computer only, with known fault rates; always marked simulated. Nothing to set, no key, no cost."
)
BOOST_NOTE = tr("The planner's endpoint, as the settings or the environment name it; it is changed there.")


class ProvidersController(Page):
    """Controller of the providers page."""

    key = "providers"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.page = ProvidersView()
        self._checks: dict[str, tuple[ConnectionCheck, str]] = {}
        """Last test of this session and its time, by provider."""
        self._tested: dict[str, ProviderConfig] = {}
        """What was tested, by provider: it may not have been saved yet."""
        self._shown = ""
        self._queue_clock = QTimer(self)
        self._queue_clock.setInterval(_QUEUE_MS)
        self._queue_clock.timeout.connect(self._show_queue)
        page = self.page
        wires = wires_offered(OfferedIn.WINDOW)
        page.form.set_wires([(row.title, row.id) for row in wires])
        offered = {row.id for row in wires}
        page.set_presets(
            [
                PresetLine(one.id, one.name, urlsplit(one.base_url).netloc, one.local)
                for one in list_presets()
                if one.wire in offered
            ]
        )
        page.keys_note.show_runs([TextRun(KEYS_NOTE.format(place=tr("the system keychain")), token="text2")])
        page.provider_chosen.connect(self._on_chosen)
        page.add_asked.connect(self.add)
        page.test_asked.connect(self.test)
        page.reload_asked.connect(self.test)
        page.remove_asked.connect(self.remove)
        page.model_opened.connect(lambda model: shell.try_model(ModelRef(self._shown, model)))
        page.abilities_asked.connect(lambda model: self._start(CapabilityDialog(shell, self._shown, model).show()))
        page.model_settings_asked.connect(lambda model: self._start(self._decide(model)))
        page.form.base_url.masked = FieldMasks(shell).address
        page.form.extras_asked.connect(lambda: self._start(self._edit_extras()))
        page.copy_report.clicked.connect(self._copy_report)
        page.form.save_asked.connect(self._save)
        page.form.key_given.connect(lambda key: self._start(self._keep_key(key)))
        page.form.key_removal_asked.connect(lambda: self._start(self._forget_key()))
        shell.theme.changed.connect(page.answer.restyle)

    @property
    def view(self) -> QWidget:
        return self.page

    def shown(self) -> None:
        self.refresh()
        self._start(self._name_keychain())
        self.page.list.setFocus()
        self._queue_clock.start()

    def settings_changed(self) -> None:
        self.refresh()

    def hidden(self) -> None:
        self._queue_clock.stop()

    def _show_queue(self) -> None:
        self.page.show_queue(*self.shell.wb.queue(self._shown))

    async def _name_keychain(self) -> None:
        name = await asyncio.to_thread(keychain_name)
        place = (
            tr("the system keychain ({name})", name=name)
            if name
            else tr("memory for this session only: there is no keychain")
        )
        self.page.keys_note.show_runs([TextRun(KEYS_NOTE.format(place=place), token="text2")])
        self.set_status("", tr("keychain: {name}", name=name) if name else tr("no keychain"))

    def refresh(self, choose: str = "") -> None:
        """Fill the list again."""
        wb = self.shell.wb
        personas = len(wb.simulator.personas)
        lines = []
        for config in wb.providers():
            known = self._checks.get(config.name)
            lines.append(provider_line(config, known[0] if known else None, personas))
        ready = sum(line.state == "pass" for line in lines)
        self.set_title(tr("Providers"), tr("{lines} set up, {ready} ready", lines=len(lines), ready=ready))
        self.page.show_providers(lines, choose or self._shown)

    def _config(self, name: str) -> ProviderConfig:
        """Raise UnknownName where it was removed meanwhile, such as before its test began."""
        return self.shell.wb.provider(name)

    async def _reachable(self, name: str) -> ProviderConfig:
        """The same; the simulator begins to listen first, so that its address is told whole."""
        config = self._config(name)
        return replace(config, base_url=await self.shell.wb.simulator.start()) if name == SIMULATOR else config

    def _on_chosen(self, name: str) -> None:
        if name != self._shown:
            self._shown = name
            self.shell.tasks.latest("provider", self._show(name), on_error=self._on_error)

    async def _show(self, name: str) -> None:
        config = await self._reachable(name)
        key = await asyncio.to_thread(self.shell.wb.secrets.state, config)
        if self._shown != name:
            return
        note = {SIMULATOR: SIMULATOR_NOTE, BOOST: BOOST_NOTE}.get(name, "")
        self.page.show_provider(form_of(config, key, note or _preset_note(config)))
        self._show_check(name)
        if name == SIMULATOR and name not in self._checks:
            self.test()

    def _show_check(self, name: str) -> None:
        page = self.page
        if name not in self._checks:
            page.show_state("", "")
            page.show_trouble(None)
            kept = model_lines(self.shell.wb, name, self.shell.wb.known_models(name))
            page.show_models(
                kept, tr("{models} when it was last asked", models=counted(len(kept), "model")) if kept else ""
            )
            return
        check, time = self._checks[name]
        if check.error is None:
            page.show_state("followed", "ready")
            page.show_trouble(None)
            lines = model_lines(self.shell.wb, name, check.models)
            page.show_models(
                lines, tr("{models} from the last test, {time}", models=counted(len(lines), "model"), time=time)
            )
        else:
            page.show_state("error", short_trouble(check))
            page.show_trouble(trouble_of(check, time))
            page.show_models((), "")

    def test(self) -> None:
        """Test the settings as they stand in the form, saved or not."""
        if self._shown:
            self.shell.tasks.latest("provider test", self._test(self._shown), on_error=self._on_error)

    async def _test(self, name: str) -> None:
        page = self.page
        config = await self._reachable(name)
        if page.form.differs and page.chosen == name:
            form = page.form.form()
            if wrong := complaints(form):
                page.form.complain(wrong)
                return
            config = config_of(replace(form, name=name), config)
        page.show_busy(True)
        try:
            check = await self.shell.wb.test_provider(config)
        finally:
            page.show_busy(False)
        time = datetime.now().astimezone().strftime("%H:%M:%S")
        self._checks[name], self._tested[name] = (check, time), config
        said = f"{counted(len(check.models), 'model')}" if check.error is None else short_trouble(check)
        self.set_status(tr("Last test of {name}: {said}, {time}", name=name, said=said, time=time), self.status[1])
        self.refresh()
        if self._shown == name:
            self._show_check(name)

    def add(self, preset_id: str) -> None:
        """Add a provider from a preset, or a bare endpoint; it is saved at once and can be edited."""
        preset = next((one for one in list_presets() if one.id == preset_id), None)
        base = preset.provider() if preset else ProviderConfig(tr("My endpoint"), base_url="http://127.0.0.1:8080/v1")
        self._add(base, tr("check the address, give a key, then test the connection"))

    def show_or_add(self, config: ProviderConfig, said: str) -> None:
        """Choose a provider that is set up, or add it and say so."""
        if (config.name, config.base_url) in {(one.name, one.base_url) for one in self.shell.wb.providers()}:
            self.refresh(config.name)
        else:
            self._add(config, said)

    def _add(self, base: ProviderConfig, said: str) -> None:
        name = free_name(base.name, (config.name for config in self.shell.wb.providers()))
        try:
            self.shell.wb.save(self.shell.wb.saved_settings.with_provider(replace(base, name=name)))
        except WorkbenchError as error:
            self._on_error(error)
            return
        self.refresh(name)
        self.page.form.name.setFocus()
        self.page.form.name.selectAll()
        self.shell.say(tr("Added {name}: {said}", name=name, said=said))

    def _save(self, form: ProviderForm) -> None:
        if wrong := complaints(form):
            self.page.form.complain(wrong)
            self.shell.say(tr("Nothing was saved: ") + "; ".join(f"{field}: {why}" for field, why in wrong.items()))
            return
        before = self._shown
        config = config_of(form, self._config(before))
        try:
            self.shell.wb.keyless(config.name)
            self.shell.wb.save(self.shell.wb.saved_settings.with_provider(config, before))
        except WorkbenchError as error:
            self.page.form.complain({"name": error.message})
            self._on_error(error)
            return
        check, tested = self._checks.pop(before, None), self._tested.pop(before, None)
        if check and tested and _reach(tested) == _reach(config):  # what was tested is what is saved now
            self._checks[config.name], self._tested[config.name] = check, config
        self._shown = ""
        self.refresh(config.name)
        self._on_chosen(config.name)
        self.shell.say(tr("Saved {config}", config=config.name))

    async def _keep_key(self, key: str) -> None:
        config = self._config(self._shown)
        source = self.page.form.form().key_source
        if source != config.key:  # the place was chosen but not saved yet: the key must not go anywhere else
            config = replace(config, key=source)
            self.shell.wb.save(self.shell.wb.saved_settings.with_provider(config))
        state = await asyncio.to_thread(self.shell.wb.secrets.set, config, key)
        self.page.form.show_key_state(state.detail, has_key=True)
        self.shell.say(tr("Key of {config}: {detail}", config=config.name, detail=state.detail))
        self.test()

    async def _forget_key(self) -> None:
        config = self._config(self._shown)
        await asyncio.to_thread(self.shell.wb.secrets.forget, config)
        state = await asyncio.to_thread(self.shell.wb.secrets.state, config)
        self.page.form.show_key_state(state.detail, has_key=state.place in ("keyring", "session"))
        self.shell.say(tr("The key of {config} was removed", config=config.name))

    @property
    def can_remove(self) -> bool:
        """The shown provider is one of the user's own."""
        return self._shown not in (SIMULATOR, BOOST)

    def remove(self) -> None:
        """Remove the shown provider, after a question."""
        if self.can_remove:
            self._start(self._remove())

    async def _remove(self) -> None:
        name = self._shown
        text = tr("Its settings and its key are removed. Recorded runs stay as they are.")
        if await dialogs.confirm(self.shell.window, tr("Remove {name}?", name=name), text, tr("Remove")):
            config = self._config(name)
            await asyncio.to_thread(self.shell.wb.secrets.forget, config)
            self.shell.wb.save(self.shell.wb.saved_settings.without_provider(name))
            self._checks.pop(name, None)
            self._shown = ""
            self.refresh(SIMULATOR)
            self.shell.say(tr("Removed {name}", name=name))

    async def _decide(self, model: str) -> None:
        provider = self._config(self._shown)
        found = self.shell.wb.detect(ModelRef(provider.name, model))
        if await ModelSettings(self.shell, provider, model, found.format).show():
            self._show_check(provider.name)
            self.shell.say(tr("Saved the settings of {model}", model=model))

    async def _edit_extras(self) -> None:
        form = self.page.form.form()
        dialog = ProviderExtrasDialog(
            form.name, form.headers, form.extra, self.shell.window, FieldMasks(self.shell).fields
        )
        if await dialogs.opened(dialog):
            self.page.form.use_extras(dialog.headers, dialog.body)

    def _copy_report(self) -> None:
        copy_text(self.page.card.report())
        self.shell.say(tr("Copied the report; it holds no key"))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.start(work, "providers", on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self.page.show_busy(False)
        self.shell.say(str(error))


def _preset_note(config: ProviderConfig) -> str:
    return next((one.note for one in list_presets() if one.id == config.preset), "")


def _reach(config: ProviderConfig) -> tuple[object, ...]:
    """What decides whether a connection test holds for a provider."""
    return config.wire, config.base_url.rstrip("/"), config.key, config.key_variable, config.headers, config.quirks
