"""The net under every parser: what was begun as a call and is no call, and no problem either, is told.

Three signs are looked for in the text that a parser left over: a marker of the format's own that begins a call
(`unread_call`), a declared tool's name in the shape of a call in whatever dialect, and the two labels of ReAct
(`unknown_format`). In code, in quotes and after “for example” a sign is only a mention, and ignored; a code block that
words above it announce is the attempt itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from heapq import merge
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, ParseProblem, Span
from workbench.formats.kit.attempt_shapes import Decided, bent_attempts, labelled_attempts, named_attempts
from workbench.formats.kit.calls import declined, mention
from workbench.formats.kit.grammar import CALLING_LABELS
from workbench.formats.kit.openers import finder
from workbench.formats.kit.prose import announces
from workbench.formats.kit.talk import DENIAL, FAR, shown, supposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.formats.kit.grammar import Grammar
    from workbench.formats.kit.toolset import ToolSet

UNREAD, UNKNOWN = "unread_call", "unknown_format"
NET_CODES = frozenset((UNREAD, UNKNOWN))
"""Codes of problems that stand for text which no grammar could read."""
MOST = 16
"""So many attempts of one reply are told."""
_LONGEST = 4000
_LEAST_MARKER, _LONGEST_MARKER = 5, 40
"""So much of a marker tells that one begins at the reply's end."""

_AROUND_NAME = "@<>[](){}\\\"'`*: \t"
"""What may stand around a tool's name that is all of a reply: where no marker begins a call, one was begun with it."""
_LONGEST_NAME = 160
"""An opener with a tool's name is no longer."""
FRAGMENT = re.compile(r"\s*+(?P<part>[^\s][^\n]{0,159}?)[ \t]*(?:\n|\Z)")
"""What stands alone on its line behind a call: perhaps the beginning of a marker."""
_GOES_ON = re.compile(
    r"""\s{0,9},\s{0,9}(?:["'“]\w[\w.\-]{0,63}["'”]\s{0,4}:"""
    r"""|(?P<name>[A-Za-z_][\w.\-]{0,127}+)(?=[ \t]{0,4}[^\w\s(\[]|[ \t]{1,4}\w{1,64}=)[^\n\[]{0,200}?\])"""
)
"""Directly behind a call: a further argument of an object that closed too early, or a further call of a list, damaged."""
_BENT_NAME = re.compile(
    r"""\s{0,9}(?P<head>[@>]\S{1,80}|(?![A-Za-z]+:)[^\s"“']{0,64}\w[^\s"“']{0,64})[ \t]{0,4}\n?\s{0,8}\{?\s{0,4}"""
    r"""["'](?P<key>\w[\w.\-]{0,63})["']\s{0,4}:"""
)
"""Beside a call: one word, and an object of arguments, as a further call has them whose name is damaged."""
_HALF = re.compile(r"\s*+[,;)]{0,2}\s{0,4}(?P<name>[A-Za-z_][\w.\-]{0,127}+)\s{0,4}(?:\(\s{0,4})?[)\]}]")
"""Directly behind a call: the name of the next one, and little more than what closes it."""
_NAMELESS = re.compile(
    r"""\s{0,9}(?:```\w{0,8}\s{1,4})?(?P<object>\{)\s{0,9}["'](?:arguments|parameters|args)["']\s{0,4}:\s{0,4}\{\s{0,9}["'](?P<key>[\w.\-]{1,64})["']\s{0,4}:"""
)
"""A reply that is a call without its name."""
_PARAMETER = re.compile(
    r"""<(?:[\w.\-]{1,24}:)?param(?:eter)?(?:\s{0,4}=\s{0,4}|\s{1,4}name\s{0,4}=\s{0,4})["']?(?P<key>[\w.\-]{1,64})["']?\s{0,4}>"""
)
"""The tag of an argument, as several families write it: alone, it has lost its call."""
_HEADED = re.compile(r"\s*+(?P<name>[A-Za-z_][\w.\-]{0,127})[ \t]{0,4}\r?\n[ \t]{0,4}(?!\w+:|[-*#|=>])\S")
"""A reply that begins with a word on a line of its own, and goes on below: `bash⏎ls -la`, as Qwen 3.6 writes it."""
_WHOLE = re.compile(
    r"""\s*+(?:\[\s{0,4}["'](?P<listed>[\w.\-]{2,128})["']\s{0,4},\s{0,4}["'{\[](?P<next>[\w.\-]{0,128})[^\n]*\]"""
    r"""|\{\s{0,4}["'](?P<key>[\w.\-]{2,128})["']\s{0,4}:\s{0,4}\[\s{0,4}["'{][^\n]*\]\s{0,4}\}"""
    r"""|\[(?P<tagged>[\w.\-]{2,128})\][ \t]{1,4}[^\n]{2,400}"""
    r"""|(?P<keyed>[\w.\-]{2,128}):[ \t]{0,2}(?P<param>[A-Za-z_][\w\-]{0,63}+)[ \t]?[:=][ \t]{0,2}\S[^\n]{0,400}"""
    r"""|/(?P<slashed>[\w.\-]{2,128})[ \t]{1,2}[^\n]{1,400}"""
    r"""|<(?P<opened>[\w.\-]{2,128})>[ \t]{0,2}[^\s<][^\n]{0,2000}"""
    r"""|(?:call|use|run|invoke)[ \t](?P<told>[\w.\-]{2,128})[ \t]with[ \t]\w{1,64}\s{0,2}[=:]\s{0,2}["'\d\[{][^\n]{0,400}"""
    r"""|(?:`{2,4}(?:tool(?:_code|_call)?)?\n)?(?:(?i:(?:tool|function)[ _]?(?:name|call)?|action)[ \t]{0,2}:[ \t]{0,2}(?P<labelled>[\w.\-]{2,128})"""
    r"""|\w{1,64}[ \t]?=[ \t]?(?P<assigned>[\w.\-]{2,128})\(\))(?:\n?`{1,3})?"""
    r"""|(?P<first>[\w.\-]{2,128})(?:[ \t]{1,2}(?=\S{0,60}[\d"'/=_-])\S{1,60}){1,4})\s*"""
)
"""A reply that is one line and begins with a tool's name: as the first of a list, the one key of an object, in brackets, behind a
slash, in a tag that nothing closes, in a sentence that gives a value, behind a label, as a program's, before one of its parameters, or
before values that are no words."""
_MARKED = re.compile(
    r"""\s*+(?:<[^<>\n]{1,60}>(?:\w{1,20}[ \t])?|\[[A-Z_]{3,24}\]|\[\[[^\[\]\n]{2,40}\]\]|✿\w{1,20}✿:?|`{3}\w{1,20}[ \t\n])"""
    r"""[ \t]{0,4}\n?[ \t]{0,4}(?P<name>[\w.\-]{2,128}+)\s*+"""
)
"""A reply that is a marker of whatever family, and one word behind it."""
_BENT_OPENER = re.compile(
    r"""[<\[|｜/]{0,3}[\w:▁]{0,24}(?:tool|call|func|invoke)[\w:▁]{0,20}(?:\s{1,2}name)?[|｜\]>=:"']{0,4}\s?""",
    re.IGNORECASE,
)
_MARK = re.compile(r"""["']?\s{0,2}(?:[<>|｜\[{(/]|\Z)""")
"""What is left of an opener before a tool's name, and how a mark, or the end, follows that."""
_NAME_BEGUN = re.compile(r"[\w.\-]{1,128}\Z")

