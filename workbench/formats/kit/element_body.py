"""A call as elements: its name in one, its arguments in the next, whatever tag stands around them.

<tool_call><name>get_weather</name><arguments>{"city": "Rome"}</arguments></tool_call>
<invoke><tool_name>get_weather</tool_name><parameters><city>Rome</city></parameters></invoke>
<tool>get_weather</tool><tool_input>Rome</tool_input>            without a tag around it, as LangChain's XML agents ask for it
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.calls import MISSING, Draft, RawText, report, settle
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.loose_json import MAX_SIZE, read_json
from workbench.formats.kit.tag_tree import children
from workbench.formats.kit.toolset import only_text

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_NAMES = ("name", "tool_name", "function_name", "tool", "function")
_ARGUMENTS = frozenset("arguments parameters args input params tool_input kwargs".split())
_BESIDE = frozenset("id type call_id tool_call_id".split())
"""Elements that say nothing of what is called."""
_NAMED = "|".join(_NAMES[1:])
_GIVEN = "|".join(sorted(_ARGUMENTS))
UNWRAPPED = (
    "unwrapped",
    rf"<(?:{_NAMED})>\s{{0,4}}[A-Za-z_][\w.\-]{{0,63}}\s{{0,4}}</(?:{_NAMED})>\s{{0,8}}(?=<(?:{_GIVEN})>)",
    r"<(?:[a-z_]{1,13}(?:>\s{0,4}(?:[\w.\-]{1,64}\s{0,4}(?:<(?:/(?:[a-z_]{1,13}(?:>\s{0,8}(?:<(?:[a-z_]{0,13}>?)?)?)?)?)?)?)?)?)?",
)
"""An element that holds a name, before one that holds arguments; and what may become them."""
WRAPPED = (
    "wrapped",
    r"<(?:tool|action|call)>\s{0,9}(?=<(?:name|tool_name|function_name)>)",
    r"<(?:[a-z]{1,6}(?:>\s{0,9}(?:<[a-z_]{0,13}>?)?)?)?",
)
"""A tag of no family's own around such elements."""
_OPENS = tuple(f"<{name}>" for name in _NAMES)
_NAME = re.compile(r"\s*+(?P<name>[A-Za-z_][\w.:\-/]{0,127})\s*+")


def read_elements(
    scan: Scanner, start: int, at: int, closers: tuple[str, ...], form: str, *, sure: bool, repairs: tuple[str, ...]
) -> Step[Attempt | None]:
    """Read the elements at `at` up to one of the closing tags; None if they are no call. Not `sure`: a declared tool's name is needed."""
    if (yield from scan.literal(at, *_OPENS)) < 0:
        return None
    found = yield from scan.find(at, *closers)
    (_, named), *rest = _tree(scan, at, found) or [("", "")]
    name = _NAME.fullmatch(named)
    if name is None:
        return None
    values = [(key, text) for key, text in rest if key not in _BESIDE]
    name_at = scan.text.index(name["name"], scan.text.index(">", at))
    begin = scan.text.index(">", name_at) + 1
    codes = (*repairs, "wrong_family")
    return _settled(scan, start, (name_at, name["name"]), begin, found, values, form, sure=sure, repairs=codes)


def read_unwrapped(scan: Scanner, start: int, named: tuple[int, str], at: int, form: str) -> Step[Attempt | None]:
    """Read the element of arguments at `at` of the declared tool whose name stands before it; nothing stands around both."""
    begin = scan.text.index(">", at) + 1
    key = scan.text[at + 1 : begin - 1].lower()
    found = yield from scan.find(begin, f"</{key}>")
    stop, end = found or (len(scan.text), len(scan.text))
    name_at, name = named
    if found is None and not (scan.text[begin:].strip() and scan.prose.fresh_line):
        return None
    body, more = scan.text[begin:stop], () if found else ("missing_close_tag",)
    arguments, repairs = _arguments([(key, body)]) if stop - begin <= MAX_SIZE else (None, ())
    if arguments is None and (target := _only(scan, name, body)):
        arguments, repairs = {target: body.strip()}, ("schema_coerced", "text_as_argument")
    if arguments is None or (found is None and scan.cut_short):
        code = "args_not_object" if found else "truncated"
        message = f"The arguments of {name!r} cannot be read." if found else f"The call of {name!r} is cut off."
        return Attempt(end, (report(code, scan.span(start, end), message, name=name),))
    draft = Draft(
        name, arguments, scan.span(start, end), scan.span(name_at, name_at + len(name)), scan.span(begin, stop),
        repairs=("missing_open_tag", *more, *repairs), format=form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    return None if item is None else Attempt(end, (item,))


def _only(scan: Scanner, name: str, body: str) -> str:
    """Return the one parameter that plain text may be meant for."""
    text = body.strip()
    return only_text(scan.tools.resolve(name).tool, text) if text and text[0] not in "{[<" else ""


def read_pairs(
    scan: Scanner, start: int, named: tuple[int, str], at: int, closers: tuple[str, ...], form: str, *repairs: str
) -> Step[Attempt | None]:
    """Read the arguments alone as the elements at `at`, of the call whose name stands at an index before them."""
    found = yield from scan.find(at, *closers)
    values = _tree(scan, at, found)
    if not values:
        return None
    return _settled(scan, start, named, at, found, values, form, sure=True, repairs=repairs)


def _tree(scan: Scanner, at: int, found: tuple[int, int] | None) -> list[tuple[str, str]]:
    stop = found[0] if found is not None else len(scan.text)
    return [] if (found is None and scan.cut_short) or stop - at > MAX_SIZE else children(scan.text[at:stop])


def _settled(
    scan: Scanner, start: int, named: tuple[int, str], body: int, found: tuple[int, int] | None,
    values: list[tuple[str, str]], form: str, *, sure: bool, repairs: tuple[str, ...],
) -> Attempt | None:  # fmt: skip
    stop, end = found or (len(scan.text), len(scan.text))
    arguments, more = _arguments(values)
    if arguments is None:
        return None
    name_at, name = named
    draft = Draft(
        name, arguments, scan.span(start, end), scan.span(name_at, name_at + len(name)), scan.span(body, stop),
        repairs=(*repairs, *more, *(() if found else ("missing_close_tag",))), canonical=sure, format=form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    return None if item is None else Attempt(end, (item,))


def _arguments(values: list[tuple[str, str]]) -> tuple[Any, tuple[str, ...]]:
    """Return the arguments with their repairs; None for what is neither an object nor elements, each once."""
    if len(values) == 1 and values[0][0] in _ARGUMENTS:
        body = values[0][1].strip()
        if body.startswith("{"):
            read = read_json(body, 0)
            whole = not read.error and isinstance(read.value, dict) and read.end == len(body)
            return (read.value, read.repairs) if whole else (None, ())
        values = children(body)
        if body and not values:
            return None, ()
    elif not values:
        return MISSING, ()
    keys = [key for key, _ in values]
    return (RawText(dict(values)), ()) if len(set(keys)) == len(keys) else (None, ())
