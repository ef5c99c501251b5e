"""`workbench replay`: recorded runs against today's program. Parsing again, running again offline, or running live."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.cli.failures import say
from workbench.cli.output import REPLAY_LOOKS, json_list, styled, write
from workbench.cli.visible import visible
from workbench.core.errors import InvalidInput, ProviderError, UnknownName
from workbench.replay.difference import excerpts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.cli.replaying import Order
    from workbench.replay.result import Replayed


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
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but complaints.")] = False,
) -> None:
    """Say of each run whether today's program sees the same: same, fixed, regressed, changed, or not comparable.

    A run of a case is judged by its case. Exits with 1 on a regression, with 3 where a provider failed.
    """
    from workbench.cli.replaying import MODES, Order

    if mode not in MODES:
        raise UnknownName("replay mode", mode, MODES)
    refs = (*(run or ()), *(more or ()))
    if sum((bool(refs), every, bool(filter_text), bool(suite))) != 1:
        raise InvalidInput("Which runs?", hint="Give --run ID, --suite S, --filter FILTER or --all.")
    if code := _perform(Order(mode, refs, filter_text, suite, parallel, quiet), json=json):
        raise typer.Exit(code)


def _perform(order: Order, *, json: bool) -> int:
    """Replay, tell of each run as it ends, then the sum; what was found before an interrupt is told all the same."""
    from workbench.cli.replaying import perform

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
    if missing := total - told.runs:
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
