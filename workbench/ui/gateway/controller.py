"""The gateway page: starts and stops the endpoint, shows what goes through it while it happens."""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from workbench.gateway.client_settings import CLIENTS, last_seen, settings_text
from workbench.gateway.earlier_conversations import earlier_conversations
from workbench.gateway.gateway import Gateway
from workbench.gateway.recording import Recording
from workbench.gateway.routes import Routes
from workbench.ui.bridge.clipboard import copy_secret
from workbench.ui.bridge.page import Page
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.gateway.from_exchange import FromExchange
from workbench.ui.gateway.from_gateway import conversation_line
from workbench.ui.gateway.holding import GatewayHolding
from workbench.ui.gateway.routing import GatewayRouting
from workbench.ui.gateway.serving import GatewayServing
from workbench.ui.gateway.shown_conversation import ShownConversation
from workbench.ui.gateway.view import GatewayView
from workbench.ui.gateway.words import ago, finding_words, grouped, masked, milliseconds, target_words
from workbench.ui.run.run_words import PARSER_WORDS
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.tab_order import tab_as_read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.core.errors import WorkbenchError
    from workbench.gateway.conversations import ExchangeSeen
    from workbench.ui.bridge.page import Shell

FOLLOW_MS = 120
"""Lists and figures follow at most so often."""
_AGE_MS = 5_000
_HIDDEN = "•••• {}"
_VERSION = re.compile(r"\d[\w.]*$")


