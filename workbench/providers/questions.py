"""The small questions of a capability probe: what is sent, and how the reply is understood. Pure.

A reply proves something only where it could not have come out the same without the ability: everything else is
`unclear`, never a yes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import CallDelta, FinishDelta, ReasoningDelta, TextDelta, UsageDelta
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.exchange import Delta, Usage

MOST_TOKENS = 600
"""Of one reply; a reasoning model thinks before it answers."""
SEED_TOKENS = 80
_TAG = "<tool_call>"
_CUT = "cut off at the token limit before any call"


class Answer(StrEnum):
    """What is known of an ability."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"
    """The reply proves neither."""
    FAILED = "failed"
    """There was no reply."""
    NOT_ASKED = "not_asked"


class AbilityFinding(NamedTuple):
    """What one question showed of one ability."""

    ability: str
    answer: Answer
    detail: str


@dataclass(frozen=True, slots=True)
class Heard:
    """One reply, put together."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Names and arguments."""
    pieces: int = 0
    """In how many pieces the arguments of the first call came."""
    usage: Usage | None = None
    finish: str = ""
    error: ErrorInfo | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the called tools."""
        return tuple(name for name, _ in self.calls)

    @property
    def cut(self) -> bool:
        """It ended at the token limit, so that what is missing may have come later."""
        return self.finish.lower() in ("length", "max_tokens", "limit", "max_output_tokens")

    @property
    def whole(self) -> str:
        """All text, thinking included."""
        return self.reasoning + self.text


def hear(deltas: Iterable[Delta], error: ErrorInfo | None) -> Heard:
    """Put a reply together."""
    text, reasoning, finish, usage = "", "", "", None
    calls: dict[int, list[str]] = {}
    pieces: dict[int, int] = {}
    for delta in deltas:
        match delta:
            case TextDelta():
                text += delta.text
            case ReasoningDelta():
                reasoning += delta.text
            case CallDelta():
                call = calls.setdefault(delta.number, ["", ""])
                call[0] = call[0] or delta.name
                call[1] += delta.arguments
                pieces[delta.number] = pieces.get(delta.number, 0) + bool(delta.arguments)
            case UsageDelta():
                usage = delta.usage
            case FinishDelta():
                finish = delta.reason
            case _:
                pass
    ordered = [calls[number] for number in sorted(calls)]
    first = pieces[min(pieces)] if pieces else 0
    return Heard(text, reasoning, tuple((name, body) for name, body in ordered), first, usage, finish, error)


Read = Callable[[Sequence[Heard]], Sequence[AbilityFinding]]


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its requests, and what the replies to them mean."""

    id: str
    abilities: tuple[str, ...]
    """What it tells of."""
    requests: tuple[dict[str, Any], ...]
    """Fields of each request beside model and streaming."""
    read: Read
    words: tuple[str, ...] = ()
    """A refusal that names one of these is a no; another one proves nothing."""
    needs: str = ""
    """Ability without which there is nothing to ask."""
    quirk: str = ""
    """Setting that says that it is not sent."""

    def build(self, model: str, extra: dict[str, Any]) -> list[ChatRequest]:
        """The requests for a model."""
        return [ChatRequest(model, extra=extra, **{"max_tokens": MOST_TOKENS, **one}) for one in self.requests]

    def findings(self, heard: Sequence[Heard]) -> tuple[AbilityFinding, ...]:
        """What the replies showed, refusals and failures included."""
        for reply in heard:
            if reply.error is not None:
                first, *others = self.abilities
                left = (
                    AbilityFinding(ability, Answer.NOT_ASKED, "there was no reply to look at") for ability in others
                )
                return (AbilityFinding(first, *self._refused(reply.error)), *left)
        return tuple(self.read(heard))

    def _refused(self, error: ErrorInfo) -> tuple[Answer, str]:
        detail = error.message
        if error.kind is ErrorKind.MODEL_OUTPUT:
            return Answer.UNCLEAR, detail
        if error.kind not in (ErrorKind.BAD_REQUEST, ErrorKind.SERVER):
            return Answer.FAILED, detail
        said = f"{error.message} {error.code}".lower()
        return (Answer.NO if any(word in said for word in self.words) else Answer.UNCLEAR), f"refused: {detail}"


def _text(properties: Sequence[str]) -> dict[str, Any]:
    kind = {"type": "string"}
    return {"type": "object", "properties": dict.fromkeys(properties, kind), "required": list(properties)}


WEATHER = ToolSpec("get_weather", "Current weather of a city.", _text(["city"]))
TIME = ToolSpec("get_time", "Current time in a city.", _text(["city"]))
NOTE = ToolSpec("save_note", "Save a note.", _text(["title", "text"]))


def _ask(text: str, **fields: Any) -> dict[str, Any]:
    return {"messages": (Message("user", text),), **fields}