_CALL_KEYS = re.compile(r"""["'](?:id|type|function|tool_?calls?)["'][\s:\[{]*+(?:["']\w*["'],)?""")
"""What may stand, beside signs, in a code block before the first sign of the call that it is."""
_WORD = re.compile(r"\w")
_AFTER = 280
"""So much behind a name is searched for words that explain it."""
_DATA_LABELS = frozenset(("yaml", "yml", "xml", "toml"))
"""Labels of code blocks that hold values as JSON does: one at a reply's end is the call that words announce."""
_FENCE = re.compile(r"^[ \t]{0,8}(?:```|~~~)[^\n`]{0,40}$", re.MULTILINE)


class _Sign(NamedTuple):
    start: int
    end: int
    """Of the marker or the name."""
    code: str
    name: str = ""


class LeftOver(NamedTuple):
    """What a parser gave out as text, and what it passed over."""

    pieces: Sequence[str]
    places: Sequence[tuple[int, int]]
    """Where the joined text goes on at another offset of the reply: `(index, offset)`, the first one at index 0."""
    dropped: Sequence[Span]
    """Markers that begin or end a call and were taken out without one."""
    told: Sequence[Span]
    """Calls and problems."""


def unread(left: LeftOver, grammar: Grammar, tools: ToolSet | None, *, at_end: bool = False) -> Iterator[ParseProblem]:
    """Tell what of a reply was begun as a call and was not read; without tools, only by the format's own markers.

    `at_end`: the text is reasoning that was never closed, where other calls are meant at its very end alone.
    """
    yield from (_problem(UNREAD, span, "", grammar.format) for span in left.dropped[:MOST])
    text = "".join(left.pieces)
    if not text or text.isspace():
        return
    signs, decided = [_own(text, grammar), _begun_behind(text, grammar, tools, left)], Decided()
    if tools is not None:
        attempts = (*named_attempts(text, tools, decided), *labelled_attempts(text))
        foreign = [(_Sign(start, end, UNKNOWN, name) for start, end, name in one) for one in attempts]
        signs += [filter(lambda sign: _is_last(text, sign), one) for one in foreign] if at_end else foreign
    told = list(islice(_told(text, merge(*signs), left, grammar, decided), MOST))
    if tools is not None and not (told or left.told or at_end):
        bent = [(_Sign(start, end, UNKNOWN, name) for start, end, name in one) for one in bent_attempts(text, tools)]
        told = list(islice(_told(text, merge(*bent), left, grammar, decided), MOST))
    yield from told


