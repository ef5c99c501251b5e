"""What the window asks about a reply's characters: their roles, and where each argument stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import FieldSpan, Region, Span
from workbench.formats import get_format

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.events import PlannerReply, StepReply


def regions(reply: StepReply) -> tuple[Region, ...]:
    """Return the roles of the reply's text for colouring, sorted; empty for plain text."""
    if not reply.result.format:
        return ()
    return get_format(reply.result.format).regions(reply.text, reply.result)


def planner_regions(plan: PlannerReply) -> tuple[Region, ...]:
    """Return the labels and problems of a planner's reply for colouring, sorted."""
    found = [Region("marker", section.label_span) for section in plan.sections]
    labels = {(region.span.start, region.span.end) for region in found}
    found += [
        Region("problem", problem.span)
        for problem in plan.problems
        if (problem.span.start, problem.span.end) not in labels
    ]
    return tuple(sorted(found, key=lambda region: region.span))


def fields(reply: StepReply) -> tuple[tuple[FieldSpan, ...], ...]:
    """Return where each argument of each call stands in its source, one tuple per call."""
    return tuple(_fields_of(reply, call) for call in reply.result.calls)


def _fields_of(reply: StepReply, call: ParsedCall) -> tuple[FieldSpan, ...]:
    return get_format(call.format).argument_spans(source_text(reply, call.arguments_span), call)


def source_text(reply: StepReply, span: Span) -> str:
    """Return the text that a span points into."""
    if span.source.startswith("call:"):
        number = int(span.source.removeprefix("call:"))
        return next((call.arguments for call in reply.native_calls if call.number == number), "")
    return reply.reasoning if span.source == "reasoning" else reply.text
