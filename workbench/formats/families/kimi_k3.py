"""Kimi K3's open, close and sep tokens.

    <|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>
      <|open|>argument key="city" type="string"<|sep|>Rome<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>

All arguments may also stand in one object: `<|open|>json type="object"<|sep|>{"city": "Rome"}<|close|>json<|sep|>`. Channels `think` and `response` are written the same way; attributes escape `&amp;` and `&quot;`. A `type` other than
string means JSON. Source: the chat template of Kimi-K3.
"""

from __future__ import annotations

import json
import re
from html import escape, unescape
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParsedCall, Span
from workbench.formats.kit.bent_close import without_close, without_doubled
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, Item, report, settle
from workbench.formats.kit.grammar import REASONING, Attempt, Grammar
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.markers import BARRIER, Body, Marker, MarkerShape
from workbench.formats.kit.named_json import stretch
from workbench.formats.kit.prefix_patterns import alt, cls, lit, seq
from workbench.formats.kit.spec import FormatSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.toolset import Tool
    from workbench.formats.kit.window import Step

_OPEN, _CLOSE, _SEP = "<|open|>", "<|close|>", "<|sep|>"
_BENT_OPEN = re.compile(r"(?:[<|\s]{0,3}o\s?p?\w{0,4}[|/\d>]{0,4}(?:<\|open\|>)?\s?)?(?=argument key=)")
_BENT_HEADER = re.compile(
    r'(argument key="[^"<>]*"(?: type="\w+")?+)(?:(?:[<|\s]{1,3}(?:sep|spe|sp|se|s)|s?ep\|)(?:[|/\d]{0,3}>|[|/]{0,2})|(?=[^<|]))'
)
"""An argument's header with what is left of the token that ends it, or its value where nothing is."""
_CLOSED = (_CLOSE + "argument" + _SEP, _CLOSE + _SEP)
_BARE_HEADER = re.compile(r'(?:<\|sep\|>)?(argument key="[^"<>]{1,64}"(?: type="\w{1,16}")?<\|sep\|>)')
"""The next argument's header where its token is lost: a value cannot hold one, since it would end there with the token, too."""
_CHANNELS = re.compile(r"(?:message|response|tools|think|call|argument|json)+")
"""One word, or several where the tokens between them are lost."""
_LOST = 4000
"""A damaged argument is looked for so far."""
_CUT = re.compile(r"(?:\w[\w \"=.\-]{0,80})?(?:<[|sep>]{0,6})?")
_GLUED = "toolscall "
"""What stands behind the token where those between the section's tag and the call's are lost."""
_TOOL = re.compile(r"\s*(?:tools)?call\b[^<>]*?\btool\s*=\s*\"([^\"]*)\"")
_INDEX = re.compile(r"\bindex\s*=\s*\"([^\"]*)\"")
_KEY = re.compile(r"\s*argument\b[^<>]*?\bkey\s*=\s*\"([^\"]*)\"")
_WORD = re.compile(r"(?<=[\"=])([^\s\"=]+)")
"""What may be the key where its word or a quote of it is lost."""
_TYPE = re.compile(r"\btype\s*=\s*\"([^\"]*)\"")


