"""`workbench import`: cases, recorded replies, tools and models out of files of others."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import FAILED, say
from workbench.cli.options import AsJson, Quiet
from workbench.cli.output import LOOKS, progress, write, write_json
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.whole_files import expanded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from workbench.app.import_files import ImportOrder, ImportReport

SHOWN = 10
"""Bad rows, and things left out, that are shown; `--json` has more of them."""
_KIB = 1024


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Files, or folders of the leaderboard or of cases.")
    ],
    kind: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="KIND",
            help="bfcl, replies, jsonl, cases, promptfoo, openai-evals, curl, har, openapi or models-yaml; else by content.",
        ),
    ] = "",
    suite: Annotated[
        str,
        typer.Option("--suite", metavar="NAME", help="Suite (or tool set) to put them into; else the file's own name."),
    ] = "",
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="Model of the recorded replies.")] = "",
    format_id: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="Format of the replies; else by what they look like.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace cases that are there with another content.")] = False,
    quiet: Quiet = False,
    json: AsJson = False,
) -> None:
    """Read cases into suites of yours, and recorded replies as runs with verdicts; bad rows are named, the rest is kept.

    Ends with 1 where a row was bad, with 2 where nothing could be read.
    """
    from workbench.app.import_files import ImportOrder
    from workbench.formats import get_format

    chosen = get_format(format_id).id if format_id and format_id != "auto" else ""
    order = ImportOrder(tuple(expanded(path) for path in files), kind, suite, model, chosen, force)
    with DataFolder.find() as folder:
        report, fault = _perform(folder, order, quiet=quiet)
    if not (report.empty and fault):
        _tell(report, json=json)
    if fault is not None:
        raise fault
    if report.empty:
        raise InvalidInput("Nothing could be imported.", hint="`--from KIND` says what the file is.")
    if report.bad_rows:
        raise typer.Exit(FAILED)


def _perform(folder: DataFolder, order: ImportOrder, *, quiet: bool) -> tuple[ImportReport, BaseException | None]:
    """The report, and what ended the import early."""
    from workbench.app.import_files import FileImport

    total = sum(path.stat().st_size for path in order.paths if path.is_file())
    with progress("importing, KiB", total // _KIB or None, hidden=quiet) as advance:
        work = FileImport(folder, order, _in_kib(advance))
        try:
            asyncio.run(work.run())
        except (WorkbenchError, KeyboardInterrupt) as fault:
            return work.report, fault
    return work.report, None


def _in_kib(advance: Callable[[int], None]) -> Callable[[int], None]:
    """Bytes told as whole KiB."""
    left = 0

    def add(count: int) -> None:
        nonlocal left
        whole, left = divmod(left + count, _KIB)
        if whole:
            advance(whole)

    return add


def _tell(report: ImportReport, *, json: bool) -> None:
    if json:
        write_json(report.to_json())
        return
    for line in _lines(report):
        write(line)
    _tell_bad(report)


def _lines(report: ImportReport) -> Iterable[str]:
    for name, cases in report.cases.items():
        if cases:
            yield f"{_count(len(cases), 'case')} in the suite {name!r}"
    if report.same:
        yield f"{_count(report.same, 'case')} there already"
    if report.kept:
        yield f"{_count(len(report.kept), 'case')} there with another content, left alone (--force replaces): {_some(report.kept)}"
    if report.runs:
        verdicts = ", ".join(
            f"{LOOKS[state].shape} {LOOKS[state].word} {count}" for state, count in report.verdicts.items()
        )
        last = f" to {report.last_run}" if report.last_run != report.first_run else ""
        yield f"{_count(report.runs, 'run')} recorded ({report.first_run}{last}): {verdicts}"
    for batch in report.batches:
        passed = f"{batch.passed} of {_count(batch.runs, 'run')} passed"
        yield f"{batch.suite}: {passed}: workbench suite show {batch.id}"
    for saved in report.tools:
        yield f"{_count(len(saved['tools']), 'tool')} in the set {saved['set']!r}, version {saved['version']}: --tools set:{saved['set']}"
    if report.models:
        yield f"{_count(len(report.models), 'model')} in the settings: {_some(report.models)}"


def _tell_bad(report: ImportReport) -> None:
    """What was left out, and what was wrong: on the side of complaints."""
    for what, count in report.left_out.most_common(SHOWN):
        say(f"left out: {what} ({count})")
    if len(report.left_out) > SHOWN:
        say(f"left out: {len(report.left_out) - SHOWN} other things; --json names them.")
    for row in report.bad[:SHOWN]:
        say(row.message)
    if report.bad_rows:
        more = f", {report.bad_rows - SHOWN} more than shown" if report.bad_rows > SHOWN else ""
        say(f"{_count(report.bad_rows, 'bad row')}{more}{'' if report.empty else '; the rest is imported'}.")
    if report.stopped:
        say("Stopped; what was read until then is kept.")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
