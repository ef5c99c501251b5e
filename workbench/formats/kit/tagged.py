"""Calls whose arguments are text between tags: `<function=NAME>` with `<parameter=KEY>`, `<invoke name="…">` and their kin.

Nothing is escaped in such values, so what follows a closing tag decides whether it is one; a parameter tag that was never
closed ends where the next one begins, or where the call is closed and no fitting closing tag comes later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParseProblem, Span
from workbench.formats.kit.calls import Draft, RawText, decode_arguments, report
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.tagged_parameter import (
    CallSoFar,
    bent_open,
    holds_argument,
    names_declared,
    read_named,
    read_odd,
    read_value,
    whole_tag,
)
from workbench.formats.kit.toolset import only_text
from workbench.formats.kit.types import from_text
from workbench.formats.kit.value_end import bare_value, bent_call_end, only_words

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_shape import TagShape
    from workbench.formats.kit.window import Step

_LEFT_OF_TAGS = "<>/\\ \t\r\n"
"""Signs that are left of a damaged tag, if the first one of a tag is among them."""


def read_call(
    scan: Scanner, start: int, at: int, shape: TagShape, *, canonical: bool, form: str, repairs: tuple[str, ...] = (),
    wrapped: bool | None = None,
) -> Step[tuple[Draft | ParseProblem, int] | None]:  # fmt: skip
    """Read the call whose tag stands at `at`; the attempt began at `start`. None: there is no such tag.

    `wrapped`: the call stands in a block, as it does where a canonical attempt began before the tag.
    """
    tag = yield from whole_tag(scan, at, shape.call_open)
    if tag is None:
        return None
    if tag < 0:
        return report("truncated", scan.span(start, len(scan.text)), "The call is cut off."), len(scan.text)
    match = shape.call_open.match(scan.text, at)
    assert match is not None
    name = match.group("name").partition("<|")[0].strip().strip("\"'")
    tool = scan.tools.resolve(name).tool
    if (not canonical and tool is None) or holds_argument(match, tool):
        return None
    name_at = scan.text.find(name, match.start("name")) if name else match.start("name")
    wrapped = canonical and start != at if wrapped is None else wrapped
    if shape.call_exact.match(scan.text, at) is None:
        repairs = (*repairs, "near_miss_tag")
    end = match.end()
    closed = bool(match.groupdict().get("closed"))
    match = None
    return (
        yield from read_body(
            scan, start, end, shape, name, name_at, canonical=canonical, form=form, repairs=repairs, wrapped=wrapped,
            closed=closed,
        )
    )  # fmt: skip


def read_body(
    scan: Scanner, start: int, end: int, shape: TagShape, name: str, name_at: int, *, canonical: bool, form: str,
    repairs: tuple[str, ...] = (), wrapped: bool = False, closed: bool = False,
) -> Step[tuple[Draft | ParseProblem, int] | None]:  # fmt: skip
    """Read the parameters behind a head that ends at `end`; `closed`: the head closes the call itself."""
    reading = CallSoFar(scan, shape, name, scan.span(name_at, name_at + len(name)), wrapped, start, list(repairs))
    done = end if closed else (yield from _parameters(reading, end))
    if done == "text":
        return None
    if isinstance(done, str):
        what = "is cut off" if done == "truncated" else "holds something else than parameters"
        close = yield from _give_up(scan, end, shape) if done == "bad_json" else scan.space(len(scan.text))
        return report(done, scan.span(start, close), f"The call of {name!r} {what}.", name=name), close
    if reading.twice:
        message = f"{reading.twice!r} is given to {name!r} twice, or its text holds a parameter's tags."
        return report("ambiguous", scan.span(start, done), message, name=name), done
    tool = scan.tools.resolve(name).tool if "text_around" in reading.repairs else None
    if tool is not None and tool.missing({**reading.values, **reading.typed}):
        message = f"Text stands in the call of {name!r} where a parameter does, and a required one is missing."
        return report("bad_json", scan.span(start, done), message, name=name), done
    body = (
        scan.span(reading.first, reading.last)
        if reading.last > reading.first >= 0
        else Span(reading.name_span.end, reading.name_span.end)
    )
    draft = Draft(
        name, arguments_of(reading.values, reading.typed, reading.repairs, scan, name), scan.span(start, done),
        reading.name_span, body, repairs=tuple(reading.repairs), canonical=canonical, format=form,
    )  # fmt: skip
    return draft, done


def _give_up(scan: Scanner, at: int, shape: TagShape) -> Step[int]:
    """Find where a broken call ends: at its closing tag, or before the next call."""
    found = yield from scan.find(
        at, *shape.call_closes, *shape.wrapper_closes, *shape.wrapper_opens, *shape.call_starts
    )
    if found is None:
        return len(scan.text)
    return found[1] if scan.text[found[0] : found[0] + 2] == "</" else found[0]


def _parameters(reading: CallSoFar, at: int) -> Step[int | str]:
    """Read parameters up to the call's end; a refusal code where the reply ends before."""
    scan, shape = reading.scan, reading.shape
    while True:
        begin, at = at, (yield from scan.layout(at))
        reading.repairs += scan.odd_layout(begin, at)
        if at >= len(scan.text):
            return _ended(reading, at)
        close = yield from scan.literal(at, *shape.call_closes)
        if close >= 0:
            if scan.text[at:close].lower() in shape.short_closes:
                reading.repairs.append("missing_close_tag")
            elif scan.text[close - 2] == " ":
                reading.repairs.append("near_miss_tag")
            return close
        inner = yield from scan.literal(at, *shape.inner)
        if inner >= 0:
            reading.repairs.append("wrapper_arg")
            at = inner
            continue
        if (yield from scan.literal(at, *shape.param_starts)) >= 0:
            tag = yield from whole_tag(scan, at, shape.param_open)
            if tag is None or (tag > 0 and scan.text[tag - 1] != ">" and not names_declared(reading, at, tag)):
                done = yield from read_odd(reading, at)
                if isinstance(done, str):
                    return done
                at = done
                continue
            if tag < 0:
                return "truncated"
            done = yield from read_value(reading, at)
            if isinstance(done, str):
                return done
            at = done
            continue
        if reading.first < 0 and (past := (yield from _head_again(reading, at))) >= 0:
            at = past
            continue
        if (yield from scan.literal(at, *shape.wrapper_closes, *shape.wrapper_opens, *shape.call_starts)) >= 0:
            return _unclosed(reading, at)
        if (yield from scan.literal(at, *shape.nameless)) >= 0:
            return "bad_json"
        done = (yield from _json(reading, at)) if scan.text[at] == "{" and reading.first < 0 else at
        if done == at:
            done = yield from _other_tag(reading, at)
        if isinstance(done, str):
            return done
        if done >= 0:
            at = done
            continue
        if reading.first < 0 and not reading.wrapped:
            return "text"
        result, ended = yield from _stray(reading, at)
        if ended or isinstance(result, str):
            return result
        at = result


