"""Tokens, as far as a simulation needs them: replies cut into deltas, counted, cut off and timed.

A token here is a run of at most five letters or digits with the blank before it, or one other sign. For English text
and JSON that is close to four characters a token, which is what most tokenizers give.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import TYPE_CHECKING

from workbench.core.exchange import CallDelta, Delta, FinishDelta, TextDelta, Usage, UsageDelta

if TYPE_CHECKING:
    from workbench.core.messages import ChatRequest
    from workbench.simulate.reply_draft import SimulatedReply

_TOKEN = re.compile(r" ?\w{1,5}|[ \t]+(?=\s)|\s|[^\w\s]", re.DOTALL)
_MESSAGE_OVERHEAD = 4
"""Tokens that a chat template adds to each message."""
_SHORTEST_SLEEP = 0.004
_GIVE_WAY = 32
"""After so many deltas without a pause others in the event loop get their turn."""


def split_tokens(text: str) -> list[str]:
    """Cut a text into tokens; joined they give the text again."""
    return _TOKEN.findall(text)


def count_tokens(text: str) -> int:
    """Count the tokens of a text."""
    return sum(1 for _ in _TOKEN.finditer(text))


def prompt_tokens(request: ChatRequest) -> int:
    """Count what a request puts in: messages, earlier calls, tool definitions."""
    total = sum(_MESSAGE_OVERHEAD + count_tokens(message.text) for message in request.messages)
    for message in request.messages:
        total += sum(count_tokens(call.name + call.arguments) for call in message.tool_calls)
    return total + sum(count_tokens(json.dumps(tool.to_openai(), ensure_ascii=False)) for tool in request.tools)


def to_deltas(
    reply: SimulatedReply, request: ChatRequest, *, limit: int | None = None, tokens_per_delta: int = 1
) -> list[Delta]:
    """Return a reply as deltas: cut at the first stop sequence and at the token limit, then finish and usage."""
    text, stopped = _until_stop(reply.text, request.stop)
    left = min((number for number in (limit, request.max_tokens) if number is not None), default=None)
    out: list[Delta] = []
    used = 0
    for delta, cost in _pieces(text, () if stopped else reply, tokens_per_delta):
        if left is not None and used + cost > left:
            used = left
            reason = "length"
            break
        used += cost
        out.append(delta)
    else:
        reason = "tool_calls" if reply.calls and not stopped else "stop"
    return [*out, FinishDelta(reason), UsageDelta(Usage(prompt_tokens(request), used))]


def _until_stop(text: str, stops: Sequence[str]) -> tuple[str, bool]:
    places = [at for stop in stops if stop and (at := text.find(stop)) >= 0]
    return (text[: min(places)], True) if places else (text, False)


def _pieces(text: str, reply: SimulatedReply | tuple[()], size: int) -> Iterator[tuple[Delta, int]]:
    """The deltas with their cost in tokens."""
    for piece, cost in _groups(split_tokens(text), size):
        yield TextDelta(piece), cost
    for call in reply.calls if reply else ():
        yield CallDelta(call.number, call.id, call.name, ""), count_tokens(call.name)
        for piece, cost in _groups(split_tokens(call.arguments), size):
            yield CallDelta(call.number, call.id, call.name, piece), cost


def _groups(tokens: list[str], size: int) -> Iterator[tuple[str, int]]:
    size = max(1, size)
    for at in range(0, len(tokens), size):
        group = tokens[at : at + size]
        yield "".join(group), len(group)


async def paced(deltas: Sequence[Delta], *, tokens_per_second: float, first_s: float) -> AsyncGenerator[Delta, None]:
    """Yield deltas by a steady clock: a late wake-up is made up for, so that the rate holds."""
    loop = asyncio.get_running_loop()
    start = loop.time() + (first_s if tokens_per_second > 0 else 0)
    due = start
    for number, delta in enumerate(deltas):
        wait = due - loop.time()
        if wait >= _SHORTEST_SLEEP:
            await asyncio.sleep(wait)
        elif number % _GIVE_WAY == 0:
            await asyncio.sleep(0)
        yield delta
        if tokens_per_second > 0:
            due += _cost(delta) / tokens_per_second


def _cost(delta: Delta) -> int:
    match delta:
        case TextDelta(text=text):
            return count_tokens(text)
        case CallDelta(arguments=arguments):
            return max(1, count_tokens(arguments))
        case _:
            return 0
