"""Hand-written runs for tests of the window: a teller that makes events, the story of one boosted run, and every state.

The reply texts are in the qwen shape; calls and fields are read here with two regular expressions, so that these tests
stand on no parser.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.core.calls import FieldSpan, Outcome, ParsedCall, ParseProblem, ParseResult, Region, Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    CancelCause,
    ChunkReceived,
    ExchangeEnded,
    ExchangeStarted,
    GuidanceLine,
    GuidanceState,
    GuidanceTraced,
    LoopFinished,
    LoopStarted,
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
from workbench.core.exchange import CallDelta, FinishDelta, TextDelta, Usage, UsageDelta, WireRequest
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.target import ModelRef, Target
from workbench.core.tools import ToolMode, ToolResult, ToolSetup, ToolSpec
from workbench.core.verdict import Basis, Verdict, VerdictState

if TYPE_CHECKING:
    from collections.abc import Sequence

SYSTEM = "You are a careful assistant working in a small repository. Use the tools; never change files unless asked."
USER = "Does config/app.toml still point at the staging database? If it does, tell me the line. Do not change anything."


def _tool(name: str, required: Sequence[str], **properties: str) -> ToolSpec:
    schema = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in properties.items()},
        "required": list(required),
    }
    return ToolSpec(name, f"{name.replace('_', ' ')} in the workspace", schema)


TOOLS = (
    ToolSetup(_tool("read_file", ["path"], path="string", max_lines="integer"), ToolMode.RUN),
    ToolSetup(_tool("list_directory", ["path"], path="string"), ToolMode.RUN),
    ToolSetup(_tool("write_file", ["path", "content"], path="string", content="string"), ToolMode.MOCK),
    ToolSetup(_tool("execute_command", ["command"], command="string"), ToolMode.ASK),
)
EXECUTOR = PartyInfo(
    "Simulator", "qwen-hasty", "openai_chat", "http://127.0.0.1:41883/v1", "qwen_xml", False, None, simulated=True
)
PLANNER = replace(EXECUTOR, model="plain", format="none")
_CALL = re.compile(r"<tool_call>\s*(?P<body>\{.*?\})\s*</tool_call>", re.DOTALL)
_PAIR = re.compile(r'"(?P<key>\w+)":\s*(?P<value>"(?:[^"\\]|\\.)*"|[\d.]+|true|false|null)')


def read_calls(text: str) -> tuple[ParsedCall, ...]:
    """The calls of a reply in the qwen shape; a trailing comma is mended."""
    calls = []
    for number, match in enumerate(_CALL.finditer(text), 1):
        body = re.sub(r",\s*\}", "}", match["body"])
        value = json.loads(body)
        repairs = ("trailing_comma",) if body != match["body"] else ()
        name_at = text.index(f'"{value["name"]}"', match.start()) + 1
        arguments_at = text.index("{", match.start("body") + 1)
        calls.append(
            ParsedCall(
                value["name"], value["arguments"], f"call_{number}",
                Outcome.RECOVERED if repairs else Outcome.STRICT, repairs,
                Span(match.start(), match.end()), Span(name_at, name_at + len(value["name"])),
                Span(arguments_at, match.end("body") - 1), "qwen_xml",
            )
        )  # fmt: skip
    return tuple(calls)


def read_fields(reply: StepReply) -> tuple[tuple[FieldSpan, ...], ...]:
    """Field spans of each call, top level only."""
    out = []
    for call in reply.result.calls:
        span = call.arguments_span
        source = reply.text
        if span.source.startswith("call:"):
            source = reply.native_calls[int(span.source[5:])].arguments
        out.append(
            tuple(
                FieldSpan(
                    (match["key"],),
                    Span(match.start("value"), match.end("value"), span.source),
                    Span(match.start("key"), match.end("key"), span.source),
                )
                for match in _PAIR.finditer(source, span.start, span.end)
            )
        )
    return tuple(out)


def read_regions(reply: StepReply) -> tuple[Region, ...]:
    """Colours of a reply in the qwen shape."""
    found = [Region("marker", Span(*match.span())) for match in re.finditer(r"</?tool_call>", reply.text)]
    found += [Region("special", Span(*match.span())) for match in re.finditer(r"<\|im_end\|>", reply.text)]
    found += [Region("reasoning", Span(*m.span())) for m in re.finditer(r"<think>.*?</think>", reply.text, re.DOTALL)]
    found += [Region("problem", Span(*match.span())) for match in re.finditer(r",(?=\}\})", reply.text)]
    for call, fields in zip(reply.result.calls, read_fields(reply), strict=True):
        found.append(Region("name", call.name_span))
        for one in fields:
            value = call.arguments.get(str(one.path[0]))
            found.append(Region("string" if isinstance(value, str) else "number", one.span))
            if one.key_span:
                found.append(Region("key", one.key_span))
    return tuple(sorted((one for one in found if one.span.source == "text"), key=lambda one: one.span.start))


@dataclass
class Teller:
    """Makes events in order; each method adds to `events`."""

    target: Target = field(default_factory=lambda: Target(ModelRef("Simulator", "qwen-hasty")))
    planner: PartyInfo | None = None
    events: list[RunEvent] = field(default_factory=list)
    now_us: int = 0
    steps: int = 0

    def start(self, title: str = "Staging database question", tools: tuple[ToolSetup, ...] = TOOLS) -> Teller:
        target = replace(self.target, planner=ModelRef("Simulator", "plain")) if self.planner else self.target
        messages = (Message("system", SYSTEM), Message("user", USER))
        self.events.append(
            RunStarted(
                "0193-run", 1_700_000_000_000_000, title, target, target.identity(), messages, tools, None, EXECUTOR,
                self.planner, "2026.11.1",
            )
        )  # fmt: skip
        return self

    def loop(self, number: int) -> Teller:
        self.events.append(LoopStarted(number, self.now_us))
        return self

    def end_loop(self, number: int, reason: str, summary: str) -> Teller:
        self.events.append(LoopFinished(number, reason, summary, self.now_us))
        return self

    def open(self, role: StepRole, loop: int, *news: str, stream: bool = True) -> int:
        step, self.steps = self.steps, self.steps + 1
        request = ChatRequest("qwen-hasty", (Message("system", SYSTEM), Message("user", USER)), stream=stream)
        self.events.append(StepStarted(step, loop, role, request, "qwen_xml", "openai_chat", news, self.now_us))
        self.attempt(step, 0)
        return step

    def attempt(self, step: int, exchange: int, status: int = 200) -> None:
        body = json.dumps({"model": "qwen-hasty", "stream": True, "messages": [{"role": "user", "content": USER}]})
        request = WireRequest(
            "POST", "http://127.0.0.1:41883/v1/chat/completions",
            (("content-type", "application/json"), ("authorization", "Bearer ********")), body.encode(),
        )  # fmt: skip
        self.events.append(ExchangeStarted(step, exchange, request, self.now_us))
        self.now_us += 40_000
        headers = (("content-type", "text/event-stream"), ("server", "simulated"))
        self.events.append(ResponseStarted(step, exchange, status, headers, self.now_us))

    def say(self, step: int, text: str, *, shown: str = "", width: int = 10, pace_us: int = 16_000) -> None:
        """Stream a text in fragments of `width` characters."""
        pieces = [text[at : at + width] for at in range(0, len(text), width)]
        for number, piece in enumerate(pieces):
            self.now_us += pace_us
            record = {"id": "sim-7f21c0", "object": "chat.completion.chunk"}
            choice = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
            last = number == len(pieces) - 1
            self.chunk(
                step, {**record, "choices": [choice]}, lambda at, p=piece: TextDelta(p, at), shown if last else ""
            )

    def say_call(self, step: int, number: int, name: str, arguments: str, width: int = 12) -> None:
        """Stream a native call."""
        for at in range(0, len(arguments), width):
            self.now_us += 16_000
            piece, named = arguments[at : at + width], name if at == 0 else ""
            record = {"choices": [{"delta": {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}}]}
            self.chunk(step, record, lambda place, p=piece, n=named: CallDelta(number, f"call_{number}", n, p, place))

    def chunk(self, step: int, record: dict[str, Any], make: Any, shown: str = "") -> None:
        data = f"data: {json.dumps(record, separators=(',', ':'), ensure_ascii=False)}\n\n".encode()
        mine = [event for event in self.events if isinstance(event, ChunkReceived) and event.step == step]
        start = sum(len(event.data) for event in mine)
        exchange = mine[-1].exchange if mine else 0
        deltas = (make((start, start + len(data))),)
        self.events.append(ChunkReceived(step, exchange, len(mine), data, self.now_us, deltas, (), shown))

    def finish(self, step: int, reply: StepReply, *, tokens: tuple[int | None, int | None] = (None, None)) -> StepReply:
        usage = Usage(*tokens)
        if reply.error is None and not reply.cancelled:
            record = {
                "choices": [{"delta": {}, "finish_reason": reply.finish_reason}],
                "usage": {"prompt_tokens": tokens[0]},
            }
            self.chunk(step, record, lambda at: UsageDelta(usage, at))
            self.chunk(step, {"choices": []}, lambda at: FinishDelta(reply.finish_reason, at))
        started = next(e.at_us for e in self.events if isinstance(e, StepStarted) and e.step == step)
        first = next((e.at_us for e in self.events if isinstance(e, ChunkReceived) and e.step == step), None)
        since = first - started if first is not None else None
        timing = StepTiming(since, since, None, self.now_us - started, 210_000, 190)
        reply = replace(reply, usage=usage, served_model="qwen-hasty", timing=timing)
        self.events.append(ExchangeEnded(step, 0, self.now_us, reply.error))
        self.events.append(StepFinished(step, reply, self.now_us))
        return reply

    def plan(self, step: int, reply: PlannerReply) -> None:
        self.events.append(PlannerRead(step, reply))

    def tool(self, step: int, index: int, call: ParsedCall, result: ToolResult, spent_us: int = 2_000) -> None:
        self.events.append(ToolStarted(step, index, call.id, call.name, call.arguments, ToolMode.RUN, self.now_us))
        self.now_us += spent_us
        self.events.append(ToolFinished(step, index, call.id, result, self.now_us))

    def end(self, stop: StopReason, answer: str, verdict: Verdict | None = None, **more: Any) -> list[RunEvent]:
        totals = Totals(self.steps, 2, 7036, 630, self.now_us)
        self.events.append(RunFinished(stop, answer, "an answer without further calls", totals, self.now_us, **more))
        if verdict:
            self.events.append(VerdictGiven(verdict))
        return self.events


def reply_of(text: str, *, finish: str = "stop", sanitized: str | None = None, **more: Any) -> StepReply:
    """A finished reply in the qwen shape."""
    calls = read_calls(text)
    plain = re.sub(r"<think>.*?</think>|<tool_call>.*?</tool_call>|<\|im_end\|>", "", text, flags=re.DOTALL).strip()
    problems = more.pop("problems", ())
    result = ParseResult(calls, plain, "", problems, "qwen_xml")
    return StepReply(
        text=text, result=result, sanitized=plain if sanitized is None else sanitized, finish_reason=finish, **more
    )


def planner_sections(text: str) -> tuple[Section, ...]:
    """The labelled parts of a planner's reply."""
    labels = list(re.finditer(r"(?:\*\*|## )(ANALYSIS|GUIDANCE|SUMMARY)(?::\*\*)?", text))
    sections = []
    for match, after in zip(labels, [*labels[1:], None], strict=False):
        stop = after.start() if after else len(text)
        body = text[match.end() : stop]
        start = match.end() + len(body) - len(body.lstrip())
        sections.append(Section(match[1], body.strip(), Span(start, start + len(body.strip())), Span(*match.span())))
    return tuple(sections)


