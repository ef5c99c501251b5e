"""Judges structured calls as a provider delivered them: the same outcomes and repairs as for calls in text.

Arguments are a JSON string that was joined from fragments, so it can be empty, cut off, encoded twice, or hold two objects.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.formats.kit.absorbed import absorbed_parameters
from workbench.formats.kit.call_keys import ABOUT_KEYS, ARGUMENT_KEYS, NAME_KEYS, RESULT_KEYS
from workbench.formats.kit.calls import MISSING, Draft, Item, report, settle, unknown_key
from workbench.formats.kit.envelope import PARALLEL, Envelope, JsonSource, is_definition
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.json_end import End, JsonEnd
from workbench.formats.kit.loose_json import JsonRead, read_json
from workbench.formats.kit.odd_key import OddKey, odd_key
from workbench.formats.kit.scanner import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.messages import NativeCall
    from workbench.formats.kit.toolset import ToolSet

_NO_CALLS = Grammar()
_ENVELOPE = Envelope()
CUT_SHORT = ("length", "max_tokens", "MAX_TOKENS", "model_length")


def argument_text(body: Mapping[str, Any], own: str, name: str, tools: ToolSet) -> tuple[str, OddKey | None]:
    """Return the JSON text of a call's arguments, and the key where they do not stand under the field's own."""
    odd = None
    if body.get(own) is None:
        found = [key for key in ARGUMENT_KEYS if isinstance(body.get(key), dict | str)]
        odd = OddKey(found[0], ("args_key",)) if len(found) == 1 else odd_key(dict(body), tools.resolve(name).tool)
    given = body.get(own if odd is None or odd.key is None else odd.key)
    if isinstance(given, str):
        return given, odd
    return "" if given is None else json.dumps(given, ensure_ascii=False), odd


def left_open(text: str, at: int, value: Any) -> frozenset[int]:
    """Return the ids of the objects and lists in `value` that the JSON at `at`, from which it was read, does not close."""
    walk = JsonEnd()
    parts: set[int] = set()
    if walk.feed(text, at) is not End.MORE:
        return frozenset()
    for _ in range(walk.depth):
        parts.add(id(value))
        children = list(value.values() if isinstance(value, dict) else value)
        if not children or not isinstance(children[-1], dict | list):
            break
        value = children[-1]
    return frozenset(parts)


def cut_code(
    outer: Mapping[str, Any], body: Mapping[str, Any], arguments: str, parts: frozenset[int], reason: str | None
) -> str:
    """Say what it means for a call that the message around it is not closed: `parts` of it are left open.

    It is `truncated` where more of its arguments may follow; `body` holds them, in the object `outer` or itself. Else the
    brackets alone are lost.
    """
    if not parts:
        return ""
    inside = any(id(value) in parts for value in body.values()) or (id(body) in parts and not arguments)
    return "truncated" if inside or (reason in CUT_SHORT and id(outer) in parts) else "missing_brace"


def read_native(
    text: str, calls: Sequence[NativeCall], tools: ToolSet, reason: str | None, format_id: str,
    odd: Mapping[int, OddKey | None] | None = None, cut: Mapping[int, str] | None = None,
) -> ParseResult:  # fmt: skip
    """Judge calls that came in a structured field; the text beside them is read for reasoning only.

    By the calls' numbers, `odd`: the key where one does not have its arguments under the field's own; `cut`: see `cut_code`.
    """
    scan = Scanner(_NO_CALLS, tools)
    scan.feed(text)
    scan.finish(reason)
    plain = scan.result()
    found: list[ParsedCall] = []
    problems: list[ParseProblem] = []
    for call, repairs in _unmerged(calls, tools):
        key, code = (odd or {}).get(call.number), (cut or {}).get(call.number)
        if code == "truncated":
            message = f"The call of {call.name!r} is cut off."
            problems.append(report(code, Span(0, 0, f"call:{call.number}"), message, name=call.name))
            continue
        repairs += (code,) if code else ()
        if key is not None and key.key is None and call.name.strip():
            problems.append(unknown_key(Span(0, 0, f"call:{call.number}"), call.name))
            continue
        for item in judge(call, tools, reason, format_id, (*repairs, *(key.repairs if key is not None else ()))):
            if isinstance(item, ParseProblem):
                problems.append(item)
            else:
                found.append(item if item.id else item._replace(id=f"call_{len(found) + 1}"))
    problems += absorbed_parameters(found, tools)
    return ParseResult(tuple(found), plain.text, plain.reasoning, (*plain.problems, *problems), format_id)


def _unmerged(calls: Sequence[NativeCall], tools: ToolSet) -> list[tuple[NativeCall, tuple[str, ...]]]:
    """Give back fragments that were joined under the wrong index: only if the count of whole objects fits."""
    out: list[tuple[NativeCall, tuple[str, ...]]] = []
    waiting: list[str] = []
    for index, call in enumerate(calls):
        if waiting and not call.arguments.strip():
            out.append((call._replace(arguments=waiting.pop(0)), ("extra_brace",)))
            continue
        parts = _objects(call.arguments)
        following = 0
        while index + following + 1 < len(calls) and not calls[index + following + 1].arguments.strip():
            following += 1
        if len(parts) > 1 and following == len(parts) - 1:
            waiting = parts[1:]
            out.append((call._replace(arguments=parts[0]), ("extra_brace",)))
        elif len(parts) > 1 and len(names := _names(call.name, tools)) == len(parts):
            for number, (name, part) in enumerate(zip(names, parts, strict=True)):
                ident = call.id if number == 0 else ""
                out.append((call._replace(name=name, id=ident, arguments=part), ("name_dup",)))
        else:
            out.append((call, ()))
    return out


def _objects(text: str) -> list[str]:
    """Split `{…}{…}` into its objects; empty if it is anything else."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        read = read_json(text, at)
        if read.error or read.repairs or not isinstance(read.value, dict):
            return []
        parts.append(text[at : read.end])
        at = read.end
    return parts


