"""Starting and stopping: the port, the token, who has the port where it is taken, and what is kept while it runs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.gateway.exchange_retention import keep_trimmed, measure
from workbench.gateway.kept_token import kept_token, renew_token
from workbench.gateway.port_owner import free_port_after, port_owner
from workbench.loopback import HOST
from workbench.store.retention import Retention
from workbench.ui.bridge.clipboard import copy_secret
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from typing import Any

    from workbench.gateway.gateway import Gateway
    from workbench.store.retention import Kept
    from workbench.ui.bridge.page import Shell
    from workbench.ui.gateway.view import GatewayView


class GatewayServing(QObject):
    """Owns whether the gateway listens."""

    changed = Signal()
    """It listens, or no longer; or the token is another."""

    def __init__(self, shell: Shell, page: GatewayView, gateway: Gateway) -> None:
        super().__init__(page)
        self._shell, self._page, self._gateway = shell, page, gateway
        self._trimming: asyncio.Task[Any] | None = None
        self._other_port = 0
        self.kept: Kept | None = None
        """What recorded exchanges take; None before it was measured."""
        page.port_taken.clicked.connect(lambda _checked=False: self._use_other_port())
        page.try_again.clicked.connect(lambda _checked=False: self.start())
        page.address.copied.connect(self._on_copied)
        page.address.renew_asked.connect(lambda: self._start(self._renew()))

    @property
    def running(self) -> bool:
        """The gateway listens."""
        return self._gateway.running

    def toggle(self) -> None:
        """Start, or stop."""
        if self.running:
            self._start(self._stop())
        else:
            self.start()

    def start(self, port: int | None = None) -> None:
        """Listen on the port of the panel, or on another one."""
        self._start(self._listen(self._page.address.port.value if port is None else port))

    async def prepare(self) -> None:
        """Find the token; a keychain may take long."""
        if not self._gateway.token:
            self._gateway.token = await asyncio.to_thread(kept_token, self._shell.wb.secrets)
            self.changed.emit()

    async def _listen(self, port: int) -> None:
        await self.prepare()
        try:
            await self._gateway.start(port)
        except InvalidInput as error:
            await self._tell_taken(port, error)
            return
        self._page.show_trouble("", "", "", "")
        self._keep_port(port)
        self._trimming = self._shell.tasks.start(
            keep_trimmed(self._shell.wb), "gateway retention", on_error=lambda error: self._shell.say(str(error))
        )
        self.changed.emit()
        self._shell.say(tr("The gateway listens at {url}", url=self._gateway.url))
        await self.measure()

    def _keep_port(self, port: int) -> None:
        """A port that could be had is the one to begin with the next time."""
        saved = self._shell.wb.saved_settings
        if port and port != saved.gateway.port:
            with suppress(WorkbenchError):
                self._shell.wb.save(replace(saved, gateway=replace(saved.gateway, port=port)))

    async def _tell_taken(self, port: int, error: InvalidInput) -> None:
        owner = await asyncio.to_thread(port_owner, port)
        self._other_port = await asyncio.to_thread(free_port_after, port)
        who = tr("{owner} listens there.", owner=owner) if owner else tr("Another program may listen there.")
        button = tr("Use port {port}", port=self._other_port) if self._other_port else ""
        self._page.show_trouble(
            error.message, f"http://{HOST}:{port} · {who}", tr("Use another port, or end that program."), button
        )
        self._shell.say(error.message)

    def _use_other_port(self) -> None:
        if self._other_port:
            self._page.address.port.set_value(self._other_port)
            self.start(self._other_port)

    async def _stop(self) -> None:
        if self._trimming is not None:
            self._trimming.cancel()
        await self._gateway.aclose()
        self.changed.emit()
        self._shell.say(tr("The gateway has stopped"))

    async def measure(self) -> None:
        """Find out how much is kept."""
        self.kept = await asyncio.to_thread(measure, self._shell.wb)
        self.changed.emit()

    @property
    def kept_words(self) -> str:
        """`214 MB kept, 14 days`."""
        settings = self._shell.wb.settings.gateway
        limits = Retention(settings.keep_days, settings.keep_megabytes).words
        size = tr("{bytes:,.0f} MB kept, ", bytes=self.kept.bytes / 1000000.0) if self.kept is not None else tr("kept ")
        return f"{size}{limits}"

    async def _renew(self) -> None:
        self._gateway.token = await asyncio.to_thread(renew_token, self._shell.wb.secrets)
        self.changed.emit()
        self._shell.say(tr("There is another token: agents that have the old one are refused from now on"))

    def _on_copied(self, what: str, text: str) -> None:
        copy_secret(text)
        self._shell.say(tr("The {what} is in the clipboard", what=what))

    def _start(self, work: Any) -> None:
        self._shell.tasks.start(work, "gateway serving", on_error=lambda error: self._shell.say(str(error)))

    async def aclose(self) -> None:
        """Stop listening; what is under way is cancelled and recorded so."""
        await self._gateway.aclose()
