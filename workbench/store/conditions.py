"""A filter as conditions on the table of runs.

Names are looked up first, in their own small table; what is left are comparisons of numbers and short texts on narrow
rows. Walking those rows from the newest on finds a page at once where matches are common, and stays within the time
that a user waits even where nothing matches; so no further index decides what is quick and what is not.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Text, and_, cast, false, literal, or_, select, true

from workbench.core.events import StopReason
from workbench.store.filter import FIELDS, FieldKind, Filter, Term, pattern, read_number
from workbench.store.moments import read_moment
from workbench.store.opinions import numbers_by_hand
from workbench.store.schema import batch_items, batches, names, run_details, runs
from workbench.store.search import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.store.names import Known
    from workbench.store.search import SearchIndex

Where = ColumnElement[bool]

_ID_COLUMNS = {
    "provider": ("provider", runs.c.provider_id),
    "model": ("model", runs.c.model_id),
    "planner": ("model", runs.c.planner_id),
    "format": ("format", runs.c.format_id),
    "wire": ("wire", runs.c.wire_id),
    "origin": ("origin", runs.c.origin_id),
    "user": ("user", runs.c.user_id),
}
_LIST_COLUMNS = {"code": runs.c.codes, "tool": runs.c.tools}
_WORD_COLUMNS = {"verdict": runs.c.verdict, "mode": runs.c.mode, "basis": runs.c.basis, "stop": runs.c.stop}
_NUMBER_COLUMNS: dict[str, ColumnElement[Any]] = {
    "steps": runs.c.steps,
    "calls": runs.c.calls,
    "tokens": runs.c.input_tokens + runs.c.output_tokens,
    "seconds": runs.c.duration_us,
}
_UNITS = {"seconds": 1_000_000}
_TEXT_COLUMNS = {
    "": "",
    "prompt": "prompt",
    "answer": "answer",
    "argument": "arguments",
    "result": "results",
    "raw": "raw",
}
_BATCH_COLUMNS: dict[str, ColumnElement[str]] = {
    "suite": batches.c.suite,
    "batch": batches.c.id,
    "case": batch_items.c.case_id,
}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


_MANY = 100
_EDIT = runs.alias("edit")
_FEW = 8
"""Digits of an id from which only runs of the same minute have it; of a target's hash, those of this target alone."""


class Condition(NamedTuple):
    """What a filter asks of a run."""

    where: Where
    phrases: tuple[Phrase, ...] = ()
    """What the search index must know; empty: it is not asked."""
    gathered: bool = False
    """Whether it speaks of batches: their runs are gathered, not looked for run by run."""


def compile_filter(
    wanted: Filter, known: dict[int, Known], now_us: int, index: SearchIndex, *, counted: bool = False
) -> Condition:
    """Translate a filter; `known` are all stored names by number. `counted`: for all runs, not for a page of them."""
    terms = wanted.terms
    clauses: list[Where] = []
    phrases: list[Phrase] = []
    asked = {value for term in terms if term.field == "is" and not term.negated for value in term.values}
    if "binned" not in asked:
        clauses.append(runs.c.deleted_us.is_(None))
    if "edit" not in asked:
        clauses.append(runs.c.edit_of.is_(None))
    unwanted: dict[str, list[str]] = {}
    inside: list[Where] = []
    for term in terms:
        if term.field in _TEXT_COLUMNS and term.negated:
            unwanted.setdefault(_TEXT_COLUMNS[term.field], []).extend(term.values)
        elif term.field in _TEXT_COLUMNS:
            phrases.append(Phrase(term.values[0], _TEXT_COLUMNS[term.field], term.values[1:]))
        elif term.field in _BATCH_COLUMNS:
            meets = _of_item(term)
            if term.negated:
                clauses.append(index.outside(_in_batch([meets])))
            else:
                inside.append(meets)
        elif term.field in _DETAILS:
            clauses.append(_with_details(term))
        else:
            clause = _clause(term, known, now_us)
            clauses.append(~clause if term.negated else clause)
    if inside:  # gathered once, whatever is asked of the item: to gather takes longer than all else
        clauses.append(index.among(_in_batch(inside)))
    for column, (first, *more) in unwanted.items():
        clauses.append(index.lacking(Phrase(first, column, tuple(more)), counted=counted))
    return Condition(and_(true(), *clauses), tuple(phrases), any(term.field in _BATCH_COLUMNS for term in terms))


