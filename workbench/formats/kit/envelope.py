"""Reads the JSON object that wraps a call: which key holds the name, which the arguments, and the shapes models invent."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.formats.kit.call_keys import (
    ABOUT_KEYS,
    ARGUMENT_KEYS,
    CALL_KEYS,
    LIST_KEYS,
    METHOD,
    NAME_KEYS,
    PARAMS,
    STEP_KEYS,
    holds_arguments,
    names_tool,
)
from workbench.formats.kit.calls import MISSING, WRAPPERS, Draft, Item, declined, mention, report, settle, unknown_key
from workbench.formats.kit.json_places import Places
from workbench.formats.kit.loose_json import MAX_DEPTH, MAX_SIZE, Marks, read_json, scan_unique
from workbench.formats.kit.odd_key import odd_key
from workbench.formats.kit.toolset import fold, only_text

if TYPE_CHECKING:
    from workbench.formats.kit.toolset import ToolSet

NO_CALL = "no_function"
"""The name under which Granite says that it calls nothing."""
PARALLEL = ("multi_tool_use.parallel", "parallel")


class Envelope:
    """The keys of one format. Its own are strict, all known others are repairs."""

    def __init__(
        self, name: str = "name", arguments: tuple[str, ...] = ("arguments",), ident: str = "", *, many: str = "",
        by_key: bool = False, silent: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.name = name
        self.arguments = arguments
        self.ident = ident
        """Key of the call's id, where the format carries one."""
        self.many = many
        """Key of the list that holds the calls, where the format has one."""
        self.by_key = by_key
        """The name is itself the one key of the object."""
        self.silent = silent
        """Names that say: no call."""

    @property
    def keys(self) -> tuple[object, ...]:
        """All that one envelope may differ by from another."""
        return self.name, self.arguments, self.ident, self.many, self.by_key, self.silent

    @cached_property
    def head(self) -> re.Pattern[str]:
        """The strict beginning of an object, up to the arguments' own brace."""
        keys = "|".join(map(re.escape, self.arguments))
        name = re.escape(self.name)
        return re.compile(rf'\{{\s*"{name}"\s*:\s*"([^"\\]*)"\s*,\s*"(?:{keys})"\s*:\s*(?=\{{)')

    @cached_property
    def opening(self) -> re.Pattern[str]:
        """An object that begins like a call: what a format without markers looks for."""
        keys = "|".join(
            re.escape(key) for key in (*NAME_KEYS, *ARGUMENT_KEYS, "tool_calls", "function_calls", "type", "id")
        )
        return re.compile(rf"""\{{\s*["'“‘]?(?:{keys})["'”’]?\s*:""")

    def quick(self, text: str, at: int) -> tuple[str, dict[str, Any], int, int, int, int, int] | None:
        """Read a strict object in one go: `(name, arguments, name start, name end, arguments start, end, object end)`."""
        head = self.head.match(text, at)
        if head is None:
            return None
        start = head.end()
        try:
            arguments, end = scan_unique(text, start)
        except (StopIteration, ValueError, RecursionError):
            return None
        after = _CLOSE.match(text, end)
        if after is None or end - start > MAX_SIZE:
            return None
        if end - start > MAX_DEPTH and text.count("{", start, end) + text.count("[", start, end) >= MAX_DEPTH:
            return None
        name_start, name_end = head.span(1)
        return head.group(1), arguments, name_start, name_end, start, end, after.end()

    def items(self, value: Any, source: JsonSource, tools: ToolSet) -> list[Item] | None:
        """Judge a value that stands where a call belongs: an object, or a list of them. None: no attempt."""
        if isinstance(value, list):
            return self._list(value, source, tools)
        if not isinstance(value, dict):
            return [report("bad_json", source.span(), "The call is no JSON object.")] if source.canonical else None
        if not value:
            return []
        if source.untouched and not (self.many or self.by_key):
            item = self._quick_item(source, tools)
            if item is not None:
                return [item]
        many = self._wrapped(value)
        if many is not None and not many[1] and len(value) == 1:
            return [declined(source.span(), "[]")]
        if many is not None:
            notes = () if many[0] == self.many else ("args_key",)
            inner = self.items(many[1], source.below(many[0], *notes), tools)
            return inner if inner is not None or not source.canonical else [self._no_name(source)]
        return self._one(value, source, tools)

    def _quick_item(self, source: JsonSource, tools: ToolSet) -> Item | None:
        """Judge a strict object without looking up where its parts stand; None: take the long way."""
        found = self.quick(source.text, source.start)
        if found is None or found[6] != source.end:
            return None
        name, arguments, name_start, name_end, start, end, _ = found
        if name in self.silent or name in PARALLEL or name == NO_CALL or "properties" in arguments:
            return None
        base = source.base
        name_span, arguments_span = Span(base + name_start, base + name_end), Span(base + start, base + end)
        named, repairs = tools.resolve(name), source.repairs
        tool, plain = named.tool, not (named.repairs or named.problem or repairs) and WRAPPERS.isdisjoint(arguments)
        if tool is not None and plain and tool.required <= arguments.keys() and tool.plain(arguments):
            return ParsedCall(
                named.name, arguments, "", Outcome.STRICT, (), source.span(), name_span, arguments_span, source.format
            )
        draft = Draft(
            name, arguments, source.span(), name_span, arguments_span, "", repairs, source.canonical, source.format
        )
        return settle(draft, tools)

    def _list(self, values: list[Any], source: JsonSource, tools: ToolSet) -> list[Item] | None:
        found: list[Item] = []
        blanks: list[Item] = []
        called = odd = False
        for index, value in enumerate(values):
            if isinstance(value, list) and not value:
                continue
            if value == {}:
                blanks.append(self._no_name(source.below(index)))
                continue
            notes = ("wrapper_arg",) if isinstance(value, list) else ()
            if isinstance(value, str) and source.canonical and (decoded := _decoded(value)) is not None:
                value, notes = decoded, ("double_encoded",)
            inner = self.items(value, source.below(index, *notes, whole=len(values) == 1), tools)
            if inner is None:
                odd = True
                continue
            called = called or (self.plain(value) and any(isinstance(item, ParsedCall) for item in inner))
            found.extend(inner)
        if not odd:
            return [*found, *blanks] if found else found  # alone they are no attempt
        if not called or source.canonical:
            return None
        source.canonical = True  # A call of a declared tool stands here: what is beside it was meant as one too.
        return self._list(values, source, tools)

    def _wrapped(self, value: dict[str, Any]) -> tuple[str, Any] | None:
        """Return the key under which calls stand, and what stands there."""
        if not any(isinstance(value.get(name), str) for name in NAME_KEYS):
            for key in LIST_KEYS:
                if isinstance(value.get(key), list):
                    return key, value[key]
            if len(value) == 1 and not self.by_key:
                key = next(iter(value))
                around = key in CALL_KEYS or key in NAME_KEYS  # an object under a name's key is the whole call
                if around and isinstance(value[key], dict):
                    return key, value[key]
            if not self.by_key:
                return self._step(value)
        return None

    @staticmethod
    def _step(value: dict[str, Any]) -> tuple[str, Any] | None:
        """The same of an agent's step, which says more than that, and of a message of MCP."""
        if value.get(METHOD[0]) == METHOD[1] and isinstance(value.get(PARAMS), dict):
            return PARAMS, value[PARAMS]
        found = [
            key
            for key in (*CALL_KEYS, *LIST_KEYS, *STEP_KEYS)
            if value.get(key) and isinstance(value[key], dict | list)
        ]
        return (found[0], value[found[0]]) if len(found) == 1 else None

    def plain(self, value: Any, depth: int = 0) -> bool:
        """True for what nobody writes but to call something: a name and its arguments, also wrapped or in a list."""
        if isinstance(value, list):
            return bool(value) and depth < 3 and all(self.plain(item, depth + 1) for item in value)
        if not isinstance(value, dict):
            return False
        inner = self._wrapped(value) or ("", value.get("function"))
        if isinstance(inner[1], dict | list):
            return depth < 3 and self.plain(inner[1], depth + 1)
        named = any(
            isinstance(value.get(key), str) for key in ("name", "tool", "tool_name", "function_name", "function")
        )
        return named and any(isinstance(value.get(key), dict) for key in ("arguments", "parameters"))

    def _one(self, value: dict[str, Any], source: JsonSource, tools: ToolSet) -> list[Item] | None:
        inner = value.get("function")
        if isinstance(inner, dict) and not isinstance(value.get(self.name), str):
            return self._one(inner, source.below("function", "args_key"), tools)
        name_key = None if self.by_key and len(value) == 1 else self._name_key(value, tools)
        if name_key is None:
            return self._by_key(value, source, tools)
        name = value[name_key]
        if name in self.silent or (name == NO_CALL and name not in tools.by_name):
            return [declined(source.span(), name)] if source.canonical or name in self.silent else []
        if name_key == "action" and fold(name) == "final answer" and name not in tools.by_name:
            return None  # an answer in the shape of a call
        if name in PARALLEL and name not in tools.by_name:
            unwrapped = self._parallel(value, source, tools)
            if unwrapped is not None:
                return unwrapped
        if is_definition(value):
            return [mention(source.span(), name, "repeats a tool's definition")]
        if source.twice(name_key):
            known = source.canonical or tools.resolve(name).tool is not None
            return [report("ambiguous", source.span(), "One object names two calls.", name=name)] if known else None
        repairs: tuple[str, ...] = () if name_key == self.name and not self.by_key else ("name_key",)
        if self.many and self.many not in source.path:
            repairs += ("wrapper_arg",)
        key, more = self._argument_key(value, name, tools)
        if key == "?":
            return [report("ambiguous", source.span(), "Two keys could be the arguments.", name=name)]
        arguments = value.get(key, MISSING) if key else MISSING
        if key == "" and (flat := self._flat(value, name_key, tools)):
            arguments, more = flat, ("args_key",)
        elif key == "" and (odd := odd_key(value, tools.resolve(name).tool, sure=source.canonical)) is not None:
            if odd.key is not None:
                key, arguments, more = odd.key, value[odd.key], odd.repairs
            elif source.canonical and not tools.resolve(name).problem:
                return [unknown_key(source.span(), name)]
        if (
            key in ("action_input", *(("input",) if name_key == "action" else ()))
            and isinstance(arguments, str)
            and arguments.lstrip()[:1] != "{"
        ):
            target = only_text(tools.resolve(name).tool, arguments)
            arguments, more = ({target: arguments}, (*more, "text_as_argument")) if target else (arguments, more)
        if isinstance(arguments, dict) and (beside := self._beside(value, name_key, key, arguments, name, tools)):
            arguments, more = {**arguments, **beside}, (*more, "wrapper_arg")
        ident = value.get(self.ident) if self.ident else None
        draft = source.draft(name, name_key, arguments, key, repairs + more)
        if isinstance(ident, str | int) and not isinstance(ident, bool):
            draft = draft._replace(id=str(ident))
        if key == "" and arguments is MISSING and (repairs or not source.canonical):
            return None if not source.canonical else [self._no_name(source)]
        item = settle(draft, tools)
        return None if item is None else [item]

    def _name_key(self, value: dict[str, Any], tools: ToolSet) -> str | None:
        """Return the key that holds the name; one in a program's own words only where it holds that of a declared tool."""
        for key in (self.name, *NAME_KEYS):
            if isinstance(value.get(key), str):
                return key
        named = (key for key, item in value.items() if isinstance(item, str) and item in tools.by_name)
        return next(filter(names_tool, named), None)

    def _argument_key(self, value: dict[str, Any], name: str, tools: ToolSet) -> tuple[str, tuple[str, ...]]:
        """Return the key that holds the arguments (empty: none, `?`: unclear) and the repairs."""
        found = [key for key in dict.fromkeys((*self.arguments, *ARGUMENT_KEYS)) if key in value]
        found = found or [key for key, item in value.items() if isinstance(item, dict) and holds_arguments(key)]
        if len(found) > 1:
            tool = tools.resolve(name).tool
            fitting = [
                key
                for key in found
                if tool
                and isinstance(value[key], dict)
                and not tool.missing(value[key])
                and value[key].keys() <= tool.properties.keys()
            ]
            if len(fitting) != 1:
                fitting = [key for key in found if isinstance(value[key], dict)]
            if len(fitting) != 1:
                return "?", ()
            found = fitting
            return found[0], ("args_key",)
        if not found:
            return "", ()
        return found[0], () if found[0] in self.arguments else ("args_key",)

    def _beside(
        self, value: dict[str, Any], name_key: str, key: str, arguments: dict[str, Any], name: str, tools: ToolSet
    ) -> dict[str, Any]:
        """Arguments that stand beside the others, which were closed too early: all of declared parameters without a value."""
        known = {name_key, key, self.ident, *ABOUT_KEYS, *NAME_KEYS, *ARGUMENT_KEYS}
        rest = {other: item for other, item in value.items() if other not in known}
        tool = tools.resolve(name).tool if rest else None
        return rest if tool is not None and rest.keys() <= tool.properties.keys() - arguments.keys() else {}

    @staticmethod
    def _flat(value: dict[str, Any], name_key: str, tools: ToolSet) -> dict[str, Any] | None:
        """Arguments that stand beside the name instead of under a key of their own."""
        tool = tools.resolve(value[name_key]).tool
        rest = {key: item for key, item in value.items() if key != name_key and key not in ABOUT_KEYS}
        if tool is None or not rest or tool.missing(rest) or not rest.keys() <= tool.properties.keys():
            return None
        return rest

    def _by_key(self, value: dict[str, Any], source: JsonSource, tools: ToolSet) -> list[Item] | None:
        """`{"get_weather": {…}}`: the key is the name."""
        if len(value) == 1:
            name, arguments = next(iter(value.items()))
            own = self.by_key and source.canonical
            holds = isinstance(arguments, dict) or (isinstance(arguments, str) and arguments.startswith("{"))
            if own or (holds and tools.resolve(name).tool is not None):
                draft = source.draft(name, "", arguments, name, () if self.by_key else ("args_key",))
                item = settle(draft._replace(name_span=source.key_span(name)), tools)
                return None if item is None else [item]
        return [self._no_name(source)] if source.canonical else None

    @staticmethod
    def _no_name(source: JsonSource) -> ParseProblem:
        return report("bad_name", source.span(), "The call names no tool.")

    def _parallel(self, value: dict[str, Any], source: JsonSource, tools: ToolSet) -> list[Item] | None:
        """Unwrap an invented call that holds several: only if every inner name is declared."""
        for key in (*self.arguments, *ARGUMENT_KEYS):
            uses = value.get(key)
            if isinstance(uses, dict) and isinstance(uses.get("tool_uses"), list):
                items = self._list(uses["tool_uses"], source.below(key).below("tool_uses", "extra_calls"), tools)
                if items and sum(isinstance(item, ParseProblem) for item in items) == uses["tool_uses"].count({}):
                    return items
        return None


