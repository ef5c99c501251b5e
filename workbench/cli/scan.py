"""`workbench scan`: sessions of agents, logs of servers, traces and exports looked through for calls that went wrong."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import FAILED, INTERRUPTED, say
from workbench.cli.options import AsJson, Quiet
from workbench.cli.output import progress, write, write_json, write_table
from workbench.cli.text import one_line, visible
from workbench.core.errors import InvalidInput, with_hint

if TYPE_CHECKING:
    from workbench.app.scanning import Scanning
    from workbench.scan.finding import Finding
    from workbench.scan.scanner import Scan
    from workbench.scan.tally import TallyCell

COLUMNS = 4
LINES = 20
_MB = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("scan")(scan)


def scan(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH…", help="Files and folders; -: standard input; none: where agents leave their sessions."
        ),
    ] = None,
    *,
    kind: Annotated[
        str,
        typer.Option(
            "--from", metavar="KIND", help="Read everything as this kind; else each file tells by what it holds."
        ),
    ] = "",
    max_findings: Annotated[
        int | None, typer.Option("--max-findings", metavar="N", min=0, help="Exit 1 if more is found.")
    ] = None,
    on: Annotated[
        str,
        typer.Option(
            "--on", metavar="PLACE", help="Read files in local:8 processes, or at a Dask scheduler's workers."
        ),
    ] = "",
    record: Annotated[
        bool, typer.Option("--record", help="Keep each finding as a run, to be opened with its forensics.")
    ] = False,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find the calls that were lost, leaked or mangled in what others recorded. Files are only read.

    Sessions of Claude Code, Codex and opencode, logs of vLLM, SGLang, llama.cpp, Ollama, LM Studio and TGI, invocation
    logs of Bedrock, HAR, cassettes, replies and event streams, batch files, OpenTelemetry, Inspect, LangSmith, Langfuse, promptfoo, JSON lines, CSV
    and Parquet. Ctrl+C keeps what was found.
    """
    from workbench.app.scanning import Scanning
    from workbench.jobs import executor_on

    with DataFolder.find() as folder, Scanning(folder) as service, executor_on(on) as executor:
        made = service.scan(_sources(service, paths), kind=kind, record=record)
        if on:
            service.spread(made, executor)
        _run(made, hidden=quiet or json)
        if made.sources and all(source.error for source in made.sources):
            raise InvalidInput(" ".join(with_hint(source.error, source.hint) for source in made.sources[:3]))
        if json:
            write_json(service.document(made))
        else:
            _tell(made, record=record)
    if made.stopped:
        raise typer.Exit(INTERRUPTED)
    if max_findings is not None and made.tally.findings > max_findings:
        raise typer.Exit(FAILED)


def _sources(service: Scanning, paths: list[str] | None) -> list[Any]:
    if not paths:
        found = service.usual_sources()
        if not found:
            raise InvalidInput("No sessions of agents were found.", hint="Give files or folders: workbench scan PATH…")
        return found
    return [service.pasted_source(_stdin()) if path == "-" else service.source(path) for path in paths]


def _stdin() -> str:
    from workbench.cli.inputs import read_text

    return read_text("-")


def _run(made: Scan, *, hidden: bool) -> None:
    """Scan with a bar over the megabytes."""
    try:
        made.plan()
    except KeyboardInterrupt:
        made.stop()
    shown = 0
    with progress("scan, MB", max(made.size // _MB, 1), hidden=hidden) as advance:

        def told() -> None:
            nonlocal shown
            done = made.done // _MB
            if done > shown:
                advance(done - shown)
                shown = done

        made.watch(told)
        made.run()


def _tell(made: Scan, *, record: bool) -> None:
    tally = made.tally
    columns = tally.columns("server")
    if tally.findings:
        cells = tally.cells("server")
        shown, more = columns[:COLUMNS], len(columns) - COLUMNS
        names = [f"{column.title} · {column.under}" if column.under else column.title for column in shown]
        rows = [
            [kind, total, *(_cell(cells.get((kind, column))) for column in shown)]
            for kind, total in tally.kinds.items()
        ]
        write_table(("finding", "all", *names), rows, right=("all", *names), whole=("finding",))
        if more > 0:
            write(f"… and {more} more; --json has them all.")
        write("")
        write_table(
            ("finding", "tool", "read as", "what", "times", "first place"), _folded(made.findings), right=("times",)
        )
        write("")
    for source in made.sources:
        _tell_source(source)
    _tell_dialects(made)
    state = "partial: " if made.stopped else ""
    seconds = time.monotonic() - made.begun
    found = f"{tally.findings:,} finding{'' if tally.findings == 1 else 's'}" if tally.findings else "nothing found"
    replies = f"{tally.replies:,} repl{'y' if tally.replies == 1 else 'ies'}"
    much = f"{made.done / _MB:,.1f} MB" if made.done >= _MB / 10 else f"{made.done / 1_000:,.1f} kB"
    write(f"{state}{found} in {replies}, {much}, {seconds:.1f} s")
    if record and tally.findings:
        write("Each is a run now: workbench history origin:scan")


def _tell_dialects(made: Scan) -> None:
    """Ways of writing calls that no format reads, and how a format is made."""
    from workbench.scan.dialects import dialects_in

    found = dialects_in(made.findings)
    for one in found[:COLUMNS]:
        times = f"{len(one.findings):,} time{'' if len(one.findings) == 1 else 's'}"
        write(f"Calls in markup that no format reads, {times}: {visible(one_line(one.shape, 60))}")
    if found:
        names = {one.of for dialect in found for one in dialect.findings}
        paths = [source.name for source in made.sources if source.number in names and source.path is not None]
        write(f"A format can be made from them: workbench formats draft {' '.join(paths[:3]) or 'FILE'}")


def _tell_source(source: Any) -> None:
    if source.error:
        say(f"{source.name}: {with_hint(source.error, source.hint)}")
    elif source.files == 1 and not source.replies and not source.troubles:
        say(f"{source.name}: no reply of a model stands in it, read as: {source.title}")
    for problem in source.problems[:3]:
        say(f"{source.name}: {problem.place}: {problem.message}")
    if source.troubles > 3:
        say(f"{source.name}: {source.troubles - 3} more parts could not be read")
    if source.skipped:
        count = "1 file of another kind was" if source.skipped == 1 else f"{source.skipped:,} files of other kinds were"
        say(f"{source.name}: {count} left alone")


def _cell(cell: TallyCell | None) -> str:
    return f"{cell.times:,} ({cell.often})" if cell else "–"


def _folded(findings: list[Finding]) -> list[list[Any]]:
    """Alike findings as one line, the most frequent first."""
    groups: dict[tuple[str, str, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.alike, []).append(finding)
    ordered = sorted(groups.values(), key=len, reverse=True)
    return [
        [
            one[0].kind,
            one[0].tool,
            one[0].format or "no format",
            one_line(one[0].around, 50),
            len(one),
            one_line(one[0].place, 70),
        ]
        for one in ordered[:LINES]
    ]
