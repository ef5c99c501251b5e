"""Carrying out `workbench replay` in each mode; what came of each run in one shape."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from workbench.cli.progress import progress
from workbench.cli.records import find_all, open_store
from workbench.core.events import RunStarted
from workbench.core.versions import PARSER_VERSION
from workbench.replay.difference import Difference, compare_json
from workbench.replay.offline import outcome_json, replay_offline
from workbench.replay.parity import check_parity
from workbench.replay.parse import ReplayVerdict, RunReparse, flip, rejudge, reparse
from workbench.schema import JsonSchemaChecker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.app import Workbench
    from workbench.core.verdict import Verdict
    from workbench.store import RunRow, Store, StoredReply, StoredRun


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay found about one run."""

    number: int
    run_id: str
    mode: str
    verdict: str
    before: Verdict | None = None
    after: Verdict | None = None
    differences: tuple[tuple[str, Difference], ...] = ()
    """Place and what differs there."""
    note: str = ""
    parser_version: str = ""
    """Of the record."""
    new_number: int | None = None
    """Live: the run that was made."""

    def remarks(self) -> list[str]:
        """Return what to say beside the verdict."""
        flip = ""
        if self.before and self.after and self.before.state is not self.after.state:
            flip = f"{self.before.state.value} → {self.after.state.value}"
        other = self.parser_version not in ("", PARSER_VERSION)
        parsers = f"parser {self.parser_version} → {PARSER_VERSION}" if other else ""
        return [flip, parsers, f"now run {self.new_number}" if self.new_number else "", self.note]

    def document(self) -> dict[str, Any]:
        """Return it as the command prints it."""
        return {
            "number": self.number,
            "id": self.run_id,
            "mode": self.mode,
            "verdict": self.verdict,
            "before": self.before.state.value if self.before else None,
            "after": self.after.state.value if self.after else None,
            "parser_version": self.parser_version,
            "changes": [
                {"path": f"{place}{change.path}", "kind": change.kind, "before": change.before, "after": change.after}
                for place, difference in self.differences
                for change in difference.changes
            ],
            "folded": [f"{place}{item}" for place, difference in self.differences for item in difference.folded],
            "note": self.note,
            "run": self.new_number,
        }


def replayed(mode: str, refs: Sequence[str], filter_text: str) -> Iterator[Replayed]:
    """Replay the runs of `refs`, or those that the filter leaves; oldest first where there is a filter."""
    if mode == "live":
        yield from _live(refs, filter_text)
        return
    with open_store() as store:
        rows = find_all(store, refs)
        total = len(rows) if refs else store.count(filter_text)
        with progress("replay", total) as done:
            for item in WAYS[mode](store, rows, filter_text):
                done(1)
                yield item


def _parse(store: Store, rows: Sequence[RunRow], filter_text: str) -> Iterator[Replayed]:
    check = JsonSchemaChecker()
    if not rows:
        for run in reparse(store.runs_for_reparse(filter_text)):
            yield _reparsed(run, store, check)
    for row in rows:
        found = list(reparse(store.runs_for_reparse(f"id:{row.number}")))
        if found:
            yield _reparsed(found[0], store, check)
        else:
            verdict = ReplayVerdict.NOT_COMPARABLE.value
            yield Replayed(row.number, row.id, "parse", verdict, note="No reply of it can be read.")


def _reparsed(run: RunReparse, store: Store, check: JsonSchemaChecker) -> Replayed:
    if run.changes:
        stored = store.load(run.number)
        run = rejudge(run, stored.events, stored.verdict, check)
    differences = tuple((f"step {change.step} ({change.format}) ", change.difference) for change in run.changes)
    return Replayed(
        run.number, run.run_id, "parse", run.verdict.value, run.before, run.after, differences, run.note, run.parser_version
    )  # fmt: skip


def _parity(store: Store, rows: Sequence[RunRow], filter_text: str) -> Iterator[Replayed]:
    filters = [f"id:{row.number}" for row in rows] or [filter_text]
    replies = (reply for text in filters for reply in store.runs_for_reparse(text))
    for number, group in groupby(replies, key=lambda reply: reply.number):
        yield _cut_otherwise(number, list(group))


def _cut_otherwise(number: int, replies: list[StoredReply]) -> Replayed:
    found, checked = [], 0
    for reply in replies:
        parity = check_parity(reply)
        checked += parity.checked
        found += [(f"step {reply.step}, {cutting.name}: ", cutting.difference) for cutting in parity.differing]
    verdict = ReplayVerdict.CHANGED if found else ReplayVerdict.SAME if checked else ReplayVerdict.NOT_COMPARABLE
    note = f"{checked} ways of cutting" if checked else "There is no text to cut."
    return Replayed(number, replies[0].run_id, "parity", verdict.value, differences=tuple(found), note=note)


def _stored(store: Store, rows: Sequence[RunRow], filter_text: str) -> Iterator[StoredRun]:
    if rows:
        yield from (store.load(row.number) for row in rows)
        return
    before: str | None = None
    while page := store.list_runs(filter_text, before):
        yield from (store.load(row.number) for row in page)
        before = page[-1].id


def _offline(store: Store, rows: Sequence[RunRow], filter_text: str) -> Iterator[Replayed]:
    check = JsonSchemaChecker()
    for stored in _stored(store, rows, filter_text):
        row = stored.run
        found = asyncio.run(replay_offline(stored.events, stored.verdict, check))
        changed = [(f"request {change.step + 1}: ", change.difference) for change in found.requests]
        note = found.note or ("request_changed" if changed else "")
        differences = (("", found.difference), *changed) if found.difference else tuple(changed)
        yield Replayed(
            row.number, row.id, "offline", found.verdict.value, found.before, found.after, tuple(differences), note,
            row.parser_version,
        )  # fmt: skip


WAYS = {"parse": _parse, "offline": _offline, "parity": _parity}
"""What needs nothing but the records."""


def _live(refs: Sequence[str], filter_text: str) -> Iterator[Replayed]:
    with open_store() as store:
        rows = find_all(store, refs)
        recorded = list(_stored(store, rows, filter_text))
    with progress("live", len(recorded)) as done:
        yield from asyncio.run(_ask_all(recorded, done))


async def _ask_all(recorded: Sequence[StoredRun], done: Callable[[int], None]) -> list[Replayed]:
    from workbench.app import Workbench

    found = []
    async with Workbench.open() as wb:
        for stored in recorded:
            found.append(await _ask_again(wb, stored))
            done(1)
    return found


async def _ask_again(wb: Workbench, stored: StoredRun) -> Replayed:
    from workbench.app import RunDraft

    started = next(event for event in stored.events if isinstance(event, RunStarted))
    title = f"again: {started.title}" if started.title else ""
    draft = RunDraft(started.messages, started.target, started.tools, started.tool_choice, title, "replay")
    handle = await wb.runs.start(draft)
    after = await handle.wait()
    return _compared(stored, await wb.load(handle.run_id), after)


def _compared(stored: StoredRun, fresh: StoredRun, after: Verdict) -> Replayed:
    difference = compare_json(outcome_json(stored.events), outcome_json(fresh.events))
    before = stored.verdict
    verdict = flip(before, after) or (ReplayVerdict.CHANGED if difference else ReplayVerdict.SAME)
    row = stored.run
    return Replayed(
        row.number, row.id, "live", verdict.value, before, after, (("", difference),), "", row.parser_version, fresh.number
    )  # fmt: skip
