"""Gemma 4 and FunctionGemma: a call in their own brace syntax between tokens.

    <|tool_call>call:get_weather{city:<|"|>Rome<|"|>,days:3}<tool_call|>                          gemma4
    <start_function_call>call:get_weather{city:<escape>Rome<escape>}<end_function_call>           functiongemma

Gemma 4 thinks in `<|channel>thought⏎…<channel|>`. Source: the models' chat templates.
"""

from __future__ import annotations

import re
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParsedCall, ParseProblem, Span
from workbench.formats.kit.braced import read_braced, write_braced
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import MISSING, Draft, Item, RawText, report, settle
from workbench.formats.kit.grammar import REASONING, Attempt, Grammar, Idle
from workbench.formats.kit.invoke_tags import Objects
from workbench.formats.kit.loose_json import JsonRead, read_json
from workbench.formats.kit.markers import Marker, MarkerShape, role_word
from workbench.formats.kit.named_json import stretch
from workbench.formats.kit.prefix_patterns import ahead, alt, cls, lit, opt, seq, words
from workbench.formats.kit.python_calls import bound, walk_call
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.tag_json import NO_WORD_AND_TAG
from workbench.formats.kit.types import item_schema, member_schema

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.braced import Known
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_json import TagJson
    from workbench.formats.kit.toolset import Tool
    from workbench.formats.kit.window import Step

_STRING_REACH = 200
"""So far from an opening brace the arguments' first string begins that tells of a call."""
_REACH = 1000
"""No head with its name is longer."""
_HEAD = re.compile(
    r"((?::\s*+)?)(call\s*+:\s*+)?"
    r"(?:default_api[:.]|(?:[^\W\d][\w.\-]{0,40}:(?=[\w.\\\-]{1,128}:)){1,3})?([^\W\d][\w.\\\-]{0,127})(?::([^\W\d][\w.\\\-]{0,127}))?\s*+(\(?)\s*+(?=\{)"
)
_HEAD_PART = re.compile(
    r"(?::\s*+)?(?:c(?:a(?:l(?:l(?:\s*+(?::\s*+)?(?:[^\W\d][\w.:\\\-]{0,260})?\s*+\(?\s*+)?)?)?)?|[^\W\d][\w.:\\\-]{0,260}\s*+\(?\s*+)?"
)
_NO_BRACE = re.compile(r"\s*+:?\s*+call\s*+:\s*+([^\W\d][\w.\\\-]{0,127})\s*+(?:\((?!\s*+\{)|(?=<))")

_NO_NAMELESS = rf"{NO_WORD_AND_TAG}(?!\s*+[{{\[])"
"""What may follow an opener that is only near: all but a word before a tag, and a bracket without a name before it."""
_BLOCKS = re.compile(r"\s*+:?\s*+call\s*+:\s*+([^\W\d][\w.\\\-]{0,127})\s*+:?\s*+BEGIN_ARG:")
_BLOCKS_REACH = 200
"""No more stands before such an argument."""
_NOISE = re.compile(r"(?:\s*<\|channel>(?:thought\s*)?<channel\|>)*")
"""Empty channels, which a model that loses its way writes between everything."""
_FIRST_KEY = re.compile(r"\s*[\w.\-]+\s*:")
_EQUALS = re.compile(r"(,\s*[\w$.\-]+\s*)=")
_FIRST_EQUALS = re.compile(r"\A(\s*[\w$.\-]+\s*)=")
"""Keys of arguments as a program writes them."""


def _open_string(scan: Scanner, at: int, depth: int, delimiter: str) -> bool:
    """True if the reply ends inside a string, and not with a text and just the brackets that close all that is open."""
    begin = scan.text.rfind(delimiter, at)
    if begin < 0 or not scan.text[at:begin].rstrip().endswith((":", "[")):
        return False
    rest = scan.text[begin + len(delimiter) :].strip()
    closed = rest.count("}") + rest.count("]") - rest.count("{") - rest.count("[")
    return scan.cut_short or closed < depth or not rest.strip("}] \n")


