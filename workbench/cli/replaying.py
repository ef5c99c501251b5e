"""Carrying out `workbench replay`: which runs, judged by what, in which mode."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.cases.files import load_suite
from workbench.cli.progress import progress
from workbench.cli.records import find_all, open_store
from workbench.core.errors import InvalidInput
from workbench.formats.plugins import install, load_plugins
from workbench.replay.passes import PASSES, Selection, all_of, of_suite, size, stored_runs, these
from workbench.replay.result import Replayed
from workbench.schema import JsonSchemaChecker
from workbench.settings.paths import Home

if TYPE_CHECKING:
    from workbench.core.case import Case
    from workbench.store import Store

Tell = Callable[[Replayed], None]
MODES = (*PASSES, "live")


@dataclass(frozen=True, slots=True)
class Order:
    """What `workbench replay` was asked for."""

    mode: str = "parse"
    refs: tuple[str, ...] = ()
    filter: str = ""
    """With neither refs nor suite; empty: all runs."""
    suite: str = ""
    parallel: int = 1
    """Live: how many at the same time."""
    quiet: bool = False


def perform(order: Order, tell: Tell) -> int:
    """Replay what was ordered and `tell` of each run as it ends; return how many runs there are to replay."""
    if order.mode == "live":
        return asyncio.run(_live(order, tell))
    install(load_plugins(Home.find().plugins))
    check = JsonSchemaChecker()
    with open_store() as store:
        wanted = selection(store, order)
        total = size(store, wanted)
        with progress("replay", total, hidden=order.quiet) as done:
            for item in PASSES[order.mode](store, wanted, check):
                tell(item)
                done(1)
    return total


async def _live(order: Order, tell: Tell) -> int:
    from workbench.app import Workbench

    async with Workbench.open() as wb:
        wanted = selection(wb.store, order)
        total = size(wb.store, wanted)
        with progress("live", total, hidden=order.quiet) as done:

            def told(item: Replayed) -> None:
                tell(item)
                done(1)

            await wb.live.many(stored_runs(wb.store, wanted), wanted.cases, told, parallel=order.parallel)
    return total


def selection(store: Store, order: Order) -> Selection:
    """The runs of an order; raise InvalidInput where one is unknown, or nothing of a suite was ever recorded."""
    if order.refs:
        return these(find_all(store, order.refs), store.batches.case_of)
    if not order.suite:
        return all_of(order.filter, store.batches.case_of)
    name, kept = _kept(store, order.suite)

    def case_of(run_id: str) -> Case | None:
        return kept.get(run_id) or store.batches.case_of(run_id)

    wanted = of_suite(store, name, case_of, tuple(kept))
    if not size(store, wanted):
        raise InvalidInput(
            f"Nothing of the suite {name!r} is recorded here, so there is nothing to replay.",
            hint="Run it first: workbench suite run, or keep a run as a case of it.",
        )
    return wanted


def _kept(store: Store, suite: str) -> tuple[str, dict[str, Case]]:
    """A suite's name, and its cases by the run that each was made from; a suite may be gone while its runs are there."""
    try:
        found = load_suite(suite, Home.find().suites)
    except InvalidInput:
        if suite in store.names("suite"):
            return suite, {}
        raise
    return found.name, {case.source_run: case for case in found.cases if case.source_run}
