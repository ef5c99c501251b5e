"""`workbench history`, `show` and `diff`: what was recorded."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.options import AsJson
from workbench.cli.output import LOOKS, Look, write, write_json, write_table
from workbench.cli.text import one_line, visible
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.app.performances import ModelPerformance
    from workbench.core.batch import CaseVerdict
    from workbench.store import Store
    from workbench.store.opinions import Opinion
    from workbench.store.rows import RunRow, StoredRun

Ref = Annotated[str, typer.Argument(metavar="ID", help="A run's number, its id, or the beginning of it.")]
SHOWN = 50
"""Runs that are listed where nobody says how many."""


def register(app: typer.Typer) -> None:
    """Add the three commands."""
    # a filter's terms may begin with a minus, so only long options are options here
    settings = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
    app.command("history", context_settings=settings)(history)
    app.command("show")(show)
    app.command("diff")(diff)


def history(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILTER", help="Such as: model:qwen* verdict:fail code:parse.* since:7d"),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, help="How many, newest first; 50, for --summary 200 of each model."
        ),
    ] = None,
    before: Annotated[str, typer.Option(metavar="ID", help="Only runs older than this one.")] = "",
    counts: Annotated[bool, typer.Option("--counts", help="Count by verdict, code, model, format and tool.")] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Executed tool calls and times of each model's last runs, by format.")
    ] = False,
    json: AsJson = False,
) -> None:
    """List recorded runs, newest first."""
    if words == ["-h"]:  # a term that leaves out an `h` helps nobody
        write(context.get_help())
        return
    for word in words or ():
        if word.startswith("--"):
            raise InvalidInput(f"There is no option {word!r}.", hint="`workbench history --help` lists them.")
    filter_text = " ".join(words or ())
    from workbench.app.performances import LAST, newest, performances

    with DataFolder.find() as folder:
        shared = folder.shared
        if counts:
            _write_counts({name: list(values) for name, values in folder.store.facets(filter_text).items()}, json)
            return
        if summary:
            _write_summary(list(performances(folder.store, filter_text, limit or LAST)), json)
            return
        rows = newest(folder.store, filter_text, limit or SHOWN, before)
        hand = _by_hand(folder.store, rows)
    if json:
        write_json([{**row.to_json(), "by_hand": hand.get(row.id)} for row in rows])
        return
    if not rows:
        say(
            "No run matches the filter."
            if filter_text
            else "Nothing is recorded yet: `workbench run` or the window does."
        )
    by = ("by",) if shared else ()
    write_table(
        ("run", "started", *by, "verdict", "target", "calls", "prompt", "codes"),
        [
            (row.number, row.started, *(row.user for _ in by), _verdict(row, hand), _target(row), row.calls, one_line(row.prompt, 48), " ".join(row.verdict.codes))
            for row in rows
        ],
        right=("run", "calls"),
        whole=("run", "started", "verdict", "calls"),
    )  # fmt: skip


def _by_hand(store: Store, rows: Sequence[RunRow]) -> dict[str, str]:
    """What was set by hand and holds, by run."""
    return _held(store.opinions.of_runs([row.id for row in rows]))


def _held(said: Sequence[Opinion]) -> dict[str, str]:
    from workbench.store.opinions import in_force

    return {run_id: one.state.value for run_id, one in in_force(said).items() if one.state is not None}


def _verdict(row: RunRow, hand: Mapping[str, str]) -> Look:
    """`✕ fail`; `✕ fail, by hand pass`; `✕ fail, edited`."""
    look = LOOKS[row.verdict.state.value]
    words = [look.word, f"by hand {hand[row.id]}" if row.id in hand else "", "edited" if row.edited else ""]
    return Look(look.shape, ", ".join(filter(None, words)), look.style)


def _target(row: RunRow) -> str:
    boost = f" · boost {row.planner}" if row.planner else ""
    simulated = " · simulated" if row.simulated else ""
    return f"{row.provider}/{row.model} · {row.format}{boost}{simulated}"


def _write_counts(facets: dict[str, list[Any]], json: bool) -> None:
    if json:
        write_json({name: {facet.value: facet.runs for facet in values} for name, values in facets.items()})
        return
    rows = [(name, facet.value, facet.runs) for name, values in facets.items() for facet in values]
    write_table(("facet", "value", "runs"), rows, right=("runs",))


def _write_summary(found: Sequence[ModelPerformance], json: bool) -> None:
    from workbench.cli.performance import performance_json
    from workbench.grading.performance import HEADS

    if json:
        write_json(
            [
                {
                    "provider": one.provider,
                    "model": one.model,
                    "format": one.format,
                    **performance_json(one.performance),
                }
                for one in found
            ]
        )
        return
    rows = [
        (f"{one.provider}/{one.model} · {one.format}", one.performance.runs, *one.performance.cells) for one in found
    ]
    write_table(("model and format", "runs", *HEADS), rows, right=("runs", *HEADS))


def show(
    ref: Ref,
    wire: Annotated[bool, typer.Option("--wire", help="Also requests and replies as bytes.")] = False,
    json: AsJson = False,
) -> None:
    """Tell one run from beginning to end."""
    from workbench.cli.run_json import event_json
    from workbench.cli.verdict import opinion_json, opinion_lines
    from workbench.grading.foreign_keys import foreign_keys

    with DataFolder.find() as folder:
        stored = folder.store.load(ref) if json else folder.load_now(ref)
        judged = folder.store.batches.result_of(stored.run.id)
        said = folder.store.opinions.of_run(stored.run.id)
    if json:
        opaque = [{"event": item.kind, **_object(item.body)} for item in stored.opaque]
        keys = [found._asdict() for found in foreign_keys(stored.summary())]
        write_json(
            {
                **stored.run.to_json(),
                "by_hand": _held(said).get(stored.run.id),
                "events": [*map(event_json, stored.events), *opaque],
                "foreign_keys": keys,
                "rule": judged.rule if judged else None,
                "said": [opinion_json(one) for one in said],
            }
        )
        return
    _tell(stored, judged)
    for line in opinion_lines(said, stored.run.verdict):
        write(visible(line))
    if wire:
        _write_wire(stored)


def _object(body: str) -> dict[str, Any]:
    try:
        value = jsonlib.loads(body)
    except ValueError:
        return {"body": body}
    return value if isinstance(value, dict) else {"body": value}


def _tell(stored: StoredRun, judged: CaseVerdict | None) -> None:
    from workbench.cli.judged_text import judged_lines
    from workbench.cli.run_text import Narrator, write_ending

    row = stored.run
    write(f"run {row.number} · {row.started} · {row.id}")
    run = stored.summary()
    for message in run.started.messages if run.started else ():
        write(f"{message.role}: {visible(message.text)}")
    Narrator(sys.stdout)(stored.events)
    write_ending(run, row.number)
    for line in judged_lines(judged) if judged else ():
        write(visible(line))
    if row.edited is not None:
        write(f"edited at a breakpoint: the client got the reply of run {row.edited} (`workbench show {row.edited}`)")


def _write_wire(stored: StoredRun) -> None:
    """Write every exchange as it crossed the wire, secrets masked as recorded."""
    from workbench.core.events import ChunkReceived, ExchangeStarted, ResponseStarted

    for event in stored.events:
        match event:
            case ExchangeStarted(step=step, exchange=exchange, request=request):
                write(f"\n=== step {step}, try {exchange}: {request.method} {request.url}")
                for name, value in request.headers:
                    write(f"{name}: {visible(value)}")
                write(visible(request.body.decode("utf-8", "replace")))
            case ResponseStarted(status=status, headers=headers):
                write(f"--- {status}")
                for name, value in headers:
                    write(f"{name}: {visible(value)}")
            case ChunkReceived(data=data, at_us=at) if data:
                write(f"[{at / 1e6:.6f} s] {visible(data.decode('utf-8', 'replace'))}")
            case _:
                pass


def diff(first: Ref, second: Ref, json: AsJson = False) -> None:
    """Compare two runs: what was asked, what was called, how it ended."""
    from workbench.replay.difference import excerpts
    from workbench.replay.rundiff import compare_runs

    with DataFolder.find() as folder:
        found = compare_runs(folder.store.load(first), folder.store.load(second))
    if json:
        changes = [change._asdict() for change in found.changes]
        write_json({"verdict": found.word, "changes": changes, "folded": list(found.folded)})
    elif not found:
        write("No difference.")
    else:
        rows = [
            (change.path, change.kind, *map(visible, excerpts(change.before, change.after, 70)))
            for change in found.changes
        ]
        if found.word == "config differed":
            write("Config differed: other outcomes are no wonder.")
        write_table(("where", "", "first", "second"), rows)
    if found.folded and not json:
        write(f"Treated as equal: {'; '.join(found.folded)}")
