"""The one filter language: `model:qwen* verdict:fail,error -code:parse.* since:7d "free text"`.

    filter  = { ["-"] term }            all terms must hold, `-` turns one round
    term    = field ":" value { "," value } | word | '"' phrase '"'
    value   = bare or quoted; `*` and `?` stand for anything in names; numbers take > < >= <=

Everything that a user can type wrong raises FilterError with the place and a hint; nothing else is ever raised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.verdict import VerdictState
from workbench.store.moments import is_moment
from workbench.store.storable import storable


class FieldKind(StrEnum):
    """How the values of a field are read."""

    NAME = "name"
    CHOICE = "choice"
    TIME = "time"
    NUMBER = "number"
    ID = "id"
    TEXT = "text"


class Field(NamedTuple):
    """One field of the language."""

    name: str
    kind: FieldKind
    help: str
    choices: tuple[str, ...] = ()


class FilterError(InvalidInput):
    """The filter cannot be understood; `start` and `end` say where."""

    def __init__(self, message: str, start: int, end: int, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.start = start
        self.end = end


_STATES = tuple(state.value for state in VerdictState)
_FLAGS = ("simulated", "real", "binned", "running", "by_hand", "edited", "edit")

FIELDS = {
    field.name: field
    for field in (
        Field("verdict", FieldKind.CHOICE, "how the run was judged", _STATES),
        Field("code", FieldKind.NAME, "failure code, such as parse.*"),
        Field("model", FieldKind.NAME, "executor's model"),
        Field("format", FieldKind.NAME, "tool-call format that was used"),
        Field("tool", FieldKind.NAME, "tool that was called"),
        Field("since", FieldKind.TIME, "7d, 12h, today, 2026-01-31"),
        Field("before", FieldKind.TIME, "7d, 12h, today, 2026-01-31"),
        Field("provider", FieldKind.NAME, "executor's provider"),
        Field("planner", FieldKind.NAME, "planner's model"),
        Field("mode", FieldKind.CHOICE, "direct or boost", ("direct", "boost")),
        Field("wire", FieldKind.NAME, "wire protocol"),
        Field("origin", FieldKind.NAME, "where the run came from: try, cli, demo, suite"),
        Field("user", FieldKind.NAME, "who recorded it, in a history that several people share"),
        Field("suite", FieldKind.NAME, "suite whose case it was a repeat of"),
        Field("case", FieldKind.NAME, "case that it was a repeat of"),
        Field("batch", FieldKind.ID, "beginning of a comparison's id"),
        Field("basis", FieldKind.CHOICE, "what the verdict stands on", ("expectation", "intrinsic")),
        Field("stop", FieldKind.NAME, "why the run ended"),
        Field(
            "is",
            FieldKind.CHOICE,
            "simulated, real, binned, running, by_hand (a verdict was set), edited (its reply was, at a breakpoint),"
            " edit (what was given instead)",
            _FLAGS,
        ),
        Field("id", FieldKind.ID, "run number or beginning of its id"),
        Field("target", FieldKind.ID, "beginning of the target's hash"),
        Field("steps", FieldKind.NUMBER, "model replies, such as >3"),
        Field("calls", FieldKind.NUMBER, "parsed calls, such as 0"),
        Field("tokens", FieldKind.NUMBER, "input and output together"),
        Field("seconds", FieldKind.NUMBER, "duration"),
        Field("prompt", FieldKind.TEXT, "words in the messages"),
        Field("answer", FieldKind.TEXT, "words in the answer"),
        Field("argument", FieldKind.TEXT, "words in call arguments"),
        Field("result", FieldKind.TEXT, "words in tool results"),
        Field("raw", FieldKind.TEXT, "words in raw replies"),
    )
}
"""All fields, in the order of the help text."""

MOST_VALUES = 200
"""More than anybody types, fewer than what the database refuses."""

_TOKEN = re.compile(r'(?P<no>-?)(?:(?P<field>[A-Za-z_][\w.]*):)?(?P<values>(?:"[^"]*"|[^\s"])*)')
_VALUE = re.compile(r'(?:"[^"]*"|[^,"])+')
_NUMBER = re.compile(r"(?P<sign><=|>=|<|>|=)?(?P<number>\d+(?:\.\d+)?)")


class Term(NamedTuple):
    """One condition. Without a field it is free text: one value, looked for anywhere."""

    field: str
    values: tuple[str, ...]
    negated: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter that was understood."""

    terms: tuple[Term, ...] = ()

    def without(self, field: str) -> Filter:
        """The same filter minus the positive terms of one field."""
        return Filter(tuple(term for term in self.terms if term.field != field or term.negated))

    def __str__(self) -> str:
        return " ".join(map(write_term, self.terms))