class KimiK3(Grammar):
    """The grammar."""

    format = "kimi_k3"
    name_shapes = (rf'call tool="{CALL_NAME}"',)
    reasoning: Mapping[str, str] = {**REASONING, "<|open|>think<|sep|>": "<|close|>think<|sep|>"}
    turn_tokens = (
        *Grammar.turn_tokens,
        "<|open|>response<|sep|>",
        "<|close|>response<|sep|>",
        "<|close|>message<|sep|>",
    )
    preludes = ("<|open|>",)

    def literals(self) -> Mapping[str, str]:
        """Return the tokens that begin a section or a call."""
        return {
            "<|open|>tools<|sep|>": "orphan", "<|close|>tools<|sep|>": "orphan", "<|open|>call ": "call",
            _OPEN + _GLUED: "call",
            "<|close|>call<|sep|>": "orphan", "<|close|>argument<|sep|>": "orphan", _OPEN: "half", _CLOSE: "half",
        }  # fmt: skip

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind == "half":
            return (yield from self._half(scan, at))
        head = yield from self._header(scan, start + len(_OPEN))
        if head is None:
            return Attempt(
                len(scan.text), (report("truncated", scan.span(start, len(scan.text)), "The call is cut off."),)
            )
        attributes, at = head
        tool = _TOOL.match(attributes)
        if tool is None:
            return None
        name, repairs = unescape(tool.group(1)), ["near_miss_tag"] if attributes.startswith(_GLUED) else []
        if (lost := attributes.find(_OPEN)) >= 0:  # the token that ends the header
            attributes, at = attributes[:lost], start + len(_OPEN) + lost
            repairs.append("near_miss_tag")
        index = _INDEX.search(attributes)
        name_at = start + len(_OPEN) + tool.start(1)
        return (yield from self._arguments(scan, start, at, name, name_at, index.group(1) if index else "", repairs))

    def _half(self, scan: Scanner, at: int) -> Step[Attempt | None]:
        """A token of a channel that says nothing here, or one that the reply's end cuts off."""
        found = yield from scan.within(at, 80, _SEP)
        if found is None:
            cut = scan.closed and _CUT.fullmatch(scan.tail(at)) is not None and not scan.prose.mentioned()
            return Attempt(len(scan.text)) if cut else None
        if scan.text.startswith("argument key=", at):
            end = yield from self._lost_argument(scan, at - len(_OPEN))
            if end >= 0:
                start = at - len(_OPEN)
                message = "Arguments stand outside of a call, whose own tag is damaged."
                return Attempt(end, (report("bad_name", scan.span(start, end), message),))
        return Attempt(found[1]) if _CHANNELS.fullmatch(scan.text[at : found[0]].split(" ")[0]) else None

    @staticmethod
    def _header(scan: Scanner, at: int) -> Step[tuple[str, int] | None]:
        """Return a token's inside and where it ends; None where the reply ends inside it."""
        found = yield from scan.find(at, _SEP)
        if found is None:
            return None
        inside = scan.text[at : found[0]]
        bent = _BENT_HEADER.match(inside) if _CLOSE in inside or _OPEN in inside else None
        if bent is not None:
            return bent.group(1), at + bent.end()
        again = yield from scan.literal(found[1], _SEP)
        return inside, max(again, found[1])

    @staticmethod
    def _head_at(scan: Scanner, at: int) -> Step[int]:
        """Return where an argument's header begins behind its token, or behind what is left of that; -1 if none stands at `at`."""
        if (yield from scan.literal(at, _OPEN + "argument")) >= 0:
            return at + len(_OPEN)
        yield from scan.at_least(at + 32)
        bent = _BENT_OPEN.match(scan.text, at)
        return bent.end() if bent is not None else -1

    @staticmethod
    def _value_end(scan: Scanner, at: int) -> Step[tuple[int, int] | None]:
        """Find the argument's own close, the next argument, or, where neither comes, any other token."""
        place, soft, own = at, None, None
        while True:
            found = yield from scan.find(place, _CLOSE, _OPEN + "argument key=", *((_OPEN + "call ",) if own else ()))
            if found is None or scan.text[found[0] : found[1]] != _CLOSE:
                return own or found or soft
            place, close = found[1], (yield from scan.literal(found[0], _CLOSE + "argument" + _SEP))
            if close >= 0:
                after = yield from scan.space(close)
                fits = after >= len(scan.text) or (yield from scan.literal(after, _OPEN, _CLOSE)) >= 0
                if fits or (yield from KimiK3._head_at(scan, after)) >= 0:
                    return found
                own = own or found
            soft = soft or found

    def _arguments(
        self, scan: Scanner, start: int, at: int, name: str, name_at: int, ident: str, repairs: list[str]
    ) -> Step[Attempt | None]:
        values: dict[str, Any] = {}
        first = last = -1
        while True:
            at = yield from scan.space(at)
            head_at = yield from self._head_at(scan, at)
            if head_at < 0:
                whole = yield from self._object(scan, at, values, repairs)
                if whole is None:
                    break
                first, last = at if first < 0 else first, whole[0]
                at = whole[0]
                if whole[1]:
                    problem = report(whole[1], scan.span(start, at), f"The call of {name!r} cannot be read.", name=name)
                    return Attempt(at, (problem,))
                continue
            first = at if first < 0 else first
            repairs += [] if head_at == at + len(_OPEN) else ["near_miss_tag"]
            head = yield from self._header(scan, head_at)
            found = None if head is None else (yield from self._value_end(scan, head[1]))
            if head is None or found is None:
                end = len(scan.text)
                return Attempt(
                    end, (report("truncated", scan.span(start, end), f"The call of {name!r} is cut off.", name=name),)
                )
            key = self._key(head[0], scan.tools.resolve(name).tool)
            if key is None:
                problem = report(
                    "bad_json", scan.span(start, found[1]), f"An argument of {name!r} bears no key.", name=name
                )
                return Attempt(found[1], (problem,))
            repairs += [] if key.re is _KEY else ["near_miss_tag"]
            kind = _TYPE.search(head[0])
            if (bare := _BARE_HEADER.search(scan.text, head[1], found[0])) is not None:
                found = bare.span()
            text = scan.text[head[1] : found[0]]
            closed = (yield from scan.literal(found[0], *_CLOSED)) >= 0
            text, bent = without_doubled(text, _CLOSED[0]) if closed else without_close(text, _CLOSED[0])
            for left in (_CLOSE, *(() if closed else ("argument" + _SEP, _SEP))):
                bent, text = bent or text.endswith(left), text.removesuffix(left)
            bent = bent or scan.text[head[1] - len(_SEP) : head[1]] != _SEP or scan.text.endswith(_SEP * 2, at, head[1])
            repairs += ["near_miss_tag"] if bent else []
            value = self._value(text, kind.group(1) if kind else "string", repairs)
            _keep(values, {unescape(key.group(1)): value}, repairs)
            last = at = found[0] if bare is None else bare.start(1)
            close = yield from scan.literal(at, *_CLOSED)
            if close < 0:
                repairs.append("missing_close_tag")
                if scan.closed and (_CLOSE + "argument" + _SEP).startswith(scan.tail(at)):
                    at = len(scan.text)
            else:
                last = at = close
                if (junk := (yield from scan.literal(at, ">", _SEP, *_CLOSED))) >= 0:
                    repairs.append("near_miss_tag")
                    last = at = junk
        return (yield from self._finish(scan, start, at, name, name_at, ident, values, repairs, (first, last)))

    @staticmethod
    def _key(head: str, tool: Tool | None) -> re.Match[str] | None:
        """Return the key that a header bears, or the one declared parameter that it names although the word or its quotes are bent."""
        key = _KEY.match(head)
        if key is not None and (tool is None or unescape(key.group(1)) in tool.properties):
            return key
        named = [match for match in _WORD.finditer(head) if tool is not None and match.group(1) in tool.properties]
        if len(named) == 1:
            return named[0]
        return key if key is not None and key.group(1) else None

    @staticmethod
    def _object(scan: Scanner, at: int, values: dict[str, Any], repairs: list[str]) -> Step[tuple[int, str] | None]:
        """Read the object that holds all arguments: where it ends, and a refusal code or nothing; None where none stands."""
        opened = yield from scan.literal(at, _OPEN + "json")
        found = None if opened < 0 else (yield from scan.find(opened, _SEP))
        if found is None:
            return None
        end = yield from scan.find(found[1], _CLOSE + "json" + _SEP, _CLOSE + "call" + _SEP, _OPEN + "call ")
        stop = end[0] if end else len(scan.text)
        read = read_json(scan.text, found[1], stop)
        if read.error or not isinstance(read.value, dict) or scan.text[read.end : stop].strip():
            return stop, "truncated" if end is None else (read.error or "args_not_object")
        _keep(values, read.value, repairs)
        repairs.extend(read.repairs)
        closed = end is not None and scan.text.startswith(_CLOSE + "json", end[0])
        if not closed:
            repairs.append("missing_close_tag")
        return (end[1] if end is not None and closed else stop), ""

    def _finish(
        self, scan: Scanner, start: int, at: int, name: str, name_at: int, ident: str, values: dict[str, Any],
        repairs: list[str], body: tuple[int, int],
    ) -> Step[Attempt | None]:  # fmt: skip
        end = at if at >= len(scan.text) or body[1] < 0 else body[1]
        close = yield from scan.literal(at, _CLOSE + "call" + _SEP)
        if close < 0 and (lost := (yield from self._lost_argument(scan, at))) >= 0:
            message = f"An argument of {name!r} cannot be read."
            return Attempt(lost, (report("bad_json", scan.span(start, lost), message, name=name),))
        if close < 0:
            if (at >= len(scan.text) and (scan.cut_short or body[0] < 0)) or self._goes_on(scan, at):
                at = len(scan.text)
                problem = report("truncated", scan.span(start, at), f"The call of {name!r} is cut off.", name=name)
                return Attempt(at, (problem,))
            repairs.append("missing_close_tag")
            half = scan.closed and (_CLOSE + "call" + _SEP).startswith(scan.tail(at))
            end = len(scan.text) if half else end
        else:
            end = close
        name_span = scan.span(name_at, name_at + len(name))
        place = scan.span(*body) if body[0] >= 0 else Span(name_span.end, name_span.end)
        draft = Draft(name, values, scan.span(start, end), name_span, place, ident, tuple(repairs), True, self.format)
        item: Item | None = settle(draft, scan.tools)
        assert item is not None  # the shape is canonical
        if isinstance(item, ParsedCall) and not values:
            tool = scan.tools.resolve(name).tool
            if tool is not None and tool.required:
                item = report("missing_argument", item.span, f"{name!r} was called without arguments.", name=name)
        return Attempt(end, (stretch(scan, item, end),))

    @staticmethod
    def _goes_on(scan: Scanner, at: int) -> bool:
        """True if the reply ends with the beginning of a token behind which more arguments may stand."""
        rest = scan.tail(at) if scan.closed else ""
        heads = (_OPEN + "argument key=", _OPEN + "json type=")
        return rest != "" and any(head.startswith(rest) for head in heads)

    @staticmethod
    def _lost_argument(scan: Scanner, at: int) -> Step[int]:
        """Return where the call ends in which an argument with a damaged token stands at `at`; -1 if none does."""
        found = yield from scan.within(at, _LOST, _CLOSE + "call" + _SEP, _OPEN + "call ", _CLOSE + "tools" + _SEP)
        ended = found is not None and scan.text.startswith(_CLOSE + "call", found[0])
        return found[1] if found is not None and ended and " key=" in scan.text[at : found[0]] else -1

    @staticmethod
    def _value(text: str, kind: str, repairs: list[str]) -> Any:
        if kind == "string":
            return text
        bare = text.strip()
        read = read_json(bare + " ", 0) if bare else None
        if read is None or read.error or read.end < len(bare):
            repairs.append("schema_coerced")
            return text
        repairs.extend(read.repairs)
        return read.value


