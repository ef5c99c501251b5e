"""Calls as the model wrote them, where a parser read something else: `"3"` read as 3, `GET_WEATHER` as `get_weather`.

Such a call has the repair `schema_coerced`, or one of its name. What was written is read once more without schemas;
where that cannot be told (formats whose values have no types of their own, attempts that only the schema could make
readable) what was read stands.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.errors import UnknownName
from workbench.formats import get_format
from workbench.formats.kit.loose_json import read_json
from workbench.grading.literals import argument_sources, spelled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.case import Expectation
    from workbench.core.events import StepReply, ToolStarted
    from workbench.core.run_summary import RunSummary

COERCED = "schema_coerced"
NAMES = frozenset({"name_prefix", "name_dup", "name_guessed"})
_VALUES = frozenset({COERCED, "unquoted_text", *NAMES})
"""Repairs that change what a call says and not how it is written: what was written is judged in their place."""
_BRACKETS = frozenset({"missing_open_tag", "missing_close_tag"})
"""What the leaderboard puts around a prompted reply itself before it reads it."""
_BARE = re.compile(r"[`\s]*(?:\[|[A-Za-z_][\w.]*\()")
"""A reply that is the list of calls or the calls alone, in a fence that names no language or in none."""
_LITERALS = frozenset({"py_literal", "unquoted_key", "single_quotes"})
"""Where the values are literals of another language, its spelling is none of the format's."""


class WrittenCall(NamedTuple):
    """A call before its repairs."""

    name: str
    arguments: dict[str, Any]


Written = dict[tuple[int, int], WrittenCall]
"""By step and index of the call."""


def written_calls(run: RunSummary, expectation: Expectation | None) -> Written:
    """Calls as written, where that is not what was read.

    Literals of another language that a text format read as values already are given as texts again.
    """
    replies = {step.number: reply for step, reply in run.replies}
    literals = literal_names(expectation)
    found: Written = {}
    for event in run.calls:
        reply = replies.get(event.step)
        if reply is None:
            continue
        name, arguments = _as_written(event, reply)
        rules = literals.get(event.name) if not reply.native_calls else None
        if rules:
            arguments = _with_literals(arguments, rules, _source(event, reply))
        if name != event.name or next(iter(changed_paths(arguments, event.arguments)), None):
            found[event.step, event.index] = WrittenCall(name, arguments)
    return found


def mended_calls(run: RunSummary, expectation: Expectation) -> dict[tuple[int, int], str]:
    """The first repair of each call that could only be read because its form was mended, by step and index."""
    replies = {step.number: reply for step, reply in run.replies}
    literals = literal_names(expectation)
    found = {}
    for event in run.calls:
        reply = replies.get(event.step)
        call = next((call for call in reply.result.calls if _same_call(call, event)), None) if reply else None
        allowed = _VALUES | _LITERALS if event.name in literals and _keyed(event, reply) else _VALUES
        if call and call.format == "pythonic" and reply and _BARE.match(reply.text):
            allowed |= _BRACKETS | {"fenced"}
        repair = next((code for code in call.repairs if code not in allowed), "") if call else ""
        if repair:
            found[event.step, event.index] = repair
    return found


def _keyed(event: ToolStarted, reply: StepReply | None) -> bool:
    """Each argument stands in the text as `name=…`, or the call is no text."""
    source = _source(event, reply) if reply else ""
    return not source or source.startswith("{") or event.arguments.keys() <= argument_sources(source, "").keys()


def literal_names(expectation: Expectation | None) -> dict[str, dict[str, str]]:
    """Names of the arguments that are literals with their languages, by tool."""
    found: dict[str, dict[str, str]] = {}
    for call in expectation.calls if expectation else ():
        names = {name: rule.literal.partition(" ")[0] for name, rule in call.arguments.items() if rule.literal}
        if names:
            found.setdefault(call.name, {}).update(names)
    return found


def _with_literals(arguments: dict[str, Any], languages: dict[str, str], source: str) -> dict[str, Any]:
    """The arguments that hold literals as they stand in the text; a value that cannot be found there as it is spelled."""
    sources = argument_sources(source, next(iter(languages.values())))
    return {
        name: sources.get(name, spelled(value)) if name in languages else value for name, value in arguments.items()
    }


def _source(event: ToolStarted, reply: StepReply) -> str:
    """The text of the call's arguments, where they are written as in a program; empty for calls written as JSON."""
    call = next((call for call in reply.result.calls if _same_call(call, event)), None)
    if call is None:
        return ""
    text = reply.reasoning if call.arguments_span.source == "reasoning" else reply.text
    inside = text[call.arguments_span.start : call.arguments_span.end].strip()
    return inside[1:-1] if inside.startswith("(") else inside


def _as_written(event: ToolStarted, reply: StepReply) -> WrittenCall:
    call = next((call for call in reply.result.calls if _same_call(call, event)), None)
    name, arguments = event.name, event.arguments
    if call is None or not ({COERCED, *NAMES} & set(call.repairs)):
        return WrittenCall(name, arguments)
    if NAMES & set(call.repairs):
        name = _name(call, reply) or name
    if COERCED in call.repairs:
        written = _native(call, reply) if call.span.source.startswith("call:") else _text(call, reply)
        arguments = {key: written.get(key, value) for key, value in arguments.items()}
    return WrittenCall(name, arguments)


def _name(call: ParsedCall, reply: StepReply) -> str:
    if call.span.source.startswith("call:"):
        return next((native.name for native in reply.native_calls if f"call:{native.number}" == call.span.source), "")
    source = reply.reasoning if call.span.source == "reasoning" else reply.text
    return source[call.name_span.start : call.name_span.end]


def _same_call(call: ParsedCall, event: ToolStarted) -> bool:
    return call.id == event.call_id and call.name == event.name


def _native(call: ParsedCall, reply: StepReply) -> dict[str, Any]:
    number = int(call.span.source.removeprefix("call:"))
    text = next((native.arguments for native in reply.native_calls if native.number == number), "")
    read = read_json(text, len(text) - len(text.lstrip()))
    return read.value if not read.error and isinstance(read.value, dict) else {}


def _text(call: ParsedCall, reply: StepReply) -> dict[str, Any]:
    if not _has_types(call.format):
        return {}
    source = reply.reasoning if call.span.source == "reasoning" else reply.text
    again = get_format(call.format).parse(source[call.span.start : call.span.end]).calls
    return again[0].arguments if len(again) == 1 and again[0].name == call.name else {}


@cache
def _has_types(format_id: str) -> bool:
    """Values of this format say their type by themselves: without any schema a number comes back as a number."""
    try:
        chosen = get_format(format_id)
    except UnknownName:
        return False
    if chosen.native:
        return False
    nowhere = Span(0, 0)
    written = chosen.render_call(
        ParsedCall("t", {"n": 3}, "1", Outcome.STRICT, (), nowhere, nowhere, nowhere, format_id)
    )
    return [call.arguments for call in chosen.parse(written).calls] == [{"n": 3}]


def changed_paths(
    written: Any, read: Any, path: tuple[str | int, ...] = ()
) -> Iterable[tuple[tuple[str | int, ...], Any, Any]]:
    """Yield each place where a parser turned a value into another: path, as written, as read."""
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in read.items():
            if name in written:
                yield from changed_paths(written[name], value, (*path, name))
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for at, (one, other) in enumerate(zip(written, read, strict=True)):
            yield from changed_paths(one, other, (*path, at))
    elif written != read or type(written) is not type(read):
        yield path, written, read
