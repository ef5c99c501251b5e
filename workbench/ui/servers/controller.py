"""The servers page: llama-servers on this computer are prepared, started, watched and stopped."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.core.target import ModelRef
from workbench.localserver.logtail import LogTail
from workbench.localserver.process import RUNNING, ServerState
from workbench.settings.paths import shown
from workbench.ui.bridge.page import Page
from workbench.ui.servers.form_values import (
    form_of,
    own_facts,
    own_line,
    plan_of,
    record_facts,
    record_line,
    setup_facts,
    setup_line,
    setup_name,
    wish_of,
)
from workbench.ui.servers.values import StartForm
from workbench.ui.servers.view import ServersView
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.app.servers import Prepared
    from workbench.localserver.environment import LlamaSetup
    from workbench.localserver.process import LocalServer
    from workbench.localserver.records import ServerRecord
    from workbench.ui.bridge.page import Shell

LOOK_S = 0.3
PAUSE_S = 0.25
"""After the last key before a plan is worked out."""


class ServersController(Page):
    """Controller of the servers page."""

    key = "servers"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.page = ServersView()
        self._servers = shell.wb.servers
        self._prepared: Prepared | None = None
        self._others: dict[str, ServerRecord] = {}
        self._setups: dict[str, LlamaSetup] = {}
        self._tail: LogTail | None = None
        """Log of the chosen server of another program."""
        self._shown = ""
        self._front = False
        page = self.page
        page.server_chosen.connect(self._on_chosen)
        page.new_asked.connect(self.new)
        page.stop_asked.connect(self.stop)
        page.try_asked.connect(self._try)
        page.setup_asked.connect(self._fill_from_setup)
        page.form.changed.connect(self._on_form)
        page.form.browse_asked.connect(lambda: self._start(self._browse()))
        page.form.template_asked.connect(lambda: self._start(self._browse_template()))
        page.form.program_asked.connect(lambda: self._start(self._browse_program()))
        page.form.program_named.connect(self._use_program)
        page.form.start_asked.connect(self.start)
        shell.theme.changed.connect(page.form.command.restyle)

    @property
    def view(self) -> QWidget:
        return self.page

    def shown(self) -> None:
        self._front = True
        self.page.form.program.setText(self.shell.wb.saved_settings.servers.binary)
        self.refresh()
        self.shell.tasks.latest("servers watch", self._watch(), on_error=self._on_error)
        if self.page.right.currentIndex() == 0:
            self.page.form.file.setFocus()

    def hidden(self) -> None:
        self._front = False

    def refresh(self, choose: str = "") -> None:
        """Fill the list again."""
        own = {server.record.port: server for server in self._servers.own}
        others = [record for record in self._servers.records() if record.port not in own]
        known = {*own, *(record.port for record in others)}
        setups = [setup for setup in self._read_setups() if setup.port not in known]
        self._others = {record_line(record).name: record for record in others}
        self._setups = {setup_name(setup): setup for setup in setups}
        lines = [own_line(server) for server in own.values()]
        lines += [record_line(record) for record in others]
        lines += [setup_line(setup) for setup in self._setups.values()]
        running = sum(server.state in RUNNING for server in own.values()) + len(others)
        self.set_title(tr("Servers"), tr("{servers} running", servers=counted(running, "server")))
        self.set_status("", shown(self.shell.wb.home.logs))
        self.page.show_servers(lines, choose or self._shown)

    def _read_setups(self) -> tuple[LlamaSetup, ...]:
        try:
            return self._servers.setups()
        except WorkbenchError as error:
            self._on_error(error)
            return ()

    # -- a start ---------------------------------------------------------------------------------------------------

    def new(self) -> None:
        """Show the form of a start."""
        self._shown = ""
        self.page.show_start()
        self.page.form.file.setFocus()

    def _on_form(self) -> None:
        self._prepared = None
        self.page.form.start.setEnabled(False)
        form = self.page.form.form()
        self.shell.tasks.latest("server plan", self._prepare(form), on_error=self._on_plan_error)

    async def _prepare(self, form: StartForm) -> None:
        if not form.file:
            self.page.form.show_nothing()
            return
        await asyncio.sleep(PAUSE_S)
        self._prepared = await self._servers.prepare(Path(form.file), wish_of(form))
        self.page.form.show_plan(plan_of(self._prepared))

    def _on_plan_error(self, error: WorkbenchError) -> None:
        self.page.form.show_trouble(error.message, error.hint)

    def start(self) -> None:
        """Start what the plan shows, and show its log."""
        if self._prepared is None:
            return
        try:
            server = self._servers.start(self._prepared)
        except WorkbenchError as error:
            self._on_plan_error(error)
            return
        self._shown = ""
        self.refresh(own_line(server).name)
        self.page.list.setFocus()
        self.shell.say(tr("Started {alias} on port {port}", alias=server.record.alias, port=server.record.port))

    async def _browse(self) -> None:
        path = await dialogs.ask_open_file(self.shell.window, tr("Model file"), "GGUF models (*.gguf);;All files (*)")
        if path is not None:
            self.page.form.file.setText(str(path))

    async def _browse_template(self) -> None:
        path = await dialogs.ask_open_file(
            self.shell.window, tr("Chat template"), "Templates (*.jinja *.txt);;All files (*)"
        )
        if path is not None:
            self.page.form.template_file.setText(str(path))

    async def _browse_program(self) -> None:
        path = await dialogs.ask_open_file(self.shell.window, tr("The program llama-server"))
        if path is not None:
            self.page.form.program.setText(str(path))
            self._use_program(str(path))

    def _use_program(self, path: str) -> None:
        """Keep which llama-server is used; what is planned is planned again with it."""
        saved = self.shell.wb.saved_settings
        if path != saved.servers.binary:
            self.shell.wb.save(replace(saved, servers=replace(saved.servers, binary=path)))
            self.shell.say(
                tr("Servers are started with {path}", path=path) if path else tr("llama-server is looked for again")
            )
            self._on_form()

    def _fill_from_setup(self) -> None:
        setup = self._setups.get(self._shown)
        if setup is not None:
            self.new()
            self.page.form.show_form(form_of(setup))

    # -- one server ------------------------------------------------------------------------------------------------

    def _own(self, name: str) -> LocalServer | None:
        return next((server for server in self._servers.own if own_line(server).name == name), None)

    @property
    def can_start(self) -> bool:
        """A start is prepared and shown."""
        return self._prepared is not None and self.page.right.currentIndex() == 0

    @property
    def can_stop(self) -> bool:
        """A running server is shown."""
        return self._record() is not None

    def stop(self) -> None:
        """Stop the shown server, after a question where somebody else started it."""
        self._start(self._stop())

    def _record(self) -> ServerRecord | None:
        """The chosen server, if it runs."""
        own = self._own(self._shown)
        if own is not None:
            return own.record if own.state in RUNNING else None
        return self._others.get(self._shown)

    def _on_chosen(self, name: str) -> None:
        if not name or name == self._shown:
            return
        self._shown = name
        self._tail = None
        if own := self._own(name):
            self.page.show_log(own.lines)
        elif record := self._others.get(name):
            self._tail = LogTail(Path(record.log))
            self._tail.finish()
            self.page.show_log(self._tail.lines)
        self._show()

    def _show(self) -> None:
        if own := self._own(self._shown):
            self.page.show_server(own_facts(own), "live" if own.state in RUNNING else tr("to its end"))
        elif record := self._others.get(self._shown):
            self.page.show_server(record_facts(record), tr("live, from its file"))
        elif setup := self._setups.get(self._shown):
            self.page.show_server(setup_facts(setup), "")

    async def _watch(self) -> None:
        """Follow logs and states as long as the page is in front or a server of ours runs."""
        while self._front or any(server.state in RUNNING for server in self._servers.own):
            for server in self._servers.own:
                await self._look(server)
            if self._tail is not None and (lines := self._tail.read()):
                self.page.add_log(lines)
            await asyncio.sleep(LOOK_S)

    async def _look(self, server: LocalServer) -> None:
        before = server.state
        lines = await self._servers.look(server)
        name = own_line(server).name
        if lines and name == self._shown:
            self.page.add_log(lines)
        if server.state is not before:
            self.refresh()
            if name == self._shown:
                self._show()
            if server.state in (ServerState.READY, ServerState.ENDED):
                self.shell.say(f"{name} {'is ready' if server.state is ServerState.READY else 'ended by itself'}")

    async def _stop(self) -> None:
        record = self._record()
        if record is None:
            return
        self.page.stop.setEnabled(False)
        try:
            await self._servers.stop(record)
        finally:
            self.page.stop.setEnabled(True)
        own = self._own(self._shown)
        if own is None:
            self.new()
        else:
            self.page.show_log(own.lines)
            self._show()
        self.refresh()
        self.shell.say(tr("Stopped {alias} on port {port}", alias=record.alias, port=record.port))

    def _try(self) -> None:
        record = self._record()
        if record is not None:
            self.shell.try_model(ModelRef(self._shown, record.alias))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.start(work, "servers", on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self.shell.say(str(error))
