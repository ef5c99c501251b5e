"""Verification requests: the built-in set, and K2-Vendor-Verifier's `samples.jsonl`. Each is one chat-completions request.

The built-in set stands in `resources/verify/requests.yaml`: families of requests with variants. Its order is such that
every beginning of it is as varied as can be, so that a small budget still asks of everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from workbench.core.case import Case
from workbench.core.errors import InvalidInput
from workbench.core.messages import Reasoning, ToolChoice, request_from_json
from workbench.core.resources import resource_path
from workbench.core.tools import ToolMode, ToolSetup
from workbench.documents import read_json, read_yaml, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

BUILT_IN = "built-in"
_READ = frozenset(
    "messages tools tool_choice temperature top_p max_tokens parallel_tool_calls reasoning model stream".split()
)
"""Fields of a request that have a place of their own; all others are passed on as they are."""
_NOT_SENT = frozenset("stream_options n seed user metadata store".split())
"""Fields of a request that say how it was once sent, not what is asked."""


@dataclass(frozen=True, slots=True)
class Asks:
    """What a request is there for, beside what is measured on every reply, and how it is sampled."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    parallel_tool_calls: bool | None = None
    reasoning: Reasoning | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    """Further fields of a chat-completions request, for endpoints that speak it."""
    parallel: int = 0
    """Calls that one reply should hold at least; 0: not asked for."""
    single: bool = False
    """One reply may hold one call at most."""
    language: str = ""
    """Code of the language that an answer in words should be in; empty: not asked for."""


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """One request of a verification."""

    case: Case
    """What is sent: messages, tools, choice. Its id names the request, its family the kind."""
    asks: Asks = Asks()

    @property
    def id(self) -> str:
        """Unique in its set."""
        return self.case.id

    @property
    def strict_tools(self) -> frozenset[str]:
        """Names of the tools whose schema the server promises to keep."""
        return frozenset(setup.spec.name for setup in self.case.tools if setup.spec.extra.get("strict") is True)


_ASKED = frozenset({"parallel", "single"})


def request_from_body(
    body: Any, request_id: str, place: str, *, title: str = "", family: str = "", **asks: Any
) -> VerifyRequest:
    """Read a chat-completions request; raise InvalidInput naming `place`."""
    if not isinstance(body, dict):
        raise InvalidInput(f"{place} holds no request.", hint="Write one chat-completions request a line.")
    known = {key: value for key, value in body.items() if key in _READ}
    try:
        read = request_from_json(
            {"model": "verify", **known, "messages": _messages(body.get("messages"))} | {"model": "verify"}
        )
    except InvalidInput as error:
        raise InvalidInput(f"{place}: {error.message}", hint=error.hint) from error
    tools = tuple(ToolSetup(spec, ToolMode.RECORD) for spec in read.tools)
    case = Case(
        request_id, title or _title(read.messages), read.messages, tools, _choice(read.tool_choice), family=family
    )
    extra = {key: value for key, value in body.items() if key not in _READ | _NOT_SENT and value is not None}
    single = read.parallel_tool_calls is False
    return VerifyRequest(
        case,
        Asks(
            read.temperature, read.top_p, read.max_tokens, read.parallel_tool_calls, read.reasoning, extra,
            **{"single": single, **asks},
        ),
    )  # fmt: skip


def _messages(value: Any) -> Any:
    """The same messages; K2-Vendor-Verifier calls a system message `_input` here and there."""
    if not isinstance(value, list):
        return value
    return [
        item | {"role": "system"} if isinstance(item, dict) and item.get("role") == "_input" else item for item in value
    ]


def _choice(choice: ToolChoice) -> ToolChoice:
    return None if choice == "auto" else choice


def _title(messages: Sequence[Any]) -> str:
    text = next((message.text for message in reversed(messages) if message.role == "user"), "")
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def read_samples(path: Path) -> tuple[VerifyRequest, ...]:
    """Read JSON lines, one chat-completions request each; raise InvalidInput naming file and line."""
    text = text_of(path)
    found = tuple(_samples(text, path.name))
    if not found:
        raise InvalidInput(f"{str(path)!r} holds no requests.", hint="Write one chat-completions request a line.")
    return found


def _samples(text: str, name: str) -> Iterator[VerifyRequest]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            place = f"{name}, line {number}"
            yield request_from_body(read_json(line, place, strict=False), f"line-{number}", place, family="samples")


@cache
def built_in_requests() -> tuple[VerifyRequest, ...]:
    """The shipped set, varied from its beginning on."""
    path = resource_path("verify", "requests.yaml")
    document = read_yaml(path.read_text(encoding="utf-8"), path.name)
    families = [list(_family(family, document["tools"])) for family in document["families"]]
    return _spread(families)


def _spread(families: Sequence[Sequence[VerifyRequest]]) -> tuple[VerifyRequest, ...]:
    """All requests, so that any beginning holds of each family about the same share."""
    placed = [
        ((place + 0.5) / len(family), number, request)
        for number, family in enumerate(families)
        for place, request in enumerate(family)
    ]
    first = [family[0] for family in families if family]
    rest = [request for _, _, request in sorted(placed, key=lambda item: item[:2]) if request not in first]
    return (*first, *rest)


def _family(family: dict[str, Any], catalogue: dict[str, Any]) -> Iterator[VerifyRequest]:
    tools = [{"type": "function", "function": {"name": name, **catalogue[name]}} for name in family["tools"]]
    messages = family.get("messages") or [{"role": "user", "content": family["prompt"]}]
    given: dict[str, Any] = {key: family[key] for key in ("tool_choice", "parallel_tool_calls") if key in family}
    for number, parts in enumerate(family["variants"], 1):
        place = f"{family['id']}-{number:02}"
        asks: dict[str, Any] = {name: item for name, item in family.items() if name in _ASKED}
        if "language" in family:
            asks["language"] = _filled(family["language"], parts)
        body: dict[str, Any] = {"messages": _filled(messages, parts), "tools": tools, **given}
        yield request_from_body(body, place, place, title=_filled(family["title"], parts), family=family["id"], **asks)


def _filled(value: Any, parts: Sequence[Any]) -> Any:
    """The value with `{0}`, `{1}`, … replaced in all its texts."""
    if isinstance(value, str):
        for number, part in enumerate(parts):
            value = value.replace(f"{{{number}}}", str(part))
        return value
    if isinstance(value, list):
        return [_filled(item, parts) for item in value]
    return {key: _filled(item, parts) for key, item in value.items()} if isinstance(value, dict) else value


def unique(requests: Iterable[VerifyRequest]) -> tuple[VerifyRequest, ...]:
    """The requests; raise InvalidInput where two have one id."""
    found = tuple(requests)
    ids = [request.id for request in found]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise InvalidInput(f"Two requests are called {twice!r}.", hint="Each needs an id of its own.")
    return found