def write_term(term: Term) -> str:
    """A term as the user would type it."""
    values = ",".join(_quote(value, bool(term.field)) for value in term.values)
    return ("-" if term.negated else "") + (f"{term.field}:{values}" if term.field else values)


def _quote(value: str, in_field: bool) -> str:
    plain = not re.search(r'[\s,"]', value) if in_field else re.fullmatch(r"[\w.][\w.-]*", value)
    return value if plain and value else f'"{value}"'


def parse_filter(text: str) -> Filter:
    """Understand a filter; raise FilterError naming the term that cannot be understood."""
    text = storable(text)
    terms: list[Term] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _TOKEN.match(text, at)
        assert found is not None  # the pattern matches the empty text
        if found.end() < len(text) and text[found.end()] == '"':
            raise FilterError(
                "A quotation mark is not closed.", found.end(), len(text), hint='Write "the whole phrase".'
            )
        terms.append(_term(found))
        at = found.end()
        if sum(len(term.values) for term in terms) > MOST_VALUES:
            raise FilterError("The filter is too long.", at, len(text), hint=f"At most {MOST_VALUES} values.")
    return Filter(tuple(terms))


def _term(found: re.Match[str]) -> Term:
    start, end = found.span()
    name, raw = (found["field"] or "").lower(), found["values"]
    values = tuple(part.replace('"', "").strip() for part in _VALUE.findall(raw)) if name else (raw.replace('"', ""),)
    term = Term(name, values, found["no"] == "-", start, end)
    if not name:
        _check_words(values[0], start, end)
        return term
    if name not in FIELDS:
        raise _unknown_field(name, found.group(), start, end)
    if not values or not all(values):
        raise FilterError(f"{name}: has no value.", start, end, hint=_example(FIELDS[name]))
    for value in values:
        _check_value(FIELDS[name], value, start, end)
    return term


def _check_words(value: str, start: int, end: int) -> None:
    if not any(character.isalnum() for character in value):
        raise FilterError(
            f"There is nothing to search for in {value!r}.", start, end, hint="A search needs letters or digits."
        )


def _unknown_field(name: str, whole: str, start: int, end: int) -> FilterError:
    close = get_close_matches(name, FIELDS, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f'To search for the text, write "{whole}".'
    return FilterError(f"There is no field {name!r}.", start, end, hint=hint)


def _check_value(field: Field, value: str, start: int, end: int) -> None:
    match field.kind:
        case FieldKind.CHOICE:
            if not any(pattern(value).fullmatch(choice) for choice in field.choices):
                hint = f"One of {', '.join(field.choices)}."
                raise FilterError(f"{field.name}: cannot be {value!r}.", start, end, hint=hint)
        case FieldKind.TIME:
            if not is_moment(value):
                raise FilterError(f"{field.name}: cannot read the time {value!r}.", start, end, hint=_example(field))
        case FieldKind.NUMBER:
            if not _NUMBER.fullmatch(value):
                raise FilterError(f"{field.name}: {value!r} is not a number.", start, end, hint=_example(field))
        case FieldKind.TEXT:
            _check_words(value, start, end)
        case FieldKind.NAME | FieldKind.ID:
            pass


def _example(field: Field) -> str:
    return f"{field.name}: {field.help}."


def pattern(value: str) -> re.Pattern[str]:
    """A name pattern with `*` and `?` as a regular expression; case does not matter."""
    escaped = re.escape(value).replace(r"\*", ".*").replace(r"\?", ".")
    return re.compile(escaped, re.IGNORECASE | re.DOTALL)


def read_number(value: str) -> tuple[str, float]:
    """`>3` as `(">", 3.0)`; a bare number means equal."""
    found = _NUMBER.fullmatch(value)
    assert found is not None  # checked by parse_filter
    return found["sign"] or "=", float(found["number"])
