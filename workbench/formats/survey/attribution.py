"""Who is to blame for a lost or broken call, in a sentence: the model, the parser, the server, or nobody.

    First fault: format. The model, recoverably. A trailing comma in call 2. Strict qwen_xml gives out 1 of 2 calls,
    tolerant 2 of 2.

The layers are those of failure codes; the first one that went wrong is named. What is only inferred is called likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.verdict import LAYERS
from workbench.formats.sanitize import leaked_markers
from workbench.formats.sanitizer.marker_table import role_of
from workbench.formats.survey.attribution_words import (
    and_list,
    capital,
    counted,
    flaws,
    given_out,
    is_are,
    lost_words,
    mixed_words,
    quote,
)
from workbench.formats.survey.forensics import attempts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.formats.survey.forensics import BestAttempt, Survey

_TRANSPORT = frozenset({ErrorKind.CONNECT, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL, ErrorKind.CUT_OFF})
_CUT = frozenset({"length", "max_tokens", "MAX_TOKENS", "model_length", "incomplete"})
_OF_CALLS = frozenset({"call", "value", "line", "hidden"})
"""What the markers of calls hold; those of turns and reasoning hold other things."""
_CERTAIN = "certain: all readings are exact"
_LIKELY = "likely: a repaired reading stands behind it"
_UNKNOWN = "open: what was wanted is not known"
_NOT_SEEN = "open: what the model wrote is not known"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known beside the text."""

    reason: str = ""
    """The provider's finish reason."""
    error: ErrorInfo | None = None
    """Why the exchange failed, if it did."""
    refused: bool = False
    """A server says that it could not read a call here."""
    recorded: bool = False
    """The reply was recorded here: transport, provider and template are known to have worked unless `error` says so."""
    taught: bool = False
    """The prompt taught the asked format; False: only the server or the reader was set to it."""
    answering: bool = False
    """Tool results had just come back: an answer is as good as a further call."""
    tools: int | None = None
    """How many tools were offered; None: not known."""
    schema: tuple[str, ...] = ()
    """What is wrong with the arguments of calls that were given out, one sentence each."""
    checked: bool = False
    """Arguments were held against their schemas."""


class LayerState(NamedTuple):
    """One station on the way of a call."""

    layer: str
    state: str
    """`ok`, `fault`, or `unknown`: not reached, or not to be known from what is there."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The judgement on one reply."""

    layer: str
    """The first layer that went wrong; empty if none did."""
    headline: str
    """A few words: `The model, recoverably.`"""
    detail: str
    """One to three sentences."""
    confidence: str
    layers: tuple[LayerState, ...] = ()

    @property
    def title(self) -> str:
        """`First fault: format`, or `No fault found`."""
        if self.layer == "decision" and self.confidence == _UNKNOWN:
            return "First fault: decision, if a call was wanted"
        if self.confidence == _NOT_SEEN:
            return "First fault: format or parse"
        return f"First fault: {self.layer}" if self.layer else "No fault found"

    @property
    def sentence(self) -> str:
        """The whole judgement on one line."""
        return f"{self.title}. {self.headline} {self.detail}"


class _Finding(NamedTuple):
    layer: str
    headline: str
    detail: str
    confidence: str = _CERTAIN


def attribute(found: Survey, about: Circumstances | None = None) -> Attribution:
    """Judge a survey; never raises."""
    known = about or Circumstances()
    made = attempts(found)
    told = _judge(found, made, known)
    return Attribution(told.layer, told.headline, told.detail, told.confidence, _layers(told.layer, made, known))


def _judge(found: Survey, made: Sequence[BestAttempt], about: Circumstances) -> _Finding:
    if about.error is not None:
        return _failed(about.error, found)
    if not made:
        return _without_call(found, about)
    if found.asked:
        missed = [one for one in made if not one.by_asked]
        if missed:
            return _missed(found, made, missed, about)
    elif all(one.outcome is Outcome.REPORTED for one in made):
        return _lost(found, made, made, about)
    return _all_read(found, made, about)


