"""What one reply of one endpoint says about how the model is served: a few facts, cheap to keep and to count.

Calls are looked at as the provider delivered them: a call that our parsers could mend is broken all the same for whoever
uses the endpoint. The recorded bytes are the truth; an observation can be made again from them.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome
from workbench.core.exchange import Ending, Usage, ending_of
from workbench.core.json_text import parse_json
from workbench.core.messages import NativeCall, chosen_tool
from workbench.formats import get_format
from workbench.formats.sanitize import leaked_markers
from workbench.formats.survey.crossread import best_other, may_be_read
from workbench.verify.languages import in_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.events import StepReply
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.core.tools import ToolSpec
    from workbench.verify.request_sets import VerifyRequest

VERSION = "1"
"""Of what is observed; observations of another version are made anew from the records."""
_SAYS_CALLS = frozenset({"openai_chat", "anthropic_messages", ""})
"""Wires whose finish reason tells a reply with calls from one without; the empty one is a recorded chat completion."""
_SNIPPET = 160
_MARKUP = "<[{`&("


@dataclass(frozen=True, slots=True)
class SeenReply:
    """One reply as it came."""

    text: str = ""
    """Text outside of calls, markers included where they leaked."""
    reasoning: str = ""
    calls: tuple[NativeCall, ...] = ()
    """As delivered: arguments are JSON text, or what should have been."""
    finish: str = ""
    """The provider's own word."""
    usage: Usage = Usage()
    first_token_us: int | None = None
    total_us: int = 0
    error: str = ""
    """Kind of the error; empty: it was answered."""
    wire: str = ""
    streamed: bool = False
    tries: int = 1
    """HTTP exchanges that it took."""
    served_model: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """The facts of one reply. Whatever a request does not ask about is None."""

    error: str = ""
    """Kind of the error; empty: answered. Of an unanswered request nothing else is known."""
    streamed: bool = False
    finish: str = ""
    honest: bool | None = None
    """The finish reason says that there are calls exactly where there are; None: the protocol has no word for it."""
    calls: int = 0
    valid: int = 0
    """Calls of declared tools whose arguments are JSON and fit the schema."""
    joined: int = 0
    """Calls whose fragments join to one JSON object."""
    invented: int = 0
    """Calls of tools that were not offered."""
    absorbed: int = 0
    """Calls with the markup of a parameter inside another one."""
    strict_calls: int = 0
    """Calls of tools whose schema the server promised to keep."""
    strict_kept: int = 0
    leaked: bool = False
    """Markup of a call stands in the text."""
    leak: str = ""
    """Where it begins."""
    offered: bool = False
    """Tools were offered."""
    choice_kept: bool | None = None
    parallel_kept: bool | None = None
    language_kept: bool | None = None
    only_reasoning: bool = False
    """Reasoning, but neither an answer nor a call."""
    agreement: str = ""
    """Hash of the calls: tools and arguments, order and schema defaults left aside; empty without calls."""
    values: str = ""
    """Hash of the tools and of the arguments' values, whatever names they have; empty where no call has two texts."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    first_token_us: int | None = None
    """Of a streamed reply."""
    total_us: int = 0
    cost: float | None = None
    tries: int = 1
    served_model: str = ""
    wire: str = ""
    version: str = VERSION

    @property
    def answered(self) -> bool:
        """There is a reply to speak of."""
        return not self.error

    @property
    def good(self) -> bool:
        """Nothing is wrong with the reply: a success that was worth its price."""
        kept = (self.honest, self.choice_kept, self.parallel_kept, self.language_kept)
        return (
            self.answered and not self.leaked and not self.only_reasoning and False not in kept
            and self.valid == self.calls and not self.absorbed
        )  # fmt: skip


def seen_in_run(run: RunSummary) -> SeenReply:
    """The first reply of a recorded run; an unanswered one where it has none."""
    found = next(iter(run.replies), None)
    wire = run.started.executor.wire if run.started else ""
    if found is None:
        error = run.finished.error if run.finished else None
        return SeenReply(error=str(error.kind) if error else "not_started", wire=wire)
    step, reply = found
    native = run.started is None or run.started.executor.native
    streamed = step.asked.request.stream if step.asked else True
    return SeenReply(
        text=reply.text if native else reply.result.text,
        reasoning=reply.reasoning or reply.result.reasoning,
        calls=reply.native_calls if native else _written(reply),
        finish=reply.finish_reason,
        usage=reply.usage,
        first_token_us=reply.timing.first_token if streamed else None,
        total_us=reply.timing.total,
        error=str(reply.error.kind) if reply.error else "",
        wire=wire if native else "text",
        streamed=streamed,
        tries=max(1, len(step.exchanges)),
        served_model=reply.served_model,
    )


def _written(reply: StepReply) -> tuple[NativeCall, ...]:
    """Calls that were written in text: strict ones as they stand, mended ones as no JSON."""

    def arguments(call: ParsedCall) -> str:
        return json.dumps(call.arguments, ensure_ascii=False) if call.outcome is Outcome.STRICT else ""

    return tuple(NativeCall(at, call.id, call.name, arguments(call)) for at, call in enumerate(reply.result.calls))


def observe(seen: SeenReply, request: VerifyRequest, check: SchemaChecker, cost: float | None = None) -> Observation:
    """Look at one reply. Never raises, whatever the provider sent."""
    if seen.error:
        return Observation(
            error=seen.error,
            streamed=seen.streamed,
            tries=seen.tries,
            total_us=seen.total_us,
            cost=cost,
            wire=seen.wire,
        )
    tools = {setup.spec.name: setup.spec for setup in request.case.tools}
    looked = [_look(call, tools, check) for call in seen.calls]
    leak = _leak(seen.text, tuple(tools.values()), seen.finish)
    called = bool(seen.calls)
    strict = [call for call in looked if call.name in request.strict_tools]
    return Observation(
        streamed=seen.streamed,
        finish=seen.finish,
        honest=_honest(seen, called or bool(leak)),
        calls=len(looked),
        valid=sum(call.valid for call in looked),
        joined=sum(call.arguments is not None for call in looked),
        invented=sum(call.name not in tools for call in looked),
        absorbed=_absorbed(seen, tuple(tools.values())),
        strict_calls=len(strict),
        strict_kept=sum(call.valid for call in strict),
        leaked=bool(leak),
        leak=leak,
        offered=bool(tools),
        choice_kept=_choice_kept(request, [call.name for call in seen.calls]),
        parallel_kept=_parallel_kept(request, len(looked)),
        language_kept=_language_kept(request, seen, called),
        only_reasoning=bool(seen.reasoning.strip()) and not seen.text.strip() and not called,
        agreement=_digest(looked, tools) if called else "",
        values=_digest(looked, tools, names=False) if any(map(_two_texts, looked)) else "",
        input_tokens=seen.usage.input,
        output_tokens=seen.usage.output,
        first_token_us=seen.first_token_us,
        total_us=seen.total_us,
        cost=cost,
        tries=seen.tries,
        served_model=seen.served_model,
        wire=seen.wire,
    )


@dataclass(frozen=True, slots=True)
class _Looked:
    name: str
    arguments: dict[str, Any] | None
    """None: the joined text is no JSON object."""
    valid: bool


def _look(call: NativeCall, tools: dict[str, ToolSpec], check: SchemaChecker) -> _Looked:
    try:
        value = (
            parse_json(call.arguments)
            if call.arguments.strip()
            else {}
            if _takes_nothing(tools.get(call.name))
            else None
        )
    except ValueError:
        value = None
    arguments = value if isinstance(value, dict) else None
    tool = tools.get(call.name)
    valid = tool is not None and arguments is not None and not check.problems(tool, arguments)
    return _Looked(call.name, arguments, valid)


def _takes_nothing(tool: ToolSpec | None) -> bool:
    """A tool without parameters may be called with no text at all."""
    return tool is not None and not tool.properties and not tool.required


def _leak(text: str, tools: Sequence[ToolSpec], finish: str) -> str:
    """The beginning of what leaked: a marker, or a call in any format's notation; empty where nothing did."""
    spans = leaked_markers(text)
    if spans:
        return text[spans[0].start :][:_SNIPPET]
    if tools and any(sign in text for sign in _MARKUP) and may_be_read(text, tools):
        other = best_other(text, tools, finish, but="native_openai")
        if other is not None:
            return text[other.calls[0].span.start :][:_SNIPPET]
    return ""


