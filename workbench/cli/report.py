"""`workbench report RUN --for X`: a failed run as the report that its receiver wants, in their form."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.options import AsJson, Quiet
from workbench.cli.output import working_line, write, write_json
from workbench.cli.raw_input import read_reply
from workbench.cli.text import visible
from workbench.core.errors import InvalidInput
from workbench.core.whole_files import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app.pasted_setup import ServerSetup
    from workbench.core.events import RunEvent
    from workbench.export.upstream_report import UpstreamReport
    from workbench.replay.minimise import Minimising


WHO = "workbench report"
_FOR = "vllm, sglang, llama.cpp, ollama, transformers, or a provider; with `-` else the server that the text names."


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report)


def report(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="A run's number or id; `-` reads standard input: an issue, a log, a stream, a bare reply.",
        ),
    ],
    *,
    receiver: Annotated[
        str,
        typer.Option("--for", metavar="X", help=_FOR),
    ] = "",
    step: Annotated[int | None, typer.Option(metavar="N", min=0, help="That step; else the first that failed.")] = None,
    asked: Annotated[
        str, typer.Option("--format", metavar="F", help="With `-`: what the reader was set to; else the server's own.")
    ] = "",
    tools: Annotated[str, typer.Option("--tools", metavar="FILE", help="With `-`: the tools that were offered.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it there, as Markdown; -: print it.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what stands at the path.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="The reply as it came, not the smallest that fails.")] = False,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Print what a maintainer can act on, in the receiver's own issue form; nothing is sent anywhere.

    The smallest failing reply, what its format asks, what was expected and what came, spans, the chunk, versions, words to
    search for. Keys are stars. What only you know stands in it as comments, and is listed on stderr.
    """
    from workbench.app.upstream_reports import ReportOrder, make_report
    from workbench.core.atomic_files import write_file

    out = None if out == Path("-") else out
    with DataFolder.find() as folder:
        made_of = _of_pasted(folder, asked, tools) if run == "-" else _of_run(folder, run, asked or tools)
        receiver = _receiver(receiver, made_of.setup, pasted=run == "-")
        order = ReportOrder(receiver, step, not whole, made_of.tools_known, made_of.setup)
        with working_line(hidden=quiet) as tell:

            def watch(search: Minimising) -> bool:
                tell(f"smallest reply: {search.length:,} → {len(search.text):,} characters, {search.tries:,} tries")
                return False

            made = make_report(folder, made_of.events, order, watch)
    if out is not None:
        write_file(expanded(out), made.text, replace=force)
    if json:
        write_json(_document(made, out))
    elif out is None:
        write(visible(made.text))
    if not quiet and not json:
        _tell(made, out)


class _Evidence(NamedTuple):
    """What a report is made of."""

    events: Sequence[RunEvent]
    tools_known: bool = True
    setup: ServerSetup | None = None
    """What stood beside a pasted reply."""


def _of_run(folder: DataFolder, run: str, beside: str) -> _Evidence:
    if beside:
        raise InvalidInput("A recorded run has its format and its tools.", hint="Leave --format and --tools out.")
    return _Evidence(folder.load_now(run).events)


def _of_pasted(folder: DataFolder, asked: str, tools: str) -> _Evidence:
    """The run that the reply on standard input makes: one in an issue, a log or a stream, or the text itself."""
    from workbench.app.pasted_reading import read_pasted
    from workbench.app.upstream_reports import pasted_run
    from workbench.cli.inputs import read_tools
    from workbench.formats import get_format

    folder.use_plugins()
    name = get_format(asked).id if asked else ""
    setups = read_tools(tools) if tools else None
    offered = None if setups is None else tuple(setup.spec for setup in setups)
    found = read_pasted(read_reply(WHO), folder.check, folder.known_secrets(), offered)
    specimen = found.specimen
    if specimen is None or (found.kind and not specimen.text):
        raise InvalidInput(f"There is no reply to report in it. {found.sentence}", hint=_HINT)
    events, known = asyncio.run(pasted_run(folder, replace(specimen, format=name or specimen.format)))
    return _Evidence(events, known, specimen.setup)


_HINT = "It may hold an issue, a server's log, a stream, a provider's JSON or a bare reply."


def _receiver(named: str, setup: ServerSetup | None, *, pasted: bool) -> str:
    if found := named or (setup.receiver if setup is not None else ""):
        return found
    told = "The text does not say which server it was." if pasted else "Nobody says whom the report is for."
    raise InvalidInput(told, hint="Name the receiver: --for vllm.")


def _document(made: UpstreamReport, out: Path | None) -> dict[str, object]:
    return {
        "receiver": made.receiver,
        "title": made.title,
        "body": made.body,
        "new_issue": made.new_issue,
        "search": list(made.search),
        "to_add": list(made.to_add),
        "warnings": list(made.warnings),
        "written": str(out) if out else None,
    }


def _tell(made: UpstreamReport, out: Path | None) -> None:
    """What to do with it."""
    if out is not None:
        say(f"Written to {out}.")
    for add in made.to_add:
        say(f"To add: {add}")
    for warning in made.warnings:
        say(f"Look: {warning}")
    if made.new_issue:
        say(f"Open an issue at {made.new_issue}")
