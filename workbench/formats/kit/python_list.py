"""Python calls one after the other: in a list, on lines, between semicolons; and as the body of a tag that expects JSON.

[get_weather(city='Rome'), now()]        get_weather(city='Rome'); now()        <tool_call>get_weather(city='Rome')</tool_call>
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, ParseProblem
from workbench.formats.kit.calls import Draft, Item, report, settle
from workbench.formats.kit.python_calls import CALLEE, PythonCall, bound, holds_call, walk_call
from workbench.formats.kit.talk import is_template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_LOOK = 132
"""So far a callee, and what may stand before it, is looked for."""
_DEEPEST = 3
"""Lists in a list of calls are passed up to here."""
_WRAPPER = re.compile(r"(?:print|await|str|repr)\s*\(\s*")
_ASSIGNED = re.compile(r"[A-Za-z_]\w{0,40}\s*=\s*(?=[A-Za-z_])")

_FOR = re.compile(r"for\s+[\w, ()]{1,60}\s+in\s")
_COMMENT = re.compile(r"[^\n]*+")
"""What follows the sign of a comment."""

_NAME_END = re.compile(r"[A-Za-z_][\w.\-]{0,127}(?=\Z|[ \t]{0,4}\n)")
"""A name with nothing behind it on its line."""


def bare_call(scan: Scanner, at: int) -> Step[int]:
    """Return where the call itself begins that may stand in `print(…)`."""
    begin, _ = yield from _wrapping(scan, at)
    return begin if CALLEE.match(scan.text, begin, begin + _LOOK) else at


def read_calls(
    scan: Scanner, form: str, at: int, *, sure_from: int = -1, single: bool = False
) -> Step[tuple[list[Item], int, bool] | None]:
    """Read calls from `at` on, with or without brackets around them: what was found, where it ends, and if brackets did.

    None if no call stands there. After a marker at `sure_from` a call is given out as soon as the next may begin.
    """
    items: list[Item] = []
    first = True
    at, depth = yield from _brackets(scan, at)
    bracket, end = depth > 0, at
    notes = ["extra_brace"] if depth > 1 else []
    while True:
        begin, (at, wrapped) = at, (yield from _wrapping(scan, at))
        found = yield from walk_call(scan, at)
        if found is None:
            if first:
                return None
            name = _NAME_END.match(scan.text, at) if bracket else None
            if name is not None and any(one.startswith(name.group()) for one in scan.tools.by_name):
                what = f"The call of {name.group()!r} is cut off."
                items.append(report("truncated", scan.span(at, name.end()), what, name=name.group()))
                return items, name.end(), False
            return items, end, False
        call, end = found
        for _ in range(wrapped):
            after = yield from scan.space(end)
            end = after + 1 if scan.text[after : after + 1] == ")" else end
        begin = sure_from if first and sure_from >= 0 else at if first and not bracket else begin
        first = False
        item = _item(scan, form, call, (begin, at, end), ("wrapper_arg",) if wrapped else ())
        items.append(_noted(item, notes))
        if single:
            return items, end, False
        at, depth, commas, deeper = yield from _between(scan, end, depth, bracket=bracket)
        if bracket and not depth:
            return items, at, True
        if at >= len(scan.text) or call == "truncated":
            return _unbracketed(items, bracket and not isinstance(call, str)), end, False
        if bracket and len(items) == 1 and (yield from _is_comprehension(scan, at)):
            return None
        if not (commas or "\n" in scan.text[end:at]):
            if not (bracket and (yield from _callee_next(scan, at))):
                return _unbracketed(items, bracket), end, False
            notes = [*notes, "missing_comma"]
        elif deeper or commas > 1:
            notes = [*notes, "extra_brace" if deeper else "missing_comma"]
        if sure_from >= 0:
            scan.early(items)


def _brackets(scan: Scanner, at: int) -> Step[tuple[int, int]]:
    """Pass the brackets that open a list; the second value says how many."""
    depth = 0
    while scan.text[at : at + 1] == "[" and depth < _DEEPEST:
        depth += 1
        at = yield from scan.space(at + 1)
        while scan.text[at : at + 1] == "#":
            at = yield from scan.space((yield from scan.past(at + 1, _COMMENT)))
    return at, depth


def _between(scan: Scanner, end: int, depth: int, *, bracket: bool) -> Step[tuple[int, int, int, bool]]:
    """Pass what stands between two calls: where that ends, how deep it leaves, how many commas, and if a list opened."""
    at, commas, deeper = end, 0, False
    while True:
        after = yield from scan.space(at)
        char = scan.text[after : after + 1]
        if char == "]" and depth:
            at, depth = after + 1, depth - 1
            if not depth:
                return at, depth, commas, deeper
        elif char and char in ",;":
            at, commas = after + 1, commas + 1
        elif char == "\\" and (yield from _line_ends(scan, after + 1)):
            at = after + 1
        elif char == "#":
            at = yield from scan.past(after + 1, _COMMENT)
        elif char == "[" and bracket and commas and depth < _DEEPEST:
            at, depth, deeper = after + 1, depth + 1, True
        else:
            return after, depth, commas, deeper


def _line_ends(scan: Scanner, at: int) -> Step[bool]:
    """True if nothing more stands on the line."""
    yield from scan.at_least(at + 2)
    return scan.text[at : at + 2].lstrip("\r")[:1] in ("", "\n")


def _is_comprehension(scan: Scanner, at: int) -> Step[bool]:
    """True if a program says at `at` for what it calls: the list is made by it, and holds no calls."""
    if not scan.text.startswith("f", at):
        return False
    yield from scan.at_least(at + _LOOK)
    return _FOR.match(scan.text, at, at + _LOOK) is not None


def _callee_next(scan: Scanner, at: int) -> Step[bool]:
    """Tell whether a call stands at `at`, though no comma came before it."""
    yield from scan.at_least(at + _LOOK)
    return CALLEE.match(scan.text, at, at + _LOOK) is not None


def _noted(item: Item, notes: list[str]) -> Item:
    for note in notes:
        item = with_repair(item, note)
    return item


def _wrapping(scan: Scanner, at: int) -> Step[tuple[int, int]]:
    """Pass `print(` and `result =` before a call; the second value says how many brackets were opened."""
    opened = 0
    while True:
        yield from scan.at_least(at + _LOOK)
        wrap = _WRAPPER.match(scan.text, at, at + _LOOK) or _ASSIGNED.match(scan.text, at, at + _LOOK)
        if wrap is None or "print" in scan.tools.by_name:
            return at, opened
        opened += wrap.group().count("(")
        at = wrap.end()


def _unbracketed(items: list[Item], bracket: bool) -> list[Item]:
    """The closing bracket is missing."""
    return [with_repair(item, "missing_brace") for item in items] if bracket else items


def _item(
    scan: Scanner, form: str, call: PythonCall | str, place: tuple[int, int, int], repairs: tuple[str, ...]
) -> Item:
    """Settle a call; its place is where its attempt begins, its name, and where it ends."""
    begin, at, end = place
    span = scan.span(begin, end)
    if isinstance(call, str):
        name = scan.text[at:end].split("(")[0].strip()[:128]
        what = "is cut off" if call == "truncated" else "is no call whose values can be read"
        return report(call, span, f"The call of {name!r} {what}.", name=name)
    named = scan.tools.resolve(call.name)
    arguments = bound(call, named.tool)
    if holds_call(call, scan.tools):
        message = f"{call.name!r} is called with what another call gives."
        return report("args_not_object", span, message, name=call.name)
    if arguments is None and not named.problem:
        return report("args_not_object", span, f"{call.name!r} was called with unnamed arguments.", name=call.name)
    values, more = arguments or ({}, ())
    draft = Draft(
        call.name, values, span, scan.span(call.start, call.name_end), scan.span(call.open, call.close),
        repairs=repairs + call.repairs + more, format=form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    assert item is not None  # canonical drafts always give something
    return item


def with_repair(item: Item, repair: str) -> Item:
    """Return a call with one more repair; a problem as it is."""
    if isinstance(item, ParseProblem) or repair in item.repairs:
        return item
    return item._replace(outcome=Outcome.RECOVERED, repairs=(*item.repairs, repair))


def junk_after(scan: Scanner, end: int) -> Step[int]:
    """Skip semicolons, a full stop, a last comma, brackets too many and a comment that follow calls."""
    while (at := (yield from scan.space(end))) < len(scan.text) and scan.text[at] in ";])}.,\\":
        yield from scan.at_least(at + 2)
        if scan.text[at] in ",\\":
            after = yield from scan.space(at + 1)
            if not (yield from _line_ends(scan, at + 1)) or scan.text[after : after + 1] == "[":
                break
        if scan.text[at] == "." and not scan.text[at + 1 : at + 2].isspace() and at + 1 < len(scan.text):
            break
        end = at + 1
    if scan.text[at : at + 1] == "#" and "\n" not in scan.text[end:at]:
        end = yield from scan.past(at + 1, _COMMENT)
    return end


def only_shown(scan: Scanner, items: Sequence[Item], end: int) -> Step[bool]:
    """True of calls whose values only stand for others, unless they are the whole reply: nobody is shown anything there."""
    if not any(isinstance(item, ParsedCall) and is_template(item) for item in items):
        return False
    if scan.prose.spoke_ever or scan.nested:
        return True
    after = yield from scan.space((yield from junk_after(scan, end)))
    return after < len(scan.text)


def next_list(scan: Scanner, end: int) -> Step[int]:
    """Return where another list of calls opens behind one that ended, with a comma or only space between; -1 if none does."""
    at = yield from scan.space(end)
    if scan.text[at : at + 1] == ",":
        at = yield from scan.space(at + 1)
    if scan.text[at : at + 1] != "[":
        return -1
    return at if (yield from _callee_next(scan, (yield from scan.space(at + 1)))) else -1
