"""What the last runs of each model come to: executed tool calls and times, by provider, model and format."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.verdict import VerdictState
from workbench.grading.performance import performance, run_performance
from workbench.store.filter import Filter, Term, parse_filter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.grading.performance import Performance, RunPerformance
    from workbench.store import Store
    from workbench.store.rows import RunRow

LAST = 200
"""Runs of each model that are summed up."""
_PAGE = 256


class ModelPerformance(NamedTuple):
    """One model in one format."""

    provider: str
    model: str
    format: str
    performance: Performance


def performances(
    store: Store, filter_text: str = "", last: int = LAST, stop: Callable[[], bool] = lambda: False
) -> Iterator[ModelPerformance]:
    """Sum up the last runs of each model that a filter leaves, the model with most runs first; runs under way are left out.

    Models come one by one, since each takes its time; `stop` ends it.
    """
    asked = parse_filter(filter_text)
    for facet in store.facets(filter_text, stop)["model"]:
        found: dict[tuple[str, str], list[RunPerformance]] = {}
        of_model = Term("model", (facet.value,), negated=False, start=0, end=0)
        for row in newest(store, Filter((*asked.terms, of_model)), last):
            if stop():
                return
            if row.model == facet.value and row.verdict.state is not VerdictState.RUNNING:
                run = store.load(row.number, chunks=False).summary()
                found.setdefault((row.provider, row.format), []).append(run_performance(run))
        for (provider, format_id), runs in sorted(found.items(), key=lambda pair: -len(pair[1])):
            yield ModelPerformance(provider, facet.value, format_id, performance(runs))


def newest(store: Store, wanted: str | Filter = "", limit: int = 50, before: str = "") -> list[RunRow]:
    """The newest runs that a filter leaves, newest first; with `before` only those older than that run."""
    rows: list[RunRow] = []
    older = store.find(before).id if before else None
    while len(rows) < limit:
        page = store.list_runs(wanted, older, min(_PAGE, limit - len(rows)))
        if not page:
            break
        rows += page
        older = page[-1].id
    return rows
