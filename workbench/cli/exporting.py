"""`workbench export`: recorded runs out as fixtures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_file_here, write_json, write_table
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.export.files import Export
    from workbench.store import RunRow, Store

FORMS = {"folder": "a folder", "file": "one file", "zip": "an archive"}
HERE = "-"
"""Standard output."""
MOST = 1000
"""Runs of one export."""
MOST_TOLD = 10
"""Lines on what was left out."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export)


def export(
    refs: Annotated[
        list[str] | None, typer.Argument(metavar="ID…", help="Runs: number, id, or the beginning of an id.")
    ] = None,
    *,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="KIND",
            help="pytest, vcr, har, jsonl, promptfoo, bfcl, openai-evals, inspect, csv, parquet, html, curl, python or bundle.",
        ),
    ],
    out: Annotated[
        str, typer.Option("--out", metavar="PATH", help="Folder or file to write (--preview says which); -: print it.")
    ] = "",
    filter_text: Annotated[
        str, typer.Option("--filter", metavar="FILTER", help="Also the runs that a filter leaves, 1000 at most.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace what stands at the path.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show what would leave, write nothing.")] = False,
    json: AsJson = False,
) -> None:
    """Write recorded runs as fixtures for other projects; keys never leave."""
    from workbench.export.files import check_secrets

    if not out and not preview:
        raise InvalidInput("Where shall it go?", hint="--out PATH, --out - for standard output, or --preview.")
    if out == HERE and json:
        raise InvalidInput("--out - and --json would both be printed.", hint="Leave one of them out.")
    with DataFolder.find() as folder:
        found = [row.number for row in folder.find_runs(refs or ())]
        if filter_text:
            found += [row.number for row in _filtered(folder.store, filter_text)]
        made = folder.export_now(to, list(dict.fromkeys(found)))
        check_secrets(made, folder.known_secrets())
        if out == HERE and made.form != "file":
            raise InvalidInput(f"{to} makes {FORMS[made.form]}, which cannot be printed.", hint="Give its path.")
        paths = () if preview or out == HERE else folder.write_export(made, Path(out), replace=force)
    if json:
        write_json(_document(made, paths))
        return
    _tell(made, out, preview=preview)


def _document(made: Export, written: Sequence[Path]) -> dict[str, object]:
    return {
        "kind": made.kind,
        "summary": made.summary,
        "form": made.form,
        "left_out": list(made.left_out),
        "files": [{"path": file.path, "bytes": file.size} for file in made.files],
        "written": [str(path) for path in written],
    }


def _tell(made: Export, out: str, *, preview: bool) -> None:
    if preview:
        write(f"{made.summary}; this would be written, as {FORMS[made.form]}:")
        write_table(("file", "bytes"), [(file.path, file.size) for file in made.files], right=("bytes",))
    elif out == HERE:
        write_file_here(made.files[0].data)
        say(made.summary)
    else:
        write(f"{made.summary}: {out}")
    for line in made.left_out[:MOST_TOLD]:
        say(f"left out: {line}")
    if len(made.left_out) > MOST_TOLD:
        say(f"left out: {len(made.left_out) - MOST_TOLD} further fields; --json has all.")


def _filtered(store: Store, text: str) -> list[RunRow]:
    """The runs of a filter, the oldest first; raise InvalidInput where they are more than anybody reads."""
    if store.count(text) > MOST:
        raise InvalidInput(f"The filter leaves more than {MOST} runs.", hint="Narrow it, such as with since:7d.")
    found: list[RunRow] = []
    while page := store.list_runs(text, found[-1].id if found else None):
        found += page
    return found[::-1]
