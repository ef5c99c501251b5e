"""MiniMax M3: a sentinel before every tag, one tag per argument, nested tags for objects, `item` for lists.

    ]<]minimax[>[<tool_call>
    ]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Rome]<]minimax[>[</city>]<]minimax[>[</invoke>
    ]<]minimax[>[</tool_call>

The sentinel never occurs in a value, so it alone decides. Source: the chat template of MiniMax-M3.
"""

from __future__ import annotations

import re
from collections import Counter
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParsedCall, ParseProblem, Span
from workbench.formats.kit.bent_close import without_close
from workbench.formats.kit.bent_sentinel import bent_sentinels, split_at
from workbench.formats.kit.calls import Draft, Item, report, settle
from workbench.formats.kit.element_body import read_pairs
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.loose_json import MAX_DEPTH
from workbench.formats.kit.markers import BARRIER, Marker, MarkerShape
from workbench.formats.kit.named_json import stretch
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.prefix_patterns import alt, cls, lit, opt, seq
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.types import from_text, item_schema, member_schema, wanted_types

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_S = "]<]minimax[>["
_REACH = 1000
"""No tag with its name is longer."""
_INVOKE = re.compile(r'<invoke\s+name\s*=\s*"([^"<>]*)"\s*>')
_OWN_TAG = re.compile(r"<invoke(?=\s)|</invoke>")
_BARE_TAG = re.compile(r"\s*+<[A-Za-z_]")
_TAG = re.compile(r"<([^<>\s/][^<>\n]*?)\s*>")
_ANY_TAG = re.compile(r"<(?P<close>/?)(?P<name>[^<>\s/][^<>\n]*?)\s*>")
_BARE_ARGUMENT = re.compile(r"\s*+(?P<open><(?P<key>[\w.\-]++)>[^<>]*+)(?P<close></(?P=key)>)\s*+")
_DEBRIS = re.compile(r"[|｜/\\]|^(?:invoke|tool_call)$")
"""What is no key, but left of a tag that closes the call."""
_PARAMETER = re.compile(r"""<(param(?:eter)?)(?:\s++name)?\s*+=\s*+["']?([^"'<>\n]+?)["']?\s*>""")
"""The tag of an argument as other families write it; its key stands in it."""


