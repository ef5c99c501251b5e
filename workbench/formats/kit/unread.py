"""The net under every parser: what was begun as a call and is no call, and no problem either, is told.

Three signs are looked for in the text that a parser left over: a marker of the format's own that begins a call
(`unread_call`), a declared tool's name in the shape of a call in whatever dialect, and the two labels of ReAct
(`unknown_format`). In code, in quotes and after “for example” a sign is only a mention, and ignored.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from heapq import merge
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, ParseProblem, Span
from workbench.formats.kit.calls import mention
from workbench.formats.kit.labels import any_label, label_end, label_words
from workbench.formats.kit.openers import finder
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
_FAR = 400
_LONGEST = 4000
_LEAST_MARKER, _LONGEST_MARKER = 5, 40
"""So much of a marker tells that one begins at the reply's end."""

_AROUND_NAME = "@<>[](){}\\\"'`*: \t"
"""What may stand around a tool's name that is all of a reply: where no marker begins a call, one was begun with it."""
_LEAST_GLUED = 3
_LONGEST_NAME = 160
"""An opener with a tool's name is no longer."""
_FRAGMENT = re.compile(r"\s*+(?P<part>[^\s][^\n]{0,159}?)[ \t]*(?:\n|\Z)")
"""What stands alone on its line behind a call."""
_GOES_ON = re.compile(
    r"""\s{0,9},\s{0,9}(?:["'“]\w[\w.\-]{0,63}["'”]\s{0,4}:"""
    r"""|(?P<name>[A-Za-z_][\w.\-]{0,127}+)(?=[ \t]{0,4}[^\w\s(\[]|[ \t]{1,4}\w{1,64}=)[^\n\[]{0,200}?\])"""
)
"""Directly behind a call: a further argument of an object that closed too early, or a further call of a list, damaged."""
_NAME_BEGUN = re.compile(r"[\w.\-]{1,128}\Z")

