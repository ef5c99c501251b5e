"""`workbench replay`: recorded runs against today's program. Parsing again, running again offline, or running live."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.options import AsJson, Quiet
from workbench.cli.output import REPLAY_LOOKS, json_list, progress, styled, write
from workbench.cli.text import visible
from workbench.core.errors import InvalidInput, ProviderError, UnknownName
from workbench.replay.difference import excerpts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.replay.passes import RunSelection
    from workbench.replay.result import Replayed

MODES = ("parse", "offline", "parity", "live")
"""The last one sends; the others need nothing but the records."""


Failed = Annotated[bool, typer.Option("--failed", help="Of these runs only those that failed.")]
Iteration = Annotated[
    int | None,
    typer.Option("--from-iteration", metavar="K", min=1, help="Go another way from the executor's K-th request on."),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="With --from-iteration: prompt=TEXT, system=TEXT, tools=FILE, result.2=VALUE, error.2.1=TEXT; @FILE.",
    ),
]
Accept = Annotated[
    bool,
    typer.Option("--accept", help="Parse, offline: write today's verdict behind the recorded one where they differ."),
]


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
    on: str = ""
    """Parse: where the replies are read; empty: here."""
    failed: bool = False
    """Only runs whose verdict is fail or error."""
    accept: bool = False
    """Take today's verdicts over."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay")(replay)


