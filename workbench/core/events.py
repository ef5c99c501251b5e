"""The frozen facts of a run. One stream of these is the log, the rows, the replay input and the test oracle.

Steps are numbered from 0 through the whole run, loops from 0 to 2, exchanges from 0 within a step.
Every `at_us` is microseconds since the run's start (the engine translates clock ticks).
Named tuples inside events are stored as arrays: new fields go to their end and have a default.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from workbench.core.approvals import ApprovalDecision
from workbench.core.calls import ParseEvent, ParseProblem, ParseResult, Span
from workbench.core.errors import ErrorInfo
from workbench.core.exchange import Delta, Headers, Usage, WireRequest
from workbench.core.messages import ChatRequest, Message, NativeCall, ToolChoice
from workbench.core.target import Detection, FamilyFlags, Target
from workbench.core.tools import ToolMode, ToolResult, ToolSetup
from workbench.core.verdict import Verdict


class StepRole(StrEnum):
    """Who is asked in a step."""

    PLANNER = "planner"
    EXECUTOR = "executor"


class StopReason(StrEnum):
    """Why a run ended."""

    ANSWER = "answer"
    """A reply without further calls."""
    SUMMARY = "summary"
    """The planner answered by itself."""
    RECORDED = "recorded"
    """A tool in mode `record` was called."""
    ITERATIONS = "iterations"
    """The iteration limit was reached."""
    BOOST_LOOPS = "boost_loops"
    """Three failed boost rounds; the best reply there is goes to the user."""
    LIMIT = "limit"
    """A limit on calls, time, tokens or money was reached."""
    LOST_CALL = "lost_call"
    """A call was reported, and telling the model did not help."""
    ERROR = "error"
    CANCELLED = "cancelled"


class CancelCause(StrEnum):
    """Whose cancel it was; noted before the task is cancelled."""

    USER = "user"
    SHUTDOWN = "shutdown"
    BATCH = "batch"
    BUDGET = "budget"
    CLIENT = "client"
    """The program that had asked through the gateway went away."""


@dataclass(frozen=True, slots=True)
class PartyInfo:
    """A model that takes part, as resolved when the run began."""

    provider: str
    model: str
    wire: str
    base_url: str
    format: str
    """The format really used; `none` for a planner."""
    native: bool
    """Tools go in the `tools` field."""
    detection: Detection | None = None
    """None where the user chose the format."""
    simulated: bool = False
    flags: FamilyFlags | None = None
    """What the parser is told of the model's family, also where the user chose the format."""
    price: tuple[float, float] | None = None
    """Of a million input and output tokens; None where the settings do not tell."""

    @property
    def family(self) -> FamilyFlags:
        """The same with a default; older records tell it by their detection alone."""
        if self.flags is not None:
            return self.flags
        return self.detection.flags if self.detection else FamilyFlags()


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """What a program asked of the gateway, where a run answers it."""

    wire: str
    """The protocol that it speaks."""
    model: str
    """The model that it asked for."""
    way: str = "route"
    """`route`, `repair` or `pass-through`."""
    client: str = ""
    """Name and version, as far as its headers tell."""
    conversation: str = ""
    """The client's own id of the conversation, else one made of its first messages."""
    name: str = ""
    """The name that a test gave to its runs by the header `x-workbench-run`."""
    left_out: tuple[str, ...] = ()
    """What of the request the target could not be told, each with its place."""
    by_hand: tuple[str, ...] = ()
    """What a person did at a breakpoint of the gateway: `request edited`, `reply edited`, `answered here`."""


