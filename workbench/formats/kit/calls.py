"""From what a grammar read to a call that is given out, or to the problem why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.formats.kit.call_keys import ID_KEYS
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.markdown_escapes import CODE as ESCAPED
from workbench.formats.kit.markdown_escapes import has_escaped_key, plain_name, plain_values, with_plain_keys
from workbench.formats.kit.types import from_text, member_schema, wanted_types
from workbench.formats.kit.window import INVISIBLE

if TYPE_CHECKING:
    from workbench.formats.kit.toolset import Tool, ToolSet

MISSING: Any = object()
"""Stands for arguments that are not there at all."""

Item = ParsedCall | ParseProblem

WRAPPERS = frozenset(("arguments", "parameters", "args", "params", "input"))
"""Keys under which all arguments may stand once more."""


class RawText(NamedTuple):
    """Arguments of a format without types: each value is text until the schema says what it is."""

    values: dict[str, str]


class Draft(NamedTuple):
    """An attempt as the grammar read it, before the tools are consulted. Spans are source offsets."""

    name: str
    arguments: Any
    """A dict, a RawText, MISSING, or whatever stood there instead."""
    span: Span
    name_span: Span
    arguments_span: Span
    id: str = ""
    repairs: tuple[str, ...] = ()
    canonical: bool = True
    """The shape alone says that this is a call; others need a declared name and all required arguments."""
    format: str = ""


def report(code: str, span: Span, message: str, *, hint: str = "", name: str = "") -> ParseProblem:
    """Return the problem of an attempt from which no call is given out."""
    return ParseProblem(code, span, message, Outcome.REPORTED, hint, name)


def mention(span: Span, name: str, why: str) -> ParseProblem:
    """Return the note that something looks like a call but is none."""
    return ParseProblem("mentioned", span, f"This looks like a call but {why}.", Outcome.IGNORED, "", name)


def declined(span: Span, name: str) -> ParseProblem:
    """Return the note that the model says in its format's own way that it calls nothing."""
    return ParseProblem("declined", span, f"The model says by {name!r} that it calls no tool.")


def unknown_key(span: Span, name: str) -> ParseProblem:
    """Report an object beside a call's name that nothing says to be its arguments."""
    return report("args_not_object", span, f"No key beside {name!r} is one for arguments.", name=name)


def settle(draft: Draft, tools: ToolSet) -> Item | None:
    """Resolve the name, bring the arguments into an object of the right types; None: this is no attempt at all."""
    named = tools.resolve(draft.name)
    if named.problem:
        if not draft.canonical:
            return None
        return _name_problem(draft, named.problem, named.hint)
    if not draft.canonical and named.tool is None:
        return None
    spelled: tuple[str, ...] = ()
    if named.tool is not None:
        draft, spelled = _spelled(draft, named.tool)
    arguments, repairs = _as_object(draft.arguments, named.tool, draft.canonical)
    repairs = (*spelled, *repairs) if spelled else repairs
    if ESCAPED in named.repairs:
        arguments = plain_values(arguments)
    if isinstance(arguments, str):
        return None if not draft.canonical else _argument_problem(draft, arguments, named.name)
    if named.tool is not None:
        if not isinstance(draft.arguments, RawText) and (inner := _wrapped(arguments, named.tool, tools)) is not None:
            arguments = inner
            repairs += ("wrapper_arg",)
        if (plain := _unschemed(arguments, named.tool)) is not arguments:
            arguments, repairs = plain, (*repairs, "wrapper_arg")
        missing = named.tool.missing(arguments)
        if missing and (not draft.canonical or _says_nothing(draft.arguments)):
            if not draft.canonical:
                return None
            text = f"{named.name!r} was called without {', '.join(map(repr, missing))}."
            return report("missing_argument", draft.span, text, name=named.name)
        if not isinstance(draft.arguments, RawText):
            arguments, changed = named.tool.coerced(arguments)
            if changed:
                repairs += ("schema_coerced",)
    codes = tuple(dict.fromkeys(draft.repairs + named.repairs + repairs))
    return ParsedCall(
        named.name, arguments, draft.id, Outcome.RECOVERED if codes else Outcome.STRICT, codes,
        draft.span, draft.name_span, draft.arguments_span, draft.format,
    )  # fmt: skip


def _spelled(draft: Draft, tool: Tool) -> tuple[Draft, tuple[str, ...]]:
    """Bring keys that hold escapes or characters without width to the declared spelling; those of objects inside too."""
    raw = isinstance(draft.arguments, RawText)
    values: Any = draft.arguments.values if raw else draft.arguments
    if not isinstance(values, dict):
        return draft, ()
    properties = tool.properties
    names: dict[str, str] = {}
    for key in values:
        plain = key if key in properties else plain_name(key.translate(_WITHOUT_WIDTH))
        if plain != key and plain in properties and plain not in values:
            names[key] = plain
    escaped = any("\\" in key for key in names)
    found: dict[str, Any] = {str(names.get(key, key)): value for key, value in values.items()} if names else values
    if not raw and any(isinstance(value, dict | list) and has_escaped_key(value) for value in found.values()):
        found, escaped = {key: with_plain_keys(value) for key, value in found.items()}, True
    if found is values:
        return draft, ()
    return draft._replace(arguments=RawText(found) if raw else found), (ESCAPED if escaped else "near_miss_tag",)


_WITHOUT_WIDTH = dict.fromkeys(map(ord, INVISIBLE))


