"""A name that the format marks by itself, then the arguments as JSON: DeepSeek, Kimi, Mistral, harmony, Functionary and others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import ParsedCall, ParseProblem, Span
from workbench.formats.kit.calls import MISSING, Draft, Item, report, settle
from workbench.formats.kit.early_close import with_rest
from workbench.formats.kit.json_body import json_body
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.toolset import only_text
from workbench.formats.kit.types import wanted_types

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


class Head(NamedTuple):
    """What is known before the arguments. Offsets are in the window."""

    start: int
    """Where the attempt began."""
    name: str
    name_at: int
    form: str
    canonical: bool = True
    repairs: tuple[str, ...] = ()
    ident: str = ""


def read_named(scan: Scanner, head: Head, at: int, boundaries: tuple[str, ...]) -> Step[tuple[Item | None, int]]:
    """Read the arguments at `at`; return the call or problem (None: no attempt), and where the value ends.

    The span ends with the value; `stretch` lengthens it when the closing marker was found.
    """
    begin, at = (yield from scan.space(at)), (yield from scan.brace(at))
    head = head._replace(repairs=(*head.repairs, *scan.odd_layout(begin, at)))
    name_span = scan.span(head.name_at, head.name_at + len(head.name))
    char = scan.text[at : at + 1]
    if char in ("{", "["):
        body = yield from json_body(scan, at, boundaries, head.name)
        if body.error:
            span = scan.span(head.start, body.end)
            if not head.canonical and head.name not in scan.tools.by_name:
                return None, head.start
            return report(body.error, span, f"{body.message} ({head.name!r})", name=head.name), body.end
        value, end, repairs = body.value, body.end, body.repairs
        if isinstance(value, dict) and not body.mended:
            value, end, more = yield from with_rest(scan, head.name, value, end)
            repairs += more
    elif char in ('"', "'"):
        value, end, repairs = yield from _string(scan, at, boundaries)
        if end < 0:
            return _cut(scan, head, len(scan.text)), len(scan.text)
    elif not char:
        if scan.cut_short or not head.canonical:
            return _cut(scan, head, at), at
        value, end, repairs = MISSING, at, ("missing_close_tag",)
    else:
        value, end, repairs = MISSING, at, ()
    draft = Draft(
        head.name, value, scan.span(head.start, end), name_span,
        scan.span(at, end) if value is not MISSING else Span(name_span.end, name_span.end),
        head.ident, head.repairs + repairs, head.canonical, head.form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    if isinstance(item, ParseProblem) and item.code == "missing_argument" and not char:
        item = _cut(scan, head, at)
    return item, end


WORD = (
    r"(?<![\w.\-=<>/\\:])[A-Za-z_][\w.\-]{0,63}+\s{0,2}+(?=\{)",
    r"(?<![\w.\-=<>/\\:])[A-Za-z_][\w.\-]{0,63}\s{0,2}",
)
"""A word right before a brace, and what may become one."""
_WASTE = 65_536
"""Walking to no end is allowed for so many characters, and some more in long replies."""


def read_unopened(scan: Scanner, start: int, name: str, closer: str, form: str) -> Step[tuple[Item, int] | None]:
    """`NAME{…}` before the closing tag of a call whose opening tag is lost; None unless the tool is declared and the tag follows."""
    if scan.tools.resolve(name).tool is None or scan.wasted > _WASTE + 4 * (scan.base + start):
        return None
    body = scan.text.index("{", start)
    state, stop = yield from scan.json_end(body)
    if state is not End.DONE or (yield from scan.literal((yield from scan.space(stop)), closer)) < 0:
        scan.wasted += stop - start
        return None
    item, end = yield from read_named(
        scan, Head(start, name, start, form, False, ("missing_open_tag",)), body, (closer,)
    )
    if item is None:
        return None
    close = yield from scan.literal((yield from scan.space(end)), closer)
    end = max(close, end)
    return stretch(scan, item, end), end


def read_other(scan: Scanner, head: Head, at: int, ends: tuple[str, ...]) -> Step[tuple[Item, int] | None]:
    """Something else than JSON stands between the name and one of `ends`; None: nothing else does.

    It is the argument of a tool that takes one string and no more, as code is; for all others the call is reported, and so is
    what is said to the user or written in another format's markers: nobody means that as a city. `null` says that there are none.
    """
    at = yield from scan.space(at)
    begin = yield from scan.brace(at)
    if begin >= len(scan.text) or scan.text[begin] in '{["`' or (yield from scan.literal(at, *ends)) >= 0:
        return None
    found = yield from scan.find(at, *ends)
    stop = found[0] if found else len(scan.text)
    span, body = scan.span(head.start, stop), scan.text[at:stop].rstrip()
    if found is None and scan.cut_short:
        return report("truncated", span, f"The call of {head.name!r} is cut off.", name=head.name), stop
    tool = scan.tools.resolve(head.name).tool
    nothing = body == "null" and tool is not None and head.canonical
    only = only_text(tool, body) if tool is not None and len(tool.properties) == 1 else ""
    is_text = tool is not None and wanted_types(tool.properties.get(only)) == ("string",) and _is_value(only, body)
    if not (is_text or nothing):
        return report(
            "args_not_object", span, f"The arguments of {head.name!r} are no JSON object.", name=head.name
        ), stop
    name_span = scan.span(head.name_at, head.name_at + len(head.name))
    draft = Draft(
        head.name, None if nothing else {only: body}, span, name_span, scan.span(at, at + len(body)), head.ident,
        (*head.repairs, "schema_coerced", *(() if nothing else ("text_as_argument",))), head.canonical, head.form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    return (item, stop) if item is not None else None


def read_arguments(scan: Scanner, head: Head, at: int, ends: tuple[str, ...]) -> Step[tuple[Item | None, int]]:
    """Read the arguments at `at`, or what stands in their place before one of `ends`; see `read_named` and `read_other`."""
    other = yield from read_other(scan, head, at, ends)
    return other or (yield from read_named(scan, head, at, ends))


_FREE = frozenset(
    "body cmd code command content diff expression input message patch prompt query question script source sql text".split()
)
"""Parameters that any text may be meant for."""
_MARKUP = re.compile(r"<[|｜/]?[\w:]{0,24}(?:tool|call|func|invoke|param|arg)|<\||\[[A-Z_]{4,24}\]", re.IGNORECASE)
_SPEECH = re.compile(r"(?:I|We|Let|Sure|Now|Ok(?:ay)?|The user|First|Here)\b.{8,}|(?:\S++\s++){3}.*[.!?:…]", re.DOTALL)


def _is_value(key: str, text: str) -> bool:
    """True if plain text may be the value of the parameter; `null` is none."""
    return (
        text != "null"
        and not _MARKUP.search(text)
        and (key.lower() in _FREE or not ("\n" in text or _SPEECH.fullmatch(text.strip())))
    )


def _cut(scan: Scanner, head: Head, end: int) -> ParseProblem | None:
    if not head.canonical and head.name not in scan.tools.by_name:
        return None
    return report("truncated", scan.span(head.start, end), f"The call of {head.name!r} is cut off.", name=head.name)


_INSIDE = {quote: re.compile(rf"(?:[^{quote}\\]++|\\.)*+", re.DOTALL) for quote in "\"'"}
"""What stands in a string, up to its closing quote."""
_GOES_ON = re.compile(r"[\w\\:]")


def _string(scan: Scanner, at: int, boundaries: tuple[str, ...]) -> Step[tuple[object, int, tuple[str, ...]]]:
    """Arguments that were made a string; where none ends, that is read which stands before a boundary. Its end is -1 if it is cut off."""
    stop, ended, quote = at + 1, False, scan.text[at]
    while not ended:
        stop = _INSIDE[quote].match(scan.text, stop).end()  # type: ignore[union-attr]
        ended = scan.text[stop : stop + 1] == quote
        if not ended and not (yield from scan.more()):
            break
    if not ended and scan.cut_short:
        return MISSING, -1, ()
    after = yield from scan.space(stop + 1)
    if ended and not _GOES_ON.match(scan.text, after):
        end = stop + 1
    else:
        found = yield from scan.find(at, *boundaries)
        end = found[0] if found else len(scan.text)
    read = read_json(scan.text, at, end)
    if read.error or not isinstance(read.value, str):
        return MISSING, end, ()
    return read.value, read.end, read.repairs


def stretch(scan: Scanner, item: Item, end: int, *repairs: str) -> Item:
    """Lengthen an attempt to `end` and add repairs."""
    from workbench.core.calls import Outcome

    item = item._replace(span=Span(item.span.start, max(item.span.end, scan.base + end), item.span.source))
    if repairs and isinstance(item, ParsedCall):
        codes = tuple(dict.fromkeys((*item.repairs, *repairs)))
        return item._replace(outcome=Outcome.RECOVERED, repairs=codes)
    return item