class Gemma4(Grammar):
    """The grammar of Gemma 4."""

    format = "gemma4"
    name_shapes = (rf"call:{CALL_NAME}(?=[{{(])|call:\w{{1,32}}:{CALL_NAME}(?=[{{(])",)
    reach = 208
    spots = "{"
    steady: Mapping[str, bool] = {"call": True, "near": True}
    delimiter = '<|"|>'
    opens: tuple[str, ...] = ("<|tool_call>",)
    closes: tuple[str, ...] = ("<tool_call|>",)
    near: tuple[str, ...] = ("<|tool_call|>", "<tool_call>", "<call>")
    near_closes: tuple[str, ...] = ("<|/tool_call|>", "</tool_call>", "<|tool_call_end|>")
    reasoning: Mapping[str, str] = {**REASONING, "<|channel>": "<channel|>"}
    reasoning_labels = ("thought\n", "thought\r\n", "<|channel>thought\n")
    reasoning_heads: Mapping[str, str] = {"thought\n": "<channel|>"}
    turn_tokens = (*Grammar.turn_tokens, "<turn|>")
    result_markers = (*Grammar.result_markers, "<|tool_response>", "<start_function_response>")

    @property
    def closers(self) -> tuple[str, ...]:
        """All that closes a call."""
        return (*self.closes, *self.near_closes)

    @cached_property
    def _parts(self) -> re.Pattern[str]:
        """What is looked for in arguments."""
        return re.compile("|".join(map(re.escape, (self.delimiter, *self.closers))) + r"|[{}\[\]]")

    def literals(self) -> Mapping[str, str]:
        """Return the tokens."""
        return {
            **dict.fromkeys((*self.closes, *self.near_closes), "orphan"),
            **dict.fromkeys(self.near, "near"),
            **dict.fromkeys(self.opens, "call"),
        }

    def inside(self) -> tuple[str, ...]:
        """Return what strings are quoted with."""
        return (self.delimiter,)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The tokens may be lost: a bare `call:NAME{`, or `NAME{` with a key in the syntax at a line's beginning."""
        return (
            ("bare", r"(?<![\w:])call:(?:[A-Za-z_][\w.\-]{0,63}:)?[A-Za-z_][\w.\\\-]{0,127}\s{0,2}\{",
             r"(?<![\w:])c(?:a(?:l(?:l(?::(?:[A-Za-z_][\w.\-]{0,63}:)?(?:[A-Za-z_][\w.\\\-]{0,127}\s{0,2})?)?)?)?)?"),
            ("word", r"(?:^|(?<=>))[A-Za-z_][\w.\\\-]{0,63}\{(?=[A-Za-z_][\w\-]{0,63}:)",
             r"(?:^|(?<=>))[A-Za-z_][\w.\\\-]{0,63}(?:\{(?:[A-Za-z_][\w\-]{0,63})?)?"),
        )  # fmt: skip

    def idle(self, marker: str, kind: str) -> Idle | None:  # noqa: ARG002
        """A closing token tells of a call behind a name or a brace; a near opener needs more than a word before a tag."""
        if kind == "orphan":
            return Idle(kept=False, before=r"[^\s>]\s*+")
        return Idle(kept=True, behind=_NO_NAMELESS) if kind == "near" else None

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read the calls behind one opener: mostly one."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        items: tuple[Item, ...] = ()
        attempt = yield from self._one(scan, start, at, "bare" if kind == "word" else kind)
        while attempt is not None and kind == "call":
            items += attempt.items
            last = items[-1] if items else None
            if not isinstance(last, ParsedCall) or "missing_close_tag" not in last.repairs:
                break
            start = yield from scan.space(attempt.end)
            following = None
            if (yield from scan.literal(start, "call:")) >= 0:
                following = yield from self._one(scan, start, start, kind)
            if following is None or not following.items:
                break
            items, attempt = (*items[:-1], _in_one_block(last)), following
        return attempt and attempt._replace(items=items or attempt.items)

    def _one(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """Read one call."""
        at = start if kind == "bare" else (yield from scan.space(at))
        while (head := _HEAD.match(scan.text, at, at + _REACH)) is None:
            begun = len(scan.text) - at < _REACH and _HEAD_PART.fullmatch(scan.text, at)
            if not begun or not (yield from scan.more()):
                return (yield from self._braceless(scan, start, at, kind))
        colon, word, name, twin, paren = head.groups()
        name_at, body = head.start(4 if twin else 3), head.end()
        head = None
        repairs: tuple[str, ...] = {"near": ("near_miss_tag",), "bare": ("missing_open_tag",)}.get(kind, ())
        if colon or not word:
            repairs += ("near_miss_tag",)
        if twin:
            repairs += ("name_dup",) if twin == name else ("name_prefix",)
            name = twin
        canonical = kind == "call" or (not scan.tools.declared and (yield from self._own_string(scan, body)))
        if not canonical and scan.tools.resolve(name).tool is None:
            return None
        read, end = yield from self._arguments(scan, body, scan.tools.resolve(name).tool)
        if paren:
            repairs += ("near_miss_tag",)
        if read.error:
            if not canonical and name not in scan.tools.by_name:
                return None
            end = yield from self._closing(scan, end, ")" if paren else "")
            problem = report(read.error, scan.span(start, end), f"The call of {name!r} cannot be read.", name=name)
            return Attempt(end, (problem,))
        draft = Draft(
            name, read.value, scan.span(start, end), scan.span(name_at, name_at + len(name)), scan.span(body, end),
            repairs=repairs + read.repairs, canonical=canonical, format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        if item is None:
            return None
        return (yield from self._close(scan, item, end, bool(paren), kind))

    def _own_string(self, scan: Scanner, at: int) -> Step[bool]:
        """True if a string in the format's own quotes stands near: they are a token that nobody types."""
        return (yield from scan.within(at, _STRING_REACH, self.delimiter)) is not None

    def _braceless(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """No brace follows the name: nothing at all, where the call ends, or arguments in brackets as in a program."""
        if kind == "call" and scan.text[at : at + 1] == "{":
            return (yield from self._objects._json(scan, start, at, ("wrong_family",), kind))
        if kind == "call":
            yield from scan.at_least(at + _BLOCKS_REACH)
            if (blocks := _BLOCKS.match(scan.text, at, at + _BLOCKS_REACH)) is not None:
                place, begin = blocks.span(1), blocks.end()
                blocks = None  # it holds the text, which grows
                return (yield from self._blocks(scan, start, place, begin))
        head = _NO_BRACE.match(scan.text, at, at + _REACH)  # as far as pieces show it
        if head is None or kind == "bare":
            return self._headless(scan, start, at, kind)
        name, name_at, end, opened = head.group(1), head.start(1), head.end(), scan.text[head.end() - 1] == "("
        head = None
        tool = scan.tools.resolve(name).tool
        value: Any = MISSING
        repairs: tuple[str, ...] = ("missing_brace",)
        if opened and (own := (yield from self._rounded(scan, end - 1, tool))) is not None:
            value, end, repairs = own[0].value, own[1], ("near_miss_tag", *own[0].repairs)
        elif opened:
            found = yield from walk_call(scan, name_at)
            arguments = None if found is None or isinstance(found[0], str) else bound(found[0], tool)
            if found is None or arguments is None or isinstance(found[0], str) or found[0].positional:
                return self._headless(scan, start, at, kind)
            value, end, repairs = arguments[0], found[1], ("near_miss_tag", *found[0].repairs, *arguments[1])
        after = yield from scan.space(end)
        if (yield from scan.literal(after, *self.closes, *self.near_closes)) < 0 or (kind != "call" and tool is None):
            return self._headless(scan, start, at, kind)
        repairs += ("near_miss_tag",) if kind == "near" else ()
        named = scan.span(name_at, name_at + len(name))
        body = Span(named.end, scan.base + end)
        draft = Draft(name, value, scan.span(start, end), named, body, repairs=repairs, canonical=kind == "call", format=self.format)  # fmt: skip
        item = settle(draft, scan.tools)
        return None if item is None else (yield from self._close(scan, item, end, False, kind))

    def _blocks(self, scan: Scanner, start: int, named: tuple[int, int], at: int) -> Step[Attempt | None]:
        """Read arguments that stand between `BEGIN_ARG:` and `END_ARG`, in the order of the tool's parameters."""
        name, begin, end = scan.text[slice(*named)], at, at
        values: list[str] = []
        while (found := (yield from scan.find(at, "END_ARG", "<|tool_call>"))) is not None:
            if scan.text.startswith("<", found[0]):
                break
            text = scan.text[at : found[0]]
            values.append(text[_NOISE.match(text).end() :].strip("\r\n"))  # type: ignore[union-attr]
            end = found[1]
            yield from scan.at_least(end + _BLOCKS_REACH)
            at = yield from scan.space(end + _NOISE.match(scan.text[end : end + _BLOCKS_REACH]).end())  # type: ignore[union-attr]
            if (yield from scan.literal(at, "BEGIN_ARG:")) < 0:
                break
            at += len("BEGIN_ARG:")
        tool = scan.tools.resolve(name).tool
        if tool is None or not values or len(values) > len(tool.properties):
            return None
        arguments = RawText(dict(zip(tool.properties, values, strict=False)))
        draft = Draft(
            name, arguments, scan.span(start, end), scan.span(*named), scan.span(begin, end),
            repairs=("near_miss_tag", "positional"), canonical=False, format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return None if item is None else (yield from self._close(scan, item, end, False, "bare"))

    @cached_property
    def _objects(self) -> TagJson:
        return Objects(self.format, self.opens, self.closes)

    def _rounded(self, scan: Scanner, at: int, tool: Tool | None) -> Step[tuple[JsonRead, int] | None]:
        """Read arguments in this syntax between round brackets, keys before `:` or `=`: the object, and where it ends."""
        tokens = re.compile(
            "|".join(map(re.escape, (self.delimiter, *self.closes, *self.near_closes))) + r"|[{}\[\]()]"
        )
        depth, place, quoted = 0, at, False
        while (found := (yield from scan.seek(place, tokens, 32))) is not None:
            token, place = scan.text[found[0] : found[1]], found[1]
            if token == self.delimiter:
                quoted = not quoted
            elif len(token) > 1:
                break
            elif not quoted:
                depth += 1 if token in "([{" else -1
                if not depth:
                    parts = scan.text[at + 1 : place - 1].split(self.delimiter)
                    if len(parts) < 2 and not _FIRST_KEY.match(parts[0]):
                        return None
                    parts[::2] = [_EQUALS.sub(r"\1:", part) if number else _FIRST_EQUALS.sub(r"\1:", _EQUALS.sub(r"\1:", part))
                                  for number, part in enumerate(parts[::2])]  # fmt: skip
                    body = "{" + self.delimiter.join(parts) + "}"
                    read = read_braced(body, 0, len(body), self.delimiter, _known_of(tool))
                    return None if read.error else (read, place)
        return None

    def _headless(self, scan: Scanner, start: int, at: int, kind: str) -> Attempt | None:
        if kind != "call" or not scan.closed or scan.prose.mentioned() or not _HEAD_PART.fullmatch(scan.text, at):
            return None
        end = len(scan.text)
        return Attempt(end, (report("truncated", scan.span(start, end), "The reply ends where a call begins."),))

    def _arguments(self, scan: Scanner, at: int, tool: Tool | None) -> Step[tuple[JsonRead, int]]:
        """Walk to the balanced brace, strings respected; where that never comes, to the closing token."""
        known = _known_of(tool)
        search, depth, place, quoted, soft = self._parts, 0, at, False, -1
        while True:
            found = yield from scan.seek(place, search, 32)
            if found is None:
                break
            token = scan.text[found[0] : found[1]]
            place = found[1]
            if token == self.delimiter:
                quoted = not quoted
            elif token in self.closes or token in self.near_closes:
                soft = found[0] if soft < 0 else soft
                if not quoted:
                    break
            elif quoted:
                continue
            elif token in "{[":
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    read = self._read(scan, at, place, known)
                    if not read.error:
                        return read, place
                    depth = 1 << 30  # the brackets lie: only a closing token ends this now
        end = soft if soft >= 0 else len(scan.text)
        read = self._read(scan, at, end, known)
        if read.error and soft >= 0 and not scan.cut_short and read.error == "truncated":
            whole = scan.text[at:soft].rstrip()
            patched = read_braced(whole + "}", 0, len(whole) + 1, self.delimiter, known)
            if not patched.error:
                return patched._replace(repairs=(*patched.repairs, "missing_brace")), at + len(whole)
        open_end = quoted and soft < 0 and _open_string(scan, at, depth, self.delimiter)
        if open_end or (read.error and soft < 0 and read.error != "too_large"):
            return read._replace(error="truncated"), end
        return read, read.end if not read.error else end

    def _read(self, scan: Scanner, at: int, end: int, known: Known | None) -> JsonRead:
        """Read the object, in this syntax or as JSON."""
        read = read_braced(scan.text, at, end, self.delimiter, known)
        if scan.text[at + 1 : end].lstrip()[:1] == '"':
            plain = read_json(scan.text, at, end)
            if not plain.error:
                return plain._replace(repairs=tuple(dict.fromkeys((*plain.repairs, "near_miss_tag"))))
        return read

    def _closing(self, scan: Scanner, at: int, paren: str) -> Step[int]:
        after = yield from scan.space(at)
        if paren and scan.text[after : after + 1] == paren:
            after = yield from scan.space(after + 1)
        close = yield from scan.literal(after, *self.closes, *self.near_closes)
        return close if close >= 0 else at

    def _close(self, scan: Scanner, item: Item, end: int, paren: bool, kind: str) -> Step[Attempt]:
        after = yield from scan.space(end)
        if paren and scan.text[after : after + 1] == ")":
            end = after + 1
            after = yield from scan.space(end)
        extra = scan.text[after : after + 1] == "}"
        if extra:
            after = yield from scan.space(after + 1)
        notes: tuple[str, ...] = ("extra_brace",) if extra else ()
        close = yield from scan.literal(after, *self.closes)
        if close >= 0:
            return Attempt(close, (stretch(scan, item, close, *notes),))
        near = yield from scan.literal(after, *self.near_closes)
        if near >= 0:
            return Attempt(near, (stretch(scan, item, near, *notes, "near_miss_tag"),))
        if isinstance(item, ParseProblem):
            return Attempt(end, (item,))
        half = scan.closed and after < len(scan.text) and any(mark.startswith(scan.tail(after)) for mark in self.closes)
        notes += () if kind == "bare" else ("missing_close_tag",)
        return Attempt(len(scan.text) if half else end, (stretch(scan, item, end, *notes),))


def _known_of(tool: Tool | None) -> Known | None:
    """What is known of a tool's arguments; None of a tool that nobody declared."""
    return partial(_known, tool) if tool is not None else None


def _known(tool: Tool, path: Sequence[str | int]) -> Collection[str]:
    """Return the names that are declared for the arguments, or for an object in them; none where there may be others."""
    schema: Any = tool.spec.parameters
    names: Collection[str] = tool.properties
    for depth, part in enumerate(path):
        if isinstance(part, str):
            schema = member_schema(schema, part) if depth else tool.schema_of(part)
        else:
            schema = item_schema(schema, part)
        inside = schema.get("properties") if isinstance(schema, dict) else None
        names = inside if isinstance(inside, dict) else ()
    return names if isinstance(schema, dict) and not schema.get("additionalProperties") else ()


def _in_one_block(call: ParsedCall) -> ParsedCall:
    """A call whose block goes on with another one needs no close of its own."""
    codes = ("extra_calls" if code == "missing_close_tag" else code for code in call.repairs)
    return call._replace(repairs=tuple(dict.fromkeys(codes)))


class FunctionGemma(Gemma4):
    """The grammar of FunctionGemma."""

    format = "functiongemma"
    delimiter = "<escape>"
    opens = ("<start_function_call>",)
    closes = ("<end_function_call>",)
    near = ("<function_call>",)
    near_closes = ("</function_call>", "</start_function_call>")
    reasoning: Mapping[str, str] = REASONING


def write_4(call: ParsedCall) -> str:
    """Write one call in Gemma 4's tokens."""
    body = write_braced(call.arguments, '<|"|>')
    return f"<|tool_call>call:{call.name}{body}<tool_call|>"


def write_270m(call: ParsedCall) -> str:
    """Write one call in FunctionGemma's tokens."""
    return f"<start_function_call>call:{call.name}{write_braced(call.arguments, '<escape>')}<end_function_call>"


def result_4(call: ParsedCall, result: ToolResult) -> str:
    """Write one result in Gemma 4's tokens."""
    body = write_braced({"value": result.to_json()}, '<|"|>')
    return f"<|tool_response>response:{call.name}{body}<tool_response|>"


def result_270m(call: ParsedCall, result: ToolResult) -> str:
    """Write one result in FunctionGemma's tokens."""
    body = write_braced({"value": result.to_json()}, "<escape>")
    return f"<start_function_response>response:{call.name}{body}<end_function_response>"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """Channels and turns, whose tokens have a bar at one side only, and calls whose tokens a server took out."""
    kinds = words(("channel", "turn", "image", "audio", "video"))
    opened = seq(alt(lit("<|channel>"), lit("<|turn>")), opt(role_word()))
    tokens = alt(opened, seq(lit("<|"), kinds, lit(">")), seq(lit("<"), kinds, lit("|>")))
    bare = seq(lit("call:"), cls("[A-Za-z_]", 1, 1), cls(r"[\w.\-:]", 0, 100), ahead(r"(?=\{)"))
    return MarkerShape("<", tokens, _means), MarkerShape("call:", bare, Marker("open", "call:", "call"))


def _means(text: str) -> Marker | None:
    if text.startswith("<|channel>"):
        return Marker("open", "channel", "think") if "thought" in text else Marker("mark", "channel")
    return Marker("close", "channel") if text == "<channel|>" else None


FORMATS = (
    FormatSpec(
        id="functiongemma", family="gemma_call", models="FunctionGemma 270M", grammar=FunctionGemma(),
        write_call=write_270m, write_result=result_270m, stop_sequences=("<start_function_response>",),
        special_tokens=True,
        tags=(
            "start_function_call", "end_function_call", "start_function_response", "end_function_response", "escape",
        ),
    ),
    FormatSpec(
        id="gemma4", family="gemma_call", models="Gemma 4", grammar=Gemma4(), write_call=write_4, write_result=result_4,
        stop_sequences=("<|tool_response>",),
        marker_shapes=marker_shapes, special_tokens=True,
    ),
)  # fmt: skip
