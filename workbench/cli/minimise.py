"""`workbench minimise`: the smallest reply that still fails alike, or the smallest request that makes a model fail.

workbench minimise [--format F] [--keep-code C] [--tools FILE] < raw
workbench minimise --run RUN [--step N] [--live N]
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.inputs import read_document, read_tools
from workbench.cli.options import AsJson, Quiet
from workbench.cli.output import working_line, write, write_json
from workbench.cli.raw_input import read_reply
from workbench.cli.text import visible
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from workbench.app.forensics import Specimen
    from workbench.app.minimising import LiveMinimising
    from workbench.app.runs import RunDraft
    from workbench.replay.minimise import Minimising
    from workbench.store import StoredRun

WHO = "workbench minimise"


@dataclass(frozen=True, slots=True)
class MinimiseOrder:
    """What the command line asks for."""

    format: str = ""
    keep_code: str = ""
    run: str = ""
    step: int | None = None
    tools: str = ""
    chunks: str = ""
    reason: str = ""
    live: int = 0
    each: int = 1
    json: bool = False
    quiet: bool = False


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("minimise")(minimise)


def minimise(
    format_id: Annotated[
        str, typer.Option("--format", metavar="F", help="The format that reads; else the run's own, or the best.")
    ] = "",
    *,
    keep_code: Annotated[
        str, typer.Option(metavar="C", help="Keep this problem or repair alone, such as truncated.")
    ] = "",
    run: Annotated[str, typer.Option("--run", metavar="RUN", help="A recorded run instead of standard input.")] = "",
    step: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="With --run: that step; else the first that failed.")
    ] = None,
    tools: Annotated[str, typer.Option("--tools", metavar="FILE", help="Tools; without it any name is accepted.")] = "",
    chunks: Annotated[
        str, typer.Option(metavar="FILE", help="The reply as a JSON list of texts, cut as it streamed.")
    ] = "",
    reason: Annotated[str, typer.Option("--finish-reason", metavar="WORD", help="Such as length.")] = "",
    live: Annotated[
        int | None,
        typer.Option("--live", metavar="N", min=1, help="With --run: ask the model again, N times at most."),
    ] = None,
    each: Annotated[
        int, typer.Option(metavar="N", min=1, help="With --live: so often for each candidate; one failure is enough.")
    ] = 1,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Leave out all that a failure does not need, and print what stays.

    Of a reply: characters, chunks, tools, parts of schemas. With --live of a request: turns, sentences, tools, schemas.
    Ctrl+C prints the smallest so far.
    """
    order = MinimiseOrder(format_id, keep_code, run, step, tools, chunks, reason, live or 0, each, json, quiet)
    _check_options(order)
    if order.live:
        asyncio.run(_live(order))
    else:
        _offline(order)


def _check_options(order: MinimiseOrder) -> None:
    """Complain of what says nothing."""
    if not order.run and (order.live or order.step is not None):
        raise InvalidInput("--live and --step belong to --run RUN.", hint="workbench history lists runs.")
    if order.run and (order.tools or order.chunks or order.reason):
        raise InvalidInput("A recorded run has its text, its tools and its finish reason.", hint="Leave them out.")
    if order.live and (order.format or order.step is not None):
        raise InvalidInput("--live asks the run's own target again.", hint="Leave --format and --step out.")


def _offline(order: MinimiseOrder) -> None:
    """Search by reading."""
    from workbench.app.minimising import search_smaller

    with DataFolder.find() as folder:
        folder.use_plugins()
        specimen = _specimen(order, folder)
        search = search_smaller(specimen, order.format, code=order.keep_code, check=folder.check)
        with working_line(hidden=order.quiet) as tell:

            def told() -> bool:
                tell(f"{search.length:,} → {len(search.text):,} characters, {search.tries:,} tries")
                return False

            stopped: KeyboardInterrupt | None = None
            try:
                search.run(told)
            except KeyboardInterrupt as stop:
                stopped = stop
    _write_found(search, order)
    if stopped is not None:
        raise stopped


def _specimen(order: MinimiseOrder, folder: DataFolder) -> Specimen:
    from workbench.app.forensics import Specimen, TextChunk, specimen_of
    from workbench.app.minimising import failing_specimen

    if order.run:
        events = folder.load_now(order.run).events
        by_step = order.step is not None
        found = specimen_of(events, order.step) if by_step else failing_specimen(events, folder.check)
        if found is None:
            where = f"step {order.step} of run {order.run}" if by_step else f"run {order.run}"
            raise InvalidInput(f"There is no reply of {where}.", hint=f"workbench show {order.run} lists its steps.")
        return found
    pieces = _pieces(order.chunks) if order.chunks else (read_reply(WHO),)
    setups = read_tools(order.tools) if order.tools else None
    return Specimen(
        "".join(pieces),
        order.format,
        None if setups is None else tuple(setup.spec for setup in setups),
        order.reason,
        chunks=tuple(TextChunk(0, piece, len(piece.encode(errors="replace"))) for piece in pieces),
    )