def _head_again(reading: CallSoFar, at: int) -> Step[int]:
    """Pass the call's own tag where it stands there once more, before any parameter; -1 if it does not."""
    scan, shape = reading.scan, reading.shape
    if "name_dup" in reading.repairs or (yield from scan.literal(at, *shape.call_starts)) < 0:
        return -1  # a tag that is repeated on and on is no call
    tag = yield from whole_tag(scan, at, shape.call_open)
    match = shape.call_open.match(scan.text, at) if tag is not None and tag > 0 else None
    if match is None or match.groupdict().get("closed") or match["name"].strip().strip("\"'") != reading.name:
        return -1
    reading.repairs.append("name_dup")
    return match.end()


def _stray(reading: CallSoFar, at: int) -> Step[tuple[int | str, bool]]:
    """Look at what is no parameter: where the call ends, or why it is given up (True), or where to go on (False)."""
    scan, shape = reading.scan, reading.shape
    bent = yield from bent_call_end(scan, shape, at)
    found = yield from scan.find(at, *shape.stops, *shape.wrapper_opens, *shape.call_starts)
    if bent >= 0 and not (found is not None and _behind_text(scan, shape, at, found)):
        reading.repairs.append("near_miss_tag")
        return bent, True
    if found is None:
        rest = scan.tail(at).lower()
        if len(rest) > 1 and any(mark.startswith(rest) for mark in (*shape.call_closes, *shape.wrapper_closes)):
            ended = _ended(reading, at)
            return len(scan.text) if isinstance(ended, int) else ended, True
        whole = reading.first >= 0 and not rest.startswith("<")
        return _unclosed(reading, reading.last) if whole else "truncated", True
    token = scan.text[found[0] : found[1]].lower()
    passed = token in shape.param_starts or (token in shape.call_closes and reading.first >= 0)
    if passed and scan.text[at : found[0]].strip():
        reading.repairs.append("text_around")
    if token in shape.call_closes:
        return (found[1] if reading.first >= 0 or _is_the_text(reading, at, found[0]) else "bad_json"), True
    if token not in shape.param_starts and token not in shape.param_closes:
        if reading.first < 0:
            return "bad_json", True
        if token in shape.wrapper_closes:
            return _unclosed(reading, reading.last), True
        if not only_words(scan.text[at : found[0]]):
            return "bad_json", True
        reading.repairs.append("text_around")  # the next call begins
        return _unclosed(reading, found[0]), True
    if token in shape.param_closes and scan.text[at : found[0]].strip():
        after = yield from scan.space(found[1])
        closed = reading.first < 0 and (yield from scan.literal(after, *shape.call_closes)) >= 0
        if not closed or not _is_the_text(reading, at, found[0]):
            return "bad_json", True  # a parameter whose tag is lost
        reading.repairs.append("missing_open_tag")
        return found[1], False
    if found[0] > at and token in shape.param_starts:
        return found[0], False
    reading.repairs.append("near_miss_tag")  # a closing tag too many
    return found[1], False