class MiniMaxM3(Grammar):
    """The grammar."""

    format = "minimax_m3"
    preludes = (f"{_S}<tool_call>",)
    turn_tokens = (*Grammar.turn_tokens, "[e~[", "]~b]ai", "]~!b[")
    result_markers = (*Grammar.result_markers, "]~b]tool")

    def inside(self) -> tuple[str, ...]:
        """The sentinel with any tag but the block's own, as values have it: the call's tag before them may be damaged."""
        return tuple(f"{_S}<{letter}" for letter in ascii_lowercase if letter != "t")

    def literals(self) -> Mapping[str, str]:
        """Return sentinel and tag together."""
        return {
            f"{_S}<tool_call>": "orphan", f"{_S}</tool_call>": "orphan", f"{_S}</invoke>": "orphan", f"{_S}<invoke ": "call",
        }  # fmt: skip

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Servers that hide special tokens take all sentinels out."""
        tag = rf"(?:<invoke|{prefix_regex(['<invoke '])})"
        hold = rf"<tool_call>\s{{0,4}}{tag}?|{prefix_regex(['<tool_call>'])}|{tag}"
        return (("stripped", r"(?:<tool_call>\s{0,4})?<invoke(?=\s)", hold),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one invoke tag with all that it holds."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind == "stripped":
            return (yield from self._stripped(scan, start, at - len("<invoke")))
        tag_at = start + len(_S)
        head = yield from scan.within(tag_at, _REACH, ">")
        tag = _INVOKE.match(scan.text, tag_at, head[1]) if head is not None else None
        if tag is None:
            if head is None and scan.closed and len(scan.text) - tag_at < _REACH:
                return Attempt(
                    len(scan.text), (report("truncated", scan.span(start, len(scan.text)), "The call is cut off."),)
                )
            return None
        name, name_at, at = tag.group(1), tag.start(1), tag.end()
        tag = None
        found = yield from scan.find(at, f"{_S}</invoke>", f"{_S}</tool_call>", f"{_S}<invoke ")
        stop, end = found or (len(scan.text),) * 2
        closed = found is not None and scan.text[stop:end] == f"{_S}</invoke>"
        tool = scan.tools.resolve(name).tool
        bent: list[tuple[int, int]] = []
        keys = tool.properties.keys() if tool is not None else ()
        lost_ones = _without_sentinels(scan.text, at, stop, keys)
        for place in lost_ones or bent_sentinels(scan.text, at, stop, _S, keys):
            tag = _OWN_TAG.match(scan.text, place[1])
            if tag is not None:  # the call ends here, or the next one begins
                stop, end, closed, found = place[0], tag.end(), tag.group() == "</invoke>", place
                break
            bent.append(place)
        arguments, whole, repairs, lost = self._arguments(scan, name, at, stop, bent)
        if found is None and (scan.cut_short or not whole or not arguments):
            problem = report("truncated", scan.span(start, stop), f"The call of {name!r} is cut off.", name=name)
            return Attempt(stop, (problem,))
        repairs += (() if tag is None else ("near_miss_tag",)) if closed else ("missing_close_tag",)
        end, items = self._item(scan, start, end if closed else stop, name, name_at, (at, stop), arguments, repairs)
        if lost and isinstance(items[-1], ParsedCall):
            message = f"An argument of {name!r} is lost: its tag is damaged."
            hint = "Compare the text with the format."
            items += (ParseProblem("absorbed_parameter", scan.span(at, stop), message, None, hint, name),)
        return Attempt(end, items)

    def _stripped(self, scan: Scanner, start: int, tag_at: int) -> Step[Attempt | None]:
        """Read a call of a declared tool whose tags have no sentinels: elements of one argument each, and nothing else."""
        head = yield from scan.within(tag_at, _REACH, ">")
        tag = _INVOKE.match(scan.text, tag_at, head[1]) if head is not None else None
        if tag is None or (tool := scan.tools.resolve(tag.group(1)).tool) is None:
            return None
        named, at = (tag.start(1), tag.group(1)), tag.end()
        tag = None
        found = yield from read_pairs(scan, start, named, at, ("</invoke>",), self.format, "missing_open_tag")
        if found is None or not all(
            isinstance(item, ParsedCall) and item.arguments.keys() <= tool.properties.keys() for item in found.items
        ):
            return None
        close = yield from scan.literal((yield from scan.space(found.end)), "</tool_call>")
        return found._replace(end=max(close, found.end))

    def _item(
        self, scan: Scanner, start: int, end: int, name: str, name_at: int, body: tuple[int, int],
        arguments: dict[str, Any], repairs: tuple[str, ...],
    ) -> tuple[int, tuple[Item, ...]]:  # fmt: skip
        name_span = scan.span(name_at, name_at + len(name))
        place = scan.span(*body) if arguments else Span(name_span.end, name_span.end)
        draft = Draft(name, arguments, scan.span(start, end), name_span, place, "", repairs, True, self.format)
        item = settle(draft, scan.tools)
        assert item is not None  # the shape is canonical
        tool = scan.tools.resolve(name).tool
        if isinstance(item, ParsedCall) and not arguments and tool is not None and tool.required:
            item = report("missing_argument", item.span, f"{name!r} was called without arguments.", name=name)
        return end, (stretch(scan, item, end) if not isinstance(item, ParseProblem) else item,)

    @staticmethod
    def _arguments(
        scan: Scanner, name: str, at: int, stop: int, bent: list[tuple[int, int]]
    ) -> tuple[dict[str, Any], bool, tuple[str, ...], bool]:
        """Read the tags between `at` and `stop`; say whether all of them are closed, what was mended, whether a value is lost."""
        tool = scan.tools.resolve(name).tool
        schema = {"type": "object", "properties": tool.properties} if tool else None
        pieces, repairs = _own_tags(split_at(scan.text, at, stop, _S, bent))
        pieces[:1], bare = _bare_arguments(pieces[0])
        reader = _Tags(pieces, tool.properties if tool else ())
        if bare:
            repairs = (*repairs, "near_miss_tag")
            reader.lost = bare == "lost"
        reader.repairs += (*repairs, *(("near_miss_tag",) if bent else ()))
        value = reader.children("", schema, 0)
        arguments = value if isinstance(value, dict) else {}
        return arguments, reader.whole, tuple(dict.fromkeys(reader.repairs)), reader.lost


def _without_sentinels(text: str, at: int, stop: int, keys: Iterable[str]) -> list[tuple[int, int]]:
    """Return where sentinels belong in a body that has none, before the tags of arguments and what closes the call."""
    if _BARE_TAG.match(text, at, stop) is None or text.find(_S, at, stop) >= 0:
        return []
    names = "|".join(map(re.escape, keys))
    tags = re.compile(rf"</?(?:invoke(?=[\s>])|param(?:eter)?(?=[\s=>]){f'|(?:{names})(?=>)' if names else ''})")
    return [(tag.start(), tag.start()) for tag in tags.finditer(text, at, stop)]


def _own_tags(pieces: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """Return the pieces with this format's tags for those of other families: `<parameter name="city">`, which `</parameter>` closes."""
    own, opened = list(pieces), ("", "")
    for number, piece in enumerate(pieces):
        if opened[0] and piece.startswith(f"</{opened[0]}>"):
            own[number], opened = f"</{opened[1]}>" + piece[len(opened[0]) + 3 :], ("", "")
        elif (tag := _PARAMETER.match(piece)) is not None:
            opened = tag.group(1), tag.group(2)
            own[number] = f"<{opened[1]}>" + piece[tag.end() :]
    return own, ("near_miss_tag",) if own != pieces else ()