def _told(
    text: str, signs: Iterator[_Sign], left: LeftOver, grammar: Grammar, decided: Decided
) -> Iterator[ParseProblem]:
    """One problem for each attempt: what stands within one paragraph belongs together."""
    sign = next(signs, None)
    if sign is None:
        return
    talk, last = _Talk(text, left.places, grammar.fence_labels), -1
    told = sorted(left.told)
    starts, ends = [span[0] for span in told], list(accumulate((span[1] for span in told), max, initial=0))
    while sign is not None:
        at = _offset(left.places, sign.start)
        if sign.start < last or ends[bisect_right(starts, at)] > at:
            sign = next(signs, None)
            continue
        first, name, code, last = sign, "", UNKNOWN, _end(text, sign.start)
        while sign is not None and sign.start < last:
            name, code = name or sign.name, UNREAD if sign.code == UNREAD else code
            decided.upto = last if name else decided.upto
            sign = next(signs, None)
        span = _source(left.places, first.start, last)
        why = talk.about(first)
        yield mention(span, name, why) if why else _problem(code, span, name, grammar.format)


def _is_last(text: str, sign: _Sign) -> bool:
    """True if a sign stands at the beginning of a line, and what it begins goes on to the text's end."""
    head = text[max(text.rfind("\n", 0, sign.start) + 1, sign.start - FAR) : sign.start]
    if _ALMOST_FIRST.fullmatch(head) is None:
        return False
    end = _end(text, _BLANK.match(text, sign.end).end())  # type: ignore[union-attr]
    for _ in range(MOST):
        below = _BODY_GOES_ON.match(text, end)
        if below is None:
            break
        end = _end(text, below.end() - 1)
    return not text[end:].strip()


_BLANK = re.compile(r"\s*+")
_BODY_GOES_ON = re.compile(r"""\s*+(?:[,:}\]]|["'](?=[\w.\-]{1,64}["']\s{0,4}:))""")
"""A blank line stands between the members of an object."""
_ALMOST_FIRST = re.compile(
    r"""\s*+(?:\S*+|[^\w*•–-]*+|(?:<[|｜]\w{1,20}[|｜]>\w{0,20}){1,4}\s\S*+|<[^<>\n]{1,60}>[^\w*]{0,8}(?:["']\w{1,40}["']:\s?["']?[\w\-]{1,64}["']?,\s?)?)"""
)
"""What of a damaged marker may stand before a call on its line: neither words nor the sign of a list."""


def _problem(code: str, span: Span, name: str, form: str) -> ParseProblem:
    of = f" of {name!r}" if name else ""
    if code == UNREAD:
        message, hint = f"A call{of} begins here and cannot be read.", "Compare the text with the format."
    else:
        message, hint = (
            f"A call{of} in a form that {form or 'this reader'} does not know.",
            "Read the text with all formats.",
        )
    return ParseProblem(code, span, message, Outcome.REPORTED, hint, name)


_LITTLE = re.compile(r"\s*+[<>\[\]]{0,2}\s*+(?P<name>[\w.\-]{2,128}+)\s*+(?:[<\[({]/?[^<>\s]{0,40})?\s*+")
"""A name, and little more than the beginning of something."""


_HALF_OPENER = re.compile(r"[<\[](?:[^\s\"'=<>]{2,160}+|<?>{1,2}[\w.\-]{2,128}+)")
"""One word that begins as most openers do."""


