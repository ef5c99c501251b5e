"""`workbench db size`, `rm`, `trim` and `shrink`: what the records take, and removing runs for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.options import AsJson
from workbench.cli.output import progress, write, write_json, write_table
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.store.retention import Retention
    from workbench.store.room import Room

Days = Annotated[int | None, typer.Option("--days", metavar="N", min=0, help="Runs that are older; 0: however old.")]
Size = Annotated[
    int | None, typer.Option("--mb", metavar="N", min=0, help="The oldest while all take more; 0: however much.")
]
Sure = Annotated[bool, typer.Option("--yes", help="Do it; without this it is only told what would go.")]
Leave = Annotated[
    bool,
    typer.Option("--no-shrink", help="Leave the room in the file for new records: faster, and traces may stay in it."),
]


def register(group: typer.Typer) -> None:
    """Add the commands to `workbench db`."""
    group.command("size")(size)
    group.command("rm")(rm)
    group.command("trim")(trim)
    group.command("shrink")(shrink)


def size(days: Days = None, mb: Size = None, json: AsJson = False) -> None:
    """Measure the records by table and year, and what a rule of retention would free."""
    with DataFolder.find() as folder:
        rule = _rule(folder, days, mb)
        found = folder.store.room(rule)
        place, copies = folder.store.name, _copies(folder)
    if json:
        write_json(
            {"path": place, **_document(found), "copies": _sizes_of(copies), "rule": _rule_document(rule, found)}
        )
        return
    write(f"{place}: {_mb(found.total)}, of which {_mb(found.free)} stand empty")
    write_table(("table", "size"), [(name, _mb(taken)) for name, taken in found.tables.items()], right=("size",))
    years = [(str(year), f"{kept.runs:,}", _mb(kept.bytes)) for year, kept in found.years.items()]
    write_table(("year", "runs", "events and bytes"), years, right=("runs", "events and bytes"))
    if found.binned.runs:
        write(f"in the bin: {found.binned.runs:,} runs, {_mb(found.binned.bytes)}")
    if copies:
        write(f"{len(copies)} copies of the database beside it: {_mb(sum(_sizes_of(copies).values()))}")
    if any(rule):
        write(f"kept: {rule.words}; the rule would remove {found.would_go.runs:,} runs, {_mb(found.would_go.bytes)}")
    else:
        write("kept: for ever")


def rm(
    refs: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="Runs by number or id.")] = None,
    filter_text: Annotated[str, typer.Option("--filter", metavar="FILTER", help="The runs that a filter leaves.")] = "",
    bin_: Annotated[bool, typer.Option("--bin", help="What is in the bin.")] = False,
    yes: Sure = False,
    no_shrink: Leave = False,
    json: AsJson = False,
) -> None:
    """Remove runs for good: rows, received bytes, large documents and the words of the search. There is no way back."""
    if sum((bool(refs), bool(filter_text), bin_)) != 1:
        raise InvalidInput("Which runs?", hint="Give their ids, --filter FILTER or --bin.")
    with DataFolder.find() as folder:
        store = folder.store
        if refs:
            ids = [row.id for row in folder.find_runs(refs)]
        else:
            from workbench.app.performances import newest

            wanted = "is:binned" if bin_ else filter_text
            ids = [row.id for row in newest(store, f"{wanted} -is:running", store.count(wanted))]
        _remove(folder, ids, yes=yes, shrink=not no_shrink, json=json)


def trim(days: Days = None, mb: Size = None, yes: Sure = False, no_shrink: Leave = False, json: AsJson = False) -> None:
    """Remove what is too old or too much, by the settings or by these limits."""
    with DataFolder.find() as folder:
        rule = _rule(folder, days, mb)
        if not any(rule):
            raise InvalidInput("There is no limit.", hint="Give --days N or --mb N, or set them under [history].")
        _remove(folder, folder.store.too_much(rule), yes=yes, shrink=not no_shrink, json=json)


def shrink(json: AsJson = False) -> None:
    """Give room that stands empty back to the disk; the file is written anew."""
    with DataFolder.find() as folder:
        freed, total = folder.store.shrink(), folder.store.size()
    if json:
        write_json({"freed": freed, "bytes": total})
    else:
        write(f"freed {_mb(freed)}; the records take {_mb(total)}")


def _remove(folder: DataFolder, ids: list[str], *, yes: bool, shrink: bool, json: bool) -> None:
    gone = freed = 0
    if yes:
        with progress("removing", len(ids), hidden=json) as advance:
            gone = folder.store.remove(ids, advance)
        freed = folder.store.shrink() if gone and shrink else 0
    total, copies = folder.store.size(), _copies(folder)
    if json:
        write_json({"found": len(ids), "removed": gone, "freed": freed, "bytes": total, "copies": _sizes_of(copies)})
        return
    if not yes:
        write(f"{len(ids):,} run{'' if len(ids) == 1 else 's'} would be removed for good: give --yes.")
        return
    write(f"removed {gone:,} run{'' if gone == 1 else 's'} for good, freed {_mb(freed)}; the records take {_mb(total)}")
    if gone and copies:
        write(f"{len(copies)} copies of the database may still hold them: {copies[0].parent}")


def _rule(folder: DataFolder, days: int | None, mb: int | None) -> Retention:
    from workbench.app.retention import of_settings

    rule = of_settings(folder)
    return rule._replace(days=rule.days if days is None else days, megabytes=rule.megabytes if mb is None else mb)


def _copies(folder: DataFolder) -> list[Path]:
    return sorted(folder.home.backups.glob("*.db"))


def _sizes_of(copies: list[Path]) -> dict[str, int]:
    return {str(path): path.stat().st_size for path in copies}


def _document(found: Room) -> dict[str, object]:
    return {
        "bytes": found.total,
        "free": found.free,
        "tables": found.tables,
        "years": {str(year): kept._asdict() for year, kept in found.years.items()},
        "bin": found.binned._asdict(),
    }


def _rule_document(rule: Retention, found: Room) -> dict[str, object]:
    return {"days": rule.days, "megabytes": rule.megabytes, "would_remove": found.would_go._asdict()}


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
