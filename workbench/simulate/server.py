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
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput, UnknownName
from workbench.loopback import BreakConnection, LoopbackRequest, LoopbackServer, Reply, StreamReply
from workbench.simulate.compose import compose
from workbench.simulate.dialects import Refusal, ReplyInfo, dialect_of
from workbench.simulate.options import Options, read_options
from workbench.simulate.pace import count_tokens, paced, to_deltas
from workbench.simulate.personas import PERSONAS, find_persona
from workbench.wires import anthropic_messages_server as messages
from workbench.wires import gemini_generate_server as gemini
from workbench.wires import ollama_chat_server as ollama
from workbench.wires import openai_chat_server as chat

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.exchange import Delta
    from workbench.core.messages import ChatRequest
    from workbench.simulate.dialects import Dialect, ReplyStream

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
        if dialect := dialect_of(path):
            return await self._answer(dialect, request)
        body = chat.error_body(f"Unknown request URL: {request.method} {path}.", code="unknown_url")
        return _reply(404, body)

    def _listing(self, path: str, request: LoopbackRequest) -> Reply:
        """The models, in the shape of whoever asks: some paths are the same in several protocols."""
        google = "/v1beta/" in path or bool(request.header("x-goog-api-key"))
        if path.endswith("/api/tags"):
            return _reply(200, ollama.models_body(self.model_ids, _now()))
        if path.endswith("/models") and google:
            return _reply(200, gemini.models_body(self.model_ids))
        if path.endswith("/models") and request.header("anthropic-version"):
            return _reply(200, messages.models_body(self.model_ids))
        if path.endswith("/models"):
            return _reply(200, chat.models_body(self.model_ids, created=_now(), owner=_OWNER))
        head, _, name = path.rpartition("/")
        if head.endswith("/models"):
            try:
                found = find_persona(name).name
                if google:
                    return _reply(200, gemini.model_body(found))
                return _reply(200, chat.model_body(found, created=_now(), owner=_OWNER))
            except UnknownName as error:
                return _reply(404, chat.error_body(str(error), code="model_not_found", param="model"))
        return _reply(404, chat.error_body(f"Unknown request URL: GET {path}.", code="unknown_url"))

    async def _answer(self, dialect: Dialect, asked: LoopbackRequest) -> Reply | StreamReply:
        try:
            request = dialect.read(asked.body, asked.path)
            persona = find_persona(request.model)
            options = read_options(request.model, request.extra, persona.pace)
            digest = _digest(request)
            if trouble := self._trouble(dialect, options, f"{request.model}|{digest}"):
                return trouble
            draw = request.seed if request.seed is not None else f"try {self._count(f'{persona.name}|{digest}')}"
            key = f"{digest}|{draw}"
            said = compose(persona, request, key, options.rates, options.chatter)
        except UnknownName as error:
            return _refused(dialect, Refusal(404, str(error), "model_not_found", "model"))
        except InvalidInput as error:
            return _refused(dialect, Refusal(400, str(error)))
        deltas = to_deltas(said, request, limit=said.limit, tokens_per_delta=options.tokens_per_delta)
        reply_id = hashlib.sha256(key.encode()).hexdigest()[:20]
        info = ReplyInfo(request, reply_id, _now())
        headers = {"x-request-id": f"sim-{reply_id}"}
        if said.faults:
            headers["x-simulated-faults"] = "; ".join(said.faults)
        if request.stream:
            pieces = _recut(_events(dialect.stream(info), deltas, options), options.chunk_bytes)
            return StreamReply(pieces, content_type=dialect.streams_as, headers=_marked(headers))
        return await _whole(dialect.whole(info, deltas), deltas, options, headers)

    def _trouble(self, dialect: Dialect, options: Options, tried_as: str) -> Reply | None:
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
                    return _reply(429, dialect.refuse(why), {"Retry-After": f"{fault.retry_after:g}"})
                case "500":
                    return _refused(dialect, Refusal(500, "The server had an error (simulated)."))
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


def _refused(dialect: Dialect, why: Refusal) -> Reply:
    return _reply(why.status, dialect.refuse(why))


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


async def _events(stream: ReplyStream, deltas: Sequence[Delta], options: Options) -> AsyncGenerator[bytes, None]:
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
