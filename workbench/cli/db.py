"""`workbench db`: where the records are, whether they are sound, and a copy of them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="The database of recorded runs.", no_args_is_help=True)
    group.command("path")(path)
    group.command("check")(check)
    group.command("backup")(backup)
    app.add_typer(group, name="db")


def path(json: AsJson = False) -> None:
    """Print where the database is."""
    place = DataFolder.find().home.database
    if json:
        write_json({"path": str(place), "exists": place.exists()})
    else:
        write(str(place))


def check(json: AsJson = False) -> None:
    """Look for damage; exits with 1 if there is any."""
    with DataFolder.find() as folder:
        report = folder.store.check()
        place = str(folder.store.path)
    if json:
        write_json({"path": place, "runs": report.runs, "bytes": report.size, "problems": list(report.problems)})
    else:
        for problem in report.problems:
            write(f"✕ {problem}")
        state = "damaged" if report.problems else "sound"
        write(f"{place}: {state}, {report.runs} run{'' if report.runs == 1 else 's'}, {report.size / 1e6:.1f} MB")
    if report.problems:
        raise typer.Exit(1)


def backup(
    to: Annotated[str, typer.Argument(metavar="PATH", help="The copy's name; otherwise into the backups folder.")] = "",
    json: AsJson = False,
) -> None:
    """Copy the database, also while it is in use."""
    name = time.strftime("workbench-%Y%m%dT%H%M%SZ.db", time.gmtime())
    with DataFolder.find() as folder:
        made = folder.store.backup(Path(to) if to else folder.home.backups / name)
    if json:
        write_json({"path": str(made), "bytes": made.stat().st_size})
    else:
        write(str(made))
