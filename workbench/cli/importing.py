"""`workbench import`: cases in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json, write_table
from workbench.cli.text import one_line
from workbench.core.errors import UnknownName


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Case documents, or JSON lines of an export.")],
    kind: Annotated[
        str, typer.Option("--from", metavar="KIND", help="jsonl or cases; else by the file's ending.")
    ] = "",
    suite: Annotated[str, typer.Option("--suite", metavar="NAME", help="Suite to put them into.")] = "imported",
    json: AsJson = False,
) -> None:
    """Read cases from files into a suite of yours."""
    from workbench.cases.files import slug
    from workbench.cases.importing import KINDS, read_import, save_all

    if kind and kind not in KINDS:
        raise UnknownName("kind of file", kind, KINDS)
    cases = tuple(case for path in files for case in read_import(path, kind))
    folder = DataFolder.find().home.make().suites / slug(suite)
    paths = save_all(cases, folder)
    if json:
        write_json({"suite": folder.name, "cases": [path.stem for path in paths]})
        return
    write(f"{len(paths)} case{'s' if len(paths) != 1 else ''} in the suite {folder.name!r}:")
    write_table(
        ("case", "title"), [(path.stem, one_line(case.title, 70)) for path, case in zip(paths, cases, strict=True)]
    )
