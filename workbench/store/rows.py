"""What the store gives out: values, never rows of the database library."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.run_summary import RunSummary, summarize
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store.chain_check import ChainReport

if TYPE_CHECKING:
    from workbench.core.calls import ParseResult
    from workbench.core.events import RunEvent
    from workbench.core.messages import NativeCall
    from workbench.core.target import FamilyFlags
    from workbench.core.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class RunRow:
    """One line of the history."""

    number: int
    """What users see and type."""
    id: str
    """UUIDv7."""
    started_us: int
    """UTC microseconds."""
    title: str
    prompt: str
    """Beginning of the last user message."""
    provider: str
    model: str
    format: str
    """The format really used."""
    mode: str
    """`direct` or `boost`."""
    planner: str
    """The planner's model; empty in direct mode."""
    wire: str
    origin: str
    simulated: bool
    verdict: Verdict
    duration_us: int
    steps: int
    calls: int
    input_tokens: int
    output_tokens: int
    stop: str
    """Why the run ended; empty while it runs."""
    target: str
    """The target's label."""
    target_id: str
    parser_version: str
    tools: tuple[str, ...] = ()
    """Tools that were called."""
    deleted_us: int | None = None
    """When it went to the bin."""
    user: str = ""
    """Who recorded it; empty where that was not kept yet."""
    edited: int | None = None
    """Number of the run that holds what the client got, where a person edited this one's reply."""
    edit_of: int | None = None
    """The other way round: number of the run under which this one stands."""

    @property
    def started(self) -> str:
        """Start as `2026-11-20T22:30:01Z`."""
        return datetime.fromtimestamp(self.started_us / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def to_json(self) -> dict[str, Any]:
        """Return the row as `workbench history --json` prints it."""
        return {
            "id": self.id,
            "number": self.number,
            "started": self.started,
            "target": self.target,
            "verdict": str(self.verdict.state),
            "basis": str(self.verdict.basis),
            "reason": self.verdict.reason,
            "codes": list(self.verdict.codes),
            "title": self.title,
            "prompt": self.prompt,
            "provider": self.provider,
            "model": self.model,
            "format": self.format,
            "mode": self.mode,
            "planner": self.planner or None,
            "wire": self.wire,
            "origin": self.origin,
            "user": self.user or None,
            "edited": self.edited,
            "edit_of": self.edit_of,
            "simulated": self.simulated,
            "stop": self.stop or None,
            "seconds": round(self.duration_us / 1_000_000, 3),
            "steps": self.steps,
            "calls": self.calls,
            "tools": list(self.tools),
            "tokens": {"input": self.input_tokens, "output": self.output_tokens},
            "target_id": self.target_id,
            "parser_version": self.parser_version,
        }


class OpaqueEvent(NamedTuple):
    """An event of a later version: kept, shown as it is, not understood."""

    seq: int
    kind: str
    body: str
    """JSON text."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One run with everything that was recorded."""

    run: RunRow
    events: tuple[RunEvent, ...]
    """In order; chunks stand in their place, with bytes and time alone."""
    opaque: tuple[OpaqueEvent, ...] = ()

    @property
    def number(self) -> int:
        """Display number."""
        return self.run.number

    @property
    def verdict(self) -> Verdict:
        """As the history shows it."""
        return self.run.verdict

    def summary(self) -> RunSummary:
        """Its events folded, with the verdict that the history shows."""
        found = summarize(self.events)
        found.verdict = self.verdict
        return found


class StoredReply(NamedTuple):
    """One executor's reply as a re-parse needs it."""

    number: int
    run_id: str
    step: int
    format: str
    policy: str
    parser_version: str
    """Of the stored reading."""
    tools: tuple[ToolSpec, ...]
    flags: FamilyFlags
    text: str
    reasoning: str
    native_calls: tuple[NativeCall, ...]
    finish_reason: str
    reading: ParseResult
    """What the parser of that day saw, under the run's policy."""


class DayCount(NamedTuple):
    """Runs of one local day."""

    day: date
    runs: int
    failed: int
    """Verdict fail or error."""


class Facet(NamedTuple):
    """One value of a facet with the number of runs that have it."""

    value: str
    runs: int


class CheckReport(NamedTuple):
    """What an integrity check found."""

    problems: tuple[str, ...]
    """Empty: the file is sound."""
    runs: int
    size: int
    """Bytes on disk, write-ahead log included."""
    chain: ChainReport = ChainReport()
    """What following the chain of hashes found; its problems are among the others."""


REPLY = "reply"
"""What was changed in a run that holds an edited reply, as `ParentRun.edits` has it."""
RUNNING = Verdict(VerdictState.RUNNING, Basis.INTRINSIC, "")
"""Verdict of a run that is not over."""
