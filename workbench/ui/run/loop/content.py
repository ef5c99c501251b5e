"""What the cells of a step say: blocks for what was sent, for the parsed calls, and for cells without text.

Pure: step view in, blocks out. Links inside the blocks are `CallLink`, `FieldLink`, `ResultLink`, `SpanLink`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.approvals import DecidedBy
from workbench.core.calls import Outcome, Span
from workbench.core.events import GuidanceState, PlannerKind, StepRole, StopReason
from workbench.core.tools import ToolMode
from workbench.ui.run.loop.blocks import Block, BlockRun, SmallChip
from workbench.ui.run.partial_call import leaves
from workbench.ui.run.run_view import StepState
from workbench.ui.run.run_words import GUIDANCE_WORDS, problem_words, result_words, status_line, step_title, step_tokens
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.quantities import seconds

if TYPE_CHECKING:
    from workbench.core.approvals import ApprovalDecision
    from workbench.core.calls import ParseProblem
    from workbench.core.events import GuidanceLine
    from workbench.ui.run.run_view import CallView, LiveCall, RunView, StepView

LONGEST_VALUE = 240
"""A value in a call row is cut here; the whole value is in the inspector."""

MOST_CALLS = 200
"""Calls, and problems, that a cell lays out; the rest is counted."""


@dataclass(frozen=True, slots=True)
class CallLink:
    """A whole call."""

    call: int


@dataclass(frozen=True, slots=True)
class FieldLink:
    """One argument."""

    call: int
    path: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class ResultLink:
    """What a call's tool gave back."""

    result: int


@dataclass(frozen=True, slots=True)
class SpanLink:
    """Characters of the raw text."""

    span: Span


def sent_blocks(step: StepView, now_us: int, *, narrow: bool) -> list[Block]:
    """What was asked, and how it stands."""
    state = step.state_at(now_us)
    icon = "compass" if step.role is StepRole.PLANNER else "robot"
    tokens = step_tokens(step)
    if narrow:
        blocks = [Block((BlockRun("", "strong"),), icon=icon)]
        return [*blocks, Block((BlockRun(tokens.removesuffix(" tok"), "text3"),), size=11)] if tokens else blocks
    right = BlockRun(tokens, "text3") if tokens else None
    blocks = [Block((BlockRun(step_title(step), "strong"),), icon=icon, right=right)]
    blocks += [Block((BlockRun(words, "text2"),)) for words in step.news]
    voice = {
        StepState.RUNNING: "accent", StepState.STALLED: "strong", StepState.FAILED: "error",
        StepState.UNREADABLE: "text2",
    }.get(state, "text2")  # fmt: skip
    if words := status_line(step, now_us):
        spins = state is StepState.RUNNING
        icon = {"running": "spinner", "stalled": "hourglass"}.get(state.value, "")
        blocks.append(
            Block((BlockRun(words, voice),), icon=icon, icon_voice="accent" if spins else "text2", spin=spins)
        )
    if step.fallback is not None:
        blocks.append(Block((BlockRun(tr("fallback: the planner could not be asked"), "error"),)))
    return blocks


def parsed_blocks(run: RunView, step: StepView, now_us: int) -> list[Block]:
    """What a reply means: sections of a planner, calls of an executor, or the word for nothing; then what its reader noticed."""
    noticed = [Block((BlockRun(words, "text2"),), icon="info", icon_voice="text3", gap=4) for words in step.notices]
    return [*_read_blocks(run, step, now_us), *noticed]


def _read_blocks(run: RunView, step: StepView, now_us: int) -> list[Block]:
    if step.state is StepState.FAILED:
        # what came before the failure keeps the raw cell, so what, where and next stand here
        return failed_blocks(step) if step.raw.length else [_empty(tr("no reply to read"))]
    if step.role is StepRole.PLANNER:
        return _planner_blocks(step, now_us)
    return _executor_blocks(run, step, now_us)


def _empty(words: str) -> Block:
    return Block((BlockRun(words, "empty"),))


