"""The start page: recorded failures played through the real engine, and the simulated models."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtGui import QGuiApplication

from workbench.core.errors import WorkbenchError
from workbench.core.target import ModelRef
from workbench.core.versions import PARSER_VERSION
from workbench.ui.bridge.page import Page
from workbench.ui.run.glance import glance_of
from workbench.ui.run.run_words import PARSER_WORDS
from workbench.ui.start.first_minute import ServerLine
from workbench.ui.start.rows import ExampleLine, PersonaLine
from workbench.ui.start.steps_watch import StepsWatch
from workbench.ui.start.view import StartView
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.app.local_servers import FoundServer
    from workbench.settings.values import ProviderConfig, UiSettings
    from workbench.ui.bridge.page import Shell
    from workbench.ui.run.glance import Glance

SIMULATOR = "Simulator"
FIRST_PERSONA = "mistral-steady"
DEMO = "demo"
"""The built-in suite."""


class StartController(Page):
    """Controller of the start page."""

    key = "start"

    def __init__(
        self,
        shell: Shell,
        compare: Callable[[str], None],
        add_provider: Callable[[ProviderConfig, str], None] = lambda _config, _said: None,
        new_prompt: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(shell)
        self.new_prompt = new_prompt
        self._add_provider = add_provider
        self._found: tuple[FoundServer, ...] = ()
        self.page = StartView()
        self.steps = StepsWatch(shell, self.page)
        self._pasted = ""
        self._new = Button(tr("New prompt"), icon="plus", keys="Ctrl+N", on_click=new_prompt)
        page = self.page
        page.example_chosen.connect(self._on_chosen)
        page.open_asked.connect(self._on_open)
        page.reparse_asked.connect(self._on_reparse)
        page.run_asked.connect(lambda name: shell.run_model(ModelRef(SIMULATOR, name)))
        page.paste_asked.connect(self.read_pasted)
        page.told.prompt_asked.connect(lambda: shell.paste_request(self._pasted))
        page.compare_asked.connect(lambda: compare(DEMO))
        page.servers.added.connect(self._add_server)
        page.servers.never_asked.connect(self._never_look)
        page.steps.asked.connect(self.go_to_step)
        page.steps.closed.connect(self._close_steps)
        page.provider_asked.connect(lambda: shell.go("providers"))
        shell.theme.changed.connect(self.page.preview.glance.restyle)
        self.set_title(tr("Welcome"), tr("recorded failures and simulated models"))
        self.set_status(tr("Ready · nothing has been sent anywhere"), PARSER_WORDS)
        page.show_personas(
            [
                PersonaLine(one.name, one.summary, tuple(one.rates.items()), one.planner)
                for one in shell.wb.simulator.personas.values()
            ]
        )
        page.show_examples(
            [
                ExampleLine(
                    one.id, one.title, one.subtitle, one.format, one.code, one.state,
                    one.headline, one.what, one.where, one.next,
                )
                for one in shell.wb.examples.list()
            ]
        )  # fmt: skip

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self._new,)

    def shown(self) -> None:
        self.page.table.setFocus()
        self.steps.start()
        self.shell.tasks.latest("start first minute", self._look_around())

    async def _look_around(self) -> None:
        """How far the first steps are, and which servers run here; nothing waits for either."""
        await self.steps.look()
        self._found = await self.shell.wb.local_servers()
        self.page.servers.show_servers(
            [ServerLine(one.config.name, urlsplit(one.config.base_url).netloc, one.models) for one in self._found]
        )
        self.page.order_tabs()

    def _add_server(self, name: str) -> None:
        server = next(one for one in self._found if one.config.name == name)
        self._add_provider(server.config, tr("it answers without a key; test it to list its models"))

    def _never_look(self) -> None:
        self._save_ui(replace(self.shell.wb.saved_settings.ui, local_servers=False))
        self.page.servers.show_servers(())
        self.shell.say(tr("The start page no longer looks for servers on this computer; Settings brings it back"))

    def _close_steps(self) -> None:
        self._save_ui(replace(self.shell.wb.saved_settings.ui, first_steps=False))
        self.page.show_steps(())

    def _save_ui(self, changed: UiSettings) -> None:
        try:
            self.shell.wb.save(replace(self.shell.wb.saved_settings, ui=changed))
        except WorkbenchError as error:
            self.shell.say(str(error))

    def go_to_step(self, step: str) -> None:
        """Do one of the first steps, or lead to where it is done."""
        match step:
            case "simulated":
                self.shell.run_model(ModelRef(SIMULATOR, FIRST_PERSONA))
            case "provider":
                self.shell.go("providers")
            case "kept":
                self.shell.go("history")
                self.shell.say(tr("Choose a run and press Ctrl+E to keep it as a case"))
            case _:
                self._ask_first()

    def _ask_first(self) -> None:
        """Go to Try with a model of the first provider that is one's own."""
        own = self.shell.wb.saved_settings.providers
        models = self.shell.wb.known_models(own[0].name) if own else ()
        if models:
            self.shell.try_model(ModelRef(own[0].name, models[0].id))
            return
        self.shell.go("providers")
        self.shell.say(tr("Test a provider: its models are listed, and a double click asks one"))

    def paste(self) -> None:
        """Read what is on the clipboard, whatever it is."""
        self.read_pasted(QGuiApplication.clipboard().text())

    def read_pasted(self, text: str) -> None:
        """Say what a text is and go where it is read."""
        if not text.strip():
            self.page.told.show_answer(tr("The clipboard holds no text. Copy something first."), None)
            return
        self._pasted = text
        self.page.told.show_reading(text)
        self.shell.read_pasted(text, self._told)

    def _told(self, sentence: str, instead: Callable[[], None] | None) -> None:
        self.page.told.show_answer(sentence, instead)
        if instead is None:
            self.page.paste_field.clear()

    def settings_changed(self) -> None:
        self.steps.look_soon()

    def hidden(self) -> None:
        self.steps.stop()
        self._pasted = ""
        self.page.told.hide()

    def _on_chosen(self, example_id: str) -> None:
        self.shell.tasks.latest("start glance", self._show(example_id))

    def _on_reparse(self, example_id: str) -> None:
        self.shell.tasks.latest("start glance", self._show(example_id, again=True))

    async def _show(self, example_id: str, *, again: bool = False) -> None:
        stored = await self.shell.wb.examples.open(example_id)
        glance = await asyncio.to_thread(glance_of, self.shell.wb, stored)
        self.page.show_glance(example_id, glance, _read_again(glance) if again else "")
        if again:
            self.shell.say(
                tr(
                    "Read again with parser {parser_version}: {reason}",
                    parser_version=PARSER_VERSION,
                    reason=translated_sentence(stored.verdict.reason) or stored.verdict.state,
                )
            )

    def _on_open(self, example_id: str) -> None:
        self.shell.tasks.latest("start open", self._open(example_id))

    async def _open(self, example_id: str) -> None:
        self.shell.open_run(await self.shell.wb.examples.open(example_id))


def _read_again(glance: Glance) -> str:
    calls = sum(len(step.calls) for step in glance.steps)
    problems = sum(len(step.problems) for step in glance.steps)
    return tr(
        "{parser_version}, read again: {calls}, {problems}",
        parser_version=PARSER_VERSION,
        calls=counted(calls, "call"),
        problems=counted(problems, "problem"),
    )