def _clause(term: Term, known: dict[int, Known], now_us: int) -> Where:
    name = term.field
    if name in _ID_COLUMNS:
        kind, column = _ID_COLUMNS[name]
        found = column.in_(_ids(kind, term.values, known))
        return and_(column.is_not(None), found) if column.nullable else found
    if name in _LIST_COLUMNS:
        return _in_list(name, term.values, known)
    if name in _WORD_COLUMNS:
        return _WORD_COLUMNS[name].in_(_matching_words(name, term.values))
    if name in _NUMBER_COLUMNS:
        return or_(false(), *(_compare(name, value) for value in term.values))
    if name == "is":
        return or_(false(), *(_flag(flag) for value in term.values for flag in _choices("is", value)))
    limit = [read_moment(value, now_us) for value in term.values]
    return runs.c.started_us >= min(limit) if name == "since" else runs.c.started_us < max(limit)


def _ids(kind: str, values: Iterable[str], known: dict[int, Known]) -> list[int]:
    patterns = [pattern(value) for value in values]
    return [
        number for number, item in known.items() if item.kind == kind and any(p.fullmatch(item.name) for p in patterns)
    ]


def _in_list(kind: str, values: Iterable[str], known: dict[int, Known]) -> Where:
    column = _LIST_COLUMNS[kind]
    ids = _ids(kind, values, known)
    if len(ids) > 1 and len(ids) == sum(item.kind == kind for item in known.values()):
        return column != ""
    if len(ids) > _MANY:  # more alternatives than the database takes in one expression
        inside = column.like(literal("%,").concat(cast(names.c.id, Text)).concat(",%"))
        return select(names.c.id).where(names.c.id.in_(ids), inside).exists()
    return or_(false(), *(column.like(f"%,{number},%") for number in ids))


def _choices(name: str, value: str) -> list[str]:
    field = FIELDS[name]
    choices = field.choices if field.kind is FieldKind.CHOICE else tuple(str(reason) for reason in StopReason)
    return [choice for choice in choices if pattern(value).fullmatch(choice)]


def _matching_words(name: str, values: Iterable[str]) -> list[str]:
    return [choice for value in values for choice in _choices(name, value)]


def _compare(name: str, value: str) -> Where:
    """Whole numbers stay whole: a server that has to turn a column into fractions first cannot tell how few rows are left."""
    sign, number = read_number(value)
    number *= _UNITS.get(name, 1)
    result: Where = _COMPARE[sign](_NUMBER_COLUMNS[name], int(number) if number.is_integer() else number)
    return result


def _flag(flag: str) -> Where:
    flags: dict[str, Where] = {
        "simulated": runs.c.simulated.is_(True),
        "real": runs.c.simulated.is_(False),
        "binned": runs.c.deleted_us.is_not(None),
        "running": runs.c.verdict == "running",
        "by_hand": runs.c.number.in_(numbers_by_hand()),
        "edited": runs.c.number.in_(select(_EDIT.c.edit_of).where(_EDIT.c.edit_of.is_not(None))),
        "edit": runs.c.edit_of.is_not(None),
    }
    return flags[flag]


def _with_details(term: Term) -> Where:
    """Every run has details, once: what is not wanted is turned round in there, where nothing needs to be gathered."""
    wanted = or_(false(), *(_DETAILS[term.field](value) for value in term.values))
    inside = select(run_details.c.number).where(~wanted if term.negated else wanted)
    few = not term.negated and all(len(value) >= _FEW for value in term.values)
    return (runs.c.number if few else runs.c.number + 0).in_(inside)  # many are no way to the runs, but a check on each


def _id_clause(value: str) -> Where:
    prefix = _prefix(run_details.c.id, value.lower())
    digits = value.lstrip("#")
    if digits.isascii() and digits.isdigit() and len(digits) < 19:
        return or_(run_details.c.number == int(digits), prefix)
    return prefix


def _of_item(term: Term) -> Where:
    """What a term asks of a batch's item; names and patterns meet letters of either case, as everywhere."""
    column = _BATCH_COLUMNS[term.field]
    ending = "%" if term.field == "batch" else ""
    return or_(false(), *(column.ilike(_like(value) + ending, escape="\\") for value in term.values))


def _in_batch(meets: Iterable[Where]) -> Select[tuple[int]]:
    """Runs that are repeats of a batch's item which meets all of it."""
    return (
        select(run_details.c.number)
        .join(batch_items, batch_items.c.run_id == run_details.c.id)
        .join(batches, batches.c.id == batch_items.c.batch_id)
        .where(*meets)
    )


def _like(value: str) -> str:
    """A value as the pattern of LIKE: `*` and `?` stand for anything, everything else for itself."""
    escaped = re.sub(r"([%_\\])", r"\\\1", value)
    return escaped.replace("*", "%").replace("?", "_")


def _prefix(column: ColumnElement[str], prefix: str) -> Where:
    return and_(column >= prefix, column < prefix + "\uffff")


_DETAILS: dict[str, Callable[[str], Where]] = {
    "id": _id_clause,
    "target": lambda value: _prefix(run_details.c.target_id, value.lower()),
}
