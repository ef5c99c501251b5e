"""Tags that bear the tool's own name, with a tag for each argument: what Cline, Roo Code and Kilo Code ask of any model.

    <write_to_file>
    <path>src/a.py</path>
    <content>
    print("hello")
    </content>
    </write_to_file>

Nothing but the name says that this is a call, so it must be that of a declared tool; where none is declared, it must be
two words with an underscore, as markup's own elements are not, and tags alone must stand in the tag. Source: the prompts of Cline and Roo Code, and the tests of their parsers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Span
from workbench.formats.kit.bent_close import without_close, without_doubled
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, RawText, report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.json_end import End
from workbench.formats.kit.key_lines import read_lines
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.markdown_escapes import escaped_name, plain_name
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolset import only_text, text_beside
from workbench.formats.kit.types import wanted_types
from workbench.formats.kit.unread import ending_alone
from workbench.formats.kit.value_end import bare_value, without_cdata

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.toolset import Tool
    from workbench.formats.kit.window import Step

_WORD, _WORD_HELD = escaped_name(r"[^\W\d]", r"\w.:\-")
_TAG = re.compile(rf"<(?P<word>(?P<key>{_WORD}))[ \t]{{0,4}}(?P<alone>/?)>")
_GENERAL = re.compile(
    rf"<(?P<word>param|parameter|arg|argument)(?:\s{{1,4}}name\s?=\s?[\"']?|=[\"']?)(?P<key>{_WORD})[\"']?\s{{0,4}}(?P<alone>)>",
    re.IGNORECASE,
)
"""The tag of an argument of whatever name, as other families write it."""
_LONGEST, _LONGEST_TAG = 80, 1000
"""No tag is longer; one with attributes may be."""
_OTHERS = re.compile(r"tool|func|invoke|call|think|reason|param|arg|response|result|answer", re.IGNORECASE)
"""Words of tags that are other families' markers: a tool is called so only where it is declared."""
_WASTE = 1 << 20
_AROUND = re.compile(rf"\s*+<(?P<word>{_WORD})>(?P<inner>(?:(?!</(?P=word)>).)*+)</(?P=word)>\s*+", re.DOTALL)
_CLOSED = re.compile(rf"</{_WORD}>\s*+\Z")
_CLOSING = re.compile(rf"</{_WORD}>")
_NAME_OF = re.compile(r"[</>\s]+")
_ATTRIBUTE = re.compile(r"""\s*+([\w\-]{1,64})\s*+=\s*+(?:"([^"<>]*+)"|'([^'<>]*+)')""")