def _planner_blocks(step: StepView, now_us: int) -> list[Block]:
    if step.planner is None:
        live = step.state_at(now_us).live
        return [_empty(tr("no complete section yet") if live else tr("nothing to read"))]
    blocks = []
    if step.planner.kind is PlannerKind.OTHER:
        reason = step.planner.reason or tr("neither SUMMARY nor GUIDANCE")
        blocks.append(Block((BlockRun(reason, "text2"),), chip=SmallChip("OTHER", "fail", bold=True)))
    for section in step.planner.sections:
        link = SpanLink(section.label_span)
        gap = 2 if blocks else 0
        if section.label == "GUIDANCE" and step.planner.kind is PlannerKind.GUIDANCE:
            blocks.append(Block((BlockRun("GUIDANCE", "label", link),), gap=gap))
            blocks += [_guidance_block(line) for line in step.guidance] or _plain_lines(section.text)
        else:
            words = (BlockRun(section.label, "label", link), BlockRun("  " + _short(section.text, 600)))
            blocks.append(Block(words, gap=gap))
    return blocks


def _plain_lines(text: str) -> list[Block]:
    return [Block((BlockRun(line.strip()),), mono=True) for line in text.splitlines()[:30] if line.strip()]


def _guidance_block(line: GuidanceLine) -> Block:
    look = {
        GuidanceState.FOLLOWED: "followed", GuidanceState.IGNORED: "fail", GuidanceState.CONTRADICTED: "fail",
    }.get(line.state, "plain")  # fmt: skip
    words = (BlockRun(line.text, "text", SpanLink(line.span)),)
    return Block(words, mono=True, lead=str(line.number), right_chip=SmallChip(GUIDANCE_WORDS[line.state], look))  # type: ignore[arg-type]


def _executor_blocks(run: RunView, step: StepView, now_us: int) -> list[Block]:
    blocks: list[Block] = []
    for view in step.calls[:MOST_CALLS]:
        blocks += _call_blocks(step, view, gap=4 if blocks else 0)
    if len(step.calls) > MOST_CALLS:
        blocks.append(
            Block((BlockRun(tr("+ {calls:,} more calls", calls=len(step.calls) - MOST_CALLS), "text2"),), gap=4)
        )
    for live in _unfinished(step):
        blocks += _live_blocks(live, gap=4 if blocks else 0)
    if step.state is StepState.CANCELLED:
        return blocks + _cancelled_blocks(step)
    lost = [one for one in step.problems if one.outcome is Outcome.REPORTED]
    if step.state is StepState.UNREADABLE and lost:
        return blocks + _unreadable_blocks(step, lost[0])
    blocks += [_problem_block(one) for one in step.problems[:MOST_CALLS]]
    if len(step.problems) > MOST_CALLS:
        blocks.append(
            Block((BlockRun(tr("+ {problems:,} more problems", problems=len(step.problems) - MOST_CALLS), "text2"),))
        )
    if blocks:
        return blocks
    if step.state is StepState.EMPTY:
        return [Block((BlockRun(tr("nothing to read"), "text2"),), chip=SmallChip(tr("0 calls"), "outline"))]
    if step.state_at(now_us).live:
        return [_empty(tr("nothing complete yet"))]
    return [_no_calls(run, step)]


def _unfinished(step: StepView) -> list[LiveCall]:
    wired = [live for (kind, _), live in step.live_calls.items() if kind == "wire"]
    return [live for live in wired or step.live_calls.values() if not live.done]


def _no_calls(run: RunView, step: StepView) -> Block:
    if is_answer(run, step):
        return Block(
            (BlockRun(tr("no further calls"), "text2"),), chip=SmallChip(tr("answer"), "followed", mark="pass")
        )
    started = run.started
    offered = tr("tools were offered") if started is not None and started.tools else tr("no tools were offered")
    return Block((BlockRun(offered, "text2"),), chip=SmallChip(tr("0 calls"), "outline"))


def is_answer(run: RunView, step: StepView) -> bool:
    """This reply is what the user gets."""
    loop = next((one for one in run.loops if one.number == step.loop), None)
    if loop is None or loop.steps[-1] is not step or loop.reason == "no_call":
        return False
    return loop.reason == "answer" or (run.finished is not None and run.finished.stop is StopReason.ANSWER)


def _call_blocks(step: StepView, view: CallView, gap: int) -> list[Block]:
    call = view.call
    runs = [BlockRun(call.name, "name", CallLink(view.index)), BlockRun("(")]
    for number, (key, value) in enumerate(call.arguments.items()):
        if number:
            runs.append(BlockRun(", "))
        link = FieldLink(view.index, (key,))
        runs += [BlockRun(key, "key", link), BlockRun(" = "), BlockRun(value_text(value), value_voice(value), link)]
    runs.append(BlockRun(")"))
    blocks = [Block(tuple(runs), mono=True, gap=gap)]
    if call.format and step.format and call.format != step.format and not call.format.startswith("native"):
        words = tr("written as {format}, not {asked}", format=call.format, asked=step.format)
        blocks.append(Block((BlockRun(words, "text3"),), size=11, about="format"))
    return [*blocks, *_decision_blocks(view.decision), *_result_blocks(view)]


