"""`workbench gateway`: a local endpoint for agents and programs, recorded, until Ctrl+C."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli.failures import FAILED, say
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json
from workbench.cli.text import visible
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from workbench.gateway.conversations import ExchangeSeen
    from workbench.gateway.gateway import Gateway

MODES = "route, repair or pass-through"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gateway")(gateway)


def gateway(
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Where it listens; 0: a free port.")] = 8000,
    *,
    token: Annotated[
        str,
        typer.Option(metavar="T", help="What clients send as their key; else WORKBENCH_GATEWAY_TOKEN, else a new one."),
    ] = "",
    no_token: Annotated[bool, typer.Option("--no-token", help="Let every program on this computer ask.")] = False,
    route: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="PATTERN=TARGET", help="Requested name → target (--target's form or PROVIDER/MODEL)."
        ),
    ] = None,
    mode: Annotated[str, typer.Option(metavar="MODE", help=f"{MODES}; for all routes.")] = "route",
    record_only: Annotated[
        bool, typer.Option("--record-only", help="Change nothing, only record: the same as --mode pass-through.")
    ] = False,
    max_findings: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Exit 1 at the end if more went wrong with tool calls.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Put the workbench between an agent and a model: OpenAI, Anthropic, Gemini and Ollama clients point at its address.

    A requested model name leads to a target by --map, PROVIDER/MODEL, the settings' tiers, or the first provider. Every
    exchange is a run; Ctrl+C ends it and counts what went wrong.
    """
    from workbench.gateway.access import TOKEN_VARIABLE, new_token
    from workbench.gateway.routes import Way, read_route

    if mode not in list(Way):
        raise InvalidInput(f"--mode {mode!r} is not known.", hint=f"Write {MODES}.")
    if no_token and token:
        raise InvalidInput("--token and --no-token exclude each other.")
    way = Way.PASS_THROUGH if record_only else Way(mode)
    table = [read_route(text, way) for text in route or ()]
    chosen = "" if no_token else token or os.environ.get(TOKEN_VARIABLE, "") or new_token()
    given = bool(no_token or token or os.environ.get(TOKEN_VARIABLE))
    found = asyncio.run(_serve(table, way, chosen, port, show_token=not given, json=json))
    if max_findings is not None and found > max_findings:
        raise typer.Exit(FAILED)


async def _serve(table: list[Any], way: Any, token: str, port: int, *, show_token: bool, json: bool) -> int:
    """Serve until interrupted; return how much went wrong with tool calls."""
    from workbench.app import Workbench
    from workbench.gateway.gateway import Gateway
    from workbench.gateway.routes import Routes

    stopped = asyncio.Event()
    with _until_interrupted(stopped):
        async with Workbench.open() as wb:
            gateway = Gateway(wb, Routes(wb, table, way), token)
            await gateway.start(port)
            _tell_address(gateway, way, show_token=show_token, json=json)
            gateway.conversations.watch(lambda seen: _tell_exchange(seen, json=json))
            await stopped.wait()
            await gateway.aclose()
    _tell_totals(gateway, json=json)
    return gateway.conversations.findings


class _until_interrupted:  # noqa: N801 - used as a statement
    """SIGINT and SIGTERM set the event instead of breaking what is under way."""

    def __init__(self, stopped: asyncio.Event) -> None:
        self._stopped = stopped

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):
                loop.add_signal_handler(name, self._stopped.set)

    def __exit__(self, *_: object) -> None:
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):
                loop.remove_signal_handler(name)


def _tell_address(gateway: Gateway, way: Any, *, show_token: bool, json: bool) -> None:
    if json:
        write_json(
            {"event": "listening", "url": gateway.url, "token": gateway.token if show_token else None, "mode": way}
        )
        return
    write(f"listening at {gateway.url}  (OpenAI clients: {gateway.url}/v1)")
    if gateway.token and show_token:
        write(f"token {gateway.token}  (as the client's API key; new at every start, --token sets one)")
    if not gateway.token:
        say("no token: every program on this computer may ask")


def _tell_exchange(seen: ExchangeSeen, *, json: bool) -> None:
    if not seen.done:
        return
    kinds = Counter(one.kind for one in seen.incidents if not one.mended)
    if json:
        write_json({
            "event": "exchange", "run": seen.run_id, "client": seen.client.client, "conversation": seen.client.conversation,
            "name": seen.client.name, "asked": seen.client.model, "target": seen.target, "mode": seen.client.way,
            "findings": dict(kinds), "repaired": seen.mended, "left_out": list(seen.client.left_out),
        })  # fmt: skip
        return
    calls = ", ".join(seen.facts.calls) or "no call"
    told = [
        f"{seen.client.client or 'client'} → {seen.target}",
        calls,
        *(f"{count} {kind}" for kind, count in kinds.items()),
    ]
    if seen.mended:
        told.append(f"{seen.mended} repaired")
    if seen.facts.error:
        told.append(seen.facts.error)
    write(visible(" · ".join(told)))


def _tell_totals(gateway: Gateway, *, json: bool) -> None:
    seen = gateway.conversations
    if json:
        write_json({"event": "ended", "exchanges": seen.exchanges, "findings": dict(seen.totals)})
        return
    counted = ", ".join(f"{count} {kind}" for kind, count in seen.totals.most_common()) or "nothing went wrong"
    say(f"{seen.exchanges} exchanges recorded: {counted}")