def _honest(seen: SeenReply, called: bool) -> bool | None:
    if seen.wire not in _SAYS_CALLS:
        return None
    ending = ending_of(seen.finish) if seen.finish else Ending.OTHER
    if ending in (Ending.LENGTH, Ending.FILTERED):
        return True
    return (ending is Ending.CALLS) == called and ending is not Ending.OTHER


def _absorbed(seen: SeenReply, tools: Sequence[ToolSpec]) -> int:
    if not any("<" in call.arguments for call in seen.calls):
        return 0
    reading = get_format("native_openai").read_native("", seen.calls, tools, seen.finish)
    places = {problem.span.source for problem in reading.problems if problem.code == "absorbed_parameter"}
    return len(places)


def _choice_kept(request: VerifyRequest, names: Sequence[str]) -> bool | None:
    choice = request.case.tool_choice
    if choice in (None, "auto") or not request.case.tools:
        return None
    if choice == "none":
        return not names
    forced = chosen_tool(choice)
    return set(names) == {forced} if forced is not None else bool(names)


def _parallel_kept(request: VerifyRequest, calls: int) -> bool | None:
    asks = request.asks
    if asks.parallel:
        return calls >= asks.parallel
    return calls <= 1 if asks.single else None


def _language_kept(request: VerifyRequest, seen: SeenReply, called: bool) -> bool | None:
    """Of an answer in words; a reply with calls says nothing about it."""
    if not request.asks.language or called or not seen.text.strip():
        return None
    return in_language(seen.text, request.asks.language)


def _two_texts(call: _Looked) -> bool:
    """Two of its arguments could change places."""
    return sum(isinstance(value, str) for value in (call.arguments or {}).values()) > 1


def _digest(calls: Sequence[_Looked], tools: dict[str, ToolSpec], *, names: bool = True) -> str:
    """Hash of the calls in any order, so that two replies that ask for the same have the same."""
    rows = sorted(json.dumps([call.name, _plain(call, tools.get(call.name), names)], sort_keys=True) for call in calls)
    return hashlib.sha256("\n".join(rows).encode(errors="surrogatepass")).hexdigest()[:16]


def _plain(call: _Looked, tool: ToolSpec | None, names: bool) -> Any:
    """Arguments without what says nothing: schema defaults, and how a number is spelled."""
    if call.arguments is None:
        return None
    properties = tool.properties if tool else {}
    defaults = {
        name: schema["default"]
        for name, schema in properties.items()
        if isinstance(schema, dict) and "default" in schema
    }
    kept = {name: value for name, value in call.arguments.items() if name not in defaults or defaults[name] != value}
    folded = _folded(kept)
    return folded if names else sorted(json.dumps(value, sort_keys=True) for value in folded.values())


def _folded(value: Any) -> Any:
    match value:
        case dict():
            return {key: _folded(item) for key, item in value.items()}
        case list():
            return [_folded(item) for item in value]
        case float() if value.is_integer():
            return int(value)
        case _:
            return value
