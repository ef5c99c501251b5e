"""What makes tools hard to call: missing descriptions, keywords that do not arrive, confusable names, oversized sets.

Whether a keyword arrives is not looked up in a table: the tool is written as a format or wire would send it, and the
text is searched for it.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from workbench.core.exchange import Endpoint
from workbench.core.json_places import line_and_column, locate
from workbench.core.json_text import parse_json
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.schema import check_schema
from workbench.wires import get_wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Path = tuple[str | int, ...]
_KEYWORDS = frozenset(
    "enum const pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems"
    " maxItems uniqueItems default anyOf oneOf allOf not if additionalProperties $ref".split()
)
MANY_TOOLS = 40
MANY_TOKENS = 8000
_CHARACTERS = 4
"""A token's characters, roughly: what the guess stands on."""
_ALIKE = 0.9
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}


@dataclass(frozen=True, slots=True)
class LintNote:
    """One thing that the author of a tool should look at."""

    code: str
    tool: str
    """Empty: the set as a whole."""
    message: str
    consequence: str
    path: Path = ()
    """Inside the schema of the arguments."""
    wrong: bool = True
    """Else it is only worth knowing."""
    fix: ToolSpec | None = None
    """The tool mended, where that is safe."""

    def place(self, text: str, number: int) -> tuple[int, int]:
        """Line and column in a JSON document of tools in which the tool has this number."""
        value = parse_json(text)
        root: Path = ("tools",) if isinstance(value, dict) else ()
        tool = (value["tools"] if root else value)[number]
        inside: Path = ("function",) if isinstance(tool.get("function"), dict) else ()
        body = tool["function"] if inside else tool
        key = next((name for name in ("parameters", "input_schema", "inputSchema") if name in body), "parameters")
        return line_and_column(text, locate(text, (*root, number, *inside, *((key, *self.path) if self.path else ()))))


@dataclass(frozen=True, slots=True)
class TokenCost:
    """What a set costs in every request."""

    target: str
    """Format or wire."""
    tokens: int
    guess: bool = True
    """Counted from characters, not by the model's own tokenizer."""


def lint_tools(
    specs: Sequence[ToolSpec], formats: Sequence[str] = (), wires: Sequence[str] = ()
) -> tuple[LintNote, ...]:
    """Notes on each tool in order, then on the set; `formats` and `wires` are those that shall carry them."""
    notes = [note for spec in specs for note in _of_tool(spec, formats, wires)]
    return (*notes, *_of_names(specs), *_of_size(specs, formats, wires))


def token_costs(
    specs: Sequence[ToolSpec], formats: Sequence[str] = (), wires: Sequence[str] = ()
) -> tuple[TokenCost, ...]:
    """The cost of a set by format and wire."""
    if not specs:
        return ()
    texts = [(one, written(tuple(specs), one, "")) for one in formats] + [
        (one, written(tuple(specs), "", one)) for one in wires
    ]
    return tuple(TokenCost(target, math.ceil(len(text) / _CHARACTERS)) for target, text in texts)


def _of_tool(spec: ToolSpec, formats: Sequence[str], wires: Sequence[str]) -> Iterator[LintNote]:
    if not spec.description.strip():
        yield LintNote(
            "no_description",
            spec.name,
            "The tool has no description.",
            "A model guesses from the name when to call it.",
        )
    for path, message in check_schema(spec.parameters):
        yield LintNote("schema", spec.name, message, "What of the schema can be used is checked all the same.", path)
    yield from _of_required(spec)
    for path, schema in _properties(spec.parameters, ()):
        yield from _of_property(spec, path, schema)
    yield from _not_carried(spec, formats, wires)


def _of_required(spec: ToolSpec) -> Iterator[LintNote]:
    lost = [name for name in spec.required if name not in spec.properties]
    if lost:
        kept = [name for name in spec.required if name in spec.properties]
        parameters = {key: value for key, value in spec.parameters.items() if key != "required"}
        mended = replace(spec, parameters=parameters | ({"required": kept} if kept else {}))
        yield LintNote(
            "required_unknown", spec.name, f"Required, but not described: {', '.join(lost)}.",
            "No call can be right for a model that keeps to the described arguments.", ("required",), fix=mended,
        )  # fmt: skip