def _planner_turn(teller: Teller, loop: int, text: str, tokens: tuple[int, int], *news: str) -> int:
    step = teller.open(StepRole.PLANNER, loop, *news)
    teller.say(step, text)
    teller.finish(step, reply_of(text, sanitized=""), tokens=tokens)
    sections = planner_sections(text)
    if sections:
        teller.plan(step, PlannerReply(PlannerKind.GUIDANCE, sections))
    else:
        problem = ParseProblem("no_planner_heading", Span(0, text.index("!") + 1), "The reply has no known heading.")
        teller.plan(step, PlannerReply(PlannerKind.OTHER, (), (problem,), "neither SUMMARY nor GUIDANCE"))
    return step


def _traced(teller: Teller, loop: int, step: int, text: str, states: Sequence[GuidanceState]) -> None:
    lines = []
    for number, (match, state) in enumerate(zip(re.finditer(r"\d\. (.*)", text), states, strict=True), 1):
        lines.append(GuidanceLine(number, match[1], Span(*match.span(1)), state, match[1].split()[0]))
    teller.events.append(GuidanceTraced(loop, step, tuple(lines)))


GUIDED = "**ANALYSIS:** needs the file itself.\n**GUIDANCE:**\n1. read_file config/app.toml"
GUIDED_AGAIN = "## GUIDANCE\n1. list_directory config\n2. read_file config/app.toml, find the url"
NO_ACCESS = (
    "I don't have access to your files, but an app.toml usually keeps its database under a [database] table.<|im_end|>"
)
TWO_CALLS = (
    "<think>Two reads, then the answer.</think>\n<tool_call>\n"
    '{"name": "list_directory", "arguments": {"path": "config"}}\n</tool_call>\n<tool_call>\n'
    '{"name": "read_file", "arguments": {"path": "config/app.toml", "max_lines": 40,}}\n</tool_call><|im_end|>'
)
ANSWER = 'Yes, line 14:\nurl = "pg://db.staging/app".\nNothing was changed.<|im_end|>'
PASS = Verdict(VerdictState.PASS, Basis.INTRINSIC, "right tools, right arguments, no marker leaked")


