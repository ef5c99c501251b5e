"""The gateway: a loopback server whose requests are runs."""

from __future__ import annotations

import asyncio
import json
import math
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from workbench.core.errors import SecretError, SettingsError, UnknownName, WorkbenchError
from workbench.formats.sanitize import warm_up
from workbench.gateway.access import PLACES, allowed
from workbench.gateway.answering import Answering
from workbench.gateway.error_reply import refused
from workbench.gateway.first_token import FirstToken
from workbench.gateway.pass_through import ENDING_S
from workbench.gateway.recording import Recording
from workbench.gateway.under_way import UnderWay
from workbench.loopback import LoopbackRequest, LoopbackServer, Reply, StreamReply
from workbench.wires import counter_for, get_server, server_for, wire_servers
from workbench.wires.kit.server import Refusal

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.gateway.breakpoints import HoldDesk
    from workbench.gateway.conversations import Conversations
    from workbench.gateway.routes import Routes
    from workbench.wires.kit.server import WireServer

PORT = 8000
PRODUCT = "workbench-gateway"
OWNER = "workbench"
CHARACTERS_PER_TOKEN = 3.6
"""Of the estimate that `count_tokens` gives: no tokenizer of the target's is at hand."""


class Gateway:
    """Serves clients from `start` to `aclose`, in the event loop in which it is started."""

    def __init__(self, wb: Workbench, routes: Routes, token: str, recording: Recording = Recording.EVERYTHING) -> None:
        self.token = token
        self.under_way = UnderWay(wb, routes, recording)
        self._http = LoopbackServer(self._handle, product=PRODUCT)

    @property
    def routes(self) -> Routes:
        """The table of routes in force."""
        return self.under_way.routes

    @property
    def conversations(self) -> Conversations:
        """What has gone through."""
        return self.under_way.conversations

    @property
    def desk(self) -> HoldDesk:
        """The breakpoints, and what they hold."""
        return self.under_way.desk

    @property
    def url(self) -> str:
        """The address that clients are given: `http://127.0.0.1:8000`."""
        return self._http.url

    @property
    def running(self) -> bool:
        """True between `start` and `aclose`."""
        return self._http.running

    async def start(self, port: int = PORT) -> None:
        """Listen on a port of 127.0.0.1; raise InvalidInput where it is taken."""
        await asyncio.to_thread(self._warm_up)
        await self._http.start(port)

    def _warm_up(self) -> None:
        """Do now what is done once: else the first exchange waits for it, and all others with it."""
        warm_up()
        with suppress(WorkbenchError):
            self.under_way.wb.detect(self.routes.choose("any").target.executor)

    async def aclose(self) -> None:
        """Stop; what is under way is cancelled and recorded so, a reply that only lacks its last byte is waited for."""
        await self._http.aclose()
        await self.under_way.settle(ENDING_S)

    async def _handle(self, request: LoopbackRequest) -> Reply | StreamReply:
        path = request.path.rstrip("/")
        if request.method in ("HEAD", "GET") and not path:
            return Reply(200, b"" if request.method == "HEAD" else PRODUCT.encode(), "text/plain")
        counter = counter_for(path)
        server = counter or server_for(path) or _of_client(path, request) or get_server("openai_chat")
        if not allowed(request, self.token):
            return refused(server, Refusal(401, f"The gateway's token is missing or wrong; send it as {PLACES}."))
        try:
            if (told := server.about(path, self.routes.models())) is not None:
                return Reply(200, told)
            if request.method == "GET":
                return self._listing(server, path)
            if request.method == "POST" and counter is not None:
                return _count(counter, request)
            if request.method == "POST" and server_for(path) is not None:
                return await self._exchange(server, request)
        except UnknownName as error:
            return refused(server, Refusal(404, str(error), "model_not_found", "model"))
        except (SettingsError, SecretError) as error:
            return refused(server, Refusal(500, str(error)))
        except WorkbenchError as error:
            return refused(server, Refusal(400, str(error)))
        return refused(server, Refusal(404, f"There is nothing at {request.method} {path or '/'}.", "unknown_url"))

    async def _exchange(self, server: WireServer, request: LoopbackRequest) -> Reply | StreamReply:
        first_token = FirstToken(self.conversations.added.add)
        return await Answering(self.under_way, server, request, first_token).answer()

    def _listing(self, server: WireServer, path: str) -> Reply:
        names, now = self.routes.models(), int(time.time())
        if path.endswith(("/models", "/tags")):
            return Reply(200, server.models(names, created=now, owner=OWNER))
        head, _, name = path.partition("/models/")
        if head and name:
            return Reply(200, server.model(name, created=now, owner=OWNER))
        return refused(server, Refusal(404, f"There is nothing at GET {path or '/'}.", "unknown_url"))


def _of_client(path: str, request: LoopbackRequest) -> WireServer | None:
    """The protocol that is spoken at a path of no exchange: OpenAI's where no other one recognises its client."""
    return next((server for server in reversed(wire_servers()) if server.speaks(path, request.headers)), None)


def _count(server: WireServer, request: LoopbackRequest) -> Reply:
    """Estimate a request's tokens from its characters."""
    served = server.read(request.body, request.path)
    words = [json.dumps(message.to_openai(), ensure_ascii=False) for message in served.request.messages]
    words += [json.dumps(tool.to_openai(), ensure_ascii=False) for tool in served.request.tools]
    return Reply(200, server.counted(math.ceil(sum(map(len, words)) / CHARACTERS_PER_TOKEN)))