def behind_half(word: str, tools: ToolSet) -> str:
    """Return the declared tool whose name half an opener is glued to, as in `<toolget_weather`; an empty string without one."""
    half = _HALF_OPENER.fullmatch(word)
    return next((one for one in tools.by_name if word.endswith(one)), "") if half is not None else ""


def begun_name(text: str, tools: ToolSet) -> str:
    """Return the declared tool whose name is all of a text but for the beginning of something; an empty string if none is."""
    found = _LITTLE.fullmatch(text)
    return found["name"] if found is not None and found["name"] in tools.by_name else ""


def begun_alone(span: Span, name: str, form: str, *, own: bool = False) -> ParseProblem:
    """Tell of a marker, another family's or the format's `own`, at `span`, with nothing but a tool's name behind it, or not even one."""
    return _problem(UNREAD if own else UNKNOWN, span, name, form)


EMPTY_LIST = re.compile(r"\[\s*\]")
"""A list of no calls: so a model says that it calls none."""
_EMPTY_OBJECT = re.compile(r"[\s\[]*+\{\s*\}")
"""An object that names no tool."""


def begun_by_tag(span: Span, said: str, tools: ToolSet, form: str) -> ParseProblem | None:
    """Tell of another family's tag, at `span`, if all the rest of the reply is a tool's name or an empty object."""
    name = begun_name(said, tools)
    return begun_alone(span, name, form) if name or _EMPTY_OBJECT.match(said) else None


def emptied(span: Span, inside: str, kind: str, form: str) -> ParseProblem | None:
    """Tell of a marker of this kind, whichever family's, that was taken out with an object that names no tool, or a list without calls."""
    if _EMPTY_OBJECT.match(inside):
        return begun_alone(span, "", form, own=kind not in ("tag", "near"))
    return declined(span, "[]") if kind in ("tag", "near", "label") and EMPTY_LIST.search(inside) else None


def ending_alone(span: Span, name: str = "") -> ParseProblem:
    """Tell of a marker that ends a call where none was begun."""
    of = f" of {name!r}" if name else ""
    message = f"A marker ends a call{of} here that was never begun."
    return ParseProblem(UNREAD, span, message, Outcome.REPORTED, "Compare the text with the format.", name)


def _own(text: str, grammar: Grammar) -> Iterator[_Sign]:
    """Markers of the format that begin a call; the last one may be cut off."""
    if grammar.signs is not None:
        at = 0
        while (found := grammar.signs.search(text, at)) is not None:
            yield _Sign(found.start(), found.end(), UNREAD)
            at = max(found.end(), found.start() + 1)
    if (start := begun_at_end(text, grammar)) >= 0:
        yield _Sign(start, len(text), UNREAD)


def begun_at_end(text: str, grammar: Grammar) -> int:
    """Return where a marker that begins a call is cut off by the text's end, -1 if none is."""
    if not grammar.beginnings:
        return -1
    begun = finder(*grammar.beginnings)[1].search(text, max(0, len(text) - _LONGEST_MARKER))
    return begun.start() if begun is not None and begun.end() - begun.start() >= _LEAST_MARKER else -1


