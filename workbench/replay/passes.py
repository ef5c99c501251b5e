"""Many recorded runs replayed one after the other, from the store: parsed again, run again offline, cut in other ways.

A run that cannot be replayed is told as not comparable and never ends the pass. Nothing here touches the network.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby, islice
from typing import TYPE_CHECKING

from workbench.cases.files import load_suite
from workbench.core.case import Case
from workbench.core.errors import InvalidInput, UnknownName
from workbench.formats.plugins import install, load_plugins
from workbench.replay.accepting import is_accepted
from workbench.replay.offline import replay_offline
from workbench.replay.parity import check_parity
from workbench.replay.parse import RunReparse, rejudge, reparse
from workbench.replay.replay_basis import Cases, no_case
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.store.filter import Term, write_term

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.core.protocols import SchemaChecker
    from workbench.jobs import PieceExecutor
    from workbench.store import Store
    from workbench.store.rows import RunRow, StoredReply, StoredRun

RUNS_OF_PIECE = 256
"""Runs whose replies go to a worker together."""


@dataclass(frozen=True, slots=True)
class RunSelection:
    """Which runs are replayed."""

    filters: tuple[str, ...] = ("",)
    """The runs that each of these leaves; no run is left by two of them."""
    named: bool = False
    """Each filter is one run that somebody named: where nothing can be replayed, it is said."""
    cases: Cases = no_case
    """What each is judged by."""


def all_of(filter_text: str, cases: Cases = no_case) -> RunSelection:
    """The runs that a filter leaves."""
    return RunSelection((filter_text,), cases=cases)


def these(rows: Sequence[RunRow], cases: Cases = no_case) -> RunSelection:
    """Some runs, in their order."""
    return RunSelection(tuple(f"id:{row.id}" for row in rows), named=True, cases=cases)


FAILED = "verdict:fail,error"
"""What a filter says of failures."""


def only_failed(store: Store, wanted: RunSelection) -> RunSelection:
    """The runs of a selection that failed; a run that somebody named and that did not is left out."""
    filters = tuple(f"{text} {FAILED}".strip() for text in wanted.filters)
    if wanted.named:
        filters = tuple(text for text in filters if store.count(text))
    return replace(wanted, filters=filters)


def of_suite(store: Store, name: str, cases: Cases, sources: Sequence[str]) -> RunSelection:
    """All repeats of a suite's cases, and the runs that its cases were made from, as far as they are still there."""
    repeats = write_term(Term("suite", (name,), negated=False, start=0, end=0))
    filters = [repeats]
    for source in sources:
        try:
            row = store.find(source)
        except InvalidInput:  # it was removed, or recorded elsewhere
            continue
        filters.append(f"id:{row.id} -{repeats}")
    return RunSelection(tuple(filters), cases=cases)


def suite_selection(store: Store, suite: str, folder: Path) -> RunSelection:
    """The recorded runs of a suite by path or name, judged by its cases as they are today; raise InvalidInput.

    A suite may be gone while its runs are there: those are judged by the cases of their day.
    """
    name, kept = suite, dict[str, Case]()
    try:
        found = load_suite(suite, folder)
    except InvalidInput:
        if suite not in store.names("suite"):
            raise
    else:
        name, kept = found.name, {case.source_run: case for case in found.cases if case.source_run}
    wanted = of_suite(store, name, lambda run_id: kept.get(run_id) or store.batches.case_of(run_id), tuple(kept))
    if not size(store, wanted):
        raise InvalidInput(
            f"Nothing of the suite {name!r} is recorded here, so there is nothing to replay.",
            hint="Run it first, or keep a run as a case of it.",
        )
    return wanted


def size(store: Store, wanted: RunSelection) -> int:
    """How many runs there are."""
    return len(wanted.filters) if wanted.named else sum(store.count(text) for text in wanted.filters)


def parse_again(
    store: Store,
    wanted: RunSelection,
    check: SchemaChecker,
    executor: PieceExecutor | None = None,
    plugins: Path | None = None,
) -> Iterator[Replayed]:
    """Read all replies with today's parsers; judged again is only what is read differently.

    With an executor its workers read; `plugins` is the folder of the user's own formats, which they must know too.
    """
    for text in wanted.filters:
        found = False
        replies = store.runs_for_reparse(text)
        for run in reparse(replies) if executor is None else _reparse_on(executor, replies, plugins):
            found = True
            yield _reparsed(run, store, check, wanted.cases)
        if wanted.named and not found:
            row = store.find(text.removeprefix("id:").partition(" ")[0])
            note = "No reply of it can be read."
            yield Replayed(row.number, row.id, "parse", ReplayVerdict.NOT_COMPARABLE, note=note)


