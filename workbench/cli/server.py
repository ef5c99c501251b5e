"""`workbench server`: start llama-server for a model file, see what runs, stop it."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli.failures import say
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json, write_table
from workbench.cli.text import visible
from workbench.core.errors import InvalidInput, ProviderError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.app.servers import Prepared, Servers
    from workbench.localserver.environment import LlamaSetup
    from workbench.localserver.flags import ServerWish
    from workbench.localserver.process import LocalServer
    from workbench.localserver.records import ServerRecord

LOOK_S = 0.2


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="llama-server on this computer.", no_args_is_help=True)
    group.command("start")(start)
    group.command("list")(list_servers)
    group.command("stop")(stop)
    app.add_typer(group, name="server")


def start(
    gguf: Annotated[
        Path | None, typer.Argument(metavar="GGUF", help="The model file; without one, those of LLAMACPP_*.")
    ] = None,
    *,
    port: Annotated[int, typer.Option(metavar="N", help="Where it listens; 0: a free port.")] = 0,
    alias: Annotated[str, typer.Option(metavar="A", help="The model's name in requests; else the file's.")] = "",
    context: Annotated[int | None, typer.Option(metavar="TOKENS", help="Context of each request.")] = None,
    parallel: Annotated[int, typer.Option(metavar="N", help="Requests at the same time.")] = 1,
    flag: Annotated[
        list[str] | None, typer.Option("--flag", metavar="FLAG", help="A further flag with its value, as '-ngl 99'.")
    ] = None,
    template_file: Annotated[
        Path | None, typer.Option("--template-file", metavar="FILE", help="Chat template in the file's place.")
    ] = None,
    no_tools: Annotated[bool, typer.Option("--no-tools", help="Add no flags for tool calling.")] = False,
    setup: Annotated[
        Path | None, typer.Option("--setup", metavar="FILE", help="File of LLAMACPP_* lines, one block a port.")
    ] = None,
    detach: Annotated[bool, typer.Option("--detach", help="Leave it running when this command ends.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Show the command line, start nothing.")] = False,
    json: AsJson = False,
) -> None:
    """Start a server, and show its log until Ctrl+C stops it. While it runs it is the provider `llama.cpp :PORT`."""
    from workbench.localserver.flags import ServerWish

    wish = ServerWish(
        alias=alias, port=port, context=context, parallel=parallel, tool_calling=not no_tools,
        template_file=template_file, flags=tuple(flag or ()),
    )  # fmt: skip
    wanted = list(_wanted(gguf, setup, wish))
    with _ended_by_sigterm():
        code = asyncio.run(_start(wanted, detach=detach, show=show, json=json))
    if code:
        raise typer.Exit(code)


def _wanted(gguf: Path | None, setup: Path | None, wish: ServerWish) -> Iterator[tuple[Path, ServerWish]]:
    """Yield each model file with what is wished for it."""
    if gguf is not None and setup is not None:
        raise InvalidInput("GGUF and --setup exclude each other.")
    if gguf is not None:
        yield gguf, wish
        return
    found = [item for item in _setups(setup) if item.model]
    if not found:
        hint = "Give the path of a .gguf file, --setup FILE, or set LLAMACPP_PRIMARY_MODEL."
        raise InvalidInput("Which model?", hint=hint)
    if len(found) > 1 and (wish.port or wish.alias):
        raise InvalidInput(f"--port and --alias are for one server, and {len(found)} are described.")
    for item in found:
        if not item.local:
            say(f"{item.role} is at {item.host}: nothing to start here.")
            continue
        yield (
            item.path,
            replace(
                wish,
                alias=wish.alias or item.alias,
                port=wish.port or item.port,
                tool_calling=wish.tool_calling and item.tool_calling,
            ),
        )


def _setups(setup: Path | None) -> tuple[LlamaSetup, ...]:
    from workbench.localserver.environment import environment_setups, file_setups

    return environment_setups() if setup is None else file_setups(setup)


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Whoever ends this command politely means its servers too."""
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


async def _start(wanted: list[tuple[Path, ServerWish]], *, detach: bool, show: bool, json: bool) -> int:
    from workbench.app import Workbench

    async with Workbench.open(records=False) as wb:
        return await _start_with(wb.servers, wanted, detach=detach, show=show, json=json)


async def _start_with(
    servers: Servers, wanted: list[tuple[Path, ServerWish]], *, detach: bool, show: bool, json: bool
) -> int:
    prepared = [await servers.prepare(path, wish) for path, wish in wanted]
    for item in prepared:
        _tell_plan(item, quiet=json)
    if show:
        _show(prepared, json=json)
        return 0
    running: list[LocalServer] = []
    left = False
    try:
        running += [servers.start(item, detach=detach) for item in prepared]
        code = await _follow(servers, running, detach=detach, json=json)
        left = detach and code == 0
    finally:
        if not left:
            for server in running:
                await asyncio.to_thread(server.stop)
    return code


def _tell_plan(item: Prepared, *, quiet: bool) -> None:
    if quiet:
        return
    model, found = item.model, item.detection
    known = [model.architecture, model.size_label, model.file_type, f"{model.context} tokens" if model.context else ""]
    say(visible(f"{model.path.name}: {', '.join(filter(None, known)) or 'nothing known of it'}"))
    guess = ", a guess" if found.guess else ""
    say(visible(f"family {found.family}{guess}, format {found.format}: {found.why}"))
    for note in item.notes:
        say(visible(note))


