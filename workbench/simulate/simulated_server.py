"""The simulated models behind a real loopback HTTP server, always marked as simulated.

Every reply carries `x-simulated: true` and, in `x-simulated-faults`, the labels of the faults that were put in,
joined by `; `, so that measured rates can be held against the true ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput, UnknownName
from workbench.loopback import BreakConnection, LoopbackRequest, LoopbackServer, Reply, StreamReply
from workbench.simulate.compose import compose
from workbench.simulate.pace import count_tokens, paced, to_deltas
from workbench.simulate.personas import PERSONAS, find_persona
from workbench.simulate.rendered_prompt import RENDERS, rendered
from workbench.simulate.reply_faults import Dice
from workbench.simulate.simulated_vendors import as_asked, as_counted, as_served
from workbench.simulate.switches import Options, read_options
from workbench.wires import get_server, server_for, wire_servers
from workbench.wires.kit.server import Refusal, ReplyHead

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.exchange import Delta
    from workbench.core.messages import ChatRequest
    from workbench.simulate.personas import Persona
    from workbench.simulate.reply_draft import SimulatedReply
    from workbench.wires.kit.server import ReplyWriter, WireServer

PRODUCT = "workbench-simulator"
_OWNER = "simulated"
_REMEMBERED = 10_000
_PAGE = b"<!doctype html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n"


class SimulatedServer:
    """Serves all simulated models, in the event loop in which it is started."""

    def __init__(self) -> None:
        self._http = LoopbackServer(self._handle, product=PRODUCT)
        self._seen: OrderedDict[str, int] = OrderedDict()

    @property
    def running(self) -> bool:
        """True between `start` and `aclose`."""
        return self._http.running

    @property
    def base_url(self) -> str:
        """Base URL of the OpenAI side: `http://127.0.0.1:PORT/v1`."""
        return f"{self._http.url}/v1"

    @property
    def root_url(self) -> str:
        """The same without `/v1`, for wires that bring their own."""
        return self._http.url

    @property
    def model_ids(self) -> tuple[str, ...]:
        """The ids of the simulated models, in the order in which they are shown."""
        return tuple(PERSONAS)

    async def start(self, port: int = 0) -> None:
        """Listen on a free port of 127.0.0.1."""
        await self._http.start(port)

    async def aclose(self) -> None:
        """Stop, and drop what is still being sent."""
        await self._http.aclose()

    async def _handle(self, request: LoopbackRequest) -> Reply | StreamReply:
        path = request.path.rstrip("/")
        if request.method == "GET":
            return self._listing(path, request)
        if path == RENDERS:
            return _rendered(request)
        if server := server_for(path):
            return await self._answer(server, request)
        return _unknown(f"{request.method} {path}")

    def _listing(self, path: str, request: LoopbackRequest) -> Reply:
        """The models, in the shape of whoever asks: OpenAI's where no other protocol recognises its client."""
        server = next((one for one in reversed(wire_servers()) if one.lists(path, request.headers)), None)
        if server is None:
            return _unknown(f"GET {path}")
        head, _, name = path.rpartition("/")
        try:
            if not head.endswith("/models"):
                return _reply(200, server.models(self.model_ids, created=_now(), owner=_OWNER))
            return _reply(200, server.model(find_persona(name).name, created=_now(), owner=_OWNER))
        except UnknownName as error:
            return _refused(server, Refusal(404, str(error), "model_not_found", "model"))

    async def _answer(self, server: WireServer, asked: LoopbackRequest) -> Reply | StreamReply:
        try:
            served = server.read(asked.body, asked.path)
            request = served.request if served.request.model else replace(served.request, model=self.model_ids[0])
            persona = find_persona(request.model)
            options = read_options(request.model, served.unknown, persona.pace)
            digest = _digest(request)
            if trouble := self._trouble(server, options, f"{request.model}|{digest}"):
                return trouble
            draw = request.seed if request.seed is not None else f"try {self._count(f'{persona.name}|{digest}')}"
            key = f"{digest}|{draw}"
            said, deltas = _said(persona, request, key, options)
        except UnknownName as error:
            return _refused(server, Refusal(404, str(error), "model_not_found", "model"))
        except InvalidInput as error:
            return _refused(server, Refusal(400, str(error)))
        reply_id = hashlib.sha256(key.encode()).hexdigest()[:20]
        head = ReplyHead(replace(served, request=request), reply_id, _now())
        headers = {"x-request-id": f"sim-{reply_id}"}
        if said.faults:
            headers["x-simulated-faults"] = "; ".join(said.faults)
        if request.stream:
            pieces = _recut(_events(server.stream(head), deltas, options), options.chunk_bytes)
            return StreamReply(pieces, content_type=server.streams_as, headers=_marked(headers))
        return await _whole(server.whole(head, deltas), deltas, options, headers)

    def _trouble(self, server: WireServer, options: Options, tried_as: str) -> Reply | None:
        """The reply of a server that does not come to answer: 429, 500, an HTML page."""
        for fault in options.network:
            if fault.kind not in ("429", "500", "html"):
                continue
            if fault.times is not None:
                tried = self._count(f"{tried_as}|{fault.kind}")
                if tried % (fault.times + 1) == fault.times:
                    continue
            match fault.kind:
                case "429":
                    why = Refusal(429, "Rate limit reached (simulated).", "rate_limit_exceeded")
                    return _reply(429, server.refuse(why), {"Retry-After": f"{fault.retry_after:g}"})
                case "500":
                    return _refused(server, Refusal(500, "The server had an error (simulated)."))
                case _:
                    return Reply(200, _PAGE, "text/html; charset=utf-8", _marked({}))
        return None

    def _count(self, key: str) -> int:
        """How often this key was asked for before; the oldest keys are forgotten."""
        number = self._seen.pop(key, 0)
        self._seen[key] = number + 1
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return number


