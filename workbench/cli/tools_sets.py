"""`workbench tools sets | diff | lint | hostility`: sets with versions, what differs, what is hard to call, and hostile results."""

from __future__ import annotations

import asyncio
import json as json_library
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import FAILED
from workbench.cli.inputs import read_tools
from workbench.cli.options import AsJson
from workbench.cli.output import progress, write, write_json, write_table
from workbench.cli.text import one_line
from workbench.core.errors import InvalidInput
from workbench.core.target import parse_target

if TYPE_CHECKING:
    from workbench.core.tools import ToolSetup
    from workbench.grading.hostility import HostilityRow

SetName = Annotated[str, typer.Argument(metavar="NAME", help="A set, or NAME@VERSION.")]
Place = Annotated[str, typer.Argument(metavar="FILE", help="A tools file, set:NAME[@VERSION], or builtin.")]
Formats = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="FORMAT", help="A format that shall carry the tools. Repeatable."),
]
Wires = Annotated[
    list[str] | None, typer.Option("--wire", metavar="WIRE", help="A protocol that shall carry the tools. Repeatable.")
]
Targets = Annotated[list[str], typer.Option("--target", metavar="TARGET", help="As in `suite run`. Repeatable.")]
Repeat = Annotated[int, typer.Option(metavar="N", min=1, help="How often each case is run.")]
USUAL_FORMATS = ("qwen_xml", "json_scaffold", "react")
USUAL_WIRES = ("openai_chat", "anthropic_messages", "gemini_generate")


def sets(json: AsJson = False) -> None:
    """List the saved tool sets."""
    with DataFolder.find() as folder:
        rows = folder.store.tool_sets.rows()
    if json:
        write_json([asdict(row) for row in rows], indent=2)
        return
    write_table(("set", "version", "tools"), [(row.name, str(row.version), str(row.tools)) for row in rows])


def diff(before: SetName, after: SetName = "", json: AsJson = False) -> None:
    """Show what differs between two versions of a set; one name alone: between its last two."""
    from workbench.tools.set_diff import diff_sets

    with DataFolder.find() as folder:
        store = folder.store.tool_sets
        name, _, version = before.partition("@")
        if not after:
            versions = store.versions(name)
            if len(versions) < 2:
                raise InvalidInput(f"The tool set {name!r} has one version only.")
            old, new = versions[-2].tools, versions[-1].tools
        else:
            other, _, later = after.partition("@")
            old = store.load(name, _number(version)).tools
            new = store.load(other, _number(later)).tools
    changes = diff_sets(old, new)
    if json:
        write_json([asdict(change) for change in changes], indent=2)
        return
    for change in changes:
        write(f"{ {'added': '+', 'removed': '-', 'changed': '≠'}[change.kind] } {change.tool}")
        for field in change.fields:
            where = ".".join(str(part) for part in field.path)
            write(f"    {where}: {_short(field.before)} → {_short(field.after)}")
    if not changes:
        write("Nothing differs.")


def _number(version: str) -> int | None:
    if version and not version.isdigit():
        raise InvalidInput(f"{version!r} is no version of a tool set.", hint="Write NAME@3.")
    return int(version) if version else None


def _short(value: Any) -> str:
    return "nothing" if value is None else one_line(json_library.dumps(value, ensure_ascii=False, default=str), 60)


def lint(place: Place, formats: Formats = None, wires: Wires = None, json: AsJson = False) -> None:
    """Say what makes tools hard to call, and what they cost in every request; exit with 1 where something is wrong."""
    from workbench.tools.lint import lint_tools, token_costs

    shown = (tuple(formats or ()), tuple(wires or ())) if formats or wires else (USUAL_FORMATS, USUAL_WIRES)
    specs = tuple(setup.spec for setup in _setups(place))
    notes, costs = lint_tools(specs, *shown), token_costs(specs, *shown)
    if json:
        write_json({"notes": [asdict(note) for note in notes], "costs": [asdict(cost) for cost in costs]}, indent=2)
    else:
        for note in notes:
            mend = " (can be mended)" if note.fix else ""
            write(
                f"{'✕' if note.wrong else '◇'} {note.tool or 'the set'}: {note.message}{mend}\n    {note.consequence}"
            )
        write_table(
            ("target", "tokens, about"), [(cost.target, f"{cost.tokens:,}") for cost in costs], right=("tokens, about",)
        )
    if any(note.wrong for note in notes):
        raise typer.Exit(FAILED)


def _setups(place: str) -> tuple[ToolSetup, ...]:
    if place == "builtin" or place.startswith("set:"):
        with DataFolder.find() as folder:
            return folder.tools.chosen(place)
    return read_tools(place)


def hostility(target: Targets, repeat: Repeat = 3, json: AsJson = False) -> None:
    """Try targets on hostile tool results: does the model follow what they say, and does the loop hold?

    These rates stand for themselves and enter no rate of reliability.
    """
    rows = asyncio.run(_hostility(target, repeat))
    if json:
        write_json([row.to_json() for row in rows], indent=2)
        return
    table = [(row.target, row.attack or "all", str(row.followed), str(row.held)) for row in rows]
    write_table(("target", "attack", "followed", "held"), table, whole=("attack", "followed", "held"))


async def _hostility(targets: list[str], repeat: int) -> list[HostilityRow]:
    from workbench.app import Workbench
    from workbench.app.hostile_suite import hostile_cases, run_hostility

    chosen = [parse_target(one) for one in targets]
    async with Workbench.open() as wb:
        with progress("hostile runs", len(chosen) * repeat * len(hostile_cases())) as done:
            return await run_hostility(wb.runs, wb.load, chosen, repeat, lambda: done(1))
