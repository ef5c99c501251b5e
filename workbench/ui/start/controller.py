"""The start page: recorded failures played through the real engine, and the simulated models."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from workbench.core.target import ModelRef
from workbench.core.versions import PARSER_VERSION
from workbench.ui.bridge.page import Page
from workbench.ui.run.glance import glance_of
from workbench.ui.start.rows import ExampleLine, PersonaLine
from workbench.ui.start.view import StartView
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.ui.bridge.page import Shell
    from workbench.ui.run.glance import Glance

SIMULATOR = "Simulator"
DEMO = "demo"
"""The built-in suite."""


class StartController(Page):
    """Controller of the start page."""

    key = "start"

    def __init__(self, shell: Shell, compare: Callable[[str], None]) -> None:
        super().__init__(shell)
        self.page = StartView()
        self._pasted = ""
        self._new = Button("New prompt", icon="plus", keys="Ctrl+N", on_click=lambda: shell.go("try"))
        page = self.page
        page.example_chosen.connect(self._on_chosen)
        page.open_asked.connect(self._on_open)
        page.reparse_asked.connect(self._on_reparse)
        page.run_asked.connect(lambda name: shell.run_model(ModelRef(SIMULATOR, name)))
        page.paste_asked.connect(self.read_pasted)
        page.told.prompt_asked.connect(lambda: shell.paste_request(self._pasted))
        page.compare_asked.connect(lambda: compare(DEMO))
        page.provider_asked.connect(lambda: shell.go("providers"))
        shell.theme.changed.connect(self.page.preview.glance.restyle)
        self.set_title("Welcome", "recorded failures and simulated models")
        self.set_status("Ready · nothing has been sent anywhere", f"parser {PARSER_VERSION}")
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

    def paste(self) -> None:
        """Read what is on the clipboard, whatever it is."""
        self.read_pasted(QGuiApplication.clipboard().text())

    def read_pasted(self, text: str) -> None:
        """Say what a text is and go where it is read."""
        if not text.strip():
            self.page.told.show_answer("The clipboard holds no text. Copy something first.", None)
            return
        self._pasted = text
        self.page.told.show_reading(text)
        self.shell.read_pasted(text, self._told)

    def _told(self, sentence: str, instead: Callable[[], None] | None) -> None:
        self.page.told.show_answer(sentence, instead)
        if instead is None:
            self.page.paste_field.clear()

    def hidden(self) -> None:
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
            self.shell.say(f"Read again with parser {PARSER_VERSION}: {stored.verdict.reason or stored.verdict.state}")

    def _on_open(self, example_id: str) -> None:
        self.shell.tasks.latest("start open", self._open(example_id))

    async def _open(self, example_id: str) -> None:
        self.shell.open_run(await self.shell.wb.examples.open(example_id))


def _read_again(glance: Glance) -> str:
    calls = sum(len(step.calls) for step in glance.steps)
    problems = sum(len(step.problems) for step in glance.steps)
    return f"{PARSER_VERSION}, read again: {counted(calls, 'call')}, {counted(problems, 'problem')}"
