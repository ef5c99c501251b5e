"""Scanning other people's files, for the command line and the window: sources, keys to mask, findings as runs and documents.

A finding becomes a run by being played through the real engine, as if the model had just said it: nothing is sent, and what
comes of it is what today's parsers make of the recorded characters.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.app.examples import play_plan
from workbench.app.forensics import Specimen
from workbench.app.pasted import UNKNOWN_PROMPT, chat_stream, tools_of
from workbench.app.pasted_setup import ServerSetup
from workbench.core.clock import Clock, new_id
from workbench.core.errors import InvalidInput, with_hint
from workbench.core.events import PartyInfo, StepRole
from workbench.core.exchange import Endpoint
from workbench.core.masking import Secrets
from workbench.core.messages import Message
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.engine import Party, RunPlan
from workbench.export.masked import masked
from workbench.formats import get_format
from workbench.formats.survey.crossread import best_reading
from workbench.replay.recorded import RecordedClient, RecordedClock, RecordedStep, RecordedTry
from workbench.scan.bodies import is_stream
from workbench.scan.dialects import dialects_in
from workbench.scan.readers.table import READERS
from workbench.scan.reply import Channel, FoundReply, Refused
from workbench.scan.scanner import Scan
from workbench.scan.sources import PastedPart, Source, named_source, usual_places
from workbench.tools.runner import Tools
from workbench.wires import wire_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.app.data_folder import DataFolder
    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.jobs import PieceExecutor
    from workbench.scan.finding import Finding
    from workbench.store import Store
    from workbench.store.rows import StoredRun

ORIGIN = "scan"
CHAT = "openai_chat"
SERVER = "scanned"
"""The provider's name in runs of replies of which nobody knows who served them."""


class Scanning:
    """Makes scans over a data folder."""

    def __init__(self, folder: DataFolder, store: Store | None = None) -> None:
        """`store`: records that are open for writing; without them they are opened when the first run is written."""
        self._folder = folder
        self._store = store
        self._own = store is None

    def usual_sources(self) -> list[Source]:
        """The sessions of agents on this computer; nothing of them is read yet."""
        return [Source(str(place.path), place.path, title=place.title) for place in usual_places()]

    def kinds(self) -> list[tuple[str, str]]:
        """What a file can be read as, with titles."""
        return [(row.kind, row.title) for row in READERS]

    def source(self, name: str) -> Source:
        """A path; raise InvalidInput if there is nothing."""
        return named_source(name)

    def pasted_source(self, text: str) -> Source:
        """A text that somebody pasted."""
        return Source("pasted text", text=text)

    def scan(
        self,
        sources: Iterable[Source],
        *,
        kind: str = "",
        record: bool = False,
        told: Callable[[], object] = lambda: None,
    ) -> Scan:
        """Prepare a scan; raise UnknownName for a kind that there is not. With `record` each finding becomes a run."""
        self._folder.use_plugins()
        keep = self.keep_now if record else lambda _: None
        secrets = self._folder.known_secrets()
        return Scan(sources, self._folder.check, secrets=secrets, kind=kind, told=told, found=keep, pasted=self._pasted)

    def _pasted(self, text: str) -> PastedPart | None:
        """What is to be read of a pasted text, as everything that is pasted is told."""
        from workbench.app.pasted_reading import read_pasted  # the readers of all kinds: in the thread that scans

        with suppress(InvalidInput):
            found = read_pasted(text, self._folder.check)
            beside = found.specimen or Specimen("")
            setup = beside.setup or ServerSetup()
            if found.recording:
                known = FoundReply("", tools=beside.tools, model=setup.model, server=setup.receiver)
                return PastedPart(found.kind, found.recording, found.taken, known)
        return None

    def spread(self, scan: Scan, executor: PieceExecutor) -> None:
        """Have a scan's files read by an executor's workers."""
        from workbench.app.scan_apart import Apart

        scan.read_by(Apart(executor, self._folder.home.path))

    def keep_now(self, finding: Finding) -> Finding:
        """Record a finding as a run; return it with the run's id. Outside of an event loop only."""
        stored = asyncio.run(play_finding(finding, self._folder.check))
        return replace(finding, run=self.record(stored))

    async def keep(self, finding: Finding) -> Finding:
        """The same inside of an event loop."""
        stored = await play_finding(finding, self._folder.check)
        return replace(finding, run=await asyncio.to_thread(self.record, stored))

    def record(self, stored: StoredRun) -> str:
        """Write a run that was played, masked once more; return its id."""
        if self._store is None:
            self._store = self._folder.open_store()
        self._store.record(stored.run.id, self.masked(stored.events))
        return stored.run.id

    def masked(self, events: Sequence[RunEvent]) -> list[RunEvent]:
        """Events without keys, the user's own and what looks like one of others."""
        secrets = Secrets(self._folder.known_secrets(), foreign=True)
        return masked(events, secrets)[0]

    def close(self) -> None:
        """Close the records, if they were opened here."""
        if self._store is not None and self._own:
            self._store.close()
            self._store = None

    def __enter__(self) -> Scanning:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def document(self, scan: Scan, findings: Sequence[Finding] | None = None) -> dict[str, Any]:
        """What `scan --json` prints; of the findings these alone, where they are given."""
        tally = scan.tally
        cells = tally.cells("server")
        return {
            "sources": [_source(source) for source in scan.sources],
            "findings": [finding.to_json() for finding in (scan.findings if findings is None else findings)],
            "counts": tally.kinds,
            "read": tally.replies,
            "found": tally.findings,
            "partial": scan.stopped,
            "dialects": [one.to_json() for one in dialects_in(scan.findings if findings is None else findings)],
            "cells": [
                {"kind": kind, "model": column.title, "server": column.under, "count": cell.times, "read": cell.read,
                 "rate": cell.rate, "low": cell.low}
                for (kind, column), cell in sorted(cells.items())
            ],
        }  # fmt: skip