def _begun_behind(text: str, grammar: Grammar, tools: ToolSet | None, left: LeftOver) -> Iterator[_Sign]:
    """What is left of the next call's beginning directly behind a call, or of an opener with its name at the reply's end."""
    ends, longest = sorted(span.end for span in left.told), max(map(len, grammar.beginnings), default=0)
    if tools is not None and (nameless := _NAMELESS.match(text)) and tools.has_parameter(nameless["key"]):
        yield _Sign(*nameless.span("object"), UNKNOWN)
    for index, offset in left.places:
        if ends and tools is not None and (bent := _BENT_NAME.match(text, index)) and tools.has_parameter(bent["key"]):
            yield _Sign(*bent.span("head"), UNKNOWN)
            continue
        near = bisect_right(ends, offset) - 1
        close = near >= 0 and offset - ends[near] < _LONGEST_MARKER
        if close and tools is not None and (half := _HALF.match(text, index)) and half["name"] in tools.by_name:
            yield _Sign(*half.span("name"), UNREAD, half["name"])
            continue
        if near >= 0 and offset == ends[near] and (on := _GOES_ON.match(text, index)) is not None:
            name = on["name"] or ""
            if not name or (tools is not None and tools.resolve(name).tool is not None):
                yield _Sign(*on.span(), UNREAD, name)
                continue
        found = FRAGMENT.match(text, index) if close else None
        if found is None:
            continue
        part = found["part"]
        whole = part.casefold() if len(part) <= longest and (len(part) > 1 or found.end() == len(text)) else ""
        if whole and any(mark.startswith(whole) for mark in grammar.beginnings):
            yield _Sign(*found.span("part"), UNREAD)
        elif tools is not None and (
            (name := _begun_name(part, grammar, tools))
            or (
                (name := _bent_opened(part, tools))
                and all(span.start != offset + found.end("part") - index for span in left.told)  # else its end is told
            )
        ):
            yield _Sign(*found.span("part"), UNREAD, name)
    if tools is not None and (one := _PARAMETER.search(text)) and tools.has_parameter(one["key"]):
        yield _Sign(*one.span(), UNKNOWN)
    if tools is not None and (headed := _HEADED.match(text)) and _takes_one(tools, headed["name"]):
        yield _Sign(*headed.span("name"), UNKNOWN, headed["name"])
    if tools is not None and (whole := _WHOLE.fullmatch(text)) and (sign := _whole_line(whole, tools)):
        yield sign
    bare = text.strip()
    alone = bare.strip(_AROUND_NAME)
    if tools is not None and alone in tools.by_name and (grammar.markerless or bare[0] in "@<["):
        start = text.index(alone)
        yield _Sign(start, start + len(alone), UNREAD, alone)
        return
    if tools is not None and (marked := _MARKED.fullmatch(text)) and marked["name"] in tools.by_name:
        yield _Sign(len(text) - len(text.lstrip()), marked.end("name"), UNKNOWN, marked["name"])
        return
    line = text.rstrip().rfind("\n") + 1
    if (
        not grammar.markerless
        and len(text) - line < _LONGEST_NAME
        and (name := _begun_name(text[line:].strip(), grammar, tools))
    ):
        yield _Sign(line, len(text), UNREAD, name)


def _takes_one(tools: ToolSet, name: str) -> bool:
    """True if a declared tool needs one argument and no more."""
    tool = tools.by_name.get(name)
    return tool is not None and len(tool.required) == 1


def _whole_line(found: re.Match[str], tools: ToolSet) -> _Sign | None:
    """The attempt that a reply of one line is; not, where it lists tools or begins with a word."""
    kind = {"next": "listed", "param": "keyed"}.get(found.lastgroup or "", found.lastgroup or "")
    name = found[kind]
    if name not in tools.by_name or (found["next"] or "") in tools.by_name:
        return None
    if kind == "keyed":
        return _Sign(*found.span(kind), UNKNOWN, name) if found["param"] in tools.parameters_of(name) else None
    meant = (
        not name.isalpha()
        or kind in ("slashed", "told", "labelled", "assigned")
        or (kind == "tagged" and _takes_one(tools, name))
    )
    begin = len(found.string) - len(found.string.lstrip())
    return _Sign(begin, found.end(kind), UNKNOWN, name) if meant else None


def _begun_name(part: str, grammar: Grammar, tools: ToolSet | None) -> str:
    """Return the declared tool whose name a half opener begins to say, as `>>>get_wea` does; an empty string if none is."""
    name = _NAME_BEGUN.search(part)
    if tools is None or name is None or not name.start() or grammar.nested.hold(part, 0):
        return ""
    return next((one for one in tools.by_name if one.startswith(name.group())), "")


def _bent_opened(part: str, tools: ToolSet) -> str:
    """Return the declared tool whose name stands behind a damaged opener, as in `<tool_callnow<tool_sep>`; an empty string without one."""
    places = ((name, part.find(name)) for name in tools.by_name)
    return next(
        (
            name
            for name, at in places
            if at > 0 and _BENT_OPENER.fullmatch(part, 0, at) and _MARK.match(part, at + len(name))
        ),
        "",
    )


def _end(text: str, start: int) -> int:
    """Where an attempt that begins at `start` is taken to end: with its paragraph."""
    stop = text.find("\n\n", start + 1, start + _LONGEST)
    stop = min(len(text), start + _LONGEST) if stop < 0 else stop
    return start + max(len(text[start:stop].rstrip()), 1)


def _source(places: Sequence[tuple[int, int]], start: int, end: int) -> Span:
    """Return the reply's own offsets of a stretch of the joined text."""
    return Span(_offset(places, start), _offset(places, end - 1) + 1)


def _offset(places: Sequence[tuple[int, int]], index: int) -> int:
    at, offset = places[bisect_right(places, (index, 1 << 62)) - 1]
    return offset + index - at


