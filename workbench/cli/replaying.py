"""Carrying out `workbench replay`: which runs, judged by what, in which mode."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.cli.progress import progress
from workbench.cli.records import find_all, open_store
from workbench.formats.plugins import install, load_plugins
from workbench.replay.passes import PASSES, Selection, all_of, size, stored_runs, suite_selection, these
from workbench.replay.result import Replayed
from workbench.schema import JsonSchemaChecker
from workbench.settings.paths import Home

if TYPE_CHECKING:
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
    return suite_selection(store, order.suite, Home.find().suites)