def _pieces(place: str) -> tuple[str, ...]:
    value = read_document(place)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput(f"{place!r} is not a list of texts.", hint='Write ["<tool", "_call>", …].')
    return tuple(value)


def _write_found(search: Minimising, order: MinimiseOrder) -> None:
    """The smallest text on standard output, byte for byte, and what became of it on standard error."""
    from workbench.replay.minimise import sizes_of

    now = sizes_of(search.reply)
    if order.json:
        write_json(_document(search))
        return
    if sys.stdout.isatty():
        write(visible(search.text))
    else:
        sys.stdout.buffer.write(search.text.encode(errors="replace"))
        sys.stdout.flush()
    if order.quiet:
        return
    parts = [
        f"{name} {before:,} → {after:,}"
        for name, before, after in zip(("characters", "chunks", "tools", "schema"), search.before, now, strict=True)
        if before != after
    ]
    ended = "nothing more can be left out" if search.complete else "stopped before the end"
    say(f"kept: {search.fault.words}; {', '.join(parts) or 'nothing could be left out'}; {ended}.")


def _document(search: Minimising) -> dict[str, Any]:
    from workbench.replay.minimise import sizes_of

    reply, now = search.reply, sizes_of(search.reply)
    return {
        "text": reply.text,
        "chunks": list(reply.pieces) if search.cuts_matter else None,
        "tools": [tool.to_document() for tool in reply.tools] if reply.tools is not None else None,
        "kept": search.fault.words,
        "cuts_matter": search.cuts_matter,
        "complete": search.complete,
        "tries": search.tries,
        "before": search.before._asdict(),
        "after": now._asdict(),
    }


async def _live(order: MinimiseOrder) -> None:
    """Search by asking again. What was found stands when it is interrupted."""
    from workbench.app import Workbench
    from workbench.app.live import draft_of
    from workbench.app.minimising import search_live

    async with Workbench.open() as wb:
        stored = await wb.load(order.run)
        draft = draft_of(stored, await asyncio.to_thread(wb.store.batches.case_of, stored.run.id))
        if draft is None:
            raise InvalidInput("The record does not say how the run began.")
        search = search_live(wb.runs, stored.events, draft, most=order.live, each=order.each, code=order.keep_code)
        stopped: asyncio.CancelledError | None = None
        with working_line(hidden=order.quiet) as tell:

            def told() -> bool:
                tell(f"{len(search.draft.messages)} messages, {len(search.draft.tools)} tools, {search.asked} runs")
                return False

            try:
                await search.run(told)
            except asyncio.CancelledError as stop:
                stopped = stop
    _write_request(search, stored, order)
    if stopped is not None:
        raise stopped


def _write_request(search: LiveMinimising, stored: StoredRun, order: MinimiseOrder) -> None:
    draft, started = search.draft, stored.summary().started
    assert started is not None  # else there would be no draft
    before = replace(search.draft, messages=started.messages, tools=started.tools)
    document: dict[str, Any] = {
        "request": {
            "model": draft.target.executor.model,
            "messages": [message.to_openai() for message in draft.messages],
            "tools": [setup.spec.to_document() for setup in draft.tools],
            **({"tool_choice": draft.tool_choice} if draft.tool_choice is not None else {}),
        },
        "kept": search.fault,
        "complete": search.complete,
        "runs": search.asked,
        "run": search.failing_run,
        "before": _request_sizes(before),
        "after": _request_sizes(draft),
    }
    write_json(document if order.json else document["request"], indent=None if order.json else 1)
    if not order.json and not order.quiet:
        parts = [
            f"{name} {old:,} → {new:,}"
            for (name, old), new in zip(document["before"].items(), document["after"].values(), strict=True)
            if old != new
        ]
        ended = "nothing more can be left out" if search.complete else "stopped before the end"
        told = ", ".join(parts) or "nothing could be left out"
        say(f"kept: {search.fault}; {told}; {search.asked} runs; {ended}. The last that failed: {search.failing_run}")


def _request_sizes(draft: RunDraft) -> dict[str, int]:
    return {
        "messages": len(draft.messages),
        "characters": sum(len(message.text) for message in draft.messages),
        "tools": len(draft.tools),
        "schema": sum(len(str(setup.spec.to_document())) for setup in draft.tools),
    }