class _Talk:
    """Whether what stands at a place is only talked about."""

    def __init__(self, text: str, places: Sequence[tuple[int, int]], labels: Sequence[str]) -> None:
        self._text, self._places, self._labels = text, places, labels
        edges = [found.start() for found in _FENCE.finditer(text)]
        if len(edges) % 2:
            edges.append(len(text))
        self._fences = list(zip(edges[::2], edges[1::2], strict=True))

    def about(self, sign: _Sign) -> str:
        """Say why a sign is only a mention; an empty string if it is meant."""
        text, at = self._text, sign.start
        for start, stop in self._fences:
            if start <= at < stop:
                return "" if self._meant(start, at) else "it stands in a code block"
        line = text[max(text.rfind("\n", 0, at) + 1, at - 2000) : at]
        if _in_code(line):
            narrated = _NARRATED.match(line) and _WITH.match(text, sign.end)
            return "" if narrated else "it stands in inline code"
        if line[-1:] in ('"', "'", "“", "‘", "«", "`") and _CALL_KEY.search(line) is None:
            return "it stands in quotes"
        if (line + text[at : at + 3]).lstrip().startswith(">") and not text.startswith(">>>", at):
            return "it stands in a quotation"
        if line.lstrip().startswith("| "):
            return "it stands in a table"
        if _WORDS_BEFORE.search(line) and _WORDS_AFTER.match(text, at):
            return "it stands in a sentence"
        before = text[max(0, at - DENIAL) : at]
        return shown(before[-FAR:]) if sign.code == UNREAD else supposed(before, text[sign.end : sign.end + _AFTER])

    def _meant(self, fence: int, at: int) -> bool:
        """True if a code block is the call: it begins with that, and the reply with it, or a marker or words announce it."""
        begun = self._places[bisect_right(self._places, (fence, 1 << 62)) - 1][0]
        before = self._text[max(begun, fence - FAR) : fence].rstrip()
        label, _, inside = self._text[fence:at].partition("\n")
        name = label.strip(" \t`~").lower()
        known = name in ("", *self._labels) or name.replace("-", "_") in CALLING_LABELS
        announced = not before or announces(before)
        first, last = _WORD.search(_CALL_KEYS.sub("", inside)) is None, self._is_last(fence)
        known = known or (name in _DATA_LABELS and last)
        return (known and announced and first) or (not self._text[:fence].strip() and last)

    def _is_last(self, fence: int) -> bool:
        """True if nothing stands behind a code block."""
        stop = next((stop for start, stop in self._fences if start == fence), len(self._text))
        line = self._text.find("\n", stop)
        return line < 0 or not self._text[line:].strip()


def _in_code(line: str) -> bool:
    """True if inline code is open at the end of a line's beginning: a run of backticks is closed by one of its length."""
    opened = ""
    for run in _TICKS.findall(line):
        opened = "" if run == opened else opened or run
    return bool(opened)


_CALL_KEY = re.compile(r"""["']\w{0,12}(?:tool|call|function|action)\w{0,12}["']\s{0,2}:\s{0,2}\[?\s{0,2}["']\Z""")
"""The key of a call that is the text of its value."""
_NARRATED = re.compile(
    r"\W{0,8}(?:invoking|calling|executing|running|using)\s(?:the\s)?(?:tool\s?|function\s?|action\s?)?:?\s?`\Z",
    re.IGNORECASE,
)
_WITH = re.compile(r"`\s{1,2}with\s(?:the\s)?(?:following\s)?(?:arguments?|args|parameters?|params|input)?\s?:?\s?`?\{")
"""A call that is told of as made now, its name and its object in inline code."""
_TICKS = re.compile("`+")
_WORDS_BEFORE = re.compile(r"[^\W\d_],?[ \t]{1,2}\Z")
_WORDS_AFTER = re.compile(
    r"(?:<[^<>\n]{1,80}>|\[/?[A-Z_]{3,24}\])(?:[ \t,.;][ \t]?(?:[a-z]{1,20}(?:[ \t,.]|:(?:\s|\Z)|\Z)|\Z)|[:!?)][ \t]{0,4}(?:\n|\Z))"
)
"""A marker in a sentence: words on both sides of it."""


def without_net(problems: Iterable[ParseProblem]) -> tuple[ParseProblem, ...]:
    """Return the problems that a grammar told itself."""
    return tuple(problem for problem in problems if problem.code not in NET_CODES)