def _show(prepared: list[Prepared], *, json: bool) -> None:
    import shlex

    commands = [[str(item.plan.binary.path), *item.plan.proposal.arguments] for item in prepared]
    if json:
        write_json([_plan_row(item, command) for item, command in zip(prepared, commands, strict=True)])
    else:
        for item, command in zip(prepared, commands, strict=True):
            write(visible(f"{shlex.join(command)} --port {item.plan.port or 'PORT'}"))


def _plan_row(item: Prepared, command: list[str]) -> dict[str, Any]:
    return {
        "model": str(item.model.path),
        "name": item.model.name or None,
        "architecture": item.model.architecture or None,
        "context": item.model.context,
        "file_type": item.model.file_type or None,
        "family": item.detection.family,
        "format": item.detection.format,
        "why": item.detection.why,
        "guess": item.detection.guess,
        "command": command,
        "port": item.plan.port or None,
        "notes": list(item.notes),
    }


async def _follow(servers: Servers, running: list[LocalServer], *, detach: bool, json: bool) -> int:
    """Show the logs and tell of changes until all are ready (detached) or have ended; return the exit code."""
    from workbench.localserver.process import ServerState

    told: dict[int, ServerState] = {}
    while True:
        for server in running:
            prefix = f":{server.record.port} " if len(running) > 1 else ""
            for line in await servers.look(server):
                print(visible(prefix + line), file=sys.stderr, flush=True)
            if told.get(server.record.port) is not server.state:
                told[server.record.port] = server.state
                _tell_state(server, json=json)
        states = {server.state for server in running}
        if ServerState.ENDED in states and (detach or states == {ServerState.ENDED}):
            return ProviderError.exit_code
        if not running or (detach and states == {ServerState.READY}):
            return 0
        await asyncio.sleep(LOOK_S)


def _tell_state(server: LocalServer, *, json: bool) -> None:
    from workbench.localserver.process import ServerState

    record = server.record
    if server.state is ServerState.READY and json:
        write_json(_row(record, "ready"))
    elif server.state is ServerState.READY:
        write(visible(f"● llama.cpp :{record.port} is ready: {record.base_url}, model {record.alias}"))
    elif server.state is ServerState.ENDED:
        say(visible(f"The server on port {record.port} ended with {server.exit_code}. Its log: {record.log}"))


def list_servers(json: AsJson = False) -> None:
    """List the servers that run, and those that LLAMACPP_* variables describe."""
    rows = asyncio.run(_rows())
    if json:
        write_json(rows)
        return
    columns = ("port", "model", "state", "family", "process", "owner", "file")
    write_table(columns, [[row[name] for name in columns] for row in rows], right=("port",), whole=("state",))


async def _rows() -> list[dict[str, Any]]:
    from workbench.app import Workbench
    from workbench.app.servers import check_health

    async with Workbench.open(records=False) as wb:
        rows = []
        for record in wb.servers.records():
            status = check_health(record.port)
            rows.append(_row(record, "ready" if status == 200 else "silent" if status is None else "loading"))
        known = {row["port"] for row in rows}
        return rows + [_setup_row(item) for item in wb.servers.setups() if item.port not in known]


def _row(record: ServerRecord, state: str) -> dict[str, Any]:
    return {
        "port": record.port,
        "provider": f"llama.cpp :{record.port}",
        "model": record.alias,
        "state": state,
        "family": record.family,
        "process": record.pid,
        "owner": f"process {record.owner}" if record.owner else "detached",
        "file": record.model,
        "base_url": record.base_url,
        "log": record.log,
    }


def _setup_row(item: LlamaSetup) -> dict[str, Any]:
    from workbench.app.servers import check_health

    answers = item.local and check_health(item.port) is not None
    return {
        "port": item.port,
        "provider": None,
        "model": item.alias or item.path.stem,
        "state": "runs elsewhere" if answers else "not running" if item.local else "not looked at",
        "family": None,
        "process": None,
        "owner": ", ".join(variable for _, variable in item.sources),
        "file": str(item.path) if item.model else None,
        "base_url": item.base_url,
        "log": None,
    }


def stop(
    names: Annotated[list[str] | None, typer.Argument(metavar="PORT|ALIAS…", help="Which servers.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All that run.")] = False,
    json: AsJson = False,
) -> None:
    """Stop servers, whoever started them."""
    if not names and not every:
        raise InvalidInput("Which server?", hint="Give its port or alias, or --all.")

    async def stopped() -> list[ServerRecord]:
        from workbench.app import Workbench

        async with Workbench.open(records=False) as wb:
            servers = wb.servers
            found = servers.records() if every else dict.fromkeys(servers.find(name) for name in names or ())
            for record in found:
                await servers.stop(record)
                if not json:
                    write(visible(f"■ llama.cpp :{record.port} is stopped ({record.alias})"))
            return list(found)

    records = asyncio.run(stopped())
    if json:
        write_json([_row(record, "stopped") for record in records])
