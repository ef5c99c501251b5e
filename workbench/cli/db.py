"""`workbench db`: where the records are, whether they are sound, and a copy of them."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli import db_room
from workbench.cli.failures import say
from workbench.cli.options import AsJson
from workbench.cli.output import progress, write, write_json
from workbench.core.errors import InvalidInput, StoreError


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="The database of recorded runs.", no_args_is_help=True)
    group.command("path")(path)
    group.command("check")(check)
    group.command("backup")(backup)
    group.command("copy")(copy)
    db_room.register(group)
    app.add_typer(group, name="db")


def path(json: AsJson = False) -> None:
    """Print where the database is."""
    from workbench.store.choose_database import database_at

    folder = DataFolder.find()
    name = database_at(folder.database).name
    if json:
        write_json({"path": name, "exists": folder.has_records()})
    else:
        write(name)


def check(
    holds: Annotated[
        str, typer.Option("--holds", metavar="HASH", help="Also look for an end of the chain that was noted earlier.")
    ] = "",
    json: AsJson = False,
) -> None:
    """Look for damage and for records that were altered or taken out; exits with 1 if there are any."""
    with DataFolder.find() as folder:
        with progress("checking", folder.store.recorded(), hidden=json) as advance:
            report = folder.store.check(advance)
        place = folder.store.name
        held = folder.store.holds(holds) if holds else None
    problems = list(report.problems)
    if held is False:
        problems.append(f"The chain holds no link {holds!r}: it was made anew since, or this is another history.")
    chain = report.chain
    if json:
        write_json(
            {
                "path": place, "runs": report.runs, "bytes": report.size, "problems": problems,
                "chain": {
                    "links": chain.links, "end": chain.head, "unhashed": chain.unhashed, "removed": chain.removed,
                },
            }
        )  # fmt: skip
    else:
        for problem in problems:
            write(f"✕ {problem}")
        state = "damaged or altered" if problems else "sound"
        write(f"{place}: {state}, {report.runs} run{'' if report.runs == 1 else 's'}, {report.size / 1e6:.1f} MB")
        old = f", {chain.unhashed:,} older runs without a hash" if chain.unhashed else ""
        gone = f", {chain.removed:,} removed for good" if chain.removed else ""
        write(f"chain of hashes: {chain.links:,} links{old}{gone}; its end is {chain.head}")
    if problems:
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


def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A file, or postgresql+psycopg://USER@HOST/NAME.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The same; what is there stays.")],
    json: AsJson = False,
) -> None:
    """Copy a history into another one, or merge two: runs, comparisons and tool sets that are not there yet."""
    from workbench.store import Store
    from workbench.store.choose_database import database_at
    from workbench.store.copying import copy_history

    places = [_place(text) for text in (source, target)]
    if database_at(places[0]).examine().new:
        raise InvalidInput(f"There is no history in {source!r}.", hint="`workbench db path` names yours.")
    with closing(Store.look(places[0])) as old, closing(Store.open(places[1])) as new:
        with progress("copying", old.recorded(), hidden=json) as advance:
            try:
                done = copy_history(old, new, advance)
            except (KeyboardInterrupt, StoreError) as error:
                how = "Interrupted" if isinstance(error, KeyboardInterrupt) else "Not all is copied"
                say(f"{how}; what is copied stands in {new.name}. The same command copies the rest.")
                raise
        names = [old.name, new.name]
    if json:
        write_json({"from": names[0], "to": names[1], **done._asdict()})
    else:
        for run_id, reason in done.left_out:
            write(f"✕ {run_id}: {reason}")
        write(
            f"copied to {names[1]}: {done.runs} runs, {done.batches} comparison{'' if done.batches == 1 else 's'},"
            f" {done.tool_sets} tool sets; {done.there} runs were there already, {len(done.left_out)} left out"
        )
    if done.left_out:
        raise typer.Exit(1)


def _place(text: str) -> str | Path:
    if "://" in text:
        return text
    if not text.strip() or Path(text).is_dir():
        raise InvalidInput(f"{text!r} is not the file of a history.", hint="`workbench db path` names yours.")
    return Path(text)
