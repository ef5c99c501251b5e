"""A run as the window shows it: loops, steps, exchanges and calls, with everything in them that events brought.

Plain Python. `run_fold` fills these; views only read them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.events import (
    ChunkReceived,
    FellBack,
    GuidanceLine,
    PlannerReply,
    RunFinished,
    RunStarted,
    StepReply,
    StepRole,
    StepTiming,
)
from workbench.core.exchange import Headers, Usage, WireRequest
from workbench.core.run_summary import RunSummary
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.shown_text import Insert, ShownText

if TYPE_CHECKING:
    from workbench.core.approvals import ApprovalDecision
    from workbench.core.calls import ParsedCall, ParseProblem, Span
    from workbench.core.errors import ErrorInfo
    from workbench.core.messages import ChatRequest
    from workbench.core.tools import ToolMode, ToolResult
    from workbench.core.verdict import Verdict

STALLED_AFTER_US = 4_000_000
"""Silence after which an open stream is called stalled."""


class StepState(StrEnum):
    """Where a step stands; each has its own icon, word and tint."""

    RUNNING = "running"
    STALLED = "stalled"
    FINISHED = "finished"
    EMPTY = tr("finished, empty")
    UNREADABLE = "unreadable"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def live(self) -> bool:
        """More may still arrive."""
        return self in (StepState.RUNNING, StepState.STALLED)


@dataclass(slots=True)
class ExchangeView:
    """One HTTP try of a step."""

    number: int
    request: WireRequest
    started_us: int
    status: int | None = None
    headers: Headers = ()
    chunks: list[ChunkReceived] = field(default_factory=list)
    ended_us: int | None = None
    error: ErrorInfo | None = None
    retry_in: float | None = None

    def body(self) -> bytes:
        """The response body so far."""
        return b"".join(chunk.data for chunk in self.chunks)


@dataclass(slots=True)
class LiveCall:
    """A call that is still being written: progress, never counted."""

    number: int
    name: str
    pieces: list[str] = field(default_factory=list)
    span: Span | None = None
    done: bool = False

    @property
    def text(self) -> str:
        """The raw arguments so far."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


@dataclass(slots=True)
class CallView:
    """One call of a step, with what its tool gave back."""

    index: int
    call: ParsedCall
    mode: ToolMode | None = None
    started_us: int | None = None
    ended_us: int | None = None
    result: ToolResult | None = None
    problems: tuple[ParseProblem, ...] = ()
    """Where the arguments did not fit the schema."""
    decision: ApprovalDecision | None = None
    """Of a call in mode ask."""


class KeyView(NamedTuple):
    """What looks like a key of somebody else, in a text of a step."""

    kind: str
    place: str
    """Which text, in words."""
    span: Span | None = None
    """In the reply; None elsewhere."""
    masked: bool = False


@dataclass(slots=True)
class StepView:
    """One model reply, from the request to the tool results."""

    number: int
    loop: int
    role: StepRole
    turn: int
    """Which turn of its role this is within the loop, from 1."""
    request: ChatRequest
    format: str
    wire: str
    news: tuple[str, ...]
    started_us: int
    state: StepState = StepState.RUNNING
    raw: ShownText = field(default_factory=ShownText)
    shown: ShownText = field(default_factory=ShownText)
    """The sanitized reply, in the source `text`."""
    live_calls: dict[tuple[str, int], LiveCall] = field(default_factory=dict)
    reasoning_spans: list[Span] = field(default_factory=list)
    """Reasoning blocks inside the text, as the parser met them."""
    calls: list[CallView] = field(default_factory=list)
    problems: list[ParseProblem] = field(default_factory=list)
    planner: PlannerReply | None = None
    guidance: tuple[GuidanceLine, ...] = ()
    invented: tuple[str, ...] = ()
    exchanges: list[ExchangeView] = field(default_factory=list)
    usage: Usage = Usage()
    timing: StepTiming = StepTiming()
    reply: StepReply | None = None
    error: ErrorInfo | None = None
    fallback: FellBack | None = None
    first_text_us: int | None = None
    last_byte_us: int | None = None
    ended_us: int | None = None
    deltas: int = 0
    """Fragments of text so far: about as many as tokens."""
    keys: list[KeyView] = field(default_factory=list)
    """Keys of others by their shape: in the prompt (at the first step), the reply and the tool results."""
    notices: list[str] = field(default_factory=list)
    """What the protocol's reader noticed of the reply: a refusal, unknown parts, its price."""

    @property
    def text(self) -> str:
        """The reply's text so far."""
        return self.reply.text if self.reply else self.raw.source("text")

    @property
    def exchange(self) -> ExchangeView | None:
        """The last try."""
        return self.exchanges[-1] if self.exchanges else None

    def state_at(self, now_us: int) -> StepState:
        """The state, with silence counted up to `now_us`."""
        if self.state is StepState.RUNNING:
            since = self.last_byte_us if self.last_byte_us is not None else self.started_us
            if now_us - since >= STALLED_AFTER_US:
                return StepState.STALLED
        return self.state


@dataclass(slots=True)
class LoopView:
    """One boost round; a direct run has one."""

    number: int
    started_us: int
    steps: list[StepView] = field(default_factory=list)
    ended_us: int | None = None
    reason: str = ""
    summary: str = ""
    given: int | None = None
    """The step whose reply the user gets after all attempts failed, where it is one of this loop."""
    given_why: str = ""


@dataclass(slots=True)
class RunView:
    """A whole run."""

    summary: RunSummary = field(default_factory=RunSummary)
    """What is known of the run so far."""
    loops: list[LoopView] = field(default_factory=list)
    steps: dict[int, StepView] = field(default_factory=dict)
    interrupted: bool = False
    """The record ends in the middle: the program was killed."""
    closed: bool = False
    """No more events will come."""

    @property
    def started(self) -> RunStarted | None:
        """How it began."""
        return self.summary.started

    @property
    def finished(self) -> RunFinished | None:
        """How it ended."""
        return self.summary.finished

    @property
    def verdict(self) -> Verdict | None:
        """How it was judged."""
        return self.summary.verdict

    @property
    def last_at_us(self) -> int:
        """Time of the newest event."""
        return self.summary.last_us

    @property
    def live(self) -> bool:
        """More events are expected."""
        return self.started is not None and self.finished is None and not self.interrupted

    @property
    def judging(self) -> bool:
        """The verdict is still to come."""
        return self.verdict is None and not self.closed

    @property
    def boosted(self) -> bool:
        """A planner takes part."""
        return self.started is not None and self.started.planner is not None


@dataclass(slots=True)
class Changes:
    """What a batch of events changed, so that views append and redraw only that."""

    started: bool = False
    new_loops: list[int] = field(default_factory=list)
    new_steps: list[int] = field(default_factory=list)
    grown: dict[int, list[Insert]] = field(default_factory=dict)
    """Raw text to insert, by step, in order."""
    shown: dict[int, list[Insert]] = field(default_factory=dict)
    """Sanitized text to insert, by step."""
    reset: set[int] = field(default_factory=set)
    """Steps whose raw or sanitized text must be drawn anew."""
    parsed: set[int] = field(default_factory=set)
    """Steps whose parsed cell differs."""
    status: set[int] = field(default_factory=set)
    """Steps whose state, tokens or news differ."""
    wire: set[int] = field(default_factory=set)
    """Steps whose exchanges differ."""
    loops: set[int] = field(default_factory=set)
    """Loops whose header differs."""
    totals: bool = False
    finished: bool = False
    verdict: bool = False
