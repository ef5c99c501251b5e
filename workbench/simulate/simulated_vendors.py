"""Simulated vendors: one model behind servers that each do one thing wrong, at a known rate.

    main-70b+leak       calls of a streamed reply stand in the text, as the model wrote them
    main-70b+template   another chat template: each request holds more tokens
    main-70b+drop       the last argument of a call is lost
    main-70b+swap       two arguments of one kind change places
    main-70b+cut        the reply is cut off in the middle of its arguments
    main-70b+choice     `tool_choice` is not read
    main-70b+noise      what coarse rounding of the weights does: a wrong type, a wrong value, no call
    main-70b+late       the first token comes late, and the rest slowly
    main-70b+merge      several calls of one reply come under one index
    main-70b+finish     the finish reason is `stop`, although there are calls

Rates hold per reply in which the fault is possible. `{"simulate": {"vendor": {"leak": 0.5}}}` sets another rate.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.core.exchange import CallDelta, Delta, FinishDelta, UsageDelta
from workbench.core.json_text import parse_json
from workbench.simulate.pace import count_tokens

if TYPE_CHECKING:
    import random

    from workbench.core.messages import ChatRequest, NativeCall
    from workbench.core.tools import ToolSpec
    from workbench.simulate.reply_draft import SimulatedReply
    from workbench.simulate.reply_faults import Dice

LATE_FIRST_S, LATE_TOKENS_PER_SECOND = 0.6, 150.0
"""Added before the first token, and the most that such a vendor writes."""
_TEMPLATE_HEAD, _TEMPLATE_TOOL = 23, 11
"""Tokens that the other template adds to a request, and to each tool."""


@dataclass(frozen=True, slots=True)
class VendorFault:
    """One thing that a server does wrong."""

    kind: str
    rate: float
    title: str


_ALL = (
    VendorFault("leak", 0.35, "calls leak as text when streamed"),
    VendorFault("template", 1.0, "another chat template"),
    VendorFault("drop", 0.35, "an argument is dropped"),
    VendorFault("swap", 0.9, "two arguments are swapped"),
    VendorFault("cut", 0.3, "replies are cut off"),
    VendorFault("choice", 1.0, "tool_choice is ignored"),
    VendorFault("noise", 0.35, "coarsely rounded weights"),
    VendorFault("late", 1.0, "a slow stream"),
    VendorFault("merge", 0.95, "parallel calls are merged"),
    VendorFault("finish", 0.4, "a wrong finish reason"),
)
VENDOR_FAULTS: Mapping[str, VendorFault] = MappingProxyType({fault.kind: fault for fault in _ALL})
"""By kind, with the rate that holds where none is set."""


def as_asked(request: ChatRequest, rates: Mapping[str, float], dice: Dice) -> ChatRequest:
    """Return the request as the model gets to see it."""
    if request.tool_choice is not None and _thrown("choice", rates, dice):
        return replace(request, tool_choice=None)
    return request


def as_served(reply: SimulatedReply, request: ChatRequest, rates: Mapping[str, float], dice: Dice) -> SimulatedReply:
    """Return the reply as the server passes it on; the faults that were put in are added to its own."""
    for kind, change in _CHANGES.items():
        if reply.calls and _thrown(kind, rates, dice):
            changed = change(reply, request, dice.rng(f"vendor {kind} how"))
            reply = reply if changed is None else replace(changed, faults=(*reply.faults, kind))
    return reply


def as_counted(
    deltas: Sequence[Delta], reply: SimulatedReply, request: ChatRequest, rates: Mapping[str, float], dice: Dice
) -> list[Delta]:
    """Return the deltas with what the server says of them: indexes of calls, the finish reason, the count of tokens."""
    called = bool(reply.calls)
    merged = len(reply.calls) > 1 and _thrown("merge", rates, dice)
    stopped = called and _thrown("finish", rates, dice)
    more = _TEMPLATE_HEAD + _TEMPLATE_TOOL * len(request.tools) if _thrown("template", rates, dice) else 0
    out: list[Delta] = []
    for delta in deltas:
        match delta:
            case CallDelta() if merged and delta.number:
                out += [delta._replace(number=0, id="", name="")] if delta.arguments else []
            case FinishDelta(reason="tool_calls") if stopped:
                out.append(delta._replace(reason="stop"))
            case UsageDelta(usage=usage) if more and usage.input is not None:
                out.append(delta._replace(usage=usage._replace(input=usage.input + more)))
            case _:
                out.append(delta)
    return out


def _thrown(kind: str, rates: Mapping[str, float], dice: Dice) -> bool:
    return kind in rates and dice.rng(f"vendor {kind}").random() < rates[kind]


def _noise(reply: SimulatedReply, request: ChatRequest, rng: random.Random) -> SimulatedReply | None:
    """No call at all, a value of the wrong type unless a grammar holds it, or a garbled one."""
    way = rng.choice(("none", "type", "value"))
    if way == "type" and request.tools and all(tool.extra.get("strict") for tool in request.tools):
        return None
    if way == "none":
        return replace(reply, text=reply.text or "I could look this up for you.", calls=())
    garble = _of_wrong_type if way == "type" else _garbled
    return _rewritten(reply, request, lambda arguments, _: _one_changed(arguments, garble, rng))


def _one_changed(arguments: dict[str, Any], garble: Callable[[Any], Any], rng: random.Random) -> dict[str, Any] | None:
    if not arguments:
        return None
    name = rng.choice(list(arguments))
    return arguments | {name: garble(arguments[name])}


def _of_wrong_type(value: Any) -> Any:
    return [value] if isinstance(value, str) else str(value)


def _garbled(value: Any) -> Any:
    match value:
        case str():
            return value[: len(value) // 2] + value[:1] + value[len(value) // 2 :]
        case bool():
            return not value
        case int() | float():
            return value + 1
        case _:
            return value


def _drop(reply: SimulatedReply, request: ChatRequest, _: random.Random) -> SimulatedReply | None:
    return _rewritten(reply, request, lambda given, _: dict(list(given.items())[:-1]) if given else None)


def _swap(reply: SimulatedReply, request: ChatRequest, _: random.Random) -> SimulatedReply | None:
    return _rewritten(reply, request, _swapped)


def _swapped(arguments: dict[str, Any], tool: ToolSpec | None) -> dict[str, Any] | None:
    """Two texts without a fixed list of words change places."""
    free = [
        name
        for name, value in arguments.items()
        if isinstance(value, str)
        and not {"enum", "format", "pattern"} & set(tool.properties.get(name, {}) if tool else ())
    ]
    if len(free) < 2:
        return None
    one, other = free[:2]
    return arguments | {one: arguments[other], other: arguments[one]}


def _rewritten(
    reply: SimulatedReply,
    request: ChatRequest,
    change: Callable[[dict[str, Any], ToolSpec | None], dict[str, Any] | None],
) -> SimulatedReply | None:
    """Change the arguments of every call that allows it; None where none does."""
    tools = {tool.name: tool for tool in request.tools}
    calls: list[NativeCall] = []
    for call in reply.calls:
        changed = change(parse_json(call.arguments), tools.get(call.name))
        calls.append(call if changed is None else call._replace(arguments=json.dumps(changed, ensure_ascii=False)))
    return None if tuple(calls) == reply.calls else replace(reply, calls=tuple(calls))


def _leak(reply: SimulatedReply, request: ChatRequest, _: random.Random) -> SimulatedReply | None:
    if not request.stream:
        return None
    bodies = (f'{{"name": "{call.name}", "arguments": {call.arguments}}}' for call in reply.calls)
    written = "\n".join(f"<tool_call>\n{body}\n</tool_call>" for body in bodies)
    return replace(reply, text=reply.text + written, calls=())


def _cut(reply: SimulatedReply, _request: ChatRequest, rng: random.Random) -> SimulatedReply | None:
    """Stop inside the arguments of the last call."""
    last = reply.calls[-1]
    before = count_tokens(reply.text) + sum(count_tokens(call.name + call.arguments) for call in reply.calls[:-1])
    inside = count_tokens(last.arguments)
    if inside < 4:
        return None
    return replace(reply, limit=before + count_tokens(last.name) + rng.randint(2, inside - 2))


_CHANGES: Mapping[str, Callable[[SimulatedReply, ChatRequest, random.Random], SimulatedReply | None]] = {
    "noise": _noise,
    "drop": _drop,
    "swap": _swap,
    "leak": _leak,
    "cut": _cut,
}
"""In this order: what changes the calls comes before what changes how they are written."""