def _behind_text(scan: Scanner, shape: TagShape, at: int, found: tuple[int, int]) -> bool:
    """True of a call's whole closing tag behind more than what is left of a tag: what stands before it is no part of it."""
    before = scan.text[at : found[0]].strip()
    left_of_tag = "<" in before and not before.strip(_LEFT_OF_TAGS)
    return bool(before) and not left_of_tag and scan.text[found[0] : found[1]].lower() in shape.call_closes


def _is_the_text(reading: CallSoFar, start: int, end: int) -> bool:
    """Take what stands between two places as the one text that the tool can be given; False if it takes none."""
    scan = reading.scan
    target = only_text(scan.tools.resolve(reading.name).tool, scan.text[start:end])
    if not target:
        return False
    reading.first, reading.last = start, end
    reading.values[target] = bare_value(scan.text[start:end], lines=True)
    reading.repairs.append("text_as_argument")
    return True


def _other_tag(reading: CallSoFar, at: int) -> Step[int | str]:
    """Read a parameter whose tag is bent, or has the parameter's own name; -1 if none stands there."""
    bent = yield from bent_open(reading, at)
    return (yield from read_value(reading, at, bent)) if bent is not None else (yield from read_named(reading, at))


def _ended(reading: CallSoFar, at: int) -> int | str:
    """The reply ends between parameters: only the closing tag may be added."""
    scan = reading.scan
    tool = scan.tools.resolve(reading.name).tool
    known = {**reading.values, **reading.typed}
    if scan.cut_short or (reading.first < 0 and (tool is None or tool.required)) or (tool and tool.missing(known)):
        return "truncated"
    return _unclosed(reading, at)


def _unclosed(reading: CallSoFar, at: int) -> int:
    if not reading.shape.close_optional:
        reading.repairs.append("missing_close_tag")
    return at


def _json(reading: CallSoFar, at: int) -> Step[int | str]:
    """A JSON object stands where parameters belong."""
    scan = reading.scan
    state, stop = yield from scan.json_end(at)
    read = read_json(scan.text, at, stop, close=state is End.MORE and not scan.cut_short)
    if read.error or not isinstance(read.value, dict):
        return "truncated" if state is End.MORE else at
    reading.typed.update(read.value)
    reading.repairs += ["wrapper_arg", *read.repairs]
    reading.first, reading.last = at, stop
    return stop


def arguments_of(
    values: dict[str, str], typed: dict[str, Any], repairs: list[str], scan: Scanner, name: str
) -> RawText | dict[str, Any]:
    """Bring text values and typed ones together; unwrap a single parameter that holds all the arguments."""
    tool = scan.tools.resolve(name).tool
    every = {**values, **typed}
    if len(every) == 1:
        key, value = next(iter(every.items()))
        if key in ("arguments", "input", "args", "parameters", "properties") and (
            tool is not None and key not in tool.properties
        ):
            inner = value if isinstance(value, dict) else decode_arguments(value)[0] if isinstance(value, str) else None
            if isinstance(inner, dict):
                repairs.append("wrapper_arg")
                return inner
    if not typed:
        return RawText(values)
    if not values:
        return typed
    merged = dict(typed)
    for key, text in values.items():
        merged[key], repair = from_text(text, tool.schema_of(key) if tool else None)
        if repair:
            repairs.append(repair)
    return merged