def replay(
    more: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="Further runs.")] = None,
    *,
    run: Annotated[list[str] | None, typer.Option("--run", metavar="ID", help="A run; may be repeated.")] = None,
    suite: Annotated[
        str,
        typer.Option("--suite", metavar="S", help="All repeats of a suite's cases, and the runs they were made from."),
    ] = "",
    every: Annotated[bool, typer.Option("--all", help="All recorded runs.")] = False,
    filter_text: Annotated[str, typer.Option("--filter", metavar="FILTER", help="The runs that a filter leaves.")] = "",
    mode: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="parse: read the replies again; offline: the engine over the record; live: ask again;"
            " parity: read the replies cut in other ways.",
        ),
    ] = "parse",
    parallel: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Live: runs at the same time.")] = 1,
    on: Annotated[
        str, typer.Option("--on", metavar="PLACE", help="Parse: local:8 processes, or a Dask scheduler's address.")
    ] = "",
    failed: Failed = False,
    iteration: Iteration = None,
    changes: Changes = None,
    accept: Accept = False,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say of each run whether today's program sees the same: same, fixed, regressed, changed, or not comparable.

    A run of a case is judged by its case. Exits with 1 on a regression, with 3 where a provider failed.
    """
    _check_mode(mode, on=on, accept=accept)
    refs = (*(run or ()), *(more or ()))
    if iteration is not None or changes:
        _fork(refs, iteration, changes or [], json=json, quiet=quiet)
        return
    every = every or (failed and not (suite or filter_text or refs))
    if sum((bool(refs), every, bool(filter_text), bool(suite))) != 1:
        raise InvalidInput("Which runs?", hint="Give --run ID, --suite S, --filter FILTER or --all.")
    if code := _perform(Order(mode, refs, filter_text, suite, parallel, quiet, on, failed, accept), json=json):
        raise typer.Exit(code)


def _check_mode(mode: str, *, on: str, accept: bool) -> None:
    """Raise a WorkbenchError where a mode is not known, or not one for the other options."""
    if mode not in MODES:
        raise UnknownName("replay mode", mode, MODES)
    if on and mode != "parse":
        raise InvalidInput("--on belongs to --mode parse.", hint="The other ways of replaying run here.")
    if accept and mode not in ("parse", "offline"):
        raise InvalidInput("--accept belongs to --mode parse and offline.", hint="A live replay is a run of its own.")


def _fork(refs: Sequence[str], iteration: int | None, changes: Sequence[str], *, json: bool, quiet: bool) -> None:
    from workbench.cli.replay_fork import perform_fork

    if len(refs) != 1:
        raise InvalidInput(
            "One run can be forked at a time.", hint="Give its number, --from-iteration K and --set NAME=VALUE."
        )
    if code := perform_fork(refs[0], iteration or 1, changes, json=json, quiet=quiet):
        raise typer.Exit(code)


def _perform(order: Order, *, json: bool) -> int:
    """Replay, tell of each run as it ends, then the sum; what was found before an interrupt is told all the same."""
    told = _Sum(order.mode)
    interrupted: KeyboardInterrupt | None = None
    total = 0
    with json_list() if json else nullcontext(None) as add:

        def tell(item: Replayed) -> None:
            told.take(item)
            if add is not None:
                add(item.document())
            elif item.verdict != "same" or order.refs:
                _tell(item)

        try:
            total = perform(order, tell)
        except KeyboardInterrupt as stop:
            interrupted = stop
    if not json:
        told.write()
    if interrupted is not None:
        say(f"Interrupted after {told.runs} runs; what is told of them stands.")
        raise interrupted
    if (missing := total - told.runs) > 0:  # of a history that others record into, more runs come than were counted
        say(f"{missing} of {total} runs hold no reply that could be replayed.")
    return told.exit_code


class _Sum:
    """How many runs came out how."""

    def __init__(self, mode: str) -> None:
        self._mode = mode
        self._counts = dict.fromkeys(REPLAY_LOOKS, 0)
        self._provider_failed = False

    @property
    def runs(self) -> int:
        """All runs so far."""
        return sum(self._counts.values())

    def take(self, item: Replayed) -> None:
        """Count one run."""
        self._counts[item.verdict] += 1
        self._provider_failed |= item.mode == "live" and (item.after is None or item.after.state == "error")

    def write(self) -> None:
        """Write the counts; of live runs also whether chance explains them."""
        words = (f"{count} {REPLAY_LOOKS[name].word}" for name, count in self._counts.items() if count)
        write(", ".join(words) or "no runs")
        up, down = self._counts["fixed"], self._counts["regressed"]
        if self._mode == "live" and up + down:
            from workbench.grading.counts import mcnemar

            p = mcnemar(up, down)
            write(f"{up} up, {down} down: {'shown' if p < 0.05 else 'moved, not shown'} (exact McNemar, p = {p:.2g})")

    @property
    def exit_code(self) -> int:
        """1 on a regression, 3 where a provider failed, else 0."""
        if self._counts["regressed"] or (self._mode == "parity" and self._counts["changed"]):
            return 1
        return ProviderError.exit_code if self._provider_failed else 0


def _tell(item: Replayed) -> None:
    parts = [f"  run {item.number}", f"case {item.case}" if item.case else "", *item.remarks()]
    styled(REPLAY_LOOKS[item.verdict], " · ".join(part for part in parts if part))
    for line in _lines(item):
        write(f"    {line}")


def _lines(item: Replayed) -> Iterator[str]:
    for place, difference in item.differences:
        for change in difference.changes:
            then, today = map(visible, excerpts(change.before, change.after))
            yield f"{place}{change.path}: {then} → {today}"
        if difference.folded:
            yield f"{place}treated as equal: {'; '.join(difference.folded)}"


def perform(order: Order, tell: Callable[[Replayed], None]) -> int:
    """Replay what was ordered and `tell` of each run as it ends; return how many runs there are to replay."""
    from workbench.replay.accepting import accept_replayed
    from workbench.replay.passes import size

    if order.mode == "live":
        return asyncio.run(_live(order, tell))
    with DataFolder.find() as folder:
        folder.use_plugins()
        wanted = selection(folder, order)
        total = size(folder.store, wanted)
        with progress("replay", total, hidden=order.quiet) as done:
            for item in _passed(order, folder, wanted):
                if order.accept:
                    accept_replayed(folder.store, item)
                tell(item)
                done(1)
    return total


def _passed(order: Order, folder: DataFolder, wanted: RunSelection) -> Iterator[Replayed]:
    from workbench.jobs import executor_on
    from workbench.replay.passes import PASSES, parse_again

    if not order.on:
        yield from PASSES[order.mode](folder.store, wanted, folder.check)
        return
    with executor_on(order.on) as executor:
        yield from parse_again(folder.store, wanted, folder.check, executor, folder.home.plugins)


async def _live(order: Order, tell: Callable[[Replayed], None]) -> int:
    from workbench.app import Workbench
    from workbench.replay.passes import size, stored_runs

    async with Workbench.open() as wb:
        wanted = selection(wb, order)
        total = size(wb.store, wanted)
        with progress("live", total, hidden=order.quiet) as done:

            def told(item: Replayed) -> None:
                tell(item)
                done(1)

            await wb.live.many(stored_runs(wb.store, wanted), wanted.cases, told, parallel=order.parallel)
    return total


def selection(folder: DataFolder, order: Order) -> RunSelection:
    """The runs of an order; raise InvalidInput where one is unknown, or nothing of a suite was ever recorded."""
    from workbench.replay.passes import all_of, only_failed, suite_selection, these

    if order.refs:
        wanted = these(folder.find_runs(order.refs), folder.store.batches.case_of)
    elif order.suite:
        wanted = suite_selection(folder.store, order.suite, folder.home.suites)
    else:
        wanted = all_of(order.filter, folder.store.batches.case_of)
    return only_failed(folder.store, wanted) if order.failed else wanted
