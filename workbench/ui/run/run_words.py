"""The words and numbers of a run's view: chips, headers, states, totals. Pure text; views choose the colours."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome
from workbench.core.events import GuidanceState, PlannerKind, StepRole, StopReason
from workbench.core.target import Policy
from workbench.core.versions import PARSER_VERSION
from workbench.ui.run.run_view import StepState
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.quantities import counted, number, seconds, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.core.calls import ParseProblem, Span
    from workbench.core.tools import ToolResult
    from workbench.ui.run.run_view import LoopView, RunView, StepView

PARSER_WORDS = tr("parser {version}", version=PARSER_VERSION)
GUIDANCE_WORDS = {
    GuidanceState.FOLLOWED: tr("followed"),
    GuidanceState.IGNORED: tr("ignored"),
    GuidanceState.CONTRADICTED: tr("contradicted"),
    GuidanceState.NO_CALL_POSSIBLE: tr("no call possible"),
}
STOP_WORDS = {
    StopReason.ANSWER: tr("answer"),
    StopReason.SUMMARY: tr("planner's answer"),
    StopReason.RECORDED: tr("calls recorded, not run"),
    StopReason.ITERATIONS: tr("iteration limit"),
    StopReason.BOOST_LOOPS: tr("no failed attempt left"),
    StopReason.LIMIT: tr("a limit was reached"),
    StopReason.LOST_CALL: tr("a call was lost"),
    StopReason.ERROR: tr("error"),
    StopReason.CANCELLED: tr("cancelled"),
}

POLICY_WORDS = {
    Policy.TOLERANT: tr("tolerant: recovered calls count"),
    Policy.LIKELY: tr("likely: nothing guessed counts"),
    Policy.SAFE: tr("safe: only mended spelling counts"),
    Policy.STRICT: tr("strict: only calls to the letter"),
    Policy.CROSS_FORMAT: tr("cross format: other formats' findings count"),
}


class StepChipKind(StrEnum):
    """What a chip is about; gives its tint and shape."""

    FAIL = "fail"
    ERROR = "error"
    REPAIR = "repair"
    """Recovered is not failed."""
    NOTE = "note"
    KEY = "key"
    """A key of somebody else stands in a text."""
    GIVEN = "given"
    """No problem: the reply that the user gets."""


class StepChip(NamedTuple):
    """A short word on a card's header that jumps to its characters."""

    kind: StepChipKind
    text: str
    step: int
    span: Span | None = None
    tip: str = ""


def step_title(step: StepView) -> str:
    """`Planner` or `Executor`."""
    return tr("Planner") if step.role is StepRole.PLANNER else tr("Executor")


def step_place(step: StepView) -> str:
    """`Loop 2 · executor 1`."""
    return tr("Loop {loop} · {step} {turn}", loop=step.loop, step=step_title(step).lower(), turn=step.turn)


def step_tokens(step: StepView) -> str:
    """The tokens sent, where the provider says."""
    return tr("{input:,} tok", input=step.usage.input) if step.usage.input is not None else ""