def _bare_arguments(text: str) -> tuple[list[str], str]:
    """Return what stands before the first sentinel as pieces: arguments whose tags have none are `read`, anything else is `lost`."""
    found, at = [""], 0
    while (argument := _BARE_ARGUMENT.match(text, at)) is not None:
        found += argument["open"], argument["close"]
        at = argument.end()
    if text[at:].strip():
        return found[:1], "lost"
    return found, "read" if at else ""


class _Tags:
    """Reads pieces of text that each begin with a tag."""

    def __init__(self, pieces: list[str], known: Collection[str]) -> None:
        self.pieces, self.at = pieces[1:], 0
        self.known = known
        """The names of the call's arguments, as far as they are declared."""
        self.whole = True
        self.lost = False
        """A tag stands there of which nothing was made."""
        self.repairs: list[str] = []
        self.closes: dict[str, int] = {}
        """Where each name's last closing tag stands."""
        self.balance: Counter[str] = Counter()
        """How many more tags open a name than close it."""
        for at, piece in enumerate(self.pieces):
            if (tag := _ANY_TAG.match(piece)) is not None:
                self.balance[tag["name"]] += -1 if tag["close"] else 1
                if tag["close"]:
                    self.closes[tag["name"]] = at

    def children(self, parent: str, schema: Any, depth: int, text: str = "") -> Any:
        """Read what stands inside `parent`: nested tags, or text."""
        found: dict[str, Any] = {}
        lists: set[str] = set()
        items: list[Any] = []
        inner = schema.get("properties") if isinstance(schema, dict) else None
        listed = wanted_types(schema) == ("array",)
        while self.at < len(self.pieces):
            if parent and not text.strip() and self._again(parent, schema):
                text = self.pieces[self.at][len(parent) + 2 :]
                self.at += 1
                self.repairs.append("near_miss_tag")
                continue
            if parent and not (found or items or text.strip()) and self._doubled(parent, inner):
                self.at += 1
                self.balance[parent] -= 1
                self.repairs.append("near_miss_tag")
                continue
            texts = wanted_types(schema) == ("string",) or text.strip()  # no tags stand beside a text
            if parent and texts and not self.pieces[self.at].startswith("</"):
                bent = self.pieces[self.at].strip() in (f"<{parent}>", f"<\\/{parent}>")
                self.at += bent
                return self._unclosed(parent, text, schema)
            if self.pieces[self.at].startswith("</"):
                if parent and self.pieces[self.at].rstrip() != f"</{parent}>":
                    if not (found or items):
                        return self._unclosed(parent, text, schema)
                    self.repairs += ("missing_close_tag", "open_value")
                    return self._result(found, items, text, schema)
                self.at += 1
                if parent:
                    return self._result(found, items, self._without_own(parent, text), schema)
                self.repairs += ("near_miss_tag", "open_value")  # it closes nothing
                self.lost = True
                continue
            opened = self._opened() if depth <= MAX_DEPTH else None
            if opened is not None and parent and self.closes.get(parent, -1) < self.at and self._ends(opened[0], inner):
                self.repairs += ("missing_close_tag", "open_value")
                return self._result(found, items, text, schema)
            self.at += 1
            if opened is None:
                self.lost = True
                self.repairs += ("near_miss_tag", "open_value")
                continue
            key, rest = opened
            if not rest.strip() and _DEBRIS.search(key) and not (isinstance(inner, dict) and key in inner):
                self.repairs += ("near_miss_tag", "open_value")  # what is left of a closing tag
            elif parent and (key == "item" or listed) and not (isinstance(inner, dict) and key in inner):
                self.repairs += () if key == "item" else ("near_miss_tag",)
                items.append(self.children(key, item_schema(schema, len(items)), depth + 1, rest))
            else:
                self._put(found, lists, key, self.children(key, _below(schema, key, key in found), depth + 1, rest))
        self.whole = self.whole and not parent
        if parent and not (found or items):
            return self._unclosed(parent, text, schema)
        self.repairs += ["missing_close_tag"] if parent else []
        return self._result(found, items, text, schema)

    def _again(self, parent: str, schema: Any) -> bool:
        """True if the tag that opened an argument stands there once more, with its text behind it; a second closing tag goes."""
        piece, close = self.pieces[self.at], f"</{parent}>"
        closed = [after.rstrip() == close for after in self.pieces[self.at + 1 : self.at + 3]]
        if not (piece.startswith(f"<{parent}>") and piece[len(parent) + 2 :].strip() and closed[:1] == [True]):
            return False
        if closed[1:] == [True]:
            if not {"object", "array"}.isdisjoint(wanted_types(schema) or ("object",)):
                return False
            del self.pieces[self.at + 1]
        return True

    def _doubled(self, parent: str, inner: Any) -> bool:
        """True if the tag that opened an object or a list stands there twice, and is closed once."""
        again = self.pieces[self.at].rstrip() == f"<{parent}>" and self.balance[parent] == 1
        return again and self.closes.get(parent, -1) > self.at and not (isinstance(inner, dict) and parent in inner)

    def _ends(self, key: str, inner: Any) -> bool:
        """True if a tag begins the next argument of the call, and is no member of the one that is read."""
        return key in self.known and not (isinstance(inner, dict) and key in inner)

    def _without_own(self, parent: str, text: str) -> str:
        """Return a text without its own tag before it, written once more without the sentinel."""
        tag, bare = f"<{parent}>", text.lstrip()
        if not bare.startswith(tag) or f"</{parent}>" in bare:
            return text
        self.repairs.append("near_miss_tag")
        return bare[len(tag) :]

    def _unclosed(self, parent: str, text: str, schema: Any) -> Any:
        """Return a text whose closing tag is lost, or bent."""
        self.repairs += ("missing_close_tag", "open_value")
        text = without_close(text, f"{_S}</{parent}>", f"</{parent}>")[0]
        rest = next((n for n in range(len(_S), 1, -1) if text.endswith((_S[:n], _S[-n:]))), 0)
        return self._result({}, [], text[: len(text) - rest], schema)

    def _opened(self) -> tuple[str, str] | None:
        """Return the key of the tag that stands here, and the text behind it: what closes it says where a key ends that holds `>`."""
        piece, after = self.pieces[self.at], "".join(self.pieces[self.at + 1 : self.at + 2]).rstrip()
        if after.startswith("</") and (key := after[2:-1]) and piece.startswith(f"<{key}>"):
            return key, piece[len(key) + 2 :]
        tag = _TAG.match(piece)
        return (tag.group(1), piece[tag.end() :]) if tag is not None else None

    def _put(self, found: dict[str, Any], lists: set[str], key: str, value: Any) -> None:
        """Keep a member; a tag that is repeated makes a list of its values."""
        if key in lists:
            found[key].append(value)
        elif key in found:
            lists.add(key)
            found[key] = [found[key], value]
            self.repairs.append("schema_coerced")
        else:
            found[key] = value

    def _result(self, found: dict[str, Any], items: list[Any], text: str, schema: Any) -> Any:
        if items:
            return items
        if found:
            return found
        types = wanted_types(schema)
        if types in (("object",), ("array",)) and not text.strip():
            return {} if types == ("object",) else []
        value, repair = from_text(text, schema)
        if repair:
            self.repairs.append(repair)
        return value