_DECIDERS = {
    DecidedBy.USER: tr("by you"), DecidedBy.RULE: tr("by you, for all such calls"), DecidedBy.CLOCK: tr("by the clock: nobody decided"),
    DecidedBy.NOBODY: tr("since nobody could be asked"),
}  # fmt: skip


def _decision_blocks(decision: ApprovalDecision | None) -> list[Block]:
    """What a person made of a call: the arguments that were really used, an answer of their own, or a refusal."""
    if decision is None:
        return []
    by = _DECIDERS[decision.by]
    if not decision.allowed:
        return [Block((BlockRun(tr("refused {by}", by=by), "cancelled"),), icon="hand-palm", icon_voice="cancelled")]
    if decision.answered:
        return [Block((BlockRun(tr("answered {by}, not run", by=by), "text2"),), icon="hand-palm", icon_voice="text3")]
    if decision.arguments is None:
        return [Block((BlockRun(tr("allowed {by}", by=by), "text2"),), icon="hand-palm", icon_voice="text3")]
    used = _short(json.dumps(decision.arguments, ensure_ascii=False), LONGEST_VALUE)
    return [
        Block((BlockRun(tr("edited {by}", by=by), "accent"),), icon="hand-palm", icon_voice="accent"),
        Block((BlockRun(used, "text2"),), mono=True, indent=19),
    ]


def _result_blocks(view: CallView) -> list[Block]:
    arrow = "arrow-bend-down-right"
    if view.problems:
        head = Block((BlockRun(tr("not run: the arguments do not fit"), "failed"),), icon=arrow, icon_voice="text3")
        return [head, *(Block((BlockRun(one.message, "text2"),), indent=19) for one in view.problems)]
    if view.result is None:
        if view.started_us is None:
            return []
        if view.mode is ToolMode.ASK and view.decision is None:
            return [Block((BlockRun(tr("waits for you, below"), "accent"),), icon="hand-palm", icon_voice="accent")]
        return [Block((BlockRun(tr("running"), "accent"),), icon="spinner", icon_voice="accent", spin=True)]
    spent = seconds((view.ended_us or 0) - (view.started_us or 0))
    source = tr(" · mock") if view.result.source is ToolMode.MOCK else ""
    if view.result.source is ToolMode.RECORD:
        source = tr(" · recorded, not run")
    voice = "text2" if view.result.success else "error"
    words = BlockRun(_short(result_words(view.result), LONGEST_VALUE) + source, voice, ResultLink(view.index))
    blocks = [Block((words,), icon=arrow, icon_voice="text3", right=BlockRun(spent, "text3"))]
    if view.result.success and isinstance(view.result.result, str) and view.result.result.strip():
        line = next(one for one in view.result.result.splitlines() if one.strip())
        blocks.append(Block((BlockRun(_short(line, 72), "text2", ResultLink(view.index)),), mono=True, indent=19))
    blocks += [Block((BlockRun(note, "text2"),), indent=19) for note in view.result.notes]
    if trace := [line for line in view.result.trace.splitlines() if line.strip()]:
        blocks.append(Block((BlockRun(_short(trace[-1], 72), "text3", ResultLink(view.index)),), mono=True, indent=19))
    return blocks


def _live_blocks(live: LiveCall, gap: int) -> list[Block]:
    blocks = [Block((BlockRun(live.name or "…", "name"), BlockRun(tr("  building"), "text3")), mono=True, gap=gap)]
    found = leaves(live.text)
    width = max((len(leaf.key) for leaf in found), default=0)
    for number, leaf in enumerate(found):
        value = BlockRun(_short(leaf.value, LONGEST_VALUE), "string" if leaf.value.startswith('"') else "text")
        if not leaf.done:
            value = BlockRun(_short(leaf.value, LONGEST_VALUE) or "…", "open")
        branch = "└" if number == len(found) - 1 else "├"
        words = (BlockRun(leaf.key.ljust(width) + "  ", "key"), value)
        blocks.append(Block(words, mono=True, indent=16, tree=branch))
    return blocks