def _names(name: str, tools: ToolSet) -> list[str]:
    """Split a name that is several declared names glued together."""
    names: list[str] = []
    while name:
        first = tools.prefix_of(name)
        if not first:
            return []
        names.append(first)
        name = name[len(first) :]
    return names


def judge(
    call: NativeCall, tools: ToolSet, reason: str | None, format_id: str, repairs: tuple[str, ...] = ()
) -> list[Item]:
    """Turn one structured call into a call that is given out, or a problem."""
    text = call.arguments
    span = Span(0, len(text), f"call:{call.number}")
    if not call.name.strip():
        return [report("bad_name", span, "The call names no tool.")]
    read = _arguments(text, reason)
    if read.error:
        code = read.error
        message = f"The arguments of {call.name!r} are {'cut off' if code == 'truncated' else 'no readable JSON'}."
        if read.message and code != "truncated":
            message += f" {read.message}"
        return [report(code, span, message, name=call.name)]
    if call.name in PARALLEL and call.name not in tools.by_name and isinstance(read.value, dict):
        unwrapped = _parallel(read.value, text, call, tools, format_id)
        if unwrapped:
            return unwrapped
    draft = Draft(
        call.name, read.value, span, Span(0, 0, span.source), span, call.id, repairs + read.repairs, True, format_id
    )
    item = settle(draft, tools)
    if isinstance(item, ParsedCall) and read.value is MISSING and text.strip():
        codes = (*item.repairs, "schema_coerced")
        item = item._replace(outcome=Outcome.RECOVERED, repairs=codes)
    return [item] if item is not None else []


def _arguments(text: str, reason: str | None) -> JsonRead:
    """Read the argument text; MISSING where there is none."""
    bare = text.strip()
    if bare in ("", "null", '"null"', '""', "None"):
        return JsonRead(MISSING, len(text))
    start = len(text) - len(text.lstrip())
    cut = reason in CUT_SHORT
    read = read_json(text, start)
    if read.error == "truncated" and not cut:
        again = read_json(text, start, close=True)
        read = again if not again.error else read
    if read.error:
        return read
    rest = text[read.end :].strip()
    if rest:
        if rest.strip("}] \n\t"):
            return JsonRead(None, read.end, error="bad_json", message="More than one value stands there.")
        read = read._replace(repairs=(*read.repairs, "extra_brace"))
    return read


def _parallel(value: dict[str, Any], text: str, call: NativeCall, tools: ToolSet, format_id: str) -> list[Item]:
    """Unwrap an invented call that holds several, if every inner name is declared."""
    uses = value.get("tool_uses")
    if not isinstance(uses, list):
        return []
    source = JsonSource(text, 0, len(text), 0, form=format_id, repairs=("extra_calls",), path=("tool_uses",))
    items = _ENVELOPE.items(uses, source, tools) or []
    if not items or any(isinstance(item, ParseProblem) for item in items):
        return []
    name = f"call:{call.number}"
    return [
        item._replace(
            span=item.span._replace(source=name), name_span=item.name_span._replace(source=name),
            arguments_span=item.arguments_span._replace(source=name),
            repairs=("extra_calls",), outcome=Outcome.RECOVERED,
        )
        for item in items
        if isinstance(item, ParsedCall)
    ]  # fmt: skip


def with_lost_calls(result: ParseResult, text: str, tools: ToolSet) -> ParseResult:
    """Return the reading of a message with what it passed over: objects anywhere that name a declared tool and hold arguments."""
    if not any(name in text for name in tools.by_name):
        return result
    read = read_json(text, len(text) - len(text.lstrip()), close=True)
    if read.error:
        return result
    told = [call.name for call in result.calls] + [problem.name for problem in result.problems if problem.name]
    lost: list[ParseProblem] = []
    for name in _named(read.value, tools, 0):
        if name in told:
            told.remove(name)
            continue
        message = f"An object with the name {name!r} stands where the API has no calls."
        lost.append(
            report("unread_call", Span(0, len(text)), message, hint="Compare the keys with the API's.", name=name)
        )
    if not lost or any(not problem.name and problem.outcome is not None for problem in result.problems):
        return result  # a call without a name is told, which may be this one
    return replace(result, problems=(*result.problems, *lost))


def _named(value: Any, tools: ToolSet, depth: int) -> Iterator[str]:
    """Names of declared tools in objects with arguments; what a request holds is none of the reply."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _named(item, tools, depth + 1)
    elif isinstance(value, dict) and not is_definition(value) and value.get("role") not in _OTHERS:
        name = next((value[key] for key in NAME_KEYS if isinstance(value.get(key), str)), "")
        known = {*NAME_KEYS, *ABOUT_KEYS, *RESULT_KEYS}
        holds = any(
            key in ARGUMENT_KEYS or (isinstance(item, dict) and key not in known) for key, item in value.items()
        )
        if holds and name in tools.by_name:
            yield name
            return
        for key, item in value.items():
            if key not in ("tools", "functions", *ARGUMENT_KEYS):
                yield from _named(item, tools, depth + 1)


_DEEPEST = 12
_OTHERS = ("user", "tool", "system", "developer", "function")
"""Whose messages are no model's."""
