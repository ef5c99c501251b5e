"""`workbench replay`: recorded runs against today's program. Parsing again, running again offline, or running live."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.cli.output import REPLAY_LOOKS, json_list, one_line, styled, write
from workbench.core.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.cli.replaying import Replayed

MODES = ("parse", "offline", "live", "parity")
"""The ways of replaying."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay")(replay)


def replay(
    more: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="Further runs.")] = None,
    *,
    run: Annotated[list[str] | None, typer.Option("--run", metavar="ID", help="A run; may be repeated.")] = None,
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
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say of each run whether today's program sees the same: same, fixed, regressed or changed. Exits 1 on a regression."""
    from workbench.cli.replaying import replayed

    if mode not in MODES:
        raise UnknownName("replay mode", mode, MODES)
    refs = [*(run or ()), *(more or ())]
    if sum((bool(refs), every, bool(filter_text))) != 1:
        raise InvalidInput("Which runs?", hint="Give --run ID, --filter FILTER or --all.")
    counts = dict.fromkeys(REPLAY_LOOKS, 0)
    with json_list() if json else nullcontext(None) as add:
        for item in replayed(mode, refs, filter_text):
            counts[item.verdict] += 1
            if add is not None:
                add(item.document())
            elif item.verdict != "same" or refs:
                _tell(item)
    if not json:
        write(", ".join(f"{count} {REPLAY_LOOKS[name].word}" for name, count in counts.items() if count) or "no runs")
    if counts["regressed"] or (mode == "parity" and counts["changed"]):
        raise typer.Exit(1)


def _tell(item: Replayed) -> None:
    parts = [f"  run {item.number}", *item.remarks()]
    styled(REPLAY_LOOKS[item.verdict], " · ".join(part for part in parts if part))
    for line in _lines(item):
        write(f"    {line}")


def _lines(item: Replayed) -> Iterator[str]:
    for place, difference in item.differences:
        for change in difference.changes:
            yield f"{place}{change.path}: {one_line(repr(change.before), 60)} → {one_line(repr(change.after), 60)}"
        if difference.folded:
            yield f"{place}treated as equal: {'; '.join(difference.folded)}"