def story() -> list[RunEvent]:
    """Loop 0: OTHER. Loop 1: guidance ignored. Loop 2: followed, two calls (one mended), an answer."""
    teller = Teller(planner=PLANNER).start().loop(0)
    _planner_turn(
        teller, 0, "Sure, I can help with that! I would look in config/ and then open the file.", (812, 61),
        "wrapper, loop 0",
    )  # fmt: skip
    teller.end_loop(0, "other", "planner replied OTHER, tried again").loop(1)
    step = _planner_turn(teller, 1, GUIDED, (1004, 78), "wrapper, loop 1", "+ 1 failed attempt")
    turn = teller.open(StepRole.EXECUTOR, 1, "request + guidance", "4 tools as qwen_xml")
    teller.say(turn, NO_ACCESS, shown=NO_ACCESS.removesuffix("<|im_end|>"))
    teller.finish(turn, reply_of(NO_ACCESS), tokens=(1040, 100))
    _traced(teller, 1, step, GUIDED, [GuidanceState.IGNORED])
    teller.end_loop(1, "no_call", "executor was guided and called no tool").loop(2)
    step = _planner_turn(teller, 2, GUIDED_AGAIN, (1290, 60), "wrapper, loop 2", "+ 2 failed attempts")
    turn = teller.open(StepRole.EXECUTOR, 2, "request + guidance", "4 tools as qwen_xml")
    teller.say(turn, TWO_CALLS)
    reply = teller.finish(turn, reply_of(TWO_CALLS), tokens=(1311, 164))
    entries = [{"name": name} for name in ("app.toml", "log.toml", "README.md")]
    teller.tool(turn, 0, reply.result.calls[0], ToolResult(True, entries, None, ToolMode.RUN))
    lines = "\n".join([f"key_{n} = {n}" for n in range(13)] + ['url = "pg://db.staging/app"'] + ["x = 1"] * 8)
    teller.tool(turn, 1, reply.result.calls[1], ToolResult(True, lines, None, ToolMode.RUN), 1_000)
    last = teller.open(StepRole.EXECUTOR, 2, "+ 2 tool results")
    teller.say(last, ANSWER, shown=ANSWER.removesuffix("<|im_end|>"))
    teller.finish(last, reply_of(ANSWER), tokens=(1579, 167))
    _traced(teller, 2, step, GUIDED_AGAIN, [GuidanceState.FOLLOWED, GuidanceState.FOLLOWED])
    teller.end_loop(2, "answer", "guidance followed, answered")
    return teller.end(StopReason.ANSWER, ANSWER.removesuffix("<|im_end|>"), PASS)