def is_definition(value: dict[str, Any]) -> bool:
    """True for an echo of a tool's definition."""
    schema = value.get("parameters", value.get("input_schema"))
    if not isinstance(schema, dict):
        return False
    if not schema and isinstance(value.get("description"), str):
        return True
    if not isinstance(schema.get("properties"), dict):  # only the members' schemas
        return bool(schema) and all(
            isinstance(one, dict) and isinstance(one.get("type"), str) and "value" not in one for one in schema.values()
        )
    return schema.get("type") == "object" or ("type" in schema and schema.keys() <= _SCHEMA_KEYS)


def _decoded(text: str) -> dict[str, Any] | None:
    """Return the object that a string is the JSON text of."""
    if not text.startswith("{"):
        return None
    read = read_json(text, 0)
    return read.value if not read.error and read.end == len(text) and isinstance(read.value, dict) else None


_SCHEMA_KEYS = {"type", "properties", "required", "optional", "description", "additionalProperties", "title", "$defs"}
_CLOSE = re.compile(r"\s*\}")


class JsonSource:
    """Where a JSON value stands, and what is already known about the attempt around it."""

    __slots__ = ("_marks", "base", "canonical", "end", "format", "outer", "path", "repairs", "start", "text", "whole")

    def __init__(
        self, text: str, start: int, end: int, base: int, *, form: str, outer: Span | None = None,
        repairs: tuple[str, ...] = (), canonical: bool = True, path: tuple[str | int, ...] = (), marks: Places | None = None,
    ) -> None:  # fmt: skip
        self.text, self.start, self.end, self.base = text, start, end, base
        self.format, self.outer, self.repairs, self.canonical = form, outer, repairs, canonical
        self.path = path
        self._marks = marks
        self.whole = True
        """This value is all there is in the attempt."""

    def below(self, key: str | int, *repairs: str, whole: bool = True) -> JsonSource:
        """Return the source of a value one level deeper."""
        inner = JsonSource(
            self.text, self.start, self.end, self.base, form=self.format, outer=self.outer,
            repairs=self.repairs + repairs, canonical=self.canonical, path=(*self.path, key), marks=self.marks(),
        )  # fmt: skip
        inner.whole = self.whole and whole
        return inner

    @property
    def untouched(self) -> bool:
        """True for a whole value whose parts were not looked up yet."""
        return not self.path and self._marks is None and self.outer is not None

    def marks(self) -> Places:
        """Places of all values, read on first need."""
        if self._marks is None:
            self._marks = Places(self.text, self.start, self.end)
        return self._marks

    def span(self) -> Span:
        """The whole attempt, or this value inside it where it is one of several."""
        if self.outer is not None and self.whole:
            return self.outer
        value = self.value_span(())
        if value is not None:
            return value
        return self.outer or Span(self.base + self.start, self.base + self.end)

    def value_span(self, path: tuple[str | int, ...]) -> Span | None:
        """Span of the value at `path` below this one."""
        place = self.marks().get(self.path + path)
        return None if place is None else Span(self.base + place[0], self.base + place[1])

    def key_span(self, key: str) -> Span:
        """Span of a key of this value, without its quotes."""
        place = self.marks().get((*self.path, key))
        return self.span() if place is None else _without_quotes(self.text, place[2], place[3], self.base)

    def twice(self, key: str) -> bool:
        """True if a key of this object stands in it with two values, of which JSON keeps the last alone."""
        place = self.marks().get(self.path) if self.path else (self.start, self.end)
        if place is None or self.text.count(key, place[0], place[1]) < 2:
            return False
        found: Marks = []
        read_json(self.text, place[0], place[1], close=True, marks=found)
        return len({self.text[mark[1] : mark[2]] for mark in found if mark[0] == (key,)}) > 1

    def draft(self, name: str, name_key: str, arguments: Any, key: str, repairs: tuple[str, ...]) -> Draft:
        """Return the attempt with its spans."""
        span = self.span()
        name_span = self.value_span((name_key,)) if name_key else None
        if name_span is not None:
            name_span = _without_quotes(self.text, name_span.start - self.base, name_span.end - self.base, self.base)
        place = self.value_span((key,)) if key else None
        if place is None and key == "" and arguments is not MISSING:
            place = self.value_span(())
        name_span = name_span or Span(span.start, span.start)
        return Draft(
            name, arguments, span, name_span, place or Span(name_span.end, name_span.end),
            repairs=self.repairs + repairs, canonical=self.canonical, format=self.format,
        )  # fmt: skip


def _without_quotes(text: str, start: int, end: int, base: int) -> Span:
    if end - start >= 2 and text[start] in "\"'“”‘’`":
        return Span(base + start + 1, base + end - 1)
    return Span(base + start, base + end)