def _problem_block(problem: ParseProblem) -> Block:
    reported = problem.outcome is Outcome.REPORTED
    words = [BlockRun(problem_words(problem), "failed" if reported else "text2", SpanLink(problem.span))]
    if problem.message:
        words.append(BlockRun("  " + translated_sentence(problem.message), "text2"))
    return Block(tuple(words), mark="fail" if problem.outcome is not Outcome.IGNORED else "", gap=2)


def _unreadable_blocks(step: StepView, problem: ParseProblem) -> list[Block]:
    told = translated_sentence(problem.message) or problem.code
    title = BlockRun(f"{step.format}: {told}", "failed!", SpanLink(problem.span))
    length = len(step.raw.source(problem.span.source))
    tool = f" · {problem.name}" if problem.name else ""
    place = tr(
        "loop {loop}, character {start:,} of {length:,}{tool}",
        loop=step.loop,
        start=problem.span.start + 1,
        length=length,
        tool=tool,
    )
    blocks = [Block((title,)), Block((BlockRun(place, "text3"),), size=11)]
    return [*blocks, Block((BlockRun(translated_sentence(problem.hint), "text2"),))] if problem.hint else blocks


def _cancelled_blocks(step: StepView) -> list[Block]:
    for problem in step.problems:
        if problem.outcome is Outcome.REPORTED:
            words = translated_sentence(problem.message) or tr("cut, nothing was run")
            link = SpanLink(problem.span)
            return [Block((BlockRun(words, "text2", link),), chip=SmallChip(tr("reported"), "fail"))]
    return [_empty(tr("nothing complete"))] if not step.calls else []


def sanitized_note(run: RunView, step: StepView, now_us: int) -> str:
    """The sentence of a sanitized cell without text; empty where there is a text to show."""
    if step.role is StepRole.PLANNER and not _is_users(run, step):
        if step.planner is None:
            return tr("not decided yet: answer or guidance") if step.state_at(now_us).live else tr("no reply")
        if step.planner.kind is not PlannerKind.SUMMARY:
            guided = step.planner.kind is PlannerKind.GUIDANCE
            return tr("to the executor, not to the user") if guided else tr("nothing for the user")
    if step.shown.source("text").strip():
        return ""
    match step.state_at(now_us):
        case StepState.EMPTY:
            return tr("the model said nothing")
        case StepState.UNREADABLE:
            return tr("nothing readable")
        case StepState.FAILED:
            return tr("no reply")
        case StepState.CANCELLED:
            return tr("nothing complete")
        case StepState.FINISHED:
            return tr("nothing yet: tools first") if step.calls else tr("nothing for the user")
        case _:
            return tr("held back: a call") if _unfinished(step) else tr("nothing yet")


def _is_users(run: RunView, step: StepView) -> bool:
    """A planner's reply that the user got after all: its answer, or the best there was."""
    if run.finished is None or step.reply is None or not run.finished.answer.strip():
        return False
    given = {loop.given for loop in run.loops if loop.given is not None}
    return step.number in given if given else run.finished.answer.strip() == step.reply.sanitized.strip()


def failed_blocks(step: StepView) -> list[Block]:
    """Three lines for the raw cell of a failed step: what, where, what next."""
    error = step.error
    if error is None:
        return [Block((BlockRun(tr("The step did not end"), "strong"),))]
    code = " ".join(part for part in (str(error.status or ""), error.code) if part)
    tries = len(step.exchanges)
    attempts = tr("attempt {tries}", tries=tries) if tries > 1 else ""
    spent = seconds((step.ended_us or step.started_us) - step.started_us)
    where = " · ".join(
        part for part in (code or error.kind.value.replace("_", " "), error.where, attempts, spent) if part
    )
    blocks = [Block((BlockRun(error.message, "strong"),)), Block((BlockRun(where, "text3"),), size=11)]
    return [*blocks, Block((BlockRun(error.hint, "text2"),))] if error.hint else blocks


def empty_blocks(step: StepView) -> list[Block]:
    """The raw cell of a complete reply without content."""
    words = tr(
        "the reply is empty, {seconds}", seconds=seconds(step.timing.total or (step.ended_us or 0) - step.started_us)
    )
    return [Block((BlockRun(words, "text2"),), chip=SmallChip(tr("0 characters"), "outline"))]


def value_text(value: Any) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= LONGEST_VALUE:
        return text
    return tr("{beginning}… ({length:,} characters)", beginning=text[:LONGEST_VALUE], length=len(text))


def value_voice(value: Any) -> str:
    """The role that gives a value its colour."""
    if isinstance(value, str):
        return "string"
    return "number" if value is None or isinstance(value, bool | int | float) else "text"


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
