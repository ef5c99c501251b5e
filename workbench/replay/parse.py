"""Replay by parsing: stored replies read again with today's parsers. No network, no model, the same result each time.

Only the reading is repeated, with the policy, tools and family flags of the day; what differs from the stored reading
is compared place by place. A call that is no longer given out, or an attempt that is newly lost, is a regression.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from workbench.core.calls import ParseResult
from workbench.core.errors import UnknownName
from workbench.replay.difference import Difference, compare_readings, same_reading
from workbench.replay.replay_basis import judged, then
from workbench.replay.rereader import Rereader
from workbench.replay.rereading import with_readings
from workbench.replay.result import ReplayVerdict, flip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.core.case import Case
    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.core.verdict import Verdict
    from workbench.store.rows import StoredReply


_GRAVITY = (
    ReplayVerdict.REGRESSED, ReplayVerdict.CHANGED, ReplayVerdict.FIXED, ReplayVerdict.NOT_COMPARABLE, ReplayVerdict.SAME,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplyChange:
    """One reply that is read in another way today."""

    step: int
    format: str
    verdict: ReplayVerdict
    before: ParseResult
    after: ParseResult

    @property
    def difference(self) -> Difference:
        """Place by place."""
        return compare_readings(self.before, self.after)


@dataclass(frozen=True, slots=True)
class RunReparse:
    """One run read again."""

    number: int
    run_id: str
    verdict: ReplayVerdict
    parser_version: str
    """Of the stored readings."""
    replies: int
    """How many were read."""
    changes: tuple[ReplyChange, ...] = ()
    note: str = ""
    before: Verdict | None = None
    """The stored verdict, where both verdicts were asked for."""
    after: Verdict | None = None
    """The verdict over today's readings."""


def reparse(replies: Iterable[StoredReply]) -> Iterator[RunReparse]:
    """Read stored replies again, run by run, in the order they come."""
    reader = Rereader()
    for number, group in groupby(replies, key=lambda reply: reply.number):
        yield _reparse_run(number, list(group), reader)


def _reparse_run(number: int, replies: Sequence[StoredReply], reader: Rereader) -> RunReparse:
    first = replies[0]
    changes: list[ReplyChange] = []
    note = ""
    for reply in replies:
        try:
            after = reader.read(reply)
        except UnknownName as error:
            note = str(error)
            continue
        if not same_reading(reply.reading, after):
            verdict = compare(reply.reading, after)
            changes.append(ReplyChange(reply.step, reply.format, verdict, reply.reading, after))
    found = {change.verdict for change in changes} | ({ReplayVerdict.NOT_COMPARABLE} if note else set())
    verdict = next((state for state in _GRAVITY if state in found), ReplayVerdict.SAME)
    return RunReparse(number, first.run_id, verdict, first.parser_version, len(replies), tuple(changes), note)


def compare(before: ParseResult, after: ParseResult) -> ReplayVerdict:
    """Say whether a differing reading is better, worse, or only different."""
    lost = len(after.lost) - len(before.lost)
    gained = len(after.calls) - len(before.calls)
    if lost > 0 or gained < 0:
        return ReplayVerdict.CHANGED if lost < 0 or gained > 0 else ReplayVerdict.REGRESSED
    return ReplayVerdict.FIXED if lost < 0 else ReplayVerdict.CHANGED


def rejudge(
    run: RunReparse, events: Sequence[RunEvent], before: Verdict, check: SchemaChecker, case: Case | None = None
) -> RunReparse:
    """Return the reparse with both verdicts; a flip between pass and fail decides over the comparison of readings."""
    before = then(before, events, case, check)
    after = judged(with_readings(events, {change.step: change.after for change in run.changes}, check), case, check)
    return replace(run, verdict=flip(before, after) or run.verdict, before=before, after=after)
