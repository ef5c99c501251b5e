"""The gateway: a loopback server whose requests are runs."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.targets import title_of
from workbench.core.errors import InvalidInput, SecretError, SettingsError, UnknownName, WorkbenchError
from workbench.core.events import RunStarted
from workbench.gateway.access import PLACES, allowed
from workbench.gateway.clients import client_request
from workbench.gateway.conversations import Conversations
from workbench.gateway.exchange import Exchange, draft_of
from workbench.gateway.pass_through import PassThrough
from workbench.gateway.routes import Way
from workbench.loopback import LoopbackRequest, LoopbackServer, Reply, StreamReply
from workbench.wires import get_server, server_for, wire_servers
from workbench.wires.kit.server import Refusal

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.core.events import RunEvent
    from workbench.gateway.routes import Route, Routes
    from workbench.wires.kit.server import Served, WireServer

PORT = 8000
PRODUCT = "workbench-gateway"
OWNER = "workbench"
CHARACTERS_PER_TOKEN = 3.6
"""Of the estimate that `count_tokens` gives: no tokenizer of the target's is at hand."""


class Gateway:
    """Serves clients from `start` to `aclose`, in the event loop in which it is started."""

    def __init__(self, wb: Workbench, routes: Routes, token: str) -> None:
        self._wb, self.routes, self.token = wb, routes, token
        self.conversations = Conversations(wb.check)
        self._http = LoopbackServer(self._handle, product=PRODUCT)

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
        await self._http.start(port)

    async def aclose(self) -> None:
        """Stop; what is under way is cancelled and recorded so."""
        await self._http.aclose()

    async def _handle(self, request: LoopbackRequest) -> Reply | StreamReply:
        path = request.path.rstrip("/")
        if request.method == "HEAD" and not path:
            return Reply(200, b"", "text/plain")
        server = (
            server_for(path.removesuffix("/count_tokens")) or _of_listing(path, request) or get_server("openai_chat")
        )
        if not allowed(request, self.token):
            return _refused(server, Refusal(401, f"The gateway's token is missing or wrong; send it as {PLACES}."))
        try:
            if request.method == "GET":
                return self._listing(server, path)
            if request.method == "POST" and path.endswith("/count_tokens"):
                return _count(server, request)
            if request.method == "POST" and server_for(path) is not None:
                return await self._exchange(server, request)
        except UnknownName as error:
            return _refused(server, Refusal(404, str(error), "model_not_found", "model"))
        except (SettingsError, SecretError) as error:
            return _refused(server, Refusal(500, str(error)))
        except WorkbenchError as error:
            return _refused(server, Refusal(400, str(error)))
        return _refused(server, Refusal(404, f"There is nothing at {request.method} {path or '/'}.", "unknown_url"))

    async def _exchange(self, server: WireServer, request: LoopbackRequest) -> Reply | StreamReply:
        served = server.read(request.body, request.path)
        if not served.request.model:
            raise InvalidInput("The request names no model.", hint=f"Known: {', '.join(self.routes.models()[:8])}.")
        route = self.routes.choose(served.request.model)
        if route.way is Way.PASS_THROUGH and (why := self._not_passed_through(served, route)):
            route, served = replace(route, way=Way.ROUTE), replace(served, left_out=(why, *served.left_out))
        client = client_request(request, served, route.way)
        draft = draft_of(self._wb, served, route, client)
        seen = self.conversations.begin(client, route.target.label, title_of(draft.messages))

        def follow(event: RunEvent) -> None:
            if isinstance(event, RunStarted):
                seen.run_id = event.run_id
            self.conversations.follow(seen, event)

        try:
            if route.way is Way.PASS_THROUGH:
                asked = served.request.model
                return await PassThrough(server, request, follow).answer(self._wb, draft, asked)
            return await Exchange(server, served, route, follow).answer(self._wb, draft)
        except WorkbenchError:
            self.conversations.give_up(seen)
            raise

    def _not_passed_through(self, served: Served, route: Route) -> str:
        """Why a request cannot go on as it is; empty where it can."""
        provider = self._wb.provider(route.target.executor.provider)
        if provider.wire != served.wire:
            return f"pass-through: {provider.name} speaks {provider.wire}, so the request was written anew"
        return "pass-through: boost asks in its own words" if route.target.planner else ""

    def _listing(self, server: WireServer, path: str) -> Reply:
        names, now = self.routes.models(), int(time.time())
        if path.endswith(("/models", "/tags")):
            return Reply(200, server.models(names, created=now, owner=OWNER))
        head, _, name = path.partition("/models/")
        if head and name:
            return Reply(200, server.model(name, created=now, owner=OWNER))
        return _refused(server, Refusal(404, f"There is nothing at GET {path or '/'}.", "unknown_url"))


def _of_listing(path: str, request: LoopbackRequest) -> WireServer | None:
    """The protocol that a GET for models is asked in: OpenAI's where no other one recognises its client."""
    return next((server for server in reversed(wire_servers()) if server.lists(path, request.headers)), None)


def _count(server: WireServer, request: LoopbackRequest) -> Reply:
    """Estimate a request's tokens from its characters."""
    served = server.read(request.body, request.path)
    words = [json.dumps(message.to_openai(), ensure_ascii=False) for message in served.request.messages]
    words += [json.dumps(tool.to_openai(), ensure_ascii=False) for tool in served.request.tools]
    return Reply(200, json.dumps({"input_tokens": math.ceil(sum(map(len, words)) / CHARACTERS_PER_TOKEN)}).encode())


def _refused(server: WireServer, why: Refusal) -> Reply:
    return Reply(why.status, server.refuse(why))