@dataclass(frozen=True, slots=True)
class ParentRun:
    """The run that another one was made from."""

    run_id: str
    iteration: int = 0
    """The executor's request, from 1, that was asked again; 0: the whole run was sent once more."""
    edits: tuple[str, ...] = ()
    """What was changed: `prompt`, `system`, `tools`, `result 2.1` (of iteration 2, its first call)."""

    @property
    def words(self) -> str:
        """`forked at iteration 3 with another prompt, result 2.1`."""
        where = f"forked at iteration {self.iteration}" if self.iteration else "sent once more"
        return where + (f" with another {', '.join(self.edits)}" if self.edits else "")


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins; everything needed to run it again."""

    run_id: str
    started_us: int
    """UTC microseconds."""
    title: str
    target: Target
    target_id: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSetup, ...]
    tool_choice: ToolChoice
    executor: PartyInfo
    planner: PartyInfo | None
    parser_version: str
    origin: str = "try"
    """`try`, `cli`, `demo`, `suite`, `gateway`, `example`, …"""
    client: ClientRequest | None = None
    """Set where a program asked through the gateway."""
    parent: ParentRun | None = None
    """Set where it was made from another run."""


@dataclass(frozen=True, slots=True)
class LoopStarted:
    """A boost round begins; direct runs are one loop, number 0."""

    loop: int
    at_us: int


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A model is about to be asked."""

    step: int
    loop: int
    role: StepRole
    request: ChatRequest
    format: str
    wire: str
    news: tuple[str, ...]
    """What is new in this request, in a few words each: `wrapper, loop 1`, `+ 1 failed attempt`, `+ 2 tool results`."""
    at_us: int


NO_STEP = -1
"""The step of what a client yields: it knows of no run."""


@dataclass(frozen=True, slots=True)
class ExchangeStarted:
    """One HTTP try of a step begins."""

    step: int
    exchange: int
    request: WireRequest
    at_us: int


@dataclass(frozen=True, slots=True)
class ResponseStarted:
    """Status and headers arrived."""

    step: int
    exchange: int
    status: int
    headers: Headers
    at_us: int


@dataclass(frozen=True, slots=True)
class ChunkReceived:
    """Bytes arrived. Only `data` and `at_us` are stored: the rest can be rebuilt from them."""

    step: int
    exchange: int
    index: int
    data: bytes
    at_us: int
    deltas: tuple[Delta, ...] = ()
    readings: tuple[ParseEvent, ...] = ()
    """What the step's parser made of them."""
    shown: str = ""
    """Sanitized text that may now be shown to the user."""


@dataclass(frozen=True, slots=True)
class ExchangeEnded:
    """One HTTP try ended."""

    step: int
    exchange: int
    at_us: int
    error: ErrorInfo | None = None
    retry_in: float | None = None
    """Seconds until the next try; None: this was the last."""


ExchangeEvent = ExchangeStarted | ResponseStarted | ChunkReceived | ExchangeEnded
"""What a client yields of each try, in this order: `ExchangeStarted`, at most one `ResponseStarted`, any number of
`ChunkReceived` (what became certain only at the body's end comes with index -1 and no bytes), one `ExchangeEnded`. A retry
repeats all of it with the next exchange number. A client's times are clock ticks (monotonic microseconds) and its step is
`NO_STEP`: the engine puts in the step and the time since the run's start, and nothing is translated."""


class StepTiming(NamedTuple):
    """Microseconds since the step's start; None where it did not happen."""

    first_byte: int | None = None
    first_token: int | None = None
    first_call: int | None = None
    total: int = 0
    longest_silence: int = 0
    parser: int = 0
    """Time spent parsing, summed up."""


@dataclass(frozen=True, slots=True)
class StepReply:
    """What came back in a step. Everything here is a cache: the bytes are the truth."""

    text: str = ""
    reasoning: str = ""
    """The wire's own reasoning field, not think blocks in the text."""
    native_calls: tuple[NativeCall, ...] = ()
    result: ParseResult = field(default_factory=ParseResult)
    """The reading under the run's policy."""
    sanitized: str = ""
    finish_reason: str = ""
    """The provider's own word."""
    stop_fired: str = ""
    """The stop sequence at which we cut the stream ourselves."""
    usage: Usage = Usage()
    served_model: str = ""
    timing: StepTiming = StepTiming()
    error: ErrorInfo | None = None
    cancelled: bool = False
    notices: tuple[str, ...] = ()
    send_back: dict[str, Any] = field(default_factory=dict)
    """What the wire wants back unchanged with this turn (thinking blocks, signatures), as `Message.extra`."""


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A step is over, well or not."""

    step: int
    reply: StepReply
    at_us: int


class PlannerKind(StrEnum):
    """What a boost reply is."""

    SUMMARY = "SUMMARY"
    GUIDANCE = "GUIDANCE"
    OTHER = "OTHER"


class Section(NamedTuple):
    """One labelled part of a planner's reply."""

    label: str
    """`SUMMARY`, `ANALYSIS` or `GUIDANCE`."""
    text: str
    span: Span
    """Of the text after the label."""
    label_span: Span