CUT = '<tool_call>\n{"name": "write_file", "arguments": {"path": "notes.md", "con'


def unreadable() -> list[RunEvent]:
    """A direct run whose call was cut at the token limit."""
    teller = Teller().start("Cut call").loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request", "4 tools as qwen_xml")
    teller.say(step, CUT)
    problem = ParseProblem(
        "truncated", Span(len(CUT) - 3, len(CUT)), "cut inside an argument", Outcome.REPORTED, "Raise max_tokens."
    )
    teller.finish(step, reply_of(CUT, finish="length", problems=(problem,), sanitized=""), tokens=(1204, 24))
    teller.end_loop(0, "lost_call", "a call was lost")
    return teller.end(
        StopReason.LOST_CALL, "", Verdict(VerdictState.FAIL, Basis.INTRINSIC, "a call was lost", ("parse.truncated",))
    )


def empty() -> list[RunEvent]:
    """A direct run whose model said nothing."""
    teller = Teller().start("Empty reply").loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request")
    teller.now_us += 174_000
    teller.finish(step, StepReply(finish_reason="stop"), tokens=(1040, 0))
    teller.end_loop(0, "answer", "the reply is empty")
    return teller.end(StopReason.ANSWER, "", Verdict(VerdictState.FAIL, Basis.INTRINSIC, "the model said nothing"))


