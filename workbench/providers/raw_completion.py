"""The server's own chat template, and the model's own text: what a chat endpoint does, without its parser.

    llama.cpp   POST /apply-template {messages, tools} → {"prompt"}        POST /completion {"prompt"}
    vLLM        POST /tokenize {messages, tools} → {"tokens"}              POST /v1/completions {"prompt": tokens, "skip_special_tokens": false}
    Ollama      POST /api/chat {…, "_debug_render_only": true} → {"_debug_info": {"rendered_template"}}
                POST /api/generate {"prompt", "raw": true}

Which of the first two it is, is found by asking: what renders a prompt is taken from then on.
"""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.events import NO_STEP, ExchangeEnded, ExchangeStarted
from workbench.core.json_text import json_or, parse_json
from workbench.core.messages import Message
from workbench.providers.client import HttpClient
from workbench.providers.outgoing import Outgoing

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from workbench.core.events import ExchangeEvent
    from workbench.core.exchange import WireRequest
    from workbench.core.messages import ChatRequest

_NOTHING = (Message("user", "-"),)
_LIMIT_S = 60.0
_NEEDS = "The model's own text can be had from llama.cpp, vLLM and Ollama, which render their chat template."
_ELSEWHERE = (404, 405, 501)
"""What a server answers that does not know an address."""


class PromptRendering(NamedTuple):
    """How one kind of server renders a prompt, and takes it."""

    server: str
    render: str
    """Address below the root."""
    more: dict[str, Any]
    """Fields of the question beside those of the chat."""
    found: tuple[str, ...]
    """Where the answer holds the prompt."""
    take: str
    fields: dict[str, Any]
    """Fields of the completion beside the prompt."""


_VLLM = {"skip_special_tokens": False, "spaces_between_special_tokens": False}
_LLAMA = PromptRendering("llama.cpp", "/apply-template", {}, ("prompt",), "/completion", {})
_WAYS = {
    "openai_chat": (_LLAMA, PromptRendering("vLLM", "/tokenize", {"add_generation_prompt": True}, ("tokens",), "/v1/completions", _VLLM)),
    "ollama_chat": (PromptRendering("Ollama", "/api/chat", {"_debug_render_only": True}, ("_debug_info", "rendered_template"),
                        "/api/generate", {"raw": True}),),
}  # fmt: skip
"""By the chat protocol beside which they are offered."""


@dataclass(slots=True)
class KnownRendering:
    """What was found out about a server, kept for the next request."""

    way: PromptRendering | None = None


class RawCompletion(HttpClient):
    """Sends the prompt that the server's template makes of a request, and gives back the model's own text.

    It shares the connections, limits and secrets of the provider's own client, which also closes them, and takes one request
    at a time.
    """

    def __init__(self, through: HttpClient, known: KnownRendering) -> None:
        """Raise InvalidInput where the provider's protocol has no raw completion beside it."""
        endpoint = through._endpoint
        if endpoint.wire not in _WAYS:
            raise InvalidInput(f"{endpoint.provider} cannot be asked without its parser. {_NEEDS}", hint="Leave parser=workbench out, or take format=text.")  # fmt: skip
        self._chat, self._known, self._ways = through, known, _WAYS[endpoint.wire]
        self._root = endpoint.base_url.strip().rstrip("/").removesuffix("/v1").removesuffix("/api")
        wire = "completion" if endpoint.wire == "openai_chat" else endpoint.wire
        own = replace(endpoint, wire=wire, base_url=self._root)
        super().__init__(own, options=through._options, slots=through._slots)
        self._outgoing = Outgoing(own, through._outgoing._key, through._secrets.values)
        self._transport = through._transport
        self._prompt: Any = ""

    def encode(self, request: ChatRequest) -> WireRequest:
        """Return the chat of which the prompt is made: the prompt itself only the server knows."""
        return self._chat.encode(request)

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        """Have the template rendered, then send the prompt; what cannot be rendered ends the exchange with its error."""
        try:
            asked = self._chat._to_send(replace(request, stream=False))
        except InvalidInput as refused:
            for event in self._not_sent(refused):
                yield event
            return
        sent, error = await self._render(asked)
        if error is not None:
            yield ExchangeStarted(NO_STEP, 0, self._outgoing.masked(sent), self._clock.tick_us())
            yield ExchangeEnded(NO_STEP, 0, self._clock.tick_us(), self._secrets.mask_error(error))
            return
        bare = replace(
            request, messages=_NOTHING, tools=(), tool_choice=None, parallel_tool_calls=None, reasoning=None, by_wire={}
        )
        async with aclosing(super().exchange(bare)) as events:
            async for event in events:
                yield event

    async def _render(self, chat: WireRequest) -> tuple[WireRequest, ErrorInfo | None]:
        """Find the prompt of a chat; return what was asked last, and why there is none."""
        sent, failure = chat, None
        for way in (self._known.way,) if self._known.way is not None else self._ways:
            body = json.dumps({**parse_json(chat.body), **way.more}, ensure_ascii=False).encode()
            sent = replace(chat, url=self._root + way.render, body=body)
            where = f"POST {self._secrets.mask_url(sent.url)}"
            async with self._slots:
                answer = await self._transport.fetch(sent, _LIMIT_S)
            if isinstance(answer, ErrorInfo):
                return sent, replace(answer, where=where)
            status, _, told = answer
            self._prompt = _at(told, way.found) if status < 400 else None
            if self._prompt:
                self._known.way = way
                return sent, None
            failure = ErrorInfo(
                ErrorKind.BAD_REQUEST, f"No prompt was rendered: {way.server}'s address for it answered {status}.", where, _NEEDS,
                status=status, body=told[:4000].decode("utf-8", "replace"),
            )  # fmt: skip
            if status not in _ELSEWHERE:
                break
        return sent, failure

    def _to_send(self, request: ChatRequest) -> WireRequest:
        """The body of raw completion, with the rendered prompt in it."""
        sent, way = super()._to_send(request), self._known.way
        if way is None:
            return sent
        body = parse_json(sent.body)
        for name in ("messages", "tools", "think"):
            body.pop(name, None)
        if way.fields is _VLLM:
            body |= {"max_tokens": body.pop("n_predict")} if "n_predict" in body else {}
            body |= {"stream_options": {"include_usage": True}} if request.stream else {}
        body |= {"prompt": self._prompt, **way.fields}
        return replace(sent, url=self._root + way.take, body=json.dumps(body, ensure_ascii=False).encode())


def _at(body: bytes, path: tuple[str, ...]) -> Any:
    value = json_or(body, None)
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
