"""`workbench read`: whatever somebody pasted, told and read: a log line, an error body, curl, HAR, a stream, a bare reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.inputs import read_document
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json
from workbench.cli.raw_input import read_reply
from workbench.cli.text import one_line, visible
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from workbench.app.pasted_result import PastedReading
    from workbench.core.tools import ToolSpec

WHO = "workbench read"
_PLACES = {
    "forensics": "Forensics",
    "try": "Try, as a prompt to be sent",
    "providers": "Providers, as one to be set up",
}
SHOWN = 160
"""Characters around a finding that are shown."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("read")(read)


def read(
    place: Annotated[str, typer.Argument(metavar="FILE", help="-: standard input.")] = "-",
    tools: Annotated[
        str, typer.Option(metavar="FILE", help="Tools that were offered, where the text does not say it.")
    ] = "",
    *,
    json: AsJson = False,
) -> None:
    """Say what a text is that you have, and read it.

    A line of a log, an error body, curl, HAR, an excerpt of a conversation, a dump of a stream, a provider's JSON, a line of
    an agent's session, a bare reply of a model. What it is not known to be is said with what was tried, and the exit code is 2.
    """
    from workbench.app.pasted_reading import read_pasted

    with DataFolder.find() as folder:
        folder.use_plugins()
        found = read_pasted(read_reply(WHO, place), folder.check, folder.known_secrets(), _tools(tools))
    if not found.kind and not json:
        raise InvalidInput(found.sentence, hint="A model's reply without any call is read by `workbench parse`.")
    if json:
        write_json(found.to_json())
    else:
        _tell(found)
    if not found.kind:
        raise typer.Exit(InvalidInput.exit_code)


def _tools(place: str) -> tuple[ToolSpec, ...] | None:
    if not place:
        return None
    from workbench.core.tools import tools_from_json

    return tools_from_json(read_document(place))


def _tell(found: PastedReading) -> None:
    write(visible(found.title))
    write(visible(found.sentence))
    if found.finding is not None:
        finding = found.finding
        start = max(finding.span.start - SHOWN // 4, 0)
        shown = one_line(finding.raw[start : finding.span.end], SHOWN)
        write(
            f"{finding.kind}, characters {finding.span.start}–{finding.span.end} of the {finding.span.source}: {shown}"
        )
    if found.partial:
        write("There is more than was looked at; `workbench scan` reads all of it.")
    if found.opens:
        write(f"In the window it opens in {_PLACES[found.opens.value]}.")