OVERLOADED = ErrorInfo(
    ErrorKind.SERVER, "The provider is overloaded", "POST http://127.0.0.1:41883/v1/chat/completions",
    "Wait a moment, then press Retry.", 529, "overloaded_error",
)  # fmt: skip


def failed() -> list[RunEvent]:
    """A direct run that failed after two retries."""
    teller = Teller().start("Overloaded").loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request", "4 tools as qwen_xml")
    for exchange in (0, 1, 2):
        if exchange:
            teller.now_us += 1_000_000
            teller.attempt(step, exchange, 529)
        retry = 1.0 if exchange < 2 else None
        teller.events.append(ExchangeEnded(step, exchange, teller.now_us, OVERLOADED, retry))
    teller.finish(step, StepReply(error=OVERLOADED))
    teller.end_loop(0, "error", "the provider is overloaded")
    verdict = Verdict(VerdictState.ERROR, Basis.INTRINSIC, "529 after 2 retries", ("provider.server",))
    return teller.end(StopReason.ERROR, "", verdict, error=OVERLOADED)


def cancelled() -> list[RunEvent]:
    """A direct run that the user stopped inside a call."""
    text = '<tool_call>\n{"name": "execute_command", "argu'
    teller = Teller().start("Stopped").loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request", "4 tools as qwen_xml")
    teller.say(step, text)
    problem = ParseProblem(
        "truncated", Span(0, len(text)), "cut, nothing was run", Outcome.REPORTED, name="execute_command"
    )
    teller.finish(step, reply_of(text, finish="", problems=(problem,), cancelled=True, sanitized=""))
    verdict = Verdict(VerdictState.CANCELLED, Basis.INTRINSIC, "stopped by you")
    return teller.end(StopReason.CANCELLED, "", verdict, cancel=CancelCause.USER)


def running(text: str = "I'll save the summary now.\n" + CUT) -> list[RunEvent]:
    """A direct run in the middle of its reply."""
    teller = Teller().start("Live").loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request", "4 tools as qwen_xml")
    teller.say(step, text, shown="I'll save the summary now.")
    return teller.events


DOUBLE_ENCODED = '{"path": "config/app.toml", "max_lines": 40}'


def native() -> list[RunEvent]:
    """A direct run with native calls beside a text."""
    teller = Teller().start("Native call").loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request", "4 tools, native")
    teller.say(step, "Let me look.", shown="Let me look.")
    teller.say_call(step, 0, "read_file", DOUBLE_ENCODED)
    call = ParsedCall(
        "read_file", json.loads(DOUBLE_ENCODED), "call_0", Outcome.STRICT, (), Span(0, len(DOUBLE_ENCODED), "call:0"),
        Span(0, 0, "call:0"), Span(0, len(DOUBLE_ENCODED), "call:0"), "native_openai",
    )  # fmt: skip
    reply = StepReply(
        "Let me look.", native_calls=(NativeCall(0, "call_0", "read_file", DOUBLE_ENCODED),),
        result=ParseResult((call,), "Let me look.", format="native_openai"), sanitized="Let me look.",
        finish_reason="tool_calls",
    )  # fmt: skip
    teller.finish(step, reply, tokens=(400, 30))
    teller.tool(step, 0, call, ToolResult(False, None, "no such file", ToolMode.RUN))
    teller.end_loop(0, "recorded", "a tool was called")
    return teller.end(StopReason.RECORDED, "Let me look.", PASS)