class GatewayController(Page):
    """Controller of the gateway page."""

    key = "gateway"

    def __init__(self, shell: Shell, compare_suite: Callable[[str], None]) -> None:
        super().__init__(shell)
        self.page = GatewayView([(kind.key, kind.title) for kind in CLIENTS])
        wb = shell.wb
        self.gateway = Gateway(wb, Routes(wb), "", Recording(wb.settings.gateway.record))
        self.serving = GatewayServing(shell, self.page, self.gateway)
        self.routing = GatewayRouting(shell, self.page, self.gateway.under_way)
        self.conversation = ShownConversation(shell, self.page, self.gateway.under_way)
        self.holding = GatewayHolding(shell, self.page, self.gateway.desk, self.conversation)
        self.exchange = FromExchange(shell, self.page, self.conversation, compare_suite)
        self._follow = Throttle(FOLLOW_MS, self.refresh, self)
        self._ages = QTimer(self)
        self._ages.setInterval(_AGE_MS)
        self._ages.timeout.connect(self.refresh)
        self._read_earlier = False
        self._export = Button(tr("Export"), icon="export", on_click=lambda: self.exchange.export(self._export))
        self._toggle = Button(tr("Start"), icon="play", kind="primary", on_click=self.serving.toggle)
        self._end = self.gateway.conversations.watch(self._on_exchange)
        self._connect()

    def _connect(self) -> None:
        page = self.page
        page.conversations.chosen.connect(self._on_chosen)
        page.client.client_chosen.connect(lambda _key: self._show_client())
        page.client.copy_asked.connect(self.copy_settings)
        page.area.current_changed.connect(lambda _number: self._show_buttons())
        page.area.acted.connect(lambda _number, _step, what: self._on_acted(what))
        self.serving.changed.connect(self._on_serving)
        self.holding.changed.connect(self._follow.request)
        self.shell.theme.changed.connect(page.client.text.restyle)

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self._export, self._toggle)

    def shown(self) -> None:
        self.routing.show()
        self.holding.show()
        self._on_serving()
        self._ages.start()
        self.shell.tasks.latest("gateway token", self.serving.prepare(), on_error=self._on_error)
        self.shell.tasks.latest("gateway earlier", self._earlier(), on_error=self._on_error)

    def hidden(self) -> None:
        self._ages.stop()

    def settings_changed(self) -> None:
        self.routing.show()
        self._on_serving()

    def order_tabs(self) -> None:
        tab_as_read(self.page.area)

    async def aclose(self) -> None:
        self._ages.stop()
        self._end()
        self.holding.close()
        self.conversation.close()
        await self.serving.aclose()

    async def _earlier(self) -> None:
        """Conversations of before, once; then how much is kept."""
        if not self._read_earlier:
            self._read_earlier = True
            earlier = await asyncio.to_thread(earlier_conversations, self.shell.wb)
            self.gateway.conversations.restore(earlier)
            self.refresh()
        await self.serving.measure()

    # -- what is seen ----------------------------------------------------------------------------------------------

    def _on_exchange(self, seen: ExchangeSeen) -> None:
        self.conversation.on_change(seen)
        self._follow.request()

    def refresh(self) -> None:
        """Bring list, title, status and the client's line up to date."""
        known = self.gateway.conversations.all()
        pane = self.page.conversations
        pane.show_lines([conversation_line(one) for one in known])
        if known and not pane.chosen_id and self.conversation.conversation is None:
            pane.choose(known[0].id)
        self._show_state()
        self._show_client()
        self._show_buttons()
        if self.conversation.conversation is None:
            self._show_nothing()

    def _show_state(self) -> None:
        seen, running = self.gateway.conversations, self.serving.running
        address = self.gateway.url.removeprefix("http://") if running else tr("not listening")
        parts = [address, counted(len(seen.all()), "conversation")]
        if held := self.holding.count:
            parts.append(f"{held} held")
        self.set_title(tr("Gateway"), " · ".join(parts))
        routes = counted(len(self.routing.lines), "route")
        self.page.summary.setText(" · ".join([*parts, routes]) if self.page.strip_folded else "")
        told = ", ".join(word for _, word in finding_words(grouped(seen.totals)))
        left = [tr("{exchanges} recorded", exchanges=counted(seen.recorded, "exchange")), told or tr("no findings")]
        if len(seen.added):
            left.append(
                f"added to first token: {milliseconds(seen.added.median)} median, {milliseconds(seen.added.p99)} p99"
            )
        right = [
            tr("{streams} open", streams=counted(seen.open, "stream")),
            self.serving.kept_words,
            PARSER_WORDS,
        ]
        self.set_status(" · ".join(left) if seen.exchanges else "", " · ".join(right))

    def _show_nothing(self) -> None:
        if self.gateway.conversations.all():
            self.page.show_nothing("broadcast", tr("No conversation chosen"), tr("Choose one at the left."))
        elif self.serving.running:
            self.page.show_nothing(
                "broadcast",
                tr("No agent has asked yet"),
                tr("Paste the settings above where the agent runs, and start it."),
            )
        else:
            self.page.show_nothing(
                "broadcast",
                tr("Not listening"),
                tr("Press Start, then point an agent at the address above with its settings."),
            )

    def _on_chosen(self, name: str) -> None:
        chosen = self.gateway.conversations.get(name) if name else None
        if chosen is None or chosen is self.conversation.conversation:
            if chosen is None and name == "" and not self.page.conversations.model.rowCount():
                self._leave_conversation()
            return
        self.conversation.show(chosen)
        self._show_head()
        self.holding.show()
        self.holding.refresh()
        self._show_buttons()

    def _leave_conversation(self) -> None:
        """Nothing is left in the list: a filter fits none."""
        if self.conversation.conversation is not None and not self.page.conversations.filter.text():
            self.conversation.show(None)
            self._show_nothing()

    def _show_head(self) -> None:
        shown = self.conversation.conversation
        if shown is not None and shown.exchanges:
            last = shown.exchanges[-1]
            self.page.show_conversation(
                shown.title or tr("(no words)"), f"{last.client.model} → {target_words(last.target)}"
            )

    def _show_buttons(self) -> None:
        self._show_head()
        possible = self.exchange.possible
        self.page.keep.setEnabled(possible)
        self.page.compare.setEnabled(possible)
        self._export.setEnabled(self.conversation.conversation is not None)

    def step_exchange(self, by: int) -> None:
        """Choose the next or the previous exchange."""
        self.page.area.step_current(by)

    def step_conversation(self, by: int) -> None:
        """Choose the next or the previous conversation."""
        rows = self.page.conversations.list
        rows.choose_row(max(0, rows.currentIndex().row() + by))

    def focus_column(self, column: int) -> None:
        """Give the keyboard to raw (1), parsed (2) or what went to the agent (3) of the chosen exchange."""
        card = self.page.area.card(self.page.area.current)
        if card is not None:
            card.set_folded(False)
            made = next((row for row in reversed(card.rows) if row.cells is not None), None)
            if made is not None and made.cells is not None:
                made.cells.panes[column].take_focus()

    def _on_acted(self, what: str) -> None:
        if what in ("wire", "formats", "whole", "whole_sanitized"):
            self.exchange.open()
        elif what == "report":
            self.exchange.export(self._export)

    # -- serving ---------------------------------------------------------------------------------------------------

    def _on_serving(self) -> None:
        running = self.serving.running
        self.page.address.show_address(self.gateway.url if running else "", self._port)
        self.page.address.show_token(self.gateway.token, listening=running)
        self._toggle.setText(tr("Stop") if running else tr("Start"))
        self._toggle.set_icon_name("stop" if running else "play")
        self._toggle.set_kind("normal" if running else "primary")
        self._toggle.set_tip(tr("Stop listening") if running else tr("Listen for agents on this computer"))
        self._toggle.updateGeometry()
        self.refresh()

    @property
    def _port(self) -> int:
        field = self.page.address.port
        return field.value if field.isVisible() else self.shell.wb.settings.gateway.port

    def _show_client(self) -> None:
        """The chosen client's settings, and when it was last seen."""
        key, token = self.page.client.client, self.gateway.token
        hidden = _HIDDEN.format(token[-4:]) if token else ""
        text = self._settings(key, hidden)
        if text != self.page.client.text.raw:
            self.page.client.show_settings(text, hidden)
        seen = last_seen(key, self.gateway.conversations.all())
        if seen is None:
            self.page.client.show_seen(tr("not seen yet"), seen=False)
            return
        version = _VERSION.search(seen.client.client)
        words = [tr("seen {ago}", ago=ago(time.time() - seen.begun))]
        words += [tr("version {version}", version=version[0])] if version else []
        words += [tr("{tools} offered", tools=counted(seen.facts.offered, "tool"))] if seen.facts.offered else []
        self.page.client.show_seen(", ".join(words), seen=True)

    def _settings(self, key: str, token: str) -> str:
        url = self.gateway.url if self.serving.running else f"http://127.0.0.1:{self._port}"
        return settings_text(key, url, token, self.gateway.routes.models()[0])

    def copy_settings(self) -> None:
        """Put the chosen client's settings, with the token, into the clipboard; before the first start it is made now."""
        self.shell.tasks.latest("gateway copy", self._copy_settings(), on_error=self._on_error)

    async def _copy_settings(self) -> None:
        await self.serving.prepare()
        key = self.page.client.client
        copy_secret(self._settings(key, self.gateway.token))
        title = next(kind.title for kind in CLIENTS if kind.key == key)
        self.shell.say(
            tr(
                "The settings for {title} are in the clipboard, with the token {token}",
                title=title,
                token=masked(self.gateway.token),
            )
        )

    def _on_error(self, error: WorkbenchError) -> None:
        self.shell.say(str(error))
