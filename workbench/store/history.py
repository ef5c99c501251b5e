"""Lists, counts and facets over all runs. Pages are read by key, newest recorded first."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, case, func, select

from workbench.core.clock import Clock
from workbench.core.errors import InvalidInput
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store.choose_database import index_of
from workbench.store.conditions import Condition, compile_filter
from workbench.store.database_errors import read_plainly
from workbench.store.filter import Filter, parse_filter
from workbench.store.moments import clock_changes
from workbench.store.names import split_ids
from workbench.store.rows import DayCount, Facet, RunRow
from workbench.store.schema import batch_items, batches, run_details, runs
from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from sqlalchemy import ColumnElement, Connection, Engine, Select

    from workbench.store.names import NameBook

    Stoppable = Callable[[Connection, Callable[[], bool] | None], AbstractContextManager[None]]

DAY_US = 86_400_000_000
_EDIT = runs.alias("edit")
_EDITED = select(func.max(_EDIT.c.number + 0))  # a sum: PostgreSQL would look for the highest along all runs
_BY_ID = (
    select(runs, run_details, _EDITED.where(_EDIT.c.edit_of == runs.c.number).scalar_subquery().label("edited"))
    .join(run_details, run_details.c.number == runs.c.number)
    .where(run_details.c.id == bindparam("id"))
)
"""Made once: making it takes longer than executing it."""
FACETS: dict[str, ColumnElement[Any]] = {
    "verdict": runs.c.verdict,
    "layer": runs.c.codes,
    "code": runs.c.codes,
    "model": runs.c.model_id,
    "format": runs.c.format_id,
    "tool": runs.c.tools,
}
"""Facets in the order in which they are shown; `layer` is that of the codes, as `parse.*`."""


class History:
    """Answers questions about many runs."""

    def __init__(self, engine: Engine, names: NameBook, stoppable: Stoppable) -> None:
        self._engine = engine
        self._names = names
        self._stoppable = stoppable
        self._index = index_of(engine)

    def condition(self, wanted: str | Filter, *, counted: bool = False) -> Condition:
        """What a filter asks of a run, with today's names; raise FilterError. `counted`: for all runs, not for a page of them."""
        parsed = parse_filter(wanted) if isinstance(wanted, str) else wanted
        if not parsed.terms:
            return compile_filter(parsed, {}, 0, self._index)
        with read_plainly("The history could not be read."), self._engine.connect() as connection:
            return compile_filter(parsed, self._names.load(connection), Clock().now_us(), self._index, counted=counted)

    def page(self, wanted: str | Filter, before: str | None, limit: int) -> list[RunRow]:
        """Up to `limit` rows, newest first, older than the run `before`."""
        condition = self.condition(wanted)
        last = None if before is None else self.find(before).number
        found: list[RunRow] = []
        for query, numbered in self._ways(condition, last):
            older = query.where(condition.where) if last is None else query.where(condition.where, numbered < last)
            found += self._rows(older.order_by(numbered.desc()).limit(limit - len(found)))
            if len(found) == limit:
                break
        return found

    def _ways(self, condition: Condition, before: int | None) -> Iterator[tuple[Select[Any], ColumnElement[int]]]:
        """Queries for the newest runs of a condition, the newer ones first."""
        if condition.gathered and not condition.phrases:
            yield select(runs), runs.c.number
            return
        with read_plainly("The history could not be read."):
            yield from self._index.ways(self._engine, condition.phrases, before, condition.where)

    def recorded(self) -> int:
        """How many runs there are, whatever they are."""
        return int(self._read(select(func.count()).select_from(runs))[0][0])

    def oldest_first(self, after: int, limit: int) -> list[RunRow]:
        """Runs behind a number, whatever they are."""
        return self._rows(select(runs).where(runs.c.number > after).order_by(runs.c.number).limit(limit))[::-1]

    def of_ids(self, run_ids: Sequence[str]) -> dict[str, RunRow]:
        """The runs of exactly these ids."""
        inside = select(run_details.c.number).where(run_details.c.id.in_(run_ids))
        return {row.id: row for row in self._rows(select(runs).where(runs.c.number.in_(inside)))}

    def of_id(self, run_id: str) -> RunRow | None:
        """The run of exactly this id."""
        rows = self._executed(_BY_ID, id=run_id)
        return rows[0] if rows else None

    def find(self, ref: str | int) -> RunRow:
        """The run of a number, an id or the unique beginning of one."""
        text = storable(str(ref)).strip()
        if row := self.of_id(text):
            return row
        text = text.lower().lstrip("#").replace(",", "")
        if text.isascii() and text.isdigit() and len(text) < 19:
            rows = self._rows(select(runs).where(runs.c.number == int(text)))
            if rows:
                return rows[0]
        if not text:
            raise InvalidInput("No run is named.", hint="Give its number or the beginning of its id.")
        inside = select(run_details.c.number).where(run_details.c.id >= text, run_details.c.id < text + "\uffff")
        rows = self._rows(select(runs).where(runs.c.number.in_(inside)).limit(2))
        if len(rows) > 1:
            raise InvalidInput(f"More than one run id begins with {text!r}.", hint="Give more of it, or the number.")
        if not rows:
            raise InvalidInput(f"There is no run {str(ref)!r}.", hint="`workbench history` lists them.")
        return rows[0]

    def count(self, wanted: str, stop: Callable[[], bool] | None) -> int:
        """How many runs match."""
        return int(self._read(self._matching(wanted, func.count()), stop)[0][0])

    def facets(self, wanted: str, stop: Callable[[], bool] | None) -> dict[str, list[Facet]]:
        """Counts of each facet under the filter's other terms; facets under the same terms are counted together."""
        parsed = parse_filter(wanted)
        alike: dict[Filter, list[str]] = {}
        for kind in FACETS:
            alike.setdefault(parsed.without("code" if kind == "layer" else kind), []).append(kind)
        found: dict[str, list[Facet]] = {}
        for terms, kinds in alike.items():
            counted = self._counted(terms, {FACETS[kind].name: FACETS[kind] for kind in kinds}, stop)
            found |= {kind: self._facet(kind, counted[FACETS[kind].name]) for kind in kinds}
        return {kind: found[kind] for kind in FACETS}

    def _counted(
        self, wanted: Filter, columns: dict[str, ColumnElement[Any]], stop: Callable[[], bool] | None
    ) -> dict[str, Counter[Any]]:
        """How many runs have each value of each column, in one walk or in one a column, as the database is quicker."""
        whole = list(columns)
        found: dict[str, Counter[Any]] = {name: Counter() for name in whole}
        for names in [whole] if self._index.counts_together else [[name] for name in whole]:
            group = [columns[name] for name in names]
            for *values, count in self._read(self._matching(wanted, *group, func.count()).group_by(*group), stop):
                for name, value in zip(names, values, strict=True):
                    found[name][value] += count
        return found

    def _facet(self, kind: str, counted: Counter[Any]) -> list[Facet]:
        totals: Counter[str] = Counter()
        with read_plainly("The history could not be read."), self._engine.connect() as connection:
            for value, count in counted.items():
                for label in self._labels(connection, kind, value):
                    totals[label] += count
        return [Facet(value, count) for value, count in sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))]

    def _labels(self, connection: Connection, kind: str, value: Any) -> list[str]:
        if kind == "verdict":
            return [str(value)]
        ids = split_ids(value) if isinstance(value, str) else [value]
        found = [self._names.name(connection, number) for number in ids]
        return sorted({name.partition(".")[0] + ".*" for name in found}) if kind == "layer" else found

    def histogram(self, wanted: str, stop: Callable[[], bool] | None) -> list[DayCount]:
        """Runs and failures by local day, each by the clock of its own time of the year."""
        newest, *older = reversed(clock_changes())
        steps = [(runs.c.started_us >= newest.since_us, newest.ahead_us)]
        steps += [(runs.c.started_us >= change.since_us, change.ahead_us) for change in older]
        day = (runs.c.started_us + case(*steps, else_=steps[-1][1])) // DAY_US
        failed = func.sum(case((runs.c.verdict.in_(("fail", "error")), 1), else_=0))
        query = self._matching(wanted, day.label("day"), func.count(), failed).group_by("day").order_by("day")
        epoch = datetime(1970, 1, 1, tzinfo=UTC).date()
        return [DayCount(epoch + timedelta(days=int(row[0])), row[1], int(row[2])) for row in self._read(query, stop)]

    def names(self, kind: str, prefix: str) -> list[str]:
        """Stored names of a kind."""
        if kind in ("suite", "case"):
            column = batches.c.suite if kind == "suite" else batch_items.c.case_id
            found = {str(row[0]) for row in self._read(select(column).distinct())}
            return sorted(name for name in found if name.lower().startswith(prefix.lower()))
        with read_plainly("The history could not be read."), self._engine.connect() as connection:
            known = self._names.load(connection)
        wanted = prefix.lower()
        return sorted(
            item.name for item in known.values() if item.kind == kind and item.name.lower().startswith(wanted)
        )

    def _read(self, query: Select[Any], stop: Callable[[], bool] | None = None) -> list[Any]:
        with (
            read_plainly("The history could not be read."),
            self._engine.connect() as connection,
            self._stoppable(connection, stop),
        ):
            return list(connection.execute(query).all())

    def _matching(self, wanted: str | Filter, *columns: Any) -> Select[Any]:
        """A query over all runs that a filter leaves."""
        condition = self.condition(wanted, counted=True)
        if not condition.phrases:
            return select(*columns).select_from(runs).where(condition.where)
        with read_plainly("The history could not be read."):
            query, _ = self._index.over(self._engine, columns, condition.phrases, condition.where)
        return query.where(condition.where)

    def _rows(self, query: Select[Any]) -> list[RunRow]:
        page = query.subquery()
        edited = _EDITED.where(_EDIT.c.edit_of == page.c.number).scalar_subquery().label("edited")
        full = select(page, run_details, edited).join(run_details, run_details.c.number == page.c.number)
        return self._executed(full.order_by(page.c.number.desc()))

    def _executed(self, full: Select[Any], **values: str) -> list[RunRow]:
        with read_plainly("The history could not be read."), self._engine.connect() as connection:
            found = connection.execute(full, values).mappings().all()
            return [self._row(connection, row) for row in found]

    def _row(self, connection: Connection, row: Any) -> RunRow:
        name, names = self._names.name, self._names.names
        codes = names(connection, row["codes"])
        return RunRow(
            number=row["number"],
            id=row["id"],
            started_us=row["started_us"],
            title=row["title"],
            prompt=row["prompt"],
            provider=name(connection, row["provider_id"]),
            model=name(connection, row["model_id"]),
            format=name(connection, row["format_id"]),
            mode=row["mode"],
            planner=name(connection, row["planner_id"]),
            wire=name(connection, row["wire_id"]),
            origin=name(connection, row["origin_id"]),
            simulated=bool(row["simulated"]),
            verdict=Verdict(_state(row["verdict"]), Basis(row["basis"]), row["reason"], codes),
            duration_us=row["duration_us"],
            steps=row["steps"],
            calls=row["calls"],
            input_tokens=row["input_tokens"],
            output_tokens=row["output_tokens"],
            stop=row["stop"],
            target=row["target"],
            target_id=row["target_id"],
            parser_version=row["parser_version"],
            tools=names(connection, row["tools"]),
            deleted_us=row["deleted_us"],
            user=name(connection, row["user_id"]),
            edited=row["edited"],
            edit_of=row["edit_of"],
        )


def _state(text: str) -> VerdictState:
    """A state that a later version invented cannot be counted here."""
    return VerdictState(text) if text in set(VerdictState) else VerdictState.NOT_GRADABLE
