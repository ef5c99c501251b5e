"""What a parser found in a reply: spans, calls, problems, and the events while it reads.

Small and made in great numbers, so these are named tuples: creation costs a third of a frozen dataclass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, NamedTuple


class Span(NamedTuple):
    """Half-open range `[start, end)` in code points of one decoded source."""

    start: int
    end: int
    source: str = "text"
    """`text` or `reasoning` of the step, or `call:N`: the joined argument text of native call N."""

    def meets(self, other: Span) -> bool:
        """Whether the two share a character of one source."""
        return self.source == other.source and self.start < other.end and other.start < self.end


class Outcome(StrEnum):
    """How an attempt at a call ended."""

    STRICT = "strict"
    """The grammar was met to the letter."""
    RECOVERED = "recovered"
    """A call was found after named repairs."""
    REPORTED = "reported"
    """There was an attempt, no call is given out."""
    IGNORED = "ignored"
    """It looks like a call but is only mentioned, or sits in closed reasoning."""
    NONE = "none"
    """There was no attempt (of a whole reply only)."""


class Danger(StrEnum):
    """How much of a recovered call is ours: the least certain of its repairs decides."""

    SAFE = "safe"
    """Only the spelling was mended: name and values stand in the text."""
    LIKELY = "likely"
    """Name and values stand in the text; that they were meant as this call is inferred."""
    GUESS = "guess"
    """We decided what goes where."""


REPAIR_CODES = frozenset(
    "single_quotes trailing_comma raw_newline py_literal unquoted_key smart_quotes missing_close_tag missing_open_tag"
    " missing_brace extra_brace double_encoded args_key fenced text_around extra_calls near_miss_tag wrong_width_pipe"
    " name_prefix name_dup wrapper_arg schema_coerced think_unclosed channel_fix wrong_family"
    " missing_comma comment name_key html_escaped unescaped_quote markdown_escaped"
    " open_value positional unquoted_text text_as_argument name_guessed".split()
)
"""What a parser may say it mended."""

_MARKS = "markers alone are mended; the body is whole"
_JSON = "the notation is mended; every value stands in the text"
DANGERS: dict[str, tuple[Danger, str]] = {
    **dict.fromkeys("missing_close_tag near_miss_tag wrong_width_pipe fenced".split(), (Danger.SAFE, _MARKS)),
    **dict.fromkeys(
        "single_quotes trailing_comma raw_newline py_literal unquoted_key missing_comma comment extra_brace"
        " double_encoded".split(),
        (Danger.SAFE, _JSON),
    ),
    **dict.fromkeys("args_key name_key".split(), (Danger.SAFE, "another key for the same thing")),
    "smart_quotes": (Danger.LIKELY, "quotes of print stand in prose too"),
    "html_escaped": (Danger.LIKELY, "an escaped tag may be meant to be seen"),
    "markdown_escaped": (Danger.LIKELY, "backslashes were taken out of names and values"),
    "unescaped_quote": (Danger.LIKELY, "where the text ends is inferred from what follows"),
    "open_value": (Danger.LIKELY, "where the value ends is inferred from what follows"),
    "missing_brace": (Danger.LIKELY, "the call may have gone on"),
    "missing_open_tag": (Danger.LIKELY, "nothing says that a call begins here"),
    "text_around": (Danger.LIKELY, "the call may be part of what is told"),
    "extra_calls": (Danger.LIKELY, "the format asks for one call"),
    "name_prefix": (Danger.LIKELY, "the name is another spelling of a declared one"),
    "name_dup": (Danger.LIKELY, "a name or a value stands there twice"),
    "wrapper_arg": (Danger.LIKELY, "a layer around the arguments was taken off"),
    "schema_coerced": (Danger.LIKELY, "a value was turned into the schema's type"),
    "think_unclosed": (Danger.LIKELY, "the call stands in reasoning that never ends"),
    "channel_fix": (Danger.LIKELY, "the message's header is damaged"),
    "wrong_family": (Danger.LIKELY, "another family's form was read"),
    "positional": (Danger.GUESS, "values were given to parameters by their order"),
    "unquoted_text": (Danger.GUESS, "what is no value was taken for a text"),
    "text_as_argument": (Danger.GUESS, "plain text was taken for the one argument"),
    "name_guessed": (Danger.GUESS, "the tool was found by its arguments alone"),
}
"""What each repair costs in certainty, and why. The table is closed: every repair code has its line."""
_DANGER_ORDER = tuple(Danger)


def danger_of(repairs: Iterable[str]) -> Danger:
    """Return the grade of a call with these repairs; without any it is safe. Codes of older versions are likely."""
    grades = [DANGERS.get(code, (Danger.LIKELY, ""))[0] for code in repairs]
    return max(grades, key=_DANGER_ORDER.index, default=Danger.SAFE)


REFUSAL_CODES = frozenset(
    "unknown_tool truncated bad_json bad_name args_not_object ambiguous too_large hallucinated_result"
    " missing_argument unread_call unknown_format".split()
)
"""Why an attempt was not given out as a call."""

NOTICE_CODES = frozenset(
    "extra_choices hallucinated_result both_forms tool_choice leaked_marker mentioned declined"
    " absorbed_parameter runaway".split()
)
"""What else a reply may be told about; no attempt at a call stands behind these."""


class ParsedCall(NamedTuple):
    """One call that is given out, strict or recovered."""

    name: str
    arguments: dict[str, Any]
    id: str
    """From the text where the format carries one, else made by the parser: `call_1`, `call_2`, …"""
    outcome: Outcome
    repairs: tuple[str, ...]
    span: Span
    """The whole attempt, markers included."""
    name_span: Span
    arguments_span: Span
    """The characters of the arguments body (empty at the name's end when there are none)."""
    format: str
    """Id of the format whose grammar read it."""

    @property
    def danger(self) -> Danger:
        """How much of the call is ours."""
        return danger_of(self.repairs)


class ParseProblem(NamedTuple):
    """What was wrong with a reply, as data: parsers never raise."""

    code: str
    span: Span
    message: str
    """One sentence for the user."""
    outcome: Outcome | None = None
    """`reported` or `ignored` where an attempt at a call stands behind it, else None."""
    hint: str = ""
    """What to do next, such as the closest declared name."""
    name: str = ""
    """The tool that the attempt named, where readable."""


class TextRead(NamedTuple):
    """Text outside of calls and reasoning."""

    text: str
    span: Span


class ReasoningRead(NamedTuple):
    """Text of a reasoning block, without its markers."""

    text: str
    span: Span


class CallOpened(NamedTuple):
    """A call has begun and its name is known: progress only, never counted as a call."""

    number: int
    name: str
    span: Span


class CallGrew(NamedTuple):
    """More of an open call's arguments arrived, raw: progress only."""

    number: int
    fragment: str


class CallRead(NamedTuple):
    """A call is complete."""

    number: int
    call: ParsedCall


class ProblemRead(NamedTuple):
    """A problem became certain."""

    problem: ParseProblem


ParseEvent = TextRead | ReasoningRead | CallOpened | CallGrew | CallRead | ProblemRead

RegionRole = Literal["marker", "name", "key", "string", "number", "reasoning", "special", "problem"]


class Region(NamedTuple):
    """Characters of a raw text with the role they play, for colouring."""

    role: RegionRole
    span: Span


class FieldSpan(NamedTuple):
    """Where one argument's value stands in its source."""

    path: tuple[str | int, ...]
    """Keys and indexes from the arguments object down: `("filter", "tags", 0)`."""
    span: Span
    key_span: Span | None = None


@dataclass(frozen=True, slots=True)
class ParseResult:
    """All that one format's parser saw in a reply."""

    calls: tuple[ParsedCall, ...] = ()
    """Strict and recovered calls, in order."""
    text: str = ""
    """Text outside of calls and reasoning, markers removed by the grammar (not yet sanitized)."""
    reasoning: str = ""
    problems: tuple[ParseProblem, ...] = ()
    format: str = ""

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of all attempts; `none` without any."""
        seen = {call.outcome for call in self.calls}
        seen |= {problem.outcome for problem in self.problems if problem.outcome is not None}
        for outcome in (Outcome.REPORTED, Outcome.RECOVERED, Outcome.IGNORED, Outcome.STRICT):
            if outcome in seen:
                return outcome
        return Outcome.NONE

    @property
    def lost(self) -> tuple[ParseProblem, ...]:
        """Attempts that were reported: calls that the model made and nobody will run."""
        return tuple(problem for problem in self.problems if problem.outcome is Outcome.REPORTED)