_KEY = re.compile(
    r"""(?:\\{0,3}["'“`]?(?:name|tool|tool_?name|function|function_?name|recipient_name|action|tool_call)\\{0,3}["'”`]?\s{0,4}[:=]"""
    r"""|["'“]\w{0,12}name["'”]{1,2})[\s:\\"'“`]{0,6}(?:</?\w{1,12}>)?["'“`]{0,2}(?:functions?[.:/])?\Z""",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(
    r"""(?:["'`]|\n[ \t]{0,8}(?=\w+["']?\s{0,4}:\s{0,4}[{\["']))(?:arguments|parameters|input|args|params|action_?input|kwargs|tool_(?:input|arguments))\\{0,3}["'`]?\s{0,4}:"""
    r"""|\n[ \t]{0,8}(?:arguments|args|input)\s?:[ \t]{0,4}\n[ \t]{1,8}[\w\-]{1,64}\s?:""",
    re.IGNORECASE,
)
_THEN_ARGUMENTS = re.compile(
    r"""["'”]{1,2}\W{0,6}["'](?:arguments|parameters|input|args|params|action_?input|kwargs|tool_(?:input|arguments))["']?\W{0,3}:""",
    re.IGNORECASE,
)
"""A name in quotes and the key of its arguments, whatever is lost before."""
_THEN_LIKE_ARGUMENTS = re.compile(
    r"""(?=\W{0,12}["'”])\W{0,12}(?:</?\w{1,12}>\W{0,4})?(?:arguments?|parameters?|params|args|input|kwargs)(?![^\W_])"""
    r"""|["'”]{1,2}\s{0,4},\s{0,4}["'][^"'\n]{0,20}["']?\s{0,4}:?\s{0,4}\{\s{0,4}["']""",
    re.IGNORECASE,
)
"""That key with damage to its quotes, or an object under any other."""
_ENTITY = r"&(?:quot|apos|#0?3[49]|#x2[27]);"
_BARE_KEY = re.compile(r"\{\s{0,4}(?:name|tool|tool_name|function)\s?:\s{0,4}\Z")
_BARE_ARGUMENTS = re.compile(r"\s{0,4},\s{0,4}(?:arguments|parameters|input|args|params|kwargs)\s?:\s{0,4}\{")
"""Both keys of an object without quotes; in a sentence they may tell of a call that was made."""
_ESCAPED_KEY = re.compile(
    rf"(?:{_ENTITY}(?:\w{{0,12}}name|tool|function|action){_ENTITY}\s{{0,4}}:\s{{0,4}}|\b(?:tool|name)\s?=\s?|[{{\[]\s{{0,4}}){_ENTITY}\Z"
    r"|^(?:&gt;){3}\s?\Z",
    re.IGNORECASE | re.MULTILINE,
)
"""The key of a name whose quotes are written as HTML writes them."""
_ENDS_THERE = re.compile(r"\W{0,12}\Z")
_DEFINITION = re.compile(
    r"""["'](?:properties|description)["']\s{0,4}:|["']parameters["']\s{0,4}:\s{0,4}\{\s{0,4}["']\w+["']\s{0,4}:\s{0,4}\{\s{0,4}["']type["']"""
)
_BEFORE = re.compile(
    r"""(?:<[\w:|｜‖/.\-]{1,40}(?:\s{1,3}name\s{0,2}=\s{0,2}["']?|=\s{0,2}["']?|\s{1,2}["']?)"""
    r"""|(?:\b|call)call\s?[:=]\s?(?:\w{1,32}:|<[^<>\n]{1,12}>)?|(?<=[\s|>{\w])tool\s?=>?\s?["']|\binvoke\s+name\s?=\s?(?:["']|&quot;)?|(?<!\w)to\s?=\s?|>>>\s?|\[(?:(?:tool|function)[_ ]?(?:calls?|use)\s?:|calling (?:the )?(?:tool|function)s?:?)\s{1,2}`?"""
    r"""|\w{0,16}(?:tool|func(?:tion)?)_?calls?[|｜]?>\s{0,4}"""
    r"""|(?:<[^<>\s]{0,16}(?:tool|call|func|action|plugin|invoke|recipient|sep|message_model)[^<>\n]{0,40}>|\[/?[A-Z_]{4,24}\])[\s\[({"':)]{0,4}"""
    r"""|&lt;[\w:|｜▁/.\-]{0,60}(?:tool|call|func|invoke|plugin|sep|action|name)[\w:|｜▁/.\-]{0,30}"""
    r"""(?:(?:\s{0,2}name)?\s?=\s?(?:["']|&quot;)?|&gt;(?:function\s?&lt;[^&\s]{0,30}&gt;)?[\s{"']{0,6}|:\s))"""
    r"""(?:functions?[.:/]|default_api[.:])?\Z""",
    re.IGNORECASE,
)  # fmt: skip
_BEFORE_LABEL = r"^(?:[^\n]{0,16}[\W_])??"
_LABEL = re.compile(
    rf"{_BEFORE_LABEL}(?:{any_label('Action', 'Tool Name', 'Tool Call', 'Tool', 'Function Name', 'Function Call', 'Function')})"
    r"\s?(?:\d{0,2}|\([\w\-]{1,40}\))(?:(?!\n)[\W_]){1,8}\Z",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL_NEXT = re.compile(
    rf"[^\n]{{0,40}}\n{_BEFORE_LABEL[1:]}(?:(?:{any_label('Input', 'Arguments', 'Args')})(?![^\W_])"
    rf"|(?:{any_label('Parameters', 'Params')})(?:(?!\n)[\W_]){{0,8}}\n?[ \t]{{0,4}}[{{\[\"'\d]|BEGIN_ARG\b)",
    re.IGNORECASE,
)
_PARAMS_NEXT = re.compile(
    rf"[^\n]{{0,40}}\n{_BEFORE_LABEL[1:]}(?:{any_label('Parameters', 'Params')})[ \t]?[:：]", re.IGNORECASE
)
"""Plain text behind a label that descriptions of tools have as well: below an action only."""
_OBJECT_NEXT = re.compile(r"""[^\w\n]{0,8}\n\s{0,4}(?:```\w{0,8}\s{0,4})?\{\s{0,9}["'}]""")
"""The arguments alone, below a label that says call."""
_OWN_LINE = re.compile(r"(?:\A|\n)[ \t*`#]{0,6}\Z")
_ARGUMENTS_BELOW = re.compile(
    r"[ \t*`:]{0,6}\r?\n[ \t*]{0,6}(?:arguments|parameters|params|args|input)[ \t*]{0,3}:[\s*]{0,4}[{`]", re.IGNORECASE
)
"""A name on a line of its own, and its arguments below a label."""
_JUNK = r"(?:</?\w{1,12}>|[^\w()\[\].,;!?–—-]){0,8}?"
"""What damage may leave between a name and its arguments: signs, and tags of other things."""
_CALLED = re.compile(
    r"""[\s({\[}]{0,3}\([\w\-]{1,40}\)\s{0,2}:\s{0,4}\{|(?:\\[nrt]){1,3}\s{0,4}\{\s{0,4}\\?["'}]|\n> ?\{|\s{0,9}[｛（]\s{0,4}["'“\w]|\\?\s{0,2}\(\s{0,9}(?:\w{0,64}(?:\s{0,4}`{3,8}){0,2}\s{0,4}\Z|=\s?["']|[\w\\]{1,64}[^\w()=\n]{0,3}=(?!=|\s?["']?(?:\.\.\.|…|\?|<[\w ]{1,40}>["']|your[ _](?!\w{0,20}(?:key|token|secret|passw))))|["'“{\[]|-?\d|\*\*|\w{1,64}\s{0,3}:\s{0,3}["'“\d{\[])"""
    r"""|["'`]?\s{0,4}:?\s{0,4}\{[\s`]{0,9}(?:["'“}]|\w{1,64}["']?\s{0,3}:|\Z)"""
    rf"""|{_JUNK}(?:[({{]{{1,2}}\s{{0,4}}["'“]?\w{{1,64}}\Z|\{{\s{{0,4}}(?:</?\w{{1,12}}>|[\\<>]{{1,2}})?["'“]?[\s\\]{{0,3}}(?:/?\w{{1,12}}>)?\w{{1,64}}[\\<>]?["'”]?\s{{0,4}}[:"']|\n\s{{0,9}}["']\w{{1,64}}\W{{0,3}}:|[({{]{{1,2}}(?:</?\w{{1,12}}>|[<>\\}}\]]|`{{3,8}})?\s{{0,4}}\w{{1,64}}(?:[^\w()]{{0,6}}=(?!=|\s?["']?(?:\.\.\.|…|\?|<[\w ]|your[ _](?!\w{{0,20}}(?:key|token|secret|passw))))|[^\w()=,.;!?]{{0,3}}["'](?!s\b))|[({{]{{1,2}}=[<>]?["'\d])"""
    r"""|\s{0,4}(?:<[|｜]?/?\w{0,24}(?:arg|param|tool|sep|call)[^<>\n]{0,40}>|<｜|\[ARGS|\[CALL_ID|:\d{1,4}\s{0,2}[<{])""",
    re.IGNORECASE,
)  # fmt: skip
_ALONE_BEFORE = re.compile(
    r"(?:^|[\[,]|^[ \t]{0,8}(?:[-*•+]|\d{1,2}[.)])(?=[ \t])|\bcalls?\**:|\banswer\**:|\bprint\()[ \t*'\"`]{0,8}\Z",
    re.MULTILINE | re.IGNORECASE,
)
_ALONE = re.compile(r"\s{0,2}\(\s{0,9}\)[ \t'\"`;.)]{0,8}(?:$|[\],])", re.MULTILINE)
_ALONE_TAG = re.compile(
    r"""(?:\s{1,4}[\w\-]{1,64}=["'][^<>]{0,200}|\s{1,2})?/>|>\s{0,9}<(?P<key>[a-z]\w{0,63})>[^<>]{0,400}</(?P=key)>""",
    re.IGNORECASE,
)
"""A tag that closes itself, with attributes or without; one that is not closed, and an element in it."""
_PAIR = re.compile(
    rf"{_BEFORE_LABEL}{label_words('Action').full}{label_end().full}(?P<name>[^\n]{{1,200}})\n{_BEFORE_LABEL[1:]}{label_words('Action Input').full}",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR_IN_LINE = re.compile(
    r"(?:\b|(?<=\\n))Action\s?\d{0,2}:[ \t*]{0,4}(?P<name>[\w.\-]{1,80})(?:[ \t]|\\n){1,4}\W{0,6}Action[ _]?Input\s?\d{0,2}:",
    re.IGNORECASE,
)
"""Both labels in one line, with one word between them; perhaps with what was a line break, written out."""
_NO_TOOL = re.compile(
    r"\W*(?:none|n/?a|null|nothing|no (?:tool|action)\b.*|final[ _]?answer|finish)?\W*", re.IGNORECASE
)
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
    signs = [_own(text, grammar), _begun_behind(text, grammar, tools, left)]
    if tools is not None:
        foreign = (*_named(text, tools), _pairs(text, _PAIR), _pairs(text, _PAIR_IN_LINE))
        signs += [filter(lambda sign: _is_last(text, sign), one) for one in foreign] if at_end else foreign
    yield from islice(_told(text, merge(*signs), left, grammar.format), MOST)


def _told(text: str, signs: Iterator[_Sign], left: LeftOver, form: str) -> Iterator[ParseProblem]:
    """One problem for each attempt: what stands within one paragraph belongs together."""
    sign = next(signs, None)
    if sign is None:
        return
    talk, last = _Talk(text), -1
    told = sorted(left.told)
    starts, ends = [span[0] for span in told], list(accumulate((span[1] for span in told), max, initial=0))
    while sign is not None:
        at = _offset(left.places, sign.start)
        if sign.start < last or ends[bisect_right(starts, at)] > at:
            sign = next(signs, None)
            continue
        first, near, last = sign, [sign], _end(text, sign.start)
        while (sign := next(signs, None)) is not None and sign.start < last:
            near.append(sign)
        name = next((other.name for other in near if other.name), "")
        code = UNREAD if any(other.code == UNREAD for other in near) else UNKNOWN
        span = _source(left.places, first.start, last)
        why = talk.about(first)
        yield mention(span, name, why) if why else _problem(code, span, name, form)


def _is_last(text: str, sign: _Sign) -> bool:
    """True if a sign stands at the beginning of a line, and what it begins goes on to the text's end."""
    head = text[max(text.rfind("\n", 0, sign.start) + 1, sign.start - FAR) : sign.start]
    after = _BLANK.match(text, sign.end).end()  # type: ignore[union-attr]
    return _ALMOST_FIRST.fullmatch(head) is not None and not text[_end(text, after) :].strip()


_BLANK = re.compile(r"\s*+")
_ALMOST_FIRST = re.compile(r"\s*+(?:\S*+|[^\w*•–-]*+)")
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
    ends = sorted(span.end for span in left.told)
    for index, offset in left.places:
        near = bisect_right(ends, offset) - 1
        if near >= 0 and offset == ends[near] and (on := _GOES_ON.match(text, index)) is not None:
            name = on["name"] or ""
            if not name or (tools is not None and tools.resolve(name).tool is not None):
                yield _Sign(*on.span(), UNREAD, name)
                continue
        found = _FRAGMENT.match(text, index) if near >= 0 and offset - ends[near] < _LONGEST_MARKER else None
        if found is None:
            continue
        part, whole = found["part"], found["part"].casefold()
        if (len(part) > 1 or found.end() == len(text)) and any(mark.startswith(whole) for mark in grammar.beginnings):
            yield _Sign(*found.span("part"), UNREAD)
        elif name := _begun_name(part, grammar, tools):
            yield _Sign(*found.span("part"), UNREAD, name)
    bare = text.strip()
    alone = bare.strip(_AROUND_NAME)
    if tools is not None and alone in tools.by_name and (grammar.markerless or bare[0] in "@<["):
        start = text.index(alone)
        yield _Sign(start, start + len(alone), UNREAD, alone)
        return
    line = text.rstrip().rfind("\n") + 1
    if (
        not grammar.markerless
        and len(text) - line < _LONGEST_NAME
        and (name := _begun_name(text[line:].strip(), grammar, tools))
    ):
        yield _Sign(line, len(text), UNREAD, name)


def _begun_name(part: str, grammar: Grammar, tools: ToolSet | None) -> str:
    """Return the declared tool whose name a half opener begins to say, as `>>>get_wea` does; an empty string if none is."""
    name = _NAME_BEGUN.search(part)
    if tools is None or name is None or not name.start() or grammar.nested.hold(part, 0):
        return ""
    return next((one for one in tools.by_name if one.startswith(name.group())), "")


def _pairs(text: str, pair: re.Pattern[str]) -> Iterator[_Sign]:
    """Both labels of ReAct, in any spelling."""
    if any(word in text for word in ("nput", "NPUT", "ｎｐｕｔ", "ＮＰＵＴ")):
        for found in pair.finditer(text):
            if not _NO_TOOL.fullmatch(found["name"]):
                yield _Sign(found.start(), found.end(), UNKNOWN)


def _named(text: str, tools: ToolSet) -> Iterator[Iterator[_Sign]]:
    """Declared names in the shape of a call, each by itself."""
    if tools.by_name and _BRACKETS.search(text):
        yield from (_called(text, name, tools) for name in tools.names_in(text))


def _called(text: str, name: str, tools: ToolSet) -> Iterator[_Sign]:
    for found in _finder(name).finditer(text):
        if found.group() != name and found.group() in tools.by_name:
            continue  # another tool, which is called so
        start = _shape(text, found.start(), found.end())
        if start >= 0:
            yield _Sign(start, found.end(), UNKNOWN, name)
    if (glued := _glued(name, tuple(tools.by_name[name].properties))) is not None:
        for found in glued.finditer(text):
            yield _Sign(found.start(), found.end(), UNKNOWN, name)


_BRACKETS = re.compile(r"[<\[{(=:：]|>>>|&lt;")


@lru_cache(maxsize=4096)
def _finder(name: str) -> re.Pattern[str]:
    inner = "".join(r"\\?[_.\-]" if char in "_-." else re.escape(char) for char in name)
    return re.compile(
        rf"(?<![\w.\\]){inner}(?!\w)|(?<=[a-z][./:]){inner}(?!\w)|(?:(?<=^\\)|(?<=[>@\[(*`]\\)){inner}(?!\w)",
        re.IGNORECASE | re.MULTILINE,
    )


@lru_cache(maxsize=4096)
def _glued(name: str, keys: tuple[str, ...]) -> re.Pattern[str] | None:
    """A name whose bracket is lost before its first parameter, or before the call's id: `get_weathercity='Rome')`."""
    begun = "|".join((*(rf"{re.escape(key)}\s?=" for key in keys), r"call-\d"))
    return re.compile(rf"(?<![\w.\\]){re.escape(name)}(?:{begun})") if len(name) > _LEAST_GLUED else None


def _shape(text: str, start: int, end: int) -> int:
    """Return where the shape of a call around a name begins; -1 if there is none."""
    head = text[max(start - 80, 0) : start]
    begin = start - len(head)
    before = _BEFORE.search(head)
    if (
        before is not None
        and not before.group().isspace()
        and not (before.group()[0] == ">" and text[end : end + 1] == "(")
    ):
        return begin + before.start()
    if head.endswith(('"_name": "', '"_name":"')):
        return begin + head.rindex('"_name')
    escaped = _ESCAPED_KEY.search(head) if head.endswith(";") else None
    if escaped is not None:
        return begin + escaped.start()
    key = _KEY.search(head)
    if key is not None:
        around = text[max(start - _FAR, 0) : end + _FAR]
        called = _ARGUMENTS.search(around) or _THEN_LIKE_ARGUMENTS.match(text, end)
        if called and not _DEFINITION.search(text, end, end + _FAR):
            return begin + key.start()
    if _BARE_ARGUMENTS.match(text, end) and (key := _BARE_KEY.search(head)) is not None:
        return begin + key.start()
    if _THEN_ARGUMENTS.match(text, end) and (head.endswith(('"', "'")) or not head.strip()):
        return start - head.endswith(('"', "'"))
    if _ENDS_THERE.match(text, end) and _KEY.search(head) and "{" in head[-64:]:
        return begin + head.rindex("{")
    if _CALLED.match(text, end):
        return start - (text[start - 1 : start] in ("'", '"', "`") and text[end : end + 1] == text[start - 1])
    if _ALONE.match(text, end) and _ALONE_BEFORE.search(head):
        return start
    if _ARGUMENTS_BELOW.match(text, end) and _OWN_LINE.search(head):
        return start
    label = _LABEL.search(head)
    word = label.group().lower() if label is not None else ""
    if label is not None and (
        _LABEL_NEXT.match(text, end)
        or ("action" in word and _PARAMS_NEXT.match(text, end))
        or ("call" in word and _OBJECT_NEXT.match(text, end))
    ):
        return begin + label.start()
    if head.endswith("<") and text[end : end + 1] in (">", " ", "/") and (
        text.find(f"</{text[start:end]}>", end, end + _LONGEST) >= 0 or _ALONE_TAG.match(text, end)
    ):  # fmt: skip
        return start - 1
    if (
        head.endswith("&lt;")
        and text.startswith("&gt;", end)
        and text.find(f"&lt;/{text[start:end]}&gt;", end, end + _LONGEST) >= 0
    ):
        return start - len("&lt;")
    if head.endswith("<name>") and text.startswith("</name>", end):
        return start - len("<name>")
    return -1


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

    def __init__(self, text: str) -> None:
        self._text = text
        edges = [found.start() for found in _FENCE.finditer(text)]
        if len(edges) % 2:
            edges.append(len(text))
        self._fences = list(zip(edges[::2], edges[1::2], strict=True))

    def about(self, sign: _Sign) -> str:
        """Say why a sign is only a mention; an empty string if it is meant."""
        text, at = self._text, sign.start
        for start, stop in self._fences:
            if start <= at < stop:
                return "" if not text[:start].strip() else "it stands in a code block"
        line = text[max(text.rfind("\n", 0, at) + 1, at - 2000) : at]
        if _in_code(line):
            return "it stands in inline code"
        if line[-1:] in ('"', "'", "“", "‘", "«", "`"):
            return "it stands in quotes"
        if (line + text[at : at + 3]).lstrip().startswith(">") and not text.startswith(">>>", at):
            return "it stands in a quotation"
        if line.lstrip().startswith("| "):
            return "it stands in a table"
        if _WORDS_BEFORE.search(line) and _WORDS_AFTER.match(text, at):
            return "it stands in a sentence"
        before = text[max(0, at - DENIAL) : at]
        return shown(before[-FAR:]) if sign.code == UNREAD else supposed(before, text[sign.end : sign.end + 80])


def _in_code(line: str) -> bool:
    """True if inline code is open at the end of a line's beginning: a run of backticks is closed by one of its length."""
    opened = ""
    for run in _TICKS.findall(line):
        opened = "" if run == opened else opened or run
    return bool(opened)


_TICKS = re.compile("`+")
_WORDS_BEFORE = re.compile(r"[^\W\d_],?[ \t]{1,2}\Z")
_WORDS_AFTER = re.compile(
    r"(?:<[^<>\n]{1,80}>|\[/?[A-Z_]{3,24}\])(?:[ \t,.;][ \t]?(?:[a-z]{1,20}(?:[ \t,.]|:(?:\s|\Z)|\Z)|\Z)|[:!?)][ \t]{0,4}(?:\n|\Z))"
)
"""A marker in a sentence: words on both sides of it."""


def without_net(problems: Iterable[ParseProblem]) -> tuple[ParseProblem, ...]:
    """Return the problems that a grammar told itself."""
    return tuple(problem for problem in problems if problem.code not in NET_CODES)