def _below(schema: Any, key: str, again: bool) -> Any:
    """Return the schema of a member; of an item where the member is a list and its tag is repeated."""
    below = member_schema(schema, key)
    return below.get("items") if again and isinstance(below, dict) and below.get("type") == "array" else below


def _inside(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"{_S}<{key}>{_inside(item)}{_S}</{key}>" for key, item in value.items())
    if isinstance(value, list):
        return "".join(f"{_S}<item>{_inside(item)}{_S}</item>" for item in value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls in one block."""
    body = "".join(f'{_S}<invoke name="{call.name}">{_inside(call.arguments)}{_S}</invoke>\n' for call in calls)
    return f"{_S}<tool_call>\n{body}{_S}</tool_call>"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The sentinel, and the tags of calls behind it; the tags of values are not told from text."""
    invoke = seq(lit("<invoke "), cls(rf"[^<>\n{BARRIER}]", 0, 200), lit(">"))
    tags = alt(invoke, lit("<tool_call>"), lit("</tool_call>"), lit("</invoke>"))
    return (MarkerShape(_S, seq(lit(_S), opt(tags)), _means),)


def _means(text: str) -> Marker:
    if text.endswith("</invoke>"):
        return Marker("close", "invoke")
    return Marker("open", "invoke", "call") if "<invoke" in text else Marker("mark")


FORMATS = (
    FormatSpec(
        id="minimax_m3", family="minimax_m3", models="MiniMax M3", grammar=MiniMaxM3(),
        write_call=lambda call: write_calls([call]), write_calls=write_calls,
        marker_shapes=marker_shapes, special_tokens=True,
    ),
)  # fmt: skip