def _keep(values: dict[str, Any], more: dict[str, Any], repairs: list[str]) -> None:
    """Add arguments; where one stands there already with another value the last one counts, as in JSON, and is noted."""
    for key, value in more.items():
        if key in values and (type(values[key]), values[key]) != (type(value), value):
            repairs.append("name_dup")
        values[key] = value


def _argument(key: str, value: Any) -> str:
    kinds = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    kind = kinds.get(type(value), "null")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f'{_OPEN}argument key="{escape(key)}" type="{kind}"{_SEP}{text}{_CLOSE}argument{_SEP}'


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls in one section."""
    body = "".join(
        f'{_OPEN}call tool="{escape(call.name)}" index="{number}"{_SEP}'
        + "".join(_argument(key, value) for key, value in call.arguments.items())
        + f"{_CLOSE}call{_SEP}"
        for number, call in enumerate(calls, 1)
    )
    return f"{_OPEN}tools{_SEP}{body}{_CLOSE}tools{_SEP}"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """A token with its channel and attributes, up to the separator."""
    inside = seq(cls(r"\w", 1, 20), cls(rf"[^<\n{BARRIER}]", 0, 200), lit(_SEP))
    return (MarkerShape("<|", seq(alt(lit(_OPEN), lit(_CLOSE)), inside), _means),)


def _means(text: str) -> Marker | None:
    opens = text.startswith(_OPEN)
    if not text.endswith(_SEP) or not (opens or text.startswith(_CLOSE)):
        return None
    word = re.split(r"\W", text.removeprefix(_OPEN if opens else _CLOSE))[0]
    if word in ("response", "text", "tools"):
        return Marker("mark")  # a channel: what stands in it has markers of its own
    bodies: dict[str, Body] = {"think": "think", "argument": "value"}
    return Marker("open", "k3" + word, bodies.get(word, "call")) if opens else Marker("close", "k3" + word)


FORMATS = (
    FormatSpec(
        id="kimi_k3", family="kimi_k3", models="Kimi K3", grammar=KimiK3(), write_call=lambda call: write_calls([call]),
        write_calls=write_calls,
        marker_shapes=marker_shapes, special_tokens=True,
    ),
)  # fmt: skip
