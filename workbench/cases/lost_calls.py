"""Calls that a recorded reply holds and nobody ran: what they should have been, as far as any format can read them."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome, ParseResult, Span
from workbench.core.errors import UnknownName
from workbench.formats import get_format
from workbench.formats.survey.forensics import attempts, survey
from workbench.grading.findings import in_reasoning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.events import RunStarted, StepReply
    from workbench.core.run_summary import StepSummary
    from workbench.core.tools import ToolSpec
    from workbench.formats.survey.forensics import BestAttempt, Survey

_CLOSE = 0.6
"""How alike two names must be."""


class LostCall(NamedTuple):
    """One call that the model tried to make."""

    name: str
    """Of a declared tool; empty where none can be made out."""
    arguments: dict[str, Any] | None
    """None: they cannot be read."""
    whole: bool
    """The call is read as it stands there; False: parts of it are supplied."""
    why: str
    """How it was lost and how it is read, in a sentence."""
    step: int
    span: Span
    """Of the attempt in the step's text."""


def lost_calls(started: RunStarted, step: StepSummary, reply: StepReply, text: str = "") -> Iterator[LostCall]:
    """Yield the calls of a reply that the run never made, in order; `text` is read where the reply has none.

    Takes as long as reading the reply with every format.
    """
    tools = tuple(setup.spec for setup in started.tools)
    raw, native = reply.text or text, started.executor.native
    asked = _known(step.asked.format if step.asked else started.executor.format)
    if not tools or not (raw.strip() or reply.native_calls):
        return
    family = started.executor.family
    thought = in_reasoning(reply) and not reply.result.calls
    found = survey(
        raw, tools, reply.finish_reason or None, asked=asked, native_calls=reply.native_calls if native else (),
        think_open=family.think_open, calls_in_reasoning=family.calls_in_reasoning or thought,
    )  # fmt: skip
    given = [
        _key(call.name, call.arguments) for call in reply.result.calls if call.name in {tool.name for tool in tools}
    ]
    for one in attempts(found):
        call = _read(found, one)
        if call is not None:
            key = _key(call.name, call.arguments)
            if key in given:
                given.remove(key)
            elif call.name in {tool.name for tool in tools}:
                yield LostCall(
                    call.name, call.arguments, True, _how(one, asked, thought=thought), step.number, one.span
                )
                continue
        if call is None:
            yield _guessed(found, one, tools, reply.finish_reason, step.number)


def _known(name: str) -> str:
    try:
        return get_format(name).id
    except UnknownName:  # a format that is gone
        return ""


def _key(name: str, arguments: dict[str, Any]) -> str:
    return json.dumps([name, arguments], sort_keys=True, default=str)


def _read(found: Survey, one: BestAttempt) -> ParsedCall | None:
    """The call of an attempt that some format gives out."""
    reading = found.reading(one.format)
    calls = reading.result.calls if reading and one.outcome is not Outcome.REPORTED else ()
    return next((call for call in calls if call.span == one.span), None)


def _how(one: BestAttempt, asked: str, *, thought: bool) -> str:
    if thought:
        return f"The call of {one.name!r} stands inside the reasoning, where nobody runs it."
    read = "to the letter" if one.outcome is Outcome.STRICT else f"with repairs ({', '.join(one.codes)})"
    if one.format == asked:
        return f"The call of {one.name!r} was refused; {asked} reads it {read}."
    return f"{asked or 'The parser'} gives out no call of {one.name!r}; {one.format} reads it {read}."


def _guessed(found: Survey, one: BestAttempt, tools: Sequence[ToolSpec], reason: str, step: int) -> LostCall:
    """What an attempt that no format gives out was probably meant to be."""
    call = _without_tools(found, one, reason)
    written = call.name if call else one.name
    names = [tool.name for tool in tools]
    name = written if written in names else next(iter(get_close_matches(written, names, 1, _CLOSE)), "")
    told = one.message.split(". ")[0].rstrip(".")
    why = f"A call was lost: {told}." if told else "A call was lost."
    if name and name != written:
        why = f"{why} {name!r} is the declared tool with the closest name."
    return LostCall(name, call.arguments if call else None, False, why, step, one.span)


def _without_tools(found: Survey, one: BestAttempt, reason: str) -> ParsedCall | None:
    """The attempt as its format reads it where no tools are declared: names and arguments that are not allowed."""
    read: ParseResult = get_format(one.format).parse(found.text, None, reason or None)
    return next((call for call in read.calls if call.span.meets(one.span)), None)