def _wrapped(arguments: dict[str, Any], tool: Tool, tools: ToolSet) -> dict[str, Any] | None:
    """Return the arguments from an object that holds them under a key of its own, perhaps with the tool's name or the call's id."""
    if not 0 < len(arguments) < 3 or not tool.properties.keys().isdisjoint(arguments):
        return None
    keys = [key for key in arguments if key in WRAPPERS or key == "properties"]
    inner = arguments[keys[0]] if len(keys) == 1 else None
    if not isinstance(inner, dict) or not inner.keys() & tool.properties.keys():
        return None
    beside = {key: value for key, value in arguments.items() if key not in keys}
    if keys == ["properties"] and beside.get("type") == "object":
        del beside["type"]  # the layer is a schema's
    names = [value for key, value in beside.items() if not (key in ID_KEYS and isinstance(value, str | int))]
    return inner if all(isinstance(name, str) and tools.resolve(name).tool is tool for name in names) else None


_VALUE_KEYS = frozenset(("type", "value", "description"))


def _unschemed(arguments: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """Take each value out of the schema that it was written into, `{"type": "string", "value": "Rome"}`; the same object if none is."""
    held = {
        key: value["value"]
        for key, value in arguments.items()
        if isinstance(value, dict) and "value" in value and value.keys() <= _VALUE_KEYS and key in tool.properties
        and "object" not in (wanted_types(tool.schema_of(key)) or ("object",))
    }  # fmt: skip
    return {**arguments, **held} if held else arguments


def _says_nothing(arguments: Any) -> bool:
    """True where no arguments were written; an empty object is written and stays."""
    if isinstance(arguments, RawText):
        return not arguments.values
    if isinstance(arguments, str):
        return arguments.strip() in ("", "null")
    return arguments is MISSING or arguments is None or arguments == []


def _name_problem(draft: Draft, code: str, hint: str) -> ParseProblem:
    if code == "bad_name":
        what = f"{draft.name[:60]!r} cannot be a tool's name." if draft.name.strip() else "The call names no tool."
        return report(code, draft.span, what, hint=hint, name=draft.name[:128])
    return report(code, draft.span, f"No tool {draft.name!r} is declared.", hint=hint, name=draft.name)


def _argument_problem(draft: Draft, code: str, name: str) -> ParseProblem:
    messages = {
        "args_not_object": f"The arguments of {name!r} are no JSON object.",
        "bad_json": f"The arguments of {name!r} are no readable JSON.",
        "too_large": f"The arguments of {name!r} are larger than 1 MiB or nested deeper than 64 levels.",
        "truncated": f"The arguments of {name!r} are cut off.",
    }
    return report(code, draft.span, messages[code], name=name)


def _as_object(value: Any, tool: Tool | None, canonical: bool) -> tuple[dict[str, Any] | str, tuple[str, ...]]:
    """Return the arguments as a dict with the repairs it took, or a refusal code."""
    if isinstance(value, dict):
        return value, ()
    if isinstance(value, RawText):
        return _typed(value, tool)
    if value is MISSING or value is None:
        if not canonical:
            return "args_not_object", ()
        return {}, () if value is MISSING else ("schema_coerced",)
    if isinstance(value, str):
        return ({}, ("schema_coerced",)) if canonical and value.strip() == "null" else decode_arguments(value)
    if isinstance(value, list) and not value:
        return {}, ("schema_coerced",)
    return _from_list(value, tool) if isinstance(value, list) else ("args_not_object", ())


def _from_list(value: list[Any], tool: Tool | None) -> tuple[dict[str, Any] | str, tuple[str, ...]]:
    """Take the one object in a list that has the tool's keys, or the list itself where that is all the tool needs."""
    alone = value[0] if len(value) == 1 and isinstance(value[0], dict) else None
    if alone is not None and (tool is None or not tool.properties or not tool.properties.keys().isdisjoint(alone)):
        return alone, ("wrapper_arg",)
    needed = [*(tool.required or tool.properties)] if tool is not None else []
    fits = tool is not None and len(needed) == 1 and wanted_types(tool.schema_of(needed[0])) == ("array",)
    return ({needed[0]: value}, ("positional",)) if fits else ("args_not_object", ())


def decode_arguments(text: str) -> tuple[dict[str, Any] | str, tuple[str, ...]]:
    """Unwrap arguments that were encoded as a JSON string, up to three times."""
    repairs: tuple[str, ...] = ("double_encoded",)
    value: Any = text
    for _ in range(3):
        if not isinstance(value, str):
            break
        bare = value.strip()
        if not bare:
            return {}, repairs
        read = read_json(bare, 0)
        if read.error:
            return ("bad_json" if bare[0] in "{[\"'" else "args_not_object"), ()
        if read.end != len(bare):
            if set(bare[read.end :]) - set("}] \n\t\r"):
                return "bad_json", ()
            repairs += ("extra_brace",)
        repairs += read.repairs
        value = read.value
    return (value, repairs) if isinstance(value, dict) else ("args_not_object", ())


def _typed(raw: RawText, tool: Tool | None) -> tuple[dict[str, Any], tuple[str, ...]]:
    if tool is None:
        return dict(raw.values), ()
    arguments: dict[str, Any] = {}
    repairs: tuple[str, ...] = ()
    schema = tool.schema_for(raw.values)
    for key, text in raw.values.items():
        arguments[key], repair = from_text(text, member_schema(schema, key))
        if repair:
            repairs += (repair,)
    return arguments, repairs