def _failed(error: ErrorInfo, found: Survey) -> _Finding:
    arrived = f" {counted(len(found.text), 'character')} had arrived." if found.text else " Nothing had arrived."
    if error.kind is ErrorKind.MODEL_OUTPUT:
        return _Finding("format", "The model, and the provider gave up.", f"{error.message}{arrived}")
    if error.kind is ErrorKind.CANCELLED:
        return _Finding("", "Stopped, not failed.", f"{error.message}{arrived}")
    if error.kind in _TRANSPORT:
        return _Finding("transport", "Neither model nor parser.", f"{error.message}{arrived}")
    return _Finding("provider", "The provider, not the model.", f"{error.message}{arrived}")


def _without_call(found: Survey, about: Circumstances) -> _Finding:
    if about.refused and not found.text.strip():
        detail = "What the model wrote is not recorded: it alone tells whether model or parser is at fault."
        return _Finding("parse", "A call that the server could not read.", detail, _NOT_SEEN)
    if not found.text.strip():
        ended = f" (finish reason {about.reason})" if about.reason else ""
        return _Finding("decision", "An empty reply.", f"No text and no call came{ended}.", _UNKNOWN)
    ignored = sorted({one.format for one in found.readings if one.tolerant.ignored})
    if ignored:
        readers = and_list(ignored) if len(ignored) <= 3 else counted(len(ignored), "format")
        detail = f"What looks like one is only mentioned or stands in closed reasoning ({readers}). Nothing is run."
        return _Finding("decision", "No call was made.", detail, _LIKELY)
    if found.unknown is not None:
        named = f"{found.unknown.name!r}" if found.unknown.name else "a tool"
        detail = (
            f"{named} is named in the shape of a call at character {found.unknown.span.start:,}; no format reads it."
        )
        return _Finding("format", "A call in a format that is not known.", capital(detail), _LIKELY)
    if mark := _stray_marker(found):
        at = found.text.find(mark)
        detail = f"{quote(mark)} at character {at:,} belongs to a call, but no format finds one in the text."
        return _Finding("format", "A marker without a call.", detail, _LIKELY)
    if about.refused:
        detail = "The server found a call here that it could not read; no format finds one in the text."
        return _Finding("format", "A call that nobody reads.", detail, _LIKELY)
    if about.reason in _CUT:
        return _Finding("provider", "The token limit.", "The reply was cut before any call began.", _UNKNOWN)
    if about.tools == 0:
        return _Finding("", "Nothing to judge.", "No tools were offered, and no format finds a call.")
    if about.answering:
        return _Finding("", "An answer.", "It follows tool results, and no format finds a further call.")
    return _Finding("decision", "No call was made.", "No format finds a call: the model made none.", _UNKNOWN)


def _stray_marker(found: Survey) -> str:
    """The first marker of a call in the text; empty without one."""
    marks = (found.text[span.start : span.end] for span in leaked_markers(found.text))
    return next((mark for mark in marks if _of_call(mark)), "")


def _of_call(mark: str) -> bool:
    role = role_of(mark)
    return role.body in _OF_CALLS or (role.role == "close" and role.group not in ("think", "toolresponse"))


def _missed(
    found: Survey, made: Sequence[BestAttempt], missed: Sequence[BestAttempt], about: Circumstances
) -> _Finding:
    """The asked format does not give out everything that the model tried."""
    elsewhere = [one for one in missed if one.outcome is not Outcome.REPORTED]
    if not elsewhere:
        return _lost(found, made, missed, about)
    confidence = _CERTAIN if all(one.outcome is Outcome.STRICT for one in elsewhere) else _LIKELY
    asked, native = found.asked, _is_native(found)
    wrote = list(dict.fromkeys(one.format for one in made))
    if len(wrote) > 1 and not native:
        best = _best_words(found, len(made))
        detail = f"{_asked_for(found, about)} mixed formats: {mixed_words(made)}. {best}"
        return _Finding("format", "The model, not the parser.", detail, confidence)
    other = and_list(list(dict.fromkeys(one.format for one in elsewhere)))
    calls = "the call was" if len(elsewhere) == 1 else f"{counted(len(elsewhere), 'call')} were"
    if about.taught and not native:
        detail = f"{_asked_for(found, about)} wrote {other}; {calls} lost. {given_out(found, len(made))}"
        return _Finding("format", "The model, not the parser.", detail, confidence)
    who = "the server's parser" if native else "the parser"
    detail = f"The model wrote {other}; the server was set to {asked}; {calls} lost by {who}."
    return _Finding("parse", "The parser, not the model.", detail, confidence)