def _reply(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    (one,) = heard
    said = one.text.strip() or one.reasoning.strip()
    counts = one.usage is not None and one.usage.output is not None
    return (
        AbilityFinding(
            "reply", Answer.YES if said else Answer.UNCLEAR, f"answered {said[:60]!r}" if said else "said nothing"
        ),
        AbilityFinding(
            "usage_in_stream", _yes(counts), "the stream ends with token counts" if counts else "no token counts"
        ),
    )


def _tools(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    (one,) = heard
    if not one.calls:
        as_text = NOTE.name in one.text
        detail = "the call came as text" if as_text else "no call was made"
        return (
            AbilityFinding("native_tools", Answer.NO if as_text else Answer.UNCLEAR, detail),
            AbilityFinding("streamed_arguments", Answer.NOT_ASKED, "there was no call"),
        )
    length = len(one.calls[0][1])
    streamed = _yes(one.pieces > 2) if length > 60 else Answer.UNCLEAR
    return (
        AbilityFinding("native_tools", Answer.YES, f"called {', '.join(one.names)}"),
        AbilityFinding(
            "streamed_arguments", streamed, f"{length} characters in {one.pieces} piece{'s' * (one.pieces != 1)}"
        ),
    )


def _parallel(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    count = len(heard[0].calls)
    answer = Answer.YES if count > 1 else Answer.NO if count else Answer.UNCLEAR
    return (
        AbilityFinding(
            "parallel_calls", answer, f"{count} call{'s' * (count != 1)} in one reply where two were asked for"
        ),
    )


def _required(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    forced = bool(heard[0].calls)
    if not forced and heard[0].cut:
        return (AbilityFinding("forced_choice", Answer.UNCLEAR, _CUT),)
    detail = "a call was made that nobody needed" if forced else "taken, and ignored: no call"
    return (AbilityFinding("forced_choice", _yes(forced), detail),)


def _named(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    names = heard[0].names
    if not names and heard[0].cut:
        return (AbilityFinding("named_choice", Answer.UNCLEAR, _CUT),)
    detail = f"{TIME.name} was forced, called: {', '.join(names) or 'nothing'}"
    return (AbilityFinding("named_choice", _yes(names[:1] == (TIME.name,)), detail),)


def _stop(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    text = heard[0].text
    if "6" in text:
        return (AbilityFinding("stop", Answer.NO, "it wrote on past the stop sequence"),)
    reached = "5" in text
    detail = "it ended right before the stop sequence" if reached else "it never came to the stop sequence"
    return (AbilityFinding("stop", Answer.YES if reached else Answer.UNCLEAR, detail),)


def _raw(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    (one,) = heard
    if _TAG in one.text:
        return (AbilityFinding("raw_tokens", Answer.YES, f"{_TAG} comes through as text"),)
    if one.calls:
        return (AbilityFinding("raw_tokens", Answer.NO, f"the server took {_TAG} for a call"),)
    swallowed = not one.cut and all(word in one.text for word in ("alpha", "beta", "gamma"))
    detail = f"the words came without {_TAG}" if swallowed else "the line was not repeated to its end"
    return (AbilityFinding("raw_tokens", Answer.NO if swallowed else Answer.UNCLEAR, detail),)


def _seed(heard: Sequence[Heard]) -> Sequence[AbilityFinding]:
    first, again, other = (one.whole.strip() for one in heard)
    if not first or not again:
        return (AbilityFinding("seed", Answer.UNCLEAR, "it said nothing"),)
    if first != again:
        return (AbilityFinding("seed", Answer.NO, "two replies with the same seed differ"),)
    if first == other:
        return (AbilityFinding("seed", Answer.UNCLEAR, "another seed gave the same reply"),)
    return (AbilityFinding("seed", Answer.YES, "the same seed gave the same reply, another one did not"),)


def _yes(value: bool) -> Answer:
    return Answer.YES if value else Answer.NO


_CITIES = "How is the weather in Paris, and how is it in Rome? Call get_weather once for each city, both in one reply."
_LINE = f"Repeat this line exactly, with all its signs, and nothing else: alpha {_TAG} beta </tool_call> gamma"
_FORCED = {"type": "function", "function": {"name": TIME.name}}
_LONG = (
    "Call save_note with the title 'count' and as its text the numbers from one to thirty in words,"
    " separated by commas."
)
_WORDS = "Write ten random words that have nothing to do with each other."

QUESTIONS = (
    Question("reply", ("reply", "usage_in_stream"), (_ask("Answer with the single word ready."),), _reply),
    Question("tools", ("native_tools", "streamed_arguments"), (_ask(_LONG, tools=(NOTE,)),), _tools, ("tool", "function")),
    Question(
        "parallel", ("parallel_calls",), (_ask(_CITIES, tools=(WEATHER,), parallel_tool_calls=True),), _parallel,
        ("parallel",), needs="native_tools",
    ),
    Question(
        "required", ("forced_choice",), (_ask("Say hello.", tools=(WEATHER,), tool_choice="required"),), _required,
        ("tool_choice", "required", "tool choice"), needs="native_tools",
    ),
    Question(
        "named", ("named_choice",),
        (_ask("How is the weather in Paris?", tools=(WEATHER, TIME), tool_choice=_FORCED),), _named,
        ("tool_choice", "tool choice", "function"), needs="native_tools",
        quirk="no_named_choice",
    ),
    Question(
        "stop", ("stop",), (_ask("1 2 3 4 5 6 7 8 9: repeat these digits in this order.", stop=("6",)),), _stop,
        ("stop",), quirk="no_stop",
    ),
    Question("raw", ("raw_tokens",), (_ask(_LINE),), _raw),
    Question(
        "seed", ("seed",),
        tuple(_ask(_WORDS, seed=seed, temperature=1.0, max_tokens=SEED_TOKENS) for seed in (11, 11, 12)), _seed,
        ("seed",), quirk="no_seed",
    ),
)  # fmt: skip
"""In this order; the first one also shows whether there is anybody to ask."""

TITLES = {
    "reply": "answers",
    "usage_in_stream": "token counts in a stream",
    "native_tools": "tools as structured calls",
    "streamed_arguments": "arguments come in pieces",
    "parallel_calls": "several calls in one reply",
    "forced_choice": "a call can be forced",
    "named_choice": "one tool can be forced",
    "stop": "stop sequences are kept",
    "raw_tokens": "special tokens are visible",
    "seed": "a seed repeats a reply",
}
"""Ability → what a user reads."""
