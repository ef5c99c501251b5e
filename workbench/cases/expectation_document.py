"""What must come of a case, as a part of its document, both ways.

    expect: no_call                          # the right decision is not to call; any_call and must_ask likewise
    expect:
      calls: [{name: …, arguments: {…}, extra_arguments: true}]
      order: strict | any
      extra_calls: true                      # further calls allowed (superset)
      missing_calls: true                    # not all are needed, but one (subset)
      names_only: true                       # arguments do not count
      any_call: true / must_ask: true        # instead of calls
      must_not_call: [rm]
      one_of: [{calls: …}, no_call]          # several right ways
      matching: {text: exact|folded|letters, numbers: value|widening|type, tolerance: 0.01, coerced: true, defaults: false,
                 as_written: true}
      grading: bfcl                          # instead of matching: a named mode of `grading.modes`
      answer_contains: […]                   # also answer_lacks, answer_regex, no_markers; alone: calls are free
      path: {max_steps: 4, max_loops: 1, tools: [search, read], no_repeats: true}

An argument is a value, which must be given exactly, or an object made of these keys alone:

    any_of: [values]   any: true   optional: true   one_of: [arguments]   kind: date   regex: ^a   contains: [words]
    fields: {name: argument}   items: [arguments]   extra: true   any_order: true   text: folded   tolerance: 0.5
    numbers: type   literal: java long
"""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, cast, get_args

from workbench.core.case import (
    Expectation,
    ExpectedArgument,
    ExpectedCall,
    Matching,
    NumberMatch,
    PathChecks,
    Placeholder,
    TextMatch,
)
from workbench.core.errors import InvalidInput
from workbench.grading.literals import known_kinds, literal_kind
from workbench.grading.modes import MODES, mode_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_ARGUMENT_KEYS = frozenset(
    {"any_of", "any", "optional", "one_of", "fields", "items", "extra", "any_order", "kind", "regex", "contains", "text",
     "tolerance", "numbers", "literal"}
)  # fmt: skip
_MANNER = frozenset({"optional", "extra", "any_order", "text", "tolerance", "numbers", "literal"})
"""Keys that say how a value is looked at, and nothing of the value."""
_CALL_KEYS = frozenset({"name", "arguments", "extra_arguments"})
_FLAGS = ("no_call", "extra_calls", "missing_calls", "names_only", "any_call", "must_ask", "no_markers")
_WORDS = ("answer_contains", "must_not_call", "answer_lacks")
_ALONE = ("no_call", "any_call", "must_ask")
"""What may stand as a word alone."""
_EXPECT_KEYS = frozenset({"calls", "order", "one_of", "matching", "grading", "path", "answer_regex", *_FLAGS, *_WORDS})
_WAYS = "calls, no_call, any_call, must_ask, must_not_call or one_of"


def expectation_from_document(value: Any, place: str) -> Expectation:
    """Read an expectation; raise InvalidInput naming the place inside the document."""
    if isinstance(value, str) and value in _ALONE:
        value = {value: True}
    body = known_keys(value, place, _EXPECT_KEYS)
    if "one_of" in body:
        if len(body) > 1:
            raise InvalidInput(f"{place} has other keys beside 'one_of'.", hint="Write them inside each of its ways.")
        ways = _ways(body, place)
        return Expectation(
            one_of=tuple(expectation_from_document(way, f"{place}.one_of[{at}]") for at, way in enumerate(ways))
        )
    calls = _list(body.get("calls") or [], f"{place}.calls")
    flags = {name: _flag(body, name, place) for name in _FLAGS}
    said = {name: words(body.get(name), f"{place}.{name}") for name in _WORDS}
    ways_said = [bool(calls), flags["no_call"], flags["any_call"], flags["must_ask"]]
    checks = any(said.values()) or flags["no_markers"] or any(body.get(name) for name in ("answer_regex", "path"))
    if sum(ways_said) > 1 or not (any(ways_said) or checks):
        raise InvalidInput(
            f"{place} must say what is right, once: {_WAYS}, or what the answer or the path must be.",
            hint="Write expect: no_call where no call is right.",
        )
    return Expectation(
        calls=tuple(_call(item, f"{place}.calls[{at}]") for at, item in enumerate(calls)),
        order=_choice(body, "order", ("strict", "any"), place) or "strict",
        matching=_matching_or_mode(body, place),
        answer_regex=_pattern(body.get("answer_regex"), f"{place}.answer_regex"),
        path=_path(body.get("path"), f"{place}.path"),
        no_call=flags["no_call"],
        extra_calls=flags["extra_calls"],
        missing_calls=flags["missing_calls"],
        names_only=flags["names_only"],
        any_call=flags["any_call"],
        must_ask=flags["must_ask"],
        no_markers=flags["no_markers"],
        answer_contains=said["answer_contains"],
        must_not_call=said["must_not_call"],
        answer_lacks=said["answer_lacks"],
    )