@dataclass(frozen=True, slots=True)
class PlannerReply:
    """A planner's reply, classified."""

    kind: PlannerKind
    sections: tuple[Section, ...] = ()
    problems: tuple[ParseProblem, ...] = ()
    reason: str = ""
    """Why it is OTHER, in a few words."""

    def section(self, label: str) -> str:
        """Text of the first section with that label, or an empty string."""
        return next((part.text for part in self.sections if part.label == label), "")


@dataclass(frozen=True, slots=True)
class PlannerRead:
    """The planner's reply was classified."""

    step: int
    reply: PlannerReply


class GuidanceState(StrEnum):
    """What became of one line of guidance."""

    FOLLOWED = "followed"
    IGNORED = "ignored"
    CONTRADICTED = "contradicted"
    NO_CALL_POSSIBLE = "no_call_possible"
    """The line names no declared tool."""


class GuidanceLine(NamedTuple):
    """One line of guidance and what the executor did with it."""

    number: int
    text: str
    span: Span
    """In the planner step's text."""
    state: GuidanceState
    tool: str = ""
    call_step: int | None = None
    call_index: int | None = None


@dataclass(frozen=True, slots=True)
class GuidanceTraced:
    """A loop's guidance compared with the calls that were made."""

    loop: int
    step: int
    """The planner's step."""
    lines: tuple[GuidanceLine, ...]
    invented: tuple[str, ...] = ()
    """Tools that were called though no line asked for them."""


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call is being executed."""

    step: int
    index: int
    call_id: str
    name: str
    arguments: dict[str, Any]
    mode: ToolMode
    at_us: int


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """A call waits for a decision."""

    step: int
    index: int
    call_id: str
    name: str
    seconds: float
    """After so long it is refused."""
    at_us: int


@dataclass(frozen=True, slots=True)
class ApprovalDecided:
    """Somebody, a rule or the clock decided."""

    step: int
    index: int
    call_id: str
    decision: ApprovalDecision
    at_us: int


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool gave back a result (a failure is a result too)."""

    step: int
    index: int
    call_id: str
    result: ToolResult
    at_us: int
    problems: tuple[ParseProblem, ...] = ()
    """Where the arguments did not fit the schema: the tool was not executed."""


@dataclass(frozen=True, slots=True)
class LoopFinished:
    """A boost round is over."""

    loop: int
    reason: str
    """`answer`, `summary`, `other`, `no_call`, `error`, …"""
    summary: str
    """One line for the card's header."""
    at_us: int


@dataclass(frozen=True, slots=True)
class FellBack:
    """The planner could not be asked: direct execution follows, visibly marked."""

    step: int
    error: ErrorInfo
    at_us: int


class Totals(NamedTuple):
    """Sums over a run."""

    steps: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    duration_us: int = 0
    waited_us: int = 0
    """How long the socket had to wait because disk or screen were slow."""


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run is over."""

    stop: StopReason
    answer: str
    """What the user gets: always sanitized."""
    reason: str
    """One line: why it ended so, and for a best reply, why this one."""
    totals: Totals
    at_us: int
    error: ErrorInfo | None = None
    cancel: CancelCause | None = None
    codes: tuple[str, ...] = ()
    """Failure codes that the engine itself saw, `layer.code`."""


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """The run was judged; a later one corrects an earlier one."""

    verdict: Verdict
    author: str = "engine"
    at_us: int = 0
    """UTC microseconds of a correction; 0: when the run ended."""


RunEvent = (
    RunStarted | LoopStarted | StepStarted | ExchangeStarted | ResponseStarted | ChunkReceived | ExchangeEnded
    | StepFinished | PlannerRead | GuidanceTraced | ToolStarted | ApprovalAsked | ApprovalDecided | ToolFinished | LoopFinished | FellBack
    | RunFinished | VerdictGiven
)  # fmt: skip