def status_line(step: StepView, now_us: int) -> str:
    """The state in words, for the sent cell; empty where the other cells say it all."""
    match step.state_at(now_us):
        case StepState.RUNNING:
            return _running_words(step, now_us)
        case StepState.STALLED:
            since = step.last_byte_us if step.last_byte_us is not None else step.started_us
            return tr("no byte for {now_us} s", now_us=(now_us - since) // 1000000)
        case StepState.EMPTY:
            return tr("{step}, {number} tokens out", step=_finish_word(step), number=number(step.usage.output or 0))
        case StepState.FAILED:
            return _failed_words(step)
        case StepState.CANCELLED:
            return tr("cancelled after {seconds}", seconds=seconds((step.ended_us or now_us) - step.started_us))
        case _:
            return "" if _finish_word(step) in ("stop", "end_turn", "tool_calls", "tool_use", "") else _odd_finish(step)


def _odd_finish(step: StepView) -> str:
    return tr("finish_reason: {step}", step=_finish_word(step))


def _finish_word(step: StepView) -> str:
    return step.reply.finish_reason if step.reply and step.reply.finish_reason else ("stop" if step.reply else "")


def _running_words(step: StepView, now_us: int) -> str:
    if step.exchange and step.exchange.retry_in is not None and step.exchange.ended_us is not None:
        return tr("retry in {retry_in:.1f} s", retry_in=step.exchange.retry_in)
    if step.first_text_us is None:
        return tr("waiting, {seconds}", seconds=seconds(now_us - step.started_us))
    elapsed = max(now_us - step.first_text_us, 1)
    speed = step.deltas * 1_000_000 / elapsed if elapsed > 200_000 else 0.0
    rate = tr("{speed:.0f} tok/s, ", speed=speed) if speed else ""
    return tr("open, {rate}{seconds}", rate=rate, seconds=seconds(now_us - step.started_us))


def _failed_words(step: StepView) -> str:
    error = step.error
    retries = len(step.exchanges) - 1
    after = tr(" after {retries}", retries=counted(retries, "retry", "retries")) if retries > 0 else ""
    if error is None:
        return "failed" + after
    refused = error.status is not None and error.status >= 400
    return f"{error.status if refused else error.kind.value.replace('_', ' ')}{after}"


def problem_words(problem: ParseProblem) -> str:
    """A problem's chip text: `reported: truncated`, `leaked marker`, `both forms`."""
    code = problem.code.replace("_", " ")
    if problem.outcome is Outcome.REPORTED:
        return tr("reported: {code}", code=code)
    return tr("ignored: {code}", code=code) if problem.outcome is Outcome.IGNORED else code


def step_chips(step: StepView) -> list[StepChip]:
    """The chips of one step, in reading order."""
    chips = []
    if step.error is not None and step.state is StepState.FAILED:
        kind = step.error.kind.value.replace("_", " ")
        chips.append(StepChip(StepChipKind.ERROR, kind, step.number, tip=step.error.message))
    if step.fallback is not None:
        chips.append(StepChip(StepChipKind.ERROR, tr("fallback: direct"), step.number, tip=step.fallback.error.message))
    known = {problem.code for problem in step.problems}
    if step.planner and step.planner.kind is PlannerKind.OTHER and not known & {"no_planner_heading", "both_forms"}:
        chips.append(
            StepChip(
                StepChipKind.FAIL, tr("no planner heading"), step.number, tip=translated_sentence(step.planner.reason)
            )
        )
    chips += [
        StepChip(
            StepChipKind.NOTE if problem.outcome is Outcome.IGNORED else StepChipKind.FAIL,
            problem_words(problem), step.number, problem.span, translated_sentence(problem.message),
        )
        for problem in step.problems
    ]  # fmt: skip
    chips += _guidance_chips(step)
    chips += _call_chips(step)
    chips += [
        StepChip(
            StepChipKind.NOTE if key.masked else StepChipKind.KEY,
            tr("looks like a key: {kind}{what}", kind=key.kind, what=tr(', masked') if key.masked else ''), step.number, key.span, tr("in {place}", place=key.place),
        )
        for key in step.keys
    ]  # fmt: skip
    return chips


def _guidance_chips(step: StepView) -> list[StepChip]:
    chips = []
    for state in (GuidanceState.CONTRADICTED, GuidanceState.IGNORED):
        line = next((one for one in step.guidance if one.state is state), None)
        if line is not None:
            chips.append(
                StepChip(
                    StepChipKind.FAIL,
                    tr("guidance {guidance_words}", guidance_words=GUIDANCE_WORDS[state]),
                    step.number,
                    line.span,
                    line.text,
                )
            )
    if step.invented:
        tip = tr("No line of the guidance asked for ") + ", ".join(step.invented)
        chips.append(StepChip(StepChipKind.NOTE, tr("call not asked for"), step.number, tip=tip))
    return chips


def _call_chips(step: StepView) -> list[StepChip]:
    chips = []
    for view in step.calls:
        if view.call.repairs:
            text = tr("recovered, {danger}: ", danger=view.call.danger.value) + ", ".join(view.call.repairs)
            chips.append(
                StepChip(StepChipKind.REPAIR, text, step.number, view.call.span, tr("call {call}", call=view.call.name))
            )
        chips += [
            StepChip(StepChipKind.FAIL, problem_words(one), step.number, one.span, one.message) for one in view.problems
        ]
        if view.result is not None and not view.result.success and not view.problems:
            chips.append(
                StepChip(
                    StepChipKind.ERROR,
                    tr("{call} failed", call=view.call.name),
                    step.number,
                    view.call.span,
                    _error_of(view.result),
                )
            )
    return chips


def _error_of(result: ToolResult) -> str:
    return result.error or tr("the tool gave no message")


def loop_problems(loop: LoopView) -> list[StepChip]:
    """Everything worth a look in a loop, in reading order."""
    chips: list[StepChip] = []
    for step in loop.steps:
        chips += step_chips(step)
    if loop.reason == "no_call":
        step = next((one for one in reversed(loop.steps) if one.role is StepRole.EXECUTOR), loop.steps[-1])
        chips.append(
            StepChip(
                StepChipKind.FAIL,
                tr("no tool call"),
                step.number,
                tip=tr("The executor had guidance and called no tool."),
            )
        )
    return chips


def loop_chips(loop: LoopView) -> list[StepChip]:
    """The chips of a card: each text once, at its first place, with how often it is there."""
    groups: dict[str, list[StepChip]] = {}
    for chip in (*_given_chip(loop), *loop_problems(loop)):
        groups.setdefault(chip.text, []).append(chip)
    return [one[0]._replace(text=f"{text} × {len(one)}") if len(one) > 1 else one[0] for text, one in groups.items()]


def _given_chip(loop: LoopView) -> Iterator[StepChip]:
    """Where all attempts failed: which reply of this loop the user gets; why stands in the tip."""
    step = next((one for one in loop.steps if one.number == loop.given), None)
    if step is not None:
        text = tr("the user gets the {step}'s reply: latest with words", step=step_title(step).lower())
        yield StepChip(StepChipKind.GIVEN, text, step.number, tip=loop.given_why)


def loop_figures(loop: LoopView, now_us: int) -> str:
    """`4,180 in · 391 out · 4.2 s` of a card."""
    into, out = _tokens(loop.steps)
    spent = (loop.ended_us if loop.ended_us is not None else now_us) - loop.started_us
    return tr("{into} in · {out} out · {spent}", into=into, out=out, spent=seconds(spent))


def _tokens(steps: Iterable[StepView]) -> tuple[str, str]:
    """Sums of what the providers said; a dash where none said anything."""
    known = [step.usage for step in steps if step.usage.input is not None or step.usage.output is not None]
    if not known:
        return "–", "–"
    return f"{sum(one.input or 0 for one in known):,}", f"{sum(one.output or 0 for one in known):,}"


def loop_summary(loop: LoopView, now_us: int) -> str:
    """One line on what happened in a loop, or happens now."""
    if loop.summary or not loop.steps:
        return loop.summary
    step = loop.steps[-1]
    if not step.state.live:
        if loop.ended_us is not None or step.state is not StepState.CANCELLED:
            return ""
        return tr("stopped by you") if step.reply is not None else tr("the record ends here")
    word = tr("is silent") if step.state_at(now_us) is StepState.STALLED else tr("is writing")
    return f"{step_title(step).lower()} {word if step.first_text_us is not None else 'is asked'}"


def failed_attempts(run: RunView) -> int:
    """How many boost rounds have failed."""
    return sum(loop.reason in ("other", "no_call") for loop in run.loops)


def budget_words(run: RunView) -> list[str]:
    """The parts of the line above the cards."""
    if run.started is None:
        return []
    words = []
    planner = [step for step in run.steps.values() if step.role is StepRole.PLANNER]
    executor = [step for step in run.steps.values() if step.role is StepRole.EXECUTOR]
    if run.boosted:
        words.append(f"{failed_attempts(run)} / {run.started.target.limits.boost_loops} failed attempts")
        words.append(f"planner {_tokens(planner)[0]} tok")
    calls = sum(len(step.calls) for step in executor)
    words.append(f"executor {counted(len(executor), 'turn')}, {counted(calls, 'call')}")
    if run.finished is not None:
        words.append(tr("stopped: {reason}", reason=STOP_WORDS[run.finished.stop]))
    elif run.interrupted:
        words.append("the program ended during this run")
    return words


def totals_words(run: RunView, now_us: int = 0) -> str:
    """`3 loops, 7.7 s, 7,036 in / 630 out` of the verdict bar."""
    into, out = _tokens(run.steps.values())
    loops = counted(len(run.loops), "loop") if run.boosted else counted(len(run.steps), "step")
    return tr(
        "{loops}, {last_at_us}, {into} in / {out} out",
        loops=loops,
        last_at_us=seconds(max(run.last_at_us, now_us)),
        into=into,
        out=out,
    )


def result_words(result: ToolResult) -> str:
    """What a tool gave back, in a few words: `3 entries, 148 B`."""
    if not result.success:
        return tr("failed: {result}", result=_error_of(result))
    match result.result:
        case None:
            return tr("nothing")
        case str() as text:
            lines = text.count("\n") + (not text.endswith("\n")) if text else 0
            return f"{counted(lines, 'line')}, {size(len(text.encode('utf-8', 'replace')))}"
        case list() as items:
            return f"{counted(len(items), 'entry', 'entries')}, {size(len(str(items)))}"
        case dict() as fields:
            return f"{counted(len(fields), 'field')}, {size(len(str(fields)))}"
        case value:
            return str(value)