def _call(value: Any, place: str) -> ExpectedCall:
    body = known_keys(value, place, _CALL_KEYS)
    name, arguments = body.get("name"), body.get("arguments") or {}
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"{place} has no 'name'.")
    return ExpectedCall(name, _rules(arguments, f"{place}.arguments"), _flag(body, "extra_arguments", place))


def _rules(value: Any, place: str) -> dict[str, ExpectedArgument]:
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} is not an object.")
    return {str(key): _argument(item, f"{place}.{key}") for key, item in value.items()}


def _argument(value: Any, place: str) -> ExpectedArgument:
    if not isinstance(value, dict) or not value or not set(value) <= _ARGUMENT_KEYS:
        return ExpectedArgument((value,))
    if "any_of" in value and not (isinstance(value["any_of"], list) and value["any_of"]):
        raise InvalidInput(f"{place} needs any_of: [values …] or any: true.")
    if not _flag(value, "any", place, default=True):
        raise InvalidInput(f"{place}.any is false.", hint="Write any: true for any value, or leave it out.")
    if not set(value) - _MANNER:
        raise InvalidInput(f"{place} says nothing about the value.", hint="Write any_of: [values …] or any: true.")
    members = _list(value["items"], f"{place}.items") if "items" in value else None
    return ExpectedArgument(
        values=tuple(value.get("any_of") or ()),
        optional=_flag(value, "optional", place),
        one_of=_members(_ways(value, place), f"{place}.one_of") if "one_of" in value else (),
        fields=_rules(value["fields"], f"{place}.fields") if "fields" in value else None,
        items=members if members is None else _members(members, f"{place}.items"),
        extra=_flag(value, "extra", place),
        any_order=_flag(value, "any_order", place),
        kind=cast("Placeholder", _choice(value, "kind", get_args(Placeholder), place) or ""),
        regex=_pattern(value.get("regex"), f"{place}.regex"),
        contains=words(value.get("contains"), f"{place}.contains"),
        text=cast("TextMatch | None", _choice(value, "text", get_args(TextMatch), place)),
        tolerance=_number(value.get("tolerance"), f"{place}.tolerance"),
        numbers=cast("NumberMatch | None", _choice(value, "numbers", get_args(NumberMatch), place)),
        literal=_literal(value.get("literal"), f"{place}.literal"),
    )


def _members(values: list[Any], place: str) -> tuple[ExpectedArgument, ...]:
    return tuple(_argument(value, f"{place}[{at}]") for at, value in enumerate(values))


def _literal(value: Any, place: str) -> str:
    if value is None:
        return ""
    kind = literal_kind(value) if isinstance(value, str) else None
    if kind is None:
        raise InvalidInput(f"{place} is {value!r}, no kind of literal.", hint=f"Known: {known_kinds()}.")
    return str(kind)


def _matching_or_mode(body: dict[str, Any], place: str) -> Matching:
    mode = _choice(body, "grading", tuple(MODES), place)
    if mode is None:
        return _matching(body.get("matching"), f"{place}.matching")
    if "matching" in body:
        raise InvalidInput(f"{place} has both 'grading' and 'matching'.", hint="A named mode says how values match.")
    return MODES[mode]


def _matching(value: Any, place: str) -> Matching:
    if value is None:
        return Matching()
    body = known_keys(value, place, frozenset(one.name for one in fields(Matching)))
    return Matching(
        text=cast("TextMatch", _choice(body, "text", get_args(TextMatch), place) or "exact"),
        numbers=cast("NumberMatch", _choice(body, "numbers", get_args(NumberMatch), place) or "value"),
        tolerance=_number(body.get("tolerance"), f"{place}.tolerance") or 0.0,
        coerced=_flag(body, "coerced", place),
        defaults=_flag(body, "defaults", place, default=True),
        as_written=_flag(body, "as_written", place),
    )


def _path(value: Any, place: str) -> PathChecks:
    if value is None:
        return PathChecks()
    body = known_keys(value, place, frozenset(one.name for one in fields(PathChecks)))
    counts = {name: body.get(name, 0) for name in ("max_steps", "max_loops")}
    for name, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise InvalidInput(f"{place}.{name} is {count!r}.", hint="Write a number from 1.")
    return PathChecks(
        **counts, tools=words(body.get("tools"), f"{place}.tools"), no_repeats=_flag(body, "no_repeats", place)
    )


