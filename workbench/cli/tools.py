"""`workbench tools`: what tools there are, one of them in full, and calling it for real, inside its fence."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import FAILED, say
from workbench.cli.inputs import parse_object, read_text
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json, write_table
from workbench.cli.text import json_text, one_line, visible
from workbench.cli.tools_sets import diff, hostility, lint, sets
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.masking import Secrets
from workbench.core.target import RunLimits
from workbench.core.tools import ToolMode
from workbench.core.whole_files import expanded, true_path

if TYPE_CHECKING:
    from workbench.app.tool_shelf import ShelfTool, SourceFault, ToolShelf
    from workbench.core.tools import ToolResult, ToolSetup
    from workbench.settings.values import ToolSettings
    from workbench.store.tool_sets import ToolSetVersion

Name = Annotated[str, typer.Argument(metavar="NAME", help="The tool's name, or SHELF/NAME where several have it.")]
Arguments = Annotated[
    str, typer.Option("--arguments", metavar="JSON", help="The arguments object; @FILE reads it.", show_default=False)
]
Workspace = Annotated[
    str, typer.Option("--workspace", metavar="DIR", help="Folder that files and commands are confined to.")
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="PROGRAM", help="Switch commands on for this call, with this program. Repeatable."),
]
MockInto = Annotated[str, typer.Option("--mock-into", metavar="SET", help="Keep the result as this set's mock.")]
SetName = Annotated[str, typer.Argument(metavar="SET", help="The set.")]
ToolName = Annotated[str, typer.Argument(metavar="TOOL", help="The tool's name in it.")]
ModeName = Annotated[str, typer.Argument(metavar="MODE", help="record, mock, ask or run.")]
MODES = tuple(one.value for one in ToolMode)
SOURCES = ("mcp", "openapi", "python", "curl", "har", "json")
Source = Annotated[str, typer.Option("--from", metavar="SOURCE", help="mcp, openapi, python, curl, har or json.")]
File = Annotated[str, typer.Argument(metavar="[FILE]", help="`-` reads standard input; mcp: else the data folder's.")]
Into = Annotated[str, typer.Option("--set", metavar="NAME", help="The set that the tools go into.")]
Server = Annotated[list[str] | None, typer.Option("--server", metavar="NAME", help="mcp: only this one. Repeatable.")]
Operation = Annotated[
    list[str] | None, typer.Option("--operation", metavar="NAME", help="openapi: only this one. Repeatable.")
]
KeyEnv = Annotated[str, typer.Option("--key-env", metavar="VAR", help="openapi: variable that holds the key.")]
Live = Annotated[bool, typer.Option("--live", help="mcp: ask for the definitions anew before each run.")]
Number = Annotated[str, typer.Argument(metavar="NUMBER", help="As `tools call` and `tools writes` tell it.")]


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Tools: list, show, call, import.", no_args_is_help=True)
    group.command("list")(list_tools)
    group.command("show")(show)
    group.command("call")(call)
    group.command("import")(import_tools)
    group.command("mode")(mode)
    group.command("sets")(sets)
    group.command("diff")(diff)
    group.command("lint")(lint)
    group.command("hostility")(hostility)
    group.command("writes")(writes)
    group.command("undo")(undo)
    group.command("fence")(fence)
    app.add_typer(group, name="tools")


def list_tools(json: AsJson = False) -> None:
    """List all tools: built-in ones, Python files of the data folder, saved sets."""
    with DataFolder.find() as folder:
        found, faults = asyncio.run(folder.tools.tools())
    told(faults)
    if json:
        write_json([row(one) for one in found], indent=2)
        return
    rows = [(one.setup.spec.name, one.shelf, one.note or one.setup.mode.value, first_line(one)) for one in found]
    write_table(("tool", "from", "a call is", "description"), rows, whole=("tool", "from"))


def show(name: Name, json: AsJson = False) -> None:
    """Show one tool: definition, where it comes from, how a call is answered."""
    with DataFolder.find() as folder:
        one = asyncio.run(_found(folder, name))
    if json:
        write_json(row(one), indent=2)
        return
    write(f"{one.setup.spec.name}  ({one.shelf}{', ' + one.note if one.note else ''})")
    write(visible(one.setup.spec.description or "no description"))
    required = one.setup.spec.required
    rows = [
        (key, _kind(schema), "yes" if key in required else "no", _described(schema))
        for key, schema in one.setup.spec.properties.items()
    ]
    write_table(("parameter", "type", "required", "description"), rows, whole=("parameter",))
    for key, value in one.setup.spec.extra.items():
        write(visible(f"{key}: {json_text(value)}"))


async def _found(folder: DataFolder, name: str) -> ShelfTool:
    shelf = folder.tools
    try:
        return await shelf.find(name)
    finally:
        await shelf.aclose()


def call(
    name: Name,
    arguments: Arguments = "{}",
    workspace: Workspace = "",
    allow: Allow = None,
    mock_into: MockInto = "",
    json: AsJson = False,
) -> None:
    """Really call a tool and print {"success", "result", "error"}; exit with 1 where it failed."""
    given = parse_object(arguments, "--arguments")
    with DataFolder.find() as folder:
        result = asyncio.run(_called(folder, name, given, workspace, allow))
        result = Secrets(folder.known_secrets()).mask_value(result)  # before it is shown, or kept as a mock
        if mock_into:
            _keep_mock(folder, mock_into, name.rpartition("/")[2], given, result)
    if json:
        write_json(result.to_json(), indent=None)
    else:
        _print_result(result)
    if result.undo:
        say(f"Noted in the journal: `workbench tools undo {result.undo}` takes the write back.")
    if result.trace and not json:
        sys.stderr.write(visible(result.trace.rstrip()) + "\n")
    if not result.success:
        raise typer.Exit(FAILED)


def _keep_mock(folder: DataFolder, into: str, tool: str, given: dict[str, Any], result: ToolResult) -> None:
    """Let the tool of a set answer the same arguments with this result from now on."""
    from workbench.tools.mocks import recorded_rules

    folder.tools.change(
        into, tool, lambda setup: replace(setup, mock=recorded_rules(setup.mock, given, result)), "recorded a real call"
    )


def mode(into: SetName, tool: ToolName, wanted: ModeName) -> None:
    """Decide what a call of a tool in a set is: record, mock, ask or run."""
    if wanted not in MODES:
        raise UnknownName("tool mode", wanted, MODES)
    with DataFolder.find() as folder:
        saved = folder.tools.change(
            into, tool, lambda setup: replace(setup, mode=ToolMode(wanted)), f"{tool}: {wanted}"
        )
    write(f"{saved.name} version {saved.version}: {tool} is {wanted}.")


async def _called(
    folder: DataFolder, name: str, arguments: dict[str, Any], workspace: str, allow: list[str] | None
) -> ToolResult:
    shelf = folder.tools
    place = shelf.use_workspace(Path(workspace)) if workspace else ""
    try:
        one = await shelf.find(name)
        return await shelf.call(one.setup, arguments, workspace=place, rules=_allowing(folder, allow))
    finally:
        await shelf.aclose()


def _allowing(folder: DataFolder, allow: list[str] | None) -> ToolSettings | None:
    if not allow:
        return None
    return replace(folder.saved_settings.tools, commands=True, allowed=tuple(allow))


def import_tools(
    source: Source,
    file: File = "",
    into: Into = "imported",
    server: Server = None,
    operation: Operation = None,
    key_env: KeyEnv = "",
    live: Live = False,
    json: AsJson = False,
) -> None:
    """Take tools into a set, each save a version: of MCP servers, an OpenAPI file, Python functions, a pasted request."""
    with DataFolder.find() as folder:
        setups, saved = asyncio.run(_imported(folder, source, file, into, server or [], operation or [], key_env, live))
    if json:
        names = [setup.spec.name for setup in setups]
        write_json({"set": saved.name, "version": saved.version, "tools": names}, indent=2)
        return
    for setup in setups:
        write(f"{setup.spec.name}  {one_line(setup.spec.description, 72)}")
    count = f"{len(setups)} tool{'' if len(setups) == 1 else 's'}"
    write(f"{count} in the set {saved.name!r}, version {saved.version}: --tools set:{saved.name}")


async def _imported(
    folder: DataFolder,
    source: str,
    file: str,
    into: str,
    servers: list[str],
    operations: list[str],
    key: str,
    live: bool,
) -> tuple[tuple[ToolSetup, ...], ToolSetVersion]:
    shelf = folder.tools
    try:
        setups = await _read(shelf, source, file, servers, live, key)
    finally:
        await shelf.aclose()
    if operations:
        known = {setup.spec.name: setup for setup in setups}
        for name in operations:
            if name not in known:
                raise UnknownName("operation", name, known)
        setups = tuple(known[name] for name in operations)
    return setups, shelf.save(into, setups, f"imported from {source} {Path(file).name}".rstrip())


async def _read(
    shelf: ToolShelf, source: str, file: str, servers: list[str], live: bool, key: str
) -> tuple[ToolSetup, ...]:
    if source == "mcp":
        return await shelf.import_mcp(Path(file) if file else None, servers, live=live, tell=say)
    if source not in SOURCES:
        raise UnknownName("source of tools", source, SOURCES)
    if not file:
        raise InvalidInput("Which file?", hint="`-` reads standard input.")
    if source == "python":
        return await shelf.import_python(_whole(file))
    from workbench.tools.openapi import setups_from_openapi
    from workbench.tools.pasted_request import setups_from_request

    if source == "openapi":
        return setups_from_openapi(Path(_whole(file)), key)
    return setups_from_request(read_text(file))


def _whole(file: str) -> str:
    """A path that still leads there from another folder."""
    return str(true_path(expanded(file)))


def writes(json: AsJson = False) -> None:
    """List the writes of tools that can be undone, oldest first."""
    with DataFolder.find() as folder:
        found = folder.tools.journal.writes()
    if json:
        write_json(
            [
                {"id": one.id, "workspace": one.workspace, "path": one.path, "at": one.at, "bytes": one.size}
                for one in found
            ]
        )
        return
    write_table(
        ("number", "path", "bytes", "workspace"), [(one.id, one.path, str(one.size), one.workspace) for one in found]
    )


def undo(number: Number) -> None:
    """Put back what stood in a file before a tool wrote it."""
    with DataFolder.find() as folder:
        path = folder.tools.undo(number)
    write(f"{path} is as it was before.")


def fence(json: AsJson = False) -> None:
    """Tell what a call may do on this system, first what is not kept apart."""
    with DataFolder.find() as folder:
        facts = folder.tools.facts()
    if json:
        write_json([{"kept": one.kept, "title": one.title, "detail": one.detail} for one in facts])
        return
    for one in facts:
        write(f"{'●' if one.kept else '✕'} {one.title}\n    {one.detail}")


def row(one: ShelfTool) -> dict[str, Any]:
    """A tool as JSON."""
    spec, source = one.setup.spec, one.setup.source
    return {
        "name": spec.name,
        "from": one.shelf,
        "mode": one.setup.mode.value,
        "note": one.note or None,
        "description": spec.description,
        "parameters": spec.parameters,
        "extra": spec.extra,
        "source": {"kind": source.kind or None, "place": source.place or None, "name": source.name or None},
    }


def told(faults: list[SourceFault]) -> None:
    """Say which sources could not be read; the others are listed all the same."""
    for fault in faults:
        say(f"{fault.shelf}: {fault.message}")


def first_line(one: ShelfTool) -> str:
    """The beginning of a description, for a table."""
    return one_line(one.setup.spec.description.strip().partition("\n")[0], 72)


def _kind(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "any"
    if "enum" in schema:
        return f"one of {len(schema['enum'])}"
    kind = schema.get("type", "any")
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def _described(schema: Any) -> str:
    if not isinstance(schema, dict):
        return ""
    text = str(schema.get("description") or "")
    return f"{text} (default {schema['default']!r})".strip() if "default" in schema else text


def _print_result(whole: ToolResult) -> None:
    """Print as much as a model would get in a run."""
    from workbench.engine.habits import bounded  # with templates, which the list of commands does not wait for

    result = bounded(whole, RunLimits().result_characters)
    if result is not whole:
        say(f"{result.notes[-1]} `--json` prints all of it.")
    if result.success and isinstance(result.result, str):
        write(visible(result.result))
    elif result.success:
        write_json(result.result, indent=2)
    else:
        say(str(result.error))
        if result.result is not None:
            write_json(result.result, indent=2)
