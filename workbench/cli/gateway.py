"""`workbench gateway`: a local endpoint for agents and programs, recorded, until Ctrl+C."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli.failures import FAILED, say
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json
from workbench.cli.text import visible
from workbench.core.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.gateway.conversations import ExchangeSeen
    from workbench.gateway.gateway import Gateway
    from workbench.store.retention import Retention

MODES = "route, repair or pass-through"
RECORDS = "everything, findings or nothing"
HOLD_LINES = "show N, release N [FILE], answer N FILE, refuse N, release all"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gateway")(gateway)


_Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65535, help="Where it listens, 8000 if nothing else is set; 0: a free port."),
]
_Token = Annotated[
    str, typer.Option(metavar="T", help="What clients send as their key; else WORKBENCH_GATEWAY_TOKEN, else a new one.")
]
_NoToken = Annotated[bool, typer.Option("--no-token", help="Let every program on this computer ask.")]
_Map = Annotated[
    list[str] | None,
    typer.Option(
        "--map", metavar="PATTERN=TARGET", help="Requested name → target (--target's form or PROVIDER/MODEL)."
    ),
]
_Mode = Annotated[
    str, typer.Option(metavar="MODE", help=f"{MODES}, for --map and whatever no route fits; else as the settings say.")
]
_RecordOnly = Annotated[
    bool, typer.Option("--record-only", help="Change nothing, only record: the same as --mode pass-through.")
]
_Record = Annotated[
    str, typer.Option(metavar="WHAT", help=f"What is written into the history: {RECORDS}; else as the settings say.")
]
_KeepDays = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Remove recorded exchanges that are older; 0: none.")
]
_KeepMb = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Remove the oldest while all take more; 0: however much.")
]
_Hold = Annotated[
    list[str] | None,
    typer.Option(metavar="PART", help=f"Hold each request or reply; lines on stdin decide: {HOLD_LINES}."),
]
_HoldWhen = Annotated[str, typer.Option(metavar="WHEN", help="always, result (a new tool result is in it) or call.")]
_HoldSeconds = Annotated[
    float | None, typer.Option(metavar="S", min=1, max=3600, help="What is held goes on after so long.")
]
_MaxFindings = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Exit 1 at the end if more went wrong with tool calls.")
]


def gateway(
    port: _Port = None,
    *,
    token: _Token = "",
    no_token: _NoToken = False,
    route: _Map = None,
    mode: _Mode = "",
    record_only: _RecordOnly = False,
    record: _Record = "",
    keep_days: _KeepDays = None,
    keep_mb: _KeepMb = None,
    hold: _Hold = None,
    hold_when: _HoldWhen = "always",
    hold_seconds: _HoldSeconds = None,
    max_findings: _MaxFindings = None,
    json: AsJson = False,
) -> None:
    """Put the workbench between an agent and a model: OpenAI, Anthropic, Gemini and Ollama clients point at its address.

    A requested model name leads to a target by --map, the settings' routes, PROVIDER/MODEL, the settings' tiers, or the
    first provider. Every exchange is a run; Ctrl+C ends it and counts what went wrong.
    """
    from workbench.cli.gateway_hold import read_points
    from workbench.gateway.access import TOKEN_VARIABLE, new_token
    from workbench.gateway.routes import Way, read_route

    if mode and mode not in list(Way):
        raise InvalidInput(f"--mode {mode!r} is not known.", hint=f"Write {MODES}.")
    if no_token and token:
        raise InvalidInput("--token and --no-token exclude each other.")
    way = Way.PASS_THROUGH if record_only else Way(mode) if mode else None
    table = [read_route(text, way or Way.ROUTE) for text in route or ()]
    chosen = "" if no_token else token or os.environ.get(TOKEN_VARIABLE, "") or new_token()
    given = bool(no_token or token or os.environ.get(TOKEN_VARIABLE))
    read_points(hold or (), hold_when, hold_seconds or 1.0)  # what is wrong is told before anything is opened
    _recording(record or "everything")
    options = _Options(
        table, way, chosen, port, record, keep_days, keep_mb, tuple(hold or ()), hold_when, hold_seconds,
        show_token=not given, json=json,
    )  # fmt: skip
    found = asyncio.run(_serve(options))
    if max_findings is not None and found > max_findings:
        raise typer.Exit(FAILED)


@dataclass(frozen=True)
class _Options:
    """What was asked for; None and empty: as the settings say."""

    table: list[Any]
    way: Any
    token: str
    port: int | None
    record: str
    keep_days: int | None
    keep_mb: int | None
    hold: tuple[str, ...]
    hold_when: str
    hold_seconds: float | None
    show_token: bool
    json: bool


async def _serve(options: _Options) -> int:
    """Serve until interrupted; return how much went wrong with tool calls."""
    from workbench.app import Workbench
    from workbench.gateway.gateway import Gateway
    from workbench.gateway.routes import Routes
    from workbench.store.retention import Retention

    stopped = asyncio.Event()
    with _until_interrupted(stopped):
        async with Workbench.open() as wb:
            settings = wb.settings.gateway
            gateway = Gateway(
                wb, Routes(wb, options.table, options.way), options.token, _recording(options.record or settings.record)
            )
            await gateway.start(settings.port if options.port is None else options.port)
            days = settings.keep_days if options.keep_days is None else options.keep_days
            size = settings.keep_megabytes if options.keep_mb is None else options.keep_mb
            retention = Retention(days, size)
            _tell_address(gateway, options, retention)
            gateway.conversations.watch(lambda seen: _tell_exchange(seen, json=options.json))
            _hold(gateway, options, settings.hold_seconds)
            async with asyncio.TaskGroup() as beside:
                trimming = beside.create_task(_trim(wb, retention))
                await stopped.wait()
                trimming.cancel()
            await gateway.aclose()
    _tell_totals(gateway, json=options.json)
    return gateway.conversations.findings


async def _trim(wb: Workbench, retention: Retention) -> None:
    """Keep to the limits; that it does not work is told, and nothing else ends with it."""
    from workbench.gateway.exchange_retention import keep_trimmed

    try:
        await keep_trimmed(wb, retention)
    except StoreError as error:
        say(str(error))


def _recording(text: str) -> Any:
    from workbench.gateway.recording import Recording

    if text not in list(Recording):
        raise InvalidInput(f"--record {text!r} is not known.", hint=f"Write {RECORDS}.")
    return Recording(text)


def _hold(gateway: Gateway, options: _Options, seconds: float) -> None:
    """Put the breakpoints in force and listen to stdin."""
    from workbench.cli.gateway_hold import HoldLines, read_lines, read_points

    if options.hold:
        gateway.desk.set_points(read_points(options.hold, options.hold_when, options.hold_seconds or seconds))
        lines = HoldLines(gateway.desk, json=options.json)
        gateway.desk.watch(lines.tell)
        read_lines(lines.take)


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


def _tell_address(gateway: Gateway, options: _Options, retention: Retention) -> None:
    token = gateway.token if options.show_token else None
    if options.json:
        write_json({
            "event": "listening", "url": gateway.url, "token": token, "mode": options.way or "route",
            "record": gateway.under_way.recording, "keep_days": retention.days, "keep_mb": retention.megabytes,
        })  # fmt: skip
        return
    write(f"listening at {gateway.url}  (OpenAI clients: {gateway.url}/v1)")
    say(f"recorded: {gateway.under_way.recording}, kept: {retention.words}")
    if token:
        write(f"token {gateway.token}  (as the client's API key; new at every start, --token sets one)")
    if not gateway.token:
        say("no token: every program on this computer may ask")


def _tell_exchange(seen: ExchangeSeen, *, json: bool) -> None:
    if not seen.done:
        return
    kinds = Counter(one.kind for one in seen.incidents if not one.mended)
    if json:
        write_json({
            "event": "exchange", "run": seen.run_id, "given_run": seen.given_run_id or None, "client": seen.client.client, "conversation": seen.client.conversation,
            "name": seen.client.name, "asked": seen.client.model, "target": seen.target, "mode": seen.client.way,
            "findings": dict(kinds), "repaired": seen.mended, "left_out": list(seen.client.left_out),
            "recorded": bool(seen.recorded), "state": seen.state, "said": seen.said, "fallback": seen.facts.fallback or None,
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
    told += [words for words in (seen.facts.error, seen.facts.fallback, seen.said) if words]
    write(visible(" · ".join(told)))


def _tell_totals(gateway: Gateway, *, json: bool) -> None:
    seen = gateway.conversations
    if json:
        write_json({
            "event": "ended", "exchanges": seen.exchanges, "recorded": seen.recorded, "findings": dict(seen.totals),
            "added_us": {"median": seen.added.median, "p99": seen.added.p99},
        })  # fmt: skip
        return
    counted = ", ".join(f"{count} {kind}" for kind, count in seen.totals.most_common()) or "nothing went wrong"
    recorded = "" if seen.recorded == seen.exchanges else f", {seen.recorded} recorded"
    say(f"{seen.exchanges} exchange{'' if seen.exchanges == 1 else 's'}{recorded}: {counted}")