def known_keys(value: Any, place: str, known: frozenset[str]) -> dict[str, Any]:
    """Return an object that has no other keys; raise InvalidInput naming the first that it has."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} is not an object.")
    if unknown := sorted(str(key) for key in value if key not in known):
        raise InvalidInput(f"{place} has an unknown key {unknown[0]!r}.", hint=f"Known: {', '.join(sorted(known))}.")
    return value


def words(value: Any, place: str) -> tuple[str, ...]:
    """Return one text or a list of texts as a tuple; raise InvalidInput for anything else."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput(f"{place} is not a list of words.")
    return tuple(value)


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidInput(f"{place} is not a list.")
    return value


def _ways(body: dict[str, Any], place: str) -> list[Any]:
    ways = _list(body["one_of"], f"{place}.one_of")
    if not ways:
        raise InvalidInput(f"{place}.one_of is empty, so nothing could be right.", hint="Write one way at least.")
    return ways


def _flag(body: dict[str, Any], name: str, place: str, *, default: bool = False) -> bool:
    value = body.get(name, default)
    if not isinstance(value, bool):
        raise InvalidInput(f"{place}.{name} is {value!r}.", hint="Write true or false.")
    return value


def _choice(body: dict[str, Any], name: str, known: tuple[str, ...], place: str) -> Any:
    value = body.get(name)
    if value is not None and value not in known:
        ways = [", ".join(known[:-1]), known[-1]] if len(known) > 1 else list(known)
        raise InvalidInput(f"{place}.{name} is {value!r}.", hint=f"Write {' or '.join(ways)}.")
    return value


def _number(value: Any, place: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise InvalidInput(f"{place} is {value!r}.", hint="Write a number from 0.")
    return float(value)


def _pattern(value: Any, place: str) -> str:
    if value is None:
        return ""
    try:
        re.compile(value)
    except (re.error, TypeError) as error:
        raise InvalidInput(f"{place} is no regular expression: {error}.") from error
    return str(value)


def expectation_to_document(expectation: Expectation) -> Any:
    """Return what `expectation_from_document` reads back; defaults are left out."""
    if expectation == Expectation(no_call=True):
        return "no_call"
    if expectation.one_of:
        return {"one_of": [expectation_to_document(way) for way in expectation.one_of]}
    out: dict[str, Any] = {name: True for name in _FLAGS if getattr(expectation, name)}
    if expectation.calls:
        out = {"calls": list(_calls(expectation.calls)), **out}
    if expectation.order != "strict":
        out["order"] = expectation.order
    out |= {name: list(said) for name in _WORDS if (said := getattr(expectation, name))}
    if expectation.answer_regex:
        out["answer_regex"] = expectation.answer_regex
    mode = mode_of(expectation.matching)
    if mode:
        out["grading"] = mode
    for name, part, default in (
        ("matching", expectation.matching, Matching()), ("path", expectation.path, PathChecks()),
    ):  # fmt: skip
        if part != default and not (mode and name == "matching"):
            plain = asdict(default)
            out[name] = {
                key: list(value) if isinstance(value, tuple) else value
                for key, value in asdict(part).items()
                if value != plain[key]
            }
    return out


def _calls(calls: Iterable[ExpectedCall]) -> Iterable[dict[str, Any]]:
    for call in calls:
        out: dict[str, Any] = {"name": call.name}
        if call.arguments:
            out["arguments"] = {name: argument_to_document(argument) for name, argument in call.arguments.items()}
        if call.extra_arguments:
            out["extra_arguments"] = True
        yield out


def argument_to_document(argument: ExpectedArgument) -> Any:
    """Return the value itself where it is all that is said and cannot be mistaken for rules, else the rules."""
    if len(argument.values) == 1 and argument == ExpectedArgument(argument.values):
        (value,) = argument.values
        if not isinstance(value, dict):
            return value
    out: dict[str, Any] = {"any_of": list(argument.values)} if argument.values else {}
    if argument.one_of:
        out["one_of"] = [argument_to_document(way) for way in argument.one_of]
    if argument.fields is not None:
        out["fields"] = {name: argument_to_document(rule) for name, rule in argument.fields.items()}
    if argument.items is not None:
        out["items"] = [argument_to_document(rule) for rule in argument.items]
    for name in ("kind", "regex"):
        if said := getattr(argument, name):
            out[name] = said
    if argument.contains:
        out["contains"] = list(argument.contains)
    if not out:
        out["any"] = True
    for name in ("extra", "any_order", "optional"):
        if getattr(argument, name):
            out[name] = True
    if argument.literal:
        out["literal"] = argument.literal
    for name in ("text", "tolerance", "numbers"):
        if (said := getattr(argument, name)) is not None:
            out[name] = said
    return out