def _said(persona: Persona, request: ChatRequest, key: str, options: Options) -> tuple[SimulatedReply, list[Delta]]:
    """What the model says, as its server passes it on."""
    dice = Dice(f"{persona.name}|{key}")
    said = compose(persona, as_asked(request, options.vendor, dice), key, options.rates, options.chatter)
    served = as_served(said, request, options.vendor, dice)
    deltas = to_deltas(served, request, limit=served.limit, tokens_per_delta=options.tokens_per_delta)
    return served, as_counted(deltas, served, request, options.vendor, dice)


def _digest(request: ChatRequest) -> str:
    """A hash of all that was said."""
    text = json.dumps([message.to_openai() for message in request.messages], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _now() -> int:
    return int(time.time())


def _marked(headers: Mapping[str, str]) -> dict[str, str]:
    return {"x-simulated": "true", **headers}


def _reply(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status, body, headers=_marked(headers or {}))


def _rendered(asked: LoopbackRequest) -> Reply:
    """The prompt that the models' chat template makes of a chat, as llama-server tells it."""
    server = get_server("openai_chat")
    try:
        prompt = rendered(server.read(asked.body, "/v1/chat/completions").request)
    except InvalidInput as error:
        return _refused(server, Refusal(400, str(error)))
    return _reply(200, json.dumps({"prompt": prompt}, ensure_ascii=False).encode())


def _unknown(asked: str) -> Reply:
    """Nothing is served there; said as OpenAI says it."""
    return _refused(get_server("openai_chat"), Refusal(404, f"Unknown request URL: {asked}.", "unknown_url"))


def _refused(server: WireServer, why: Refusal) -> Reply:
    return _reply(why.status, server.refuse(why))


async def _whole(body: bytes, deltas: Sequence[Delta], options: Options, headers: Mapping[str, str]) -> Reply:
    """A reply in one piece, after the time that writing it takes."""
    if options.tokens_per_second > 0:
        tokens = sum(count_tokens(getattr(delta, "text", "") or getattr(delta, "arguments", "")) for delta in deltas)
        await asyncio.sleep(options.first_token_s + tokens / options.tokens_per_second)
    if stall := options.fault("stall"):
        await asyncio.sleep(stall.seconds)
    if options.fault("reset"):
        raise BreakConnection
    return _reply(200, body[: len(body) // 2] if options.fault("half") else body, headers)


async def _events(stream: ReplyWriter, deltas: Sequence[Delta], options: Options) -> AsyncGenerator[bytes, None]:
    """The bytes of a streamed reply, in their time, up to the break if there is to be one."""
    broken = next((fault for fault in options.network if fault.kind in ("reset", "half", "stall")), None)
    breaks_at = len(deltas) + 1
    if broken is not None:
        breaks_at = len(deltas) // 2 if broken.after is None else broken.after
    opening = stream.start()
    pace = paced(deltas, tokens_per_second=options.tokens_per_second, first_s=options.first_token_s)
    async with contextlib.aclosing(pace) as timed:
        number = 0
        async for delta in timed:
            if number >= breaks_at:
                break
            number += 1
            if piece := opening + stream.feed(delta):
                yield piece
            opening = b""
    if broken is None or number < breaks_at:
        yield stream.finish()
        return
    if opening:
        yield opening
    if broken.kind == "stall":
        await asyncio.sleep(broken.seconds)
    if broken.kind == "reset":
        raise BreakConnection


async def _recut(pieces: AsyncGenerator[bytes, None], size: int | None) -> AsyncGenerator[bytes, None]:
    """The same bytes in pieces of one size, as a network may cut them."""
    async with contextlib.aclosing(pieces) as source:
        async for piece in source:
            for part in _cut(piece, size):
                yield part
                if size is not None:
                    await asyncio.sleep(0)


def _cut(piece: bytes, size: int | None) -> Iterator[bytes]:
    if size is None:
        yield piece
        return
    for at in range(0, len(piece), size):
        yield piece[at : at + size]