def _of_property(spec: ToolSpec, path: Path, schema: dict[str, Any]) -> Iterator[LintNote]:
    name = str(path[-1])
    if not str(schema.get("description") or "").strip():
        yield LintNote(
            "no_description", spec.name, f"{name!r} has no description.", "A model guesses what it means.", path
        )
    if not {"type", "$ref", "anyOf", "oneOf", "allOf", "const"} & schema.keys():
        kinds = {_TYPES.get(type(value)) for value in schema.get("enum", [])}
        kind = kinds.pop() if len(kinds) == 1 else None
        fix = _with(spec, path, {"type": kind, **schema}) if kind else None
        yield LintNote("no_type", spec.name, f"{name!r} has no type.", "Numbers may come as text.", path, fix=fix)
    if "default" in schema and isinstance(schema.get("enum"), list) and schema["default"] not in schema["enum"]:
        fix = _with(spec, path, {key: value for key, value in schema.items() if key != "default"})
        text = f"The default of {name!r} is none of its choices."
        yield LintNote("bad_default", spec.name, text, "A model that uses it is refused.", (*path, "default"), fix=fix)


def _not_carried(spec: ToolSpec, formats: Sequence[str], wires: Sequence[str]) -> Iterator[LintNote]:
    targets = [(one, one, "") for one in formats] + [(one, "", one) for one in wires]
    for path, keyword, value in _keywords(spec.parameters, ()):
        lost = [name for name, form, wire in targets if not _arrives(written((spec,), form, wire), keyword, value)]
        if lost:
            yield LintNote(
                "not_carried", spec.name, f"{keyword!r} is not carried by {', '.join(lost)}.",
                "Left out of the prompt there; still checked here.", path, wrong=False,
            )  # fmt: skip


_CHOICES = 50
"""Of a list of choices so many are looked for: whoever writes these writes all."""


def _arrives(text: str, keyword: str, value: Any) -> bool:
    if f'"{keyword}"' in text:
        return True
    if keyword not in ("enum", "default", "const", "pattern"):
        return False
    values = value[:_CHOICES] if keyword == "enum" and isinstance(value, list) else [value]
    return all(json.dumps(one, ensure_ascii=False) in text or str(one) in text for one in values)


@lru_cache(maxsize=512)
def _written(specs: str, format_id: str, wire: str) -> str:
    """Tools as a request would carry them, as text."""
    tools = tuple(ToolSpec(*one) for one in parse_json(specs))
    if format_id:
        found = get_format(format_id)
        if not found.native:
            return found.prompt(tools)
        return json.dumps([one.to_openai() for one in tools], ensure_ascii=False)
    request = ChatRequest("model", (Message("user", "x"),), tools)
    sent = get_wire(wire).encode(request, Endpoint("lint", wire, "http://127.0.0.1/"))
    body = parse_json(sent.body)
    return json.dumps(body.get("tools") or body, ensure_ascii=False)


def written(specs: tuple[ToolSpec, ...], format_id: str, wire: str) -> str:
    """What a format's prompt or a wire's body holds of these tools."""
    return _written(json.dumps([[one.name, one.description, one.parameters] for one in specs]), format_id, wire)


def _of_names(specs: Sequence[ToolSpec]) -> Iterator[LintNote]:
    for one, other in combinations(specs, 2):
        a, b = _folded(one.name), _folded(other.name)
        if a == b or SequenceMatcher(None, a, b).ratio() >= _ALIKE:
            text = f"{one.name!r} and {other.name!r} are easily taken for each other."
            yield LintNote("alike_names", other.name, text, "A model may call the wrong one.", wrong=a == b)


def _folded(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _of_size(specs: Sequence[ToolSpec], formats: Sequence[str], wires: Sequence[str]) -> Iterator[LintNote]:
    if len(specs) > MANY_TOOLS:
        text = f"{len(specs)} tools in one set."
        yield LintNote("many_tools", "", text, "Small models choose badly among so many.", wrong=False)
    for cost in token_costs(specs, formats, wires):
        if cost.tokens > MANY_TOKENS:
            text = f"About {cost.tokens:,} tokens in every request as {cost.target}."
            yield LintNote("many_tokens", "", text, "They cost money and room for the conversation.", wrong=False)


def _properties(schema: Any, path: Path, depth: int = 0) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every described argument, those inside of objects and lists too."""
    if not isinstance(schema, dict) or depth > 12:
        return
    inner = schema.get("properties")
    for name, one in inner.items() if isinstance(inner, dict) else ():
        if isinstance(one, dict):
            yield (*path, "properties", name), one
            yield from _properties(one, (*path, "properties", name), depth + 1)
    yield from _properties(schema.get("items"), (*path, "items"), depth + 1)


def _keywords(schema: Any, path: Path) -> Iterator[tuple[Path, str, Any]]:
    for at, one in _properties(schema, path):
        for keyword in one:
            if keyword in _KEYWORDS:
                yield (*at, keyword), keyword, one[keyword]


def _with(spec: ToolSpec, path: Path, schema: dict[str, Any]) -> ToolSpec:
    """The tool with one part of its schema replaced."""
    parameters = parse_json(json.dumps(spec.parameters))
    place: Any = parameters
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = schema
    return replace(spec, parameters=parameters)