class ToolTags(Grammar):
    """The grammar."""

    format = "tool_tags"
    spots = "<"
    reach = 72
    markerless = True
    name_shapes = (rf"<{CALL_NAME}>(?=\s{{0,9}}<[a-z])",)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Any tag without attributes may be a tool's."""
        return (
            ("tag", rf"<{_WORD}[ \t]{{0,4}}/?>", rf"<(?:{_WORD_HELD}[ \t]{{0,4}}/?)?"),
            ("attributed", rf"<{_WORD}[ \t]{{1,4}}(?=[A-Za-z_])", ""),
            ("close", rf"</{_WORD}[ \t]{{0,4}}>", rf"</(?:{_WORD_HELD}[ \t]{{0,4}})?"),
        )

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read the call whose tag stands there."""
        start, at = match.span()
        if kind == "close":
            name = match.group()[2:].rstrip("> \t")
            lone = name in scan.tools.by_name and not scan.deferred
            return Attempt(at, (ending_alone(scan.span(start, at), name),)) if lone else None
        name, closed = match.group()[1:].rstrip("/> \t"), match.group().endswith("/>")
        match = None  # type: ignore[assignment]
        tool = scan.tools.resolve(name).tool
        if tool is None and (scan.tools.declared or "_" not in name or _OTHERS.search(name)):
            return None
        if scan.wasted > _WASTE + 4 * (scan.base + start):
            return None
        call = _Call(scan, name, tool, start)
        if kind == "attributed":
            return (yield from call.attributed(at)) if tool is not None else None
        if closed:
            return call.made(at, ()) if tool is not None else None
        return (yield from call.body(at))


class _Call:
    """One call while it is read."""

    def __init__(self, scan: Scanner, name: str, tool: Tool | None, start: int) -> None:
        self.scan, self.name, self.tool, self.start = scan, name, tool, start
        self.closes = tuple(f"</{word}>".lower() for word in dict.fromkeys((name, plain_name(name))))
        self.values: dict[str, str] = {}
        self.typed: Any = None
        self.repeated: dict[str, int] = {}
        self.first = self.last = -1
        self.given = 0
        """So many arguments stand in the call's own tag."""
        self.repairs: list[str] = []

    def attributed(self, at: int) -> Step[Attempt | None]:
        """Read arguments that stand in the call's tag, and what follows it."""
        scan = self.scan
        found = yield from scan.within(at, _LONGEST_TAG, ">")
        if found is None:
            return None
        stop = found[0] - (scan.text[found[0] - 1] == "/")
        begin, given = at, {}
        while (one := _ATTRIBUTE.match(scan.text, at, stop)) is not None:
            given[one.group(1)] = one.group(2) if one.group(2) is not None else one.group(3)
            at = one.end()
        one = None
        if not given or scan.text[at:stop].strip():
            return None
        self.values, self.first, self.last, self.given = given, begin, at, len(given)
        self.repairs.append("near_miss_tag")
        return self.made(found[1], ()) if stop < found[0] else (yield from self.body(found[1]))

    def body(self, at: int) -> Step[Attempt | None]:
        """Read what stands between the call's tags."""
        scan = self.scan
        begin = at
        while True:
            before, at = at, (yield from scan.layout(at))
            self.repairs += scan.odd_layout(before, at)
            if at >= len(scan.text):
                return self._ended(at)
            end = yield from scan.literal(at, *self.closes)
            if end >= 0:
                if self.tool is None and not self.values:
                    return None  # an empty tag
                return self.made(end, ())
            if scan.text[at] == "{" and self.tool is not None and self.first < 0:
                if not (yield from self._object(at)):
                    return (yield from self._unreadable(begin, at))
                at = self.last
                continue
            done = (yield from self._argument(at)) if scan.text[at] == "<" else -1
            if done < 0:
                return (yield from self._other(begin, at))
            at = done

    def _argument(self, at: int) -> Step[int]:
        """Read an argument's tag and its value; return where to go on, -1 where none stands there."""
        scan = self.scan
        found = yield from scan.within(at, _LONGEST, ">")
        tag = _argument_tag(scan.text, at) if found is not None else None
        if tag is None:
            return -1
        word, key, inside, alone = tag["word"], self._key(tag), tag.end(), bool(tag["alone"])
        spaced = key != tag["key"]
        general, tag = tag["key"] != word, None
        if self.tool is not None and key not in self.tool.properties and self._is_body():
            return -1
        end = (inside, inside) if alone else (yield from self._value_end(word, inside))
        if end is None or (key in self.values and not self._repeats(key)):
            return -1
        self.first = at if self.first < 0 else self.first
        text = self._cleaned(word, inside, *end)
        self.repairs += ["wrong_family"] if general else ["name_prefix"] if spaced else []
        key = self._closed_as(key, inside, end[0]) if word == key else key
        whole = text.strip()
        plain = without_cdata(whole)
        text = plain if plain != whole else bare_value(text, lines=True)
        self.values[key] = text if key not in self.values else self._with_one_more(key, text)
        self.last = end[1]
        return end[1]

    def _key(self, tag: re.Match[str]) -> str:
        """Return the argument that a tag names: without a namespace, the tool's own or another, where it is declared so."""
        key: str = tag["key"]
        bare = key.rpartition(":")[2]
        known = self.tool.properties if self.tool is not None else {}
        return bare if bare in known and key not in known else key

    def _is_body(self) -> bool:
        """True where all arguments stand in the call's own tag, and one text is left for what it holds."""
        return (
            self.tool is not None
            and 0 < self.given == len(self.values)
            and bool(text_beside(self.tool, self.values, ""))
        )

    def _repeats(self, key: str) -> bool:
        """True of an argument that is a list: its tag may stand once for each item."""
        return self.tool is not None and wanted_types(self.tool.schema_of(key)) == ("array",)

    def _nests(self, key: str) -> bool:
        """True of an argument in whose value tags may stand that say what it is made of."""
        return self.tool is None or not {"array", "object"}.isdisjoint(wanted_types(self.tool.schema_of(key)))

    def _with_one_more(self, key: str, text: str) -> str:
        """Return the items of a list that were read so far and one more, each in its tag."""
        known = self.values[key]
        self.repeated[key] = self.repeated.get(key, 1) + 1
        return (known if self.repeated[key] > 2 else f"<{key}>{known}</{key}>") + f"<{key}>{text}</{key}>"

    def _closed_as(self, key: str, begin: int, end: int) -> str:
        """Return the declared argument that the closing tag names, where the opening one is bent."""
        if self.tool is None or key in self.tool.properties:
            return key
        closing = _CLOSING.match(self.scan.text, end) or _CLOSED.search(self.scan.text, begin, end)
        other = _NAME_OF.sub("", closing.group()) if closing is not None else key
        if other == key or other not in self.tool.properties or other in self.values:
            return key
        self.repairs.append("near_miss_tag")
        return other

    def _cleaned(self, key: str, begin: int, end: int, stop: int) -> str:
        """Return a value without what is left of a damaged closing tag behind it, or of a tag that is written twice."""
        text, close = self.scan.text[begin:end], f"</{key}>"
        again = text.lstrip()[: len(key) + 2].lower() == f"<{key}>".lower()
        low = text.lower()
        if again and low.count(f"<{key}>".lower()) > low.count(close.lower()) and not self._nests(key):
            text = text.lstrip()[len(key) + 2 :]
            self.repairs.append("near_miss_tag")
        if self.scan.text[end:stop].lower() != close.lower():
            return without_close(text, close)[0]
        text, doubled = without_doubled(text, close, f"<{key}>")
        self.repairs += ["near_miss_tag"] if doubled else []
        return text

    def _value_end(self, key: str, at: int) -> Step[tuple[int, int] | None]:
        """Find the closing tag behind which the call goes on: with another argument, or with its end.

        The call's own tags inside of the value are data, where they are in pairs.
        """
        scan, close = self.scan, f"</{key}>".lower()
        begin, last, depth, inner, ended = at, None, 0, None, -1
        opened = f"<{self.name}>".lower()
        while (found := (yield from scan.find(at, close, opened, *self.closes))) is not None:
            token, at = scan.text[found[0] : found[1]].lower(), found[1]
            if token == opened:
                depth += 1
            elif token == close:
                blank = scan.layout if "double_encoded" in self.repairs else scan.space
                fits = yield from self._goes_on((yield from blank(at)))
                if fits and not depth:
                    return found
                inner, last = (found if fits and inner is None else inner), found
            elif depth:
                depth -= 1
                ended = found[0] if ended < 0 else ended
            else:
                if last is None:
                    return self._unclosed(begin, found[0])
                break
        if found is None:
            scan.wasted += len(scan.text) - begin
        if inner is not None or (last is None and ended >= 0):
            self.repairs.append("open_value")
            return inner or (ended, ended)
        return last

    def _unclosed(self, begin: int, end: int) -> tuple[int, int]:
        """The value's closing tag is lost: it ends at the next argument's own line, at a bent closing tag, or with the call."""
        text = self.scan.text
        keys = self.tool.properties if self.tool is not None else {}
        self.repairs += ("missing_close_tag", "open_value")
        for tag in _TAG.finditer(text, begin, end):
            if tag["key"] in keys and tag["key"] not in self.values and text[begin : tag.start()].endswith("\n"):
                return tag.start(), tag.start()
        bent = _CLOSED.search(text, begin, end)
        return (bent.start() if bent is not None else end), end

    def _goes_on(self, at: int) -> Step[bool]:
        """True where the call's end stands, or an argument that has no value yet."""
        scan = self.scan
        if at >= len(scan.text) or (yield from scan.literal(at, *self.closes)) >= 0:
            return True
        found = yield from scan.within(at, _LONGEST, ">")
        tag = _argument_tag(scan.text, at) if found is not None else None
        if tag is None:
            rest = scan.tail(at).lower()
            return scan.closed and len(rest) < _LONGEST and any(close.startswith(rest) for close in self.closes)
        key = self._key(tag)
        fresh = key not in self.values or self._repeats(key)
        return fresh and (self.tool is None or key in self.tool.properties)

    def _object(self, at: int) -> Step[bool]:
        """The arguments stand there as JSON."""
        scan = self.scan
        state, stop = yield from scan.json_end(at)
        read = read_json(scan.text, at, stop)
        if state is not End.DONE or read.error or not isinstance(read.value, dict):
            return False
        self.typed, self.first, self.last = read.value, at, stop
        self.repairs += ["wrong_family", *read.repairs]
        return True

    def _other(self, begin: int, at: int) -> Step[Attempt | None]:
        """Something else stands there: the one text that a tool takes, or no call."""
        scan = self.scan
        if self.tool is None:
            return None
        found = yield from scan.find(at, *self.closes)
        if found is None:
            scan.wasted += len(scan.text) - begin
            if self.first >= 0 or _TAG.match(scan.text, at) is not None:
                return self._cut(len(scan.text))
            lone = scan.prose.fresh_line and "\n" in scan.text[begin:at]
            return self._broken(begin - 1, begin) if lone else None
        lines = read_lines(scan.text[begin : found[0]], self.tool.properties) if self.first < 0 else None
        if lines is not None and not self.tool.missing(lines):
            self.values, self.first, self.last = lines, begin, found[0]
            return self.made(found[1], ("near_miss_tag",))
        text = scan.text[begin : found[0]]
        target = text_beside(self.tool, self.values, text) if self._is_body() else only_text(self.tool, text)
        if not target or (self.first >= 0 and not self._is_body()):
            return self._broken(begin, found[1])
        self.values[target] = bare_value(text, lines=True)
        self.first, self.last = begin if self.first < 0 else self.first, found[0]
        return self.made(found[1], ("text_as_argument",))

    def _unreadable(self, begin: int, at: int) -> Step[Attempt | None]:
        """What looks like an object and is none belongs to the call up to its closing tag, or to the reply's end."""
        found = yield from self.scan.find(at, *self.closes)
        self.scan.wasted += 0 if found is not None else len(self.scan.text) - begin
        return self._broken(begin, found[1] if found is not None else -1)

    def _broken(self, begin: int, end: int = -1) -> Attempt | None:
        end = end if end >= 0 else len(self.scan.text)
        message = f"The call of {self.name!r} holds something else than arguments."
        span = self.scan.span(self.start, end)
        return Attempt(end, (report("bad_json", span, message, name=self.name),)) if end > begin else None

    def _ended(self, at: int) -> Attempt | None:
        """The reply ends before the call does: only its closing tag may be added."""
        if self.tool is None or (self.first < 0 and self.tool.required):
            return None if self.tool is None else self._cut(at)
        if self.scan.cut_short or self.tool.missing({**self.values, **(self.typed or {})}) or self.first < 0:
            return self._cut(at)
        return self.made(at, ("missing_close_tag",))

    def _cut(self, at: int) -> Attempt:
        span = self.scan.span(self.start, at)
        return Attempt(at, (report("truncated", span, f"The call of {self.name!r} is cut off.", name=self.name),))

    def _unwrapped(self) -> dict[str, str]:
        """Take the arguments out of tags around all of them: `<args><file><path>…`, as Roo Code's own `read_file` has them."""
        inner = self.values.get("args") if len(self.values) == 1 else None
        if inner is None or self.tool is None or "args" in self.tool.properties:
            return self.values
        while (around := _AROUND.fullmatch(inner)) is not None and around["word"] not in self.tool.properties:
            inner = around["inner"]
        found = {tag["word"]: bare_value(tag["inner"], lines=True) for tag in _AROUND.finditer(inner)}
        if not found or not found.keys() <= self.tool.properties.keys() or _AROUND.sub("", inner).strip():
            return self.values
        self.repairs.append("wrapper_arg")
        return found

    def made(self, end: int, more: tuple[str, ...]) -> Attempt | None:
        """Settle what was read."""
        scan, name_at = self.scan, self.start + 1
        named = scan.span(name_at, name_at + len(self.name))
        body = scan.span(self.first, self.last) if self.last > self.first >= 0 else Span(named.end, named.end)
        values: Any = self.typed if self.typed is not None else RawText(self._unwrapped())
        draft = Draft(
            self.name, values, scan.span(self.start, end), named, body, repairs=(*self.repairs, *more),
            format=ToolTags.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return None if item is None else Attempt(end, (item,))


def _argument_tag(text: str, at: int) -> re.Match[str] | None:
    """The tag of an argument that begins at an index, of its own name or of a general one."""
    return _TAG.match(text, at) or _GENERAL.match(text, at)


def _tagged(key: str, value: object) -> str:
    text = value if isinstance(value, str) else compact(value)
    return f"<{key}>\n{text}\n</{key}>" if "\n" in text else f"<{key}>{text}</{key}>"


def write_call(call: ParsedCall) -> str:
    """Write one call."""
    arguments: Mapping[str, Any] = call.arguments
    return "\n".join((f"<{call.name}>", *(_tagged(*one) for one in arguments.items()), f"</{call.name}>"))


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Result of `{call.name}`:\n{result_json(result)}"


FORMATS = (
    FormatSpec(
        id="tool_tags", family="tool_tags", models="any model under Cline, Roo Code, Kilo Code", grammar=ToolTags(),
        write_call=write_call, write_result=write_result,
    ),
)  # fmt: skip