def _reparse_on(executor: PieceExecutor, replies: Iterator[StoredReply], plugins: Path | None) -> Iterator[RunReparse]:
    runs = (list(found) for _, found in groupby(replies, lambda reply: reply.number))
    pieces = iter(lambda: [reply for run in islice(runs, RUNS_OF_PIECE) for reply in run], [])
    for done in executor.map(partial(reparse_piece, plugins), pieces):
        yield from done


def reparse_piece(plugins: Path | None, replies: Sequence[StoredReply]) -> list[RunReparse]:
    """Read the replies of whole runs; a piece of a big job."""
    _know_plugins(plugins)
    return list(reparse(iter(replies)))


@cache
def _know_plugins(folder: Path | None) -> None:
    if folder is not None:
        install(load_plugins(folder))


def _reparsed(run: RunReparse, store: Store, check: SchemaChecker, cases: Cases) -> Replayed:
    case = None
    if run.changes:
        stored, case = store.load(run.number), cases(run.run_id)
        if is_accepted(stored.events):
            return Replayed(
                run.number, run.run_id, "parse", ReplayVerdict.SAME, stored.verdict, stored.verdict,
                note="accepted with this parser", parser_version=run.parser_version, replies=run.replies,
            )  # fmt: skip
        run = rejudge(run, stored.events, stored.verdict, check, case)
    differences = tuple((f"step {change.step} ({change.format}) ", change.difference) for change in run.changes)
    return Replayed(
        run.number, run.run_id, "parse", run.verdict, run.before, run.after, differences, run.note, run.parser_version,
        case=case.id if case else "", replies=run.replies,
    )  # fmt: skip


def offline_again(store: Store, wanted: RunSelection, check: SchemaChecker) -> Iterator[Replayed]:
    """Run today's engine over every record."""
    with asyncio.Runner() as runner:
        for stored in stored_runs(store, wanted):
            yield runner.run(offline_once(stored, check, wanted.cases(stored.run.id)))


async def offline_once(stored: StoredRun, check: SchemaChecker, case: Case | None = None) -> Replayed:
    """Run today's engine over one record."""
    row = stored.run
    try:
        found = await replay_offline(stored.events, stored.verdict, check, case)
    except InvalidInput as error:
        return Replayed(
            row.number, row.id, "offline", ReplayVerdict.NOT_COMPARABLE, stored.verdict, note=str(error),
            parser_version=row.parser_version,
        )  # fmt: skip
    changed = [(f"request {change.step + 1}: ", change.difference) for change in found.requests]
    differences = [("", found.difference)] if found.difference or found.difference.folded else []
    note = found.note or ("request_changed" if changed else "")
    return Replayed(
        row.number, row.id, "offline", found.verdict, found.before, found.after, (*differences, *changed), note,
        row.parser_version, case=case.id if case else "",
    )  # fmt: skip


def cut_again(store: Store, wanted: RunSelection, _check: SchemaChecker) -> Iterator[Replayed]:
    """Feed every text reply to its parser in other pieces: the reading must not depend on the cuts."""
    for text in wanted.filters:
        for number, group in groupby(store.runs_for_reparse(text), key=lambda reply: reply.number):
            yield _cut_otherwise(number, list(group))


def _cut_otherwise(number: int, replies: list[StoredReply]) -> Replayed:
    found, checked = [], 0
    for reply in replies:
        try:
            parity = check_parity(reply)
        except UnknownName as error:
            return Replayed(number, reply.run_id, "parity", ReplayVerdict.NOT_COMPARABLE, note=str(error))
        checked += parity.checked
        found += [(f"step {reply.step}, {cutting.name}: ", cutting.difference) for cutting in parity.differing]
    verdict = ReplayVerdict.CHANGED if found else ReplayVerdict.SAME if checked else ReplayVerdict.NOT_COMPARABLE
    note = f"{checked} ways of cutting" if checked else "There is no text to cut."
    return Replayed(number, replies[0].run_id, "parity", verdict, differences=tuple(found), note=note)


def stored_runs(store: Store, wanted: RunSelection) -> Iterator[StoredRun]:
    """Load the runs one after the other, the newest first; runs recorded meanwhile are not among them."""
    for text in wanted.filters:
        before: str | None = None
        while page := store.list_runs(text, before):
            yield from (store.load(row.number) for row in page)
            before = page[-1].id


Pass = Callable[["Store", RunSelection, "SchemaChecker"], Iterator[Replayed]]
PASSES: dict[str, Pass] = {
    "parse": parse_again,
    "offline": offline_again,
    "parity": cut_again,
}
"""What needs nothing but the records, by the word for it."""
