"""The gateway page over the real application, shown, with clients that ask it over real sockets."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
from PySide6.QtWidgets import QWidget

from tests.kit.gateway import ASK, TOKEN, served
from tests.kit.gui import shown
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.settings.values import ProviderConfig
from workbench.ui.bridge.page import Shell
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.gateway.controller import GatewayController

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.kit.gateway import Upstream
    from workbench.store import StoredRun
    from workbench.ui.theme.theme import Theme

CHAT = "/v1/chat/completions"


class GatewayPage:
    """The page with what it says and asks of the window around it."""

    def __init__(
        self, page: GatewayController, wb: Workbench, said: list[str], opened: list[StoredRun], compared: list[str]
    ) -> None:
        self.page, self.wb = page, wb
        self.said, self.opened, self.compared = said, opened, compared

    @property
    def view(self) -> Any:
        return self.page.page

    async def start(self) -> None:
        """Press Start, with a free port."""
        self.view.address.port.set_value(0)
        self.page._toggle.click()
        await until(lambda: self.page.serving.running)

    async def ask(self, body: dict[str, Any] | None = None, *, session: str = "a", agent: str = "curl/8", path: str = CHAT,
                  limit_s: float = 60) -> httpx.Response:  # fmt: skip
        """Send one request as a client does."""
        headers = {"authorization": f"Bearer {self.page.gateway.token}", "x-session-id": session, "user-agent": agent}
        async with httpx.AsyncClient(base_url=self.page.gateway.url, headers=headers, timeout=limit_s) as client:
            return await client.post(path, json=body or ASK)

    def begin(self, body: dict[str, Any] | None = None, **more: Any) -> asyncio.Task[httpx.Response]:
        """The same without waiting for the reply."""
        return asyncio.get_running_loop().create_task(self.ask(body, **more))

    @property
    def rows(self) -> list[str]:
        """Titles in the list of conversations."""
        model = self.view.conversations.model
        return [model.line(at).id for at in range(model.rowCount())]

    def card(self, number: int) -> Any:
        """The card of an exchange."""
        return self.view.area.card(number)

    def texts(self, number: int) -> list[str]:
        """What the four cells of an exchange's last row say."""
        found = []
        for pane in self.card(number).rows[-1].panes:
            found.append(
                pane.text.toPlainText() if pane.shows_text else pane.blocks.plain_text() if pane.blocks else ""
            )
        return found


@asynccontextmanager
async def gateway_page(
    home: Path, theme: Theme, monkeypatch: Any, upstream: Upstream | None = None
) -> AsyncIterator[GatewayPage]:
    """The page, shown; `Up` is the upstream, to which every name leads where there is one."""
    monkeypatch.setenv("WORKBENCH_GATEWAY_TOKEN", TOKEN)
    async with Workbench.open(home) as wb, served(upstream):
        if upstream is not None:
            wb.use(ProviderConfig("Up", upstream.wire, upstream.url, "none", tools="native", retries=0))
        window, tasks = QWidget(), Tasks()
        said: list[str] = []
        opened: list[StoredRun] = []
        compared: list[str] = []
        shell = Shell(wb, tasks, theme, window, print, opened.append, print, print, print, said.append)
        page = GatewayController(shell, compared.append)
        async with shown(page, tasks, window):
            yield GatewayPage(page, wb, said, opened, compared)
