"""Made-up runs for tests of the store and of grading: all kinds of events, in the order in which an engine gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from workbench.core.approvals import ApprovalDecision
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.core.clock import new_id
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    ApprovalAsked,
    ApprovalDecided,
    CancelCause,
    ChunkReceived,
    ExchangeEnded,
    ExchangeStarted,
    FellBack,
    GuidanceLine,
    GuidanceState,
    GuidanceTraced,
    LoopFinished,
    LoopStarted,
    ParentRun,
    PartyInfo,
    PlannerKind,
    PlannerRead,
    PlannerReply,
    ResponseStarted,
    RunEvent,
    RunFinished,
    RunStarted,
    Section,
    StepFinished,
    StepReply,
    StepRole,
    StepStarted,
    StepTiming,
    StopReason,
    ToolFinished,
    ToolStarted,
    Totals,
    VerdictGiven,
)
from workbench.core.exchange import Usage, WireRequest
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.target import Detection, FamilyFlags, ModelRef, Target
from workbench.core.tools import ToolMode, ToolResult, ToolSetup, ToolSpec
from workbench.core.verdict import Basis, Verdict, VerdictState

WEATHER = ToolSpec(
    "get_weather",
    "Weather now.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False},
)
PASSED = Verdict(VerdictState.PASS, Basis.INTRINSIC, "Answered after 1 call.")
STARTED_US = 1_790_000_000_000_000


def failed(*codes: str) -> Verdict:
    return Verdict(VerdictState.FAIL, Basis.INTRINSIC, "It went wrong.", codes)


def call(name: str = "get_weather", arguments: dict[str, Any] | None = None, *repairs: str) -> ParsedCall:
    outcome = Outcome.RECOVERED if repairs else Outcome.STRICT
    given = {"city": "Lima"} if arguments is None else arguments
    return ParsedCall(name, given, "call_1", outcome, repairs, Span(0, 40), Span(9, 20), Span(20, 30), "qwen_xml")


def problem(code: str, outcome: Outcome | None = Outcome.REPORTED, span: Span | None = None) -> ParseProblem:
    return ParseProblem(code, span or Span(0, 10), f"Problem {code}.", outcome, "Look here.", "get_weather")


def party(model: str = "qwen-hasty", used: str = "qwen_xml", *, simulated: bool = True) -> PartyInfo:
    detection = Detection(model, "qwen", used, "r1", "by name", False, flags=FamilyFlags(True, False))
    return PartyInfo("Simulator", model, "openai_chat", "http://127.0.0.1:1/v1", used, False, detection, simulated)


def started(
    run_id: str = "r1",
    *,
    prompt: str = "Weather in Rome?",
    model: str = "qwen-hasty",
    tools: Sequence[ToolSpec] = (WEATHER,),
    planner: str = "",
    at_us: int = STARTED_US,
    origin: str = "try",
) -> RunStarted:
    target = Target(
        ModelRef("Simulator", model), "qwen_xml", planner=ModelRef("Simulator", planner) if planner else None
    )
    return RunStarted(
        run_id,
        at_us,
        "Weather",
        target,
        target.identity(),
        (Message("system", "Be brief."), Message("user", prompt)),
        tuple(ToolSetup(tool) for tool in tools),
        None,
        party(model),
        party(planner, "none") if planner else None,
        "2026.1",
        origin,
    )


def step(
    number: int = 0,
    text: str = "<tool_call>raw</tool_call>",
    calls: Sequence[ParsedCall] = (),
    problems: Sequence[ParseProblem] = (),
    *,
    shown: str | None = None,
    role: StepRole = StepRole.EXECUTOR,
    error: ErrorInfo | None = None,
    chunks: int = 3,
) -> list[RunEvent]:
    """One step with its exchange: `shown` is the text outside of calls."""
    rest = "" if shown is None else shown
    request = ChatRequest("m", (Message("user", "Weather in Rome?"),), (WEATHER,), stop=("\nObservation:",))
    sent = WireRequest("POST", "http://127.0.0.1:1/v1/chat/completions", (("a", "b"),), b'{"model": "m"}')
    reply = StepReply(
        text=text,
        native_calls=(NativeCall(0, "call_1", "get_weather", '{"city": "Lima"}'),),
        result=ParseResult(tuple(calls), rest, "", tuple(problems), "qwen_xml"),
        sanitized=rest,
        finish_reason="stop",
        usage=Usage(100, 10, 5),
        served_model="m-1",
        timing=StepTiming(1, 2, None, 30),
        error=error,
    )
    events: list[RunEvent] = [
        StepStarted(number, 0, role, request, "qwen_xml", "openai_chat", ("first",), 10),
        ExchangeStarted(number, 0, sent, 11),
        ResponseStarted(number, 0, 200, (("content-type", "text/event-stream"),), 12),
        *(ChunkReceived(number, 0, index, b"data: %d\n\n" % index, 13 + index) for index in range(chunks)),
        ExchangeEnded(number, 0, 40, error),
        StepFinished(number, reply, 41),
    ]
    return events


def tool_events(number: int = 0, result: ToolResult | None = None, name: str = "get_weather") -> list[RunEvent]:
    given = result or ToolResult(True, {"temperature": 21})
    return [
        ToolStarted(number, 0, "call_1", name, {"city": "Lima"}, ToolMode.MOCK, 50),
        ToolFinished(number, 0, "call_1", given, 51),
    ]


def finished(
    answer: str = "It is 21 degrees in Rome.",
    stop: StopReason = StopReason.ANSWER,
    *,
    codes: Sequence[str] = (),
    error: ErrorInfo | None = None,
    cancel: CancelCause | None = None,
) -> RunFinished:
    return RunFinished(
        stop, answer, f"stopped: {stop}", Totals(2, 1, 200, 20, 2_500_000), 99, error, cancel, tuple(codes)
    )


def make_run(
    run_id: str | None = None,
    *,
    verdict: Verdict | None = PASSED,
    prompt: str = "Weather in Rome?",
    model: str = "qwen-hasty",
    text: str = '<tool_call>{"name": "get_weather"}</tool_call>',
    tool: str = "get_weather",
    planner: str = "",
    at_us: int = STARTED_US,
    answer: str = "It is 21 degrees in Rome.",
) -> list[RunEvent]:
    """A whole run: a call, its result, an answer."""
    events: list[RunEvent] = [
        started(run_id or new_id(), prompt=prompt, model=model, planner=planner, at_us=at_us),
        LoopStarted(0, 1),
        *step(0, text, [call(tool)]),
        *tool_events(0, name=tool),
        *step(1, answer, shown=answer),
        LoopFinished(0, "answer", "answered", 98),
        finished(answer),
    ]
    return [*events, VerdictGiven(verdict)] if verdict else events


def edit_of(run_id: str, model: str, answer: str = "It rains.") -> list[RunEvent]:
    """What a person gave in place of the reply of the run `model`, as the gateway records it."""
    begun, *rest = make_run(run_id, text='<tool_call>{"name": "get_rain"}</tool_call>', answer=answer)
    assert isinstance(begun, RunStarted)
    written = replace(begun.executor, provider="By hand", model="written here")
    return [replace(begun, executor=written, parent=ParentRun(model, edits=("reply",))), *rest]


def run_id_of(events: Sequence[RunEvent]) -> str:
    first = events[0]
    assert isinstance(first, RunStarted)
    return first.run_id


def boosted() -> list[RunEvent]:
    """Every kind of event that `make_run` leaves out."""
    read = PlannerReply(
        PlannerKind.GUIDANCE,
        (Section("GUIDANCE", "Call get_weather", Span(10, 26), Span(0, 9)),),
        (problem("x", None),),
    )
    line = GuidanceLine(1, "Call get_weather", Span(10, 26), GuidanceState.FOLLOWED, "get_weather", 1, 0)
    return [
        PlannerRead(0, read),
        GuidanceTraced(0, 0, (line,), ("search",)),
        FellBack(0, ErrorInfo(ErrorKind.RATE_LIMIT, "Slow down.", retry_after=1.5, status=429), 60),
        ApprovalAsked(0, 0, "call_1", "get_weather", 120.0, 61),
        ApprovalDecided(0, 0, "call_1", ApprovalDecision(True, arguments={"city": "Oslo"}), 62),
    ]