def _is_native(found: Survey) -> bool:
    reading = found.reading(found.asked)
    return reading is not None and reading.native


def _best_words(found: Survey, total: int) -> str:
    """Which single reader gets most."""
    strict = max(found.readings, key=lambda one: one.tolerant.strict)
    calls = max(found.readings, key=lambda one: (one.tolerant.calls, one.tolerant.strict))
    words = (
        f"No strict reader gets all {total:,}"
        if strict.tolerant.strict < total
        else f"{strict.format} gets all {total:,}"
    )
    if strict.tolerant.strict < total:
        every = "all" if calls.tolerant.calls >= total else f"{calls.tolerant.calls:,} of {total:,}"
        words += f"; {calls.format}, tolerant, gets {every}"
    return f"{words}."


def _lost(found: Survey, made: Sequence[BestAttempt], missed: Sequence[BestAttempt], about: Circumstances) -> _Finding:
    """Nobody gives these attempts out: what is wrong with them decides."""
    codes = {code for one in missed for code in one.codes}
    told = " ".join(dict.fromkeys(one.message for one in missed if one.message))
    rest = given_out(found, len(made))
    if codes <= {"truncated", "too_large"}:
        where = lost_words(made, missed)
        if about.reason in _CUT:
            return _Finding("provider", "The token limit, not the parser.", f"The reply was cut inside {where}. {rest}")
        return _Finding("format", "The model, not the parser.", f"The reply ends inside {where}. {rest}")
    if codes <= {"unknown_tool", "hallucinated_result"}:
        return _Finding("decision", "The model, not the parser.", f"{told} {rest}")
    if codes <= {"missing_argument", "args_not_object"}:
        return _Finding("argument", "The model, not the parser.", f"{told} {rest}")
    return _Finding("format", "The model, not the parser.", f"{told} No other format reads it. {rest}")


def _all_read(found: Survey, made: Sequence[BestAttempt], about: Circumstances) -> _Finding:
    """Everything that the model tried is given out, by the asked format or by the one that explains most."""
    reader = found.asked or (found.best.format if found.best else "")
    foreign = list(dict.fromkeys(one.format for one in made if one.format != reader))
    rest = given_out(found, len(made), reader)
    if foreign and not found.asked:
        return _Finding(
            "format", "The model mixed formats.", f"{capital(mixed_words(made))}. {_best_words(found, len(made))}"
        )
    if foreign:
        wrote = f"mixed formats: {mixed_words(made)}" if len(made) > 1 else f"wrote {foreign[0]}"
        best = _best_words(found, len(made)) if len(made) > 1 else rest
        return _Finding("format", "The model, recoverably.", f"{_asked_for(found, about)} {wrote}. {best}")
    if any(one.outcome is Outcome.RECOVERED for one in made):
        return _Finding(
            "format", "The model, recoverably.", f"{flaws(made)} {rest}", _CERTAIN if found.asked else _LIKELY
        )
    if about.schema:
        detail = f"{' '.join(about.schema[:2])} {rest}"
        return _Finding("schema", "The model, not the parser.", detail)
    detail = f"{counted(len(made), 'call')} {is_are(len(made))} strict {reader}."
    headline = "Model and parser agree." if found.asked else "No repair was needed."
    return _Finding("", headline, detail)


def _asked_for(found: Survey, about: Circumstances) -> str:
    if about.taught:
        return f"The model was asked for {found.asked} and"
    return f"The reader was set to {found.asked}, the model"


def _layers(layer: str, made: Sequence[BestAttempt], about: Circumstances) -> tuple[LayerState, ...]:
    """The way of a call, station by station."""
    fault = LAYERS.index(layer) if layer else len(LAYERS)
    known = {"format", "parse", "decision"} if made else {"decision"} if fault == len(LAYERS) else set()
    if about.recorded:
        known |= {"transport", "provider", "template"}
    if about.checked and made and all(one.outcome is not Outcome.REPORTED for one in made):
        known |= {"schema"}
    states = []
    for name in LAYERS:
        sound = name in known and (name != "parse" or all(one.by_asked for one in made) or layer != "parse")
        states.append(LayerState(name, "fault" if name == layer else "ok" if sound else "unknown"))
    return tuple(states)