def _source(source: Source) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": source.name, "kind": source.kind, "title": source.title, "state": source.state.value, "files": source.files,
        "bytes": source.size, "read": source.replies, "findings": source.findings, "skipped": source.skipped,
        "problems": [{"place": one.place, "message": one.message} for one in source.problems],
    }  # fmt: skip
    return {**document, "error": with_hint(source.error, source.hint)} if source.error else document


async def play_finding(finding: Finding, check: SchemaChecker) -> StoredRun:
    """Return the run that a finding's reply makes; it is in no history yet (number 0)."""
    reply = finding.reply
    wire = reply.exchange.wire if reply.exchange else CHAT
    form = _format_of(finding, wire)
    found = get_format(form)
    tools = _tools(reply)
    started = reply.at_us or Clock().now_us()
    clock = RecordedClock(started)
    endpoint = Endpoint(reply.server or SERVER, wire, "https://recorded.invalid/v1")
    client = RecordedClient(endpoint, [RecordedStep((_recorded(reply),))], clock)
    model = reply.model or "unknown"
    info = PartyInfo(endpoint.provider, model, wire, endpoint.base_url, found.id, found.native)
    plan = RunPlan(
        run_id=new_id(started),
        messages=_messages(reply),
        target=Target(
            ModelRef(endpoint.provider, model),
            found.id,
            limits=RunLimits(iterations=1, feedback_per_iteration=0),
            stream=reply.exchange is None or is_stream(reply.exchange.body, wire),
        ),
        executor=Party(client, info, found),
        tools=tuple(ToolSetup(tool, ToolMode.RECORD) for tool in tools),
        title=f"{finding.place} · {finding.kind}",
        origin=ORIGIN,
    )
    return await play_plan(plan, {StepRole.EXECUTOR: client}, Tools(), check)


def _format_of(finding: Finding, wire: str) -> str:
    """The format that was asked for: the wire's own one, unless the text is what a model wrote before any parser."""
    if finding.reply.channel is Channel.RAW:
        return finding.format if finding.format not in ("", "native") else "generic_xml"
    return wire_row(wire).native or "native_openai"


def _tools(reply: FoundReply) -> tuple[ToolSpec, ...]:
    """The tools that were offered; where nobody says, those that were called."""
    if reply.tools:
        return reply.tools
    calls = [call for text in (reply.reasoning, reply.text) if text for call in best_reading(text, None).calls]
    named = {tool.name: tool for tool in tools_of(calls)}
    for call in reply.calls:
        if call.refused is not Refused.UNKNOWN_TOOL:
            shown: dict[str, Any] = {key: {} for key in (call.arguments if isinstance(call.arguments, dict) else ())}
            named.setdefault(call.name, ToolSpec(call.name, "", {"type": "object", "properties": shown}))
    return tuple(named.values()) or (ToolSpec("unknown_tool"),)


def _messages(reply: FoundReply) -> tuple[Message, ...]:
    """The conversation before the reply, as far as it is known."""
    asked = [Message("user", turn.text) for turn in reply.context if turn.role == "user"] or [
        Message("user", UNKNOWN_PROMPT)
    ]
    if not reply.before:
        return tuple(asked)
    made = tuple(call.native(number) for number, call in enumerate(reply.before))
    results = [
        Message("tool", call.result or "", tool_call_id=call.id, name=call.name, failed=call.failed)
        for call in reply.before
    ]
    return (*asked, Message("assistant", None, made), *results)


def _recorded(reply: FoundReply) -> RecordedTry:
    """The reply's own bytes, or the reply as a stream of OpenAI's protocol."""
    if reply.exchange is not None:
        exchange = reply.exchange
        return RecordedTry(exchange.status, exchange.headers, 0, ((0, exchange.body),), 1_000)
    deltas: list[dict[str, Any]] = []
    if reply.reasoning:
        deltas.append({"reasoning_content": reply.reasoning})
    if reply.text:
        deltas.append({"content": reply.text})
    deltas += [
        {"tool_calls": [{"index": number, "id": call.id or f"call_{number + 1}", "type": "function",
                         "function": {"name": call.name, "arguments": call.text}}]}
        for number, call in enumerate(reply.calls)
    ]  # fmt: skip
    usage = {"completion_tokens": reply.output_tokens, "prompt_tokens": 0} if reply.output_tokens is not None else None
    return chat_stream(deltas, reply.finish, usage)
