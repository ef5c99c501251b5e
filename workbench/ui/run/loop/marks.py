"""Which characters of a step's raw text have which role: all of them, or only what became known since the last look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, Region, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.run_view import LiveCall, StepView


class StepMarks:
    """Roles of one step. A finished reply is coloured by its parser; a growing one by what the parser has met so far."""

    def __init__(self, step: StepView) -> None:
        self._step = step
        self.regions: Sequence[Region] = ()
        """From the parser, once the reply is finished."""
        self._of_calls: list[Region] = []
        self._met_reasoning = self._met_calls = self._met_names = 0

    def add(self, regions: Sequence[Region]) -> None:
        """Take the roles of calls that the parser has read in a growing text."""
        self._of_calls += regions

    def forget(self) -> None:
        """The text starts over."""
        self._of_calls = []

    def everything(self) -> list[Region]:
        """All roles that are known now."""
        step = self._step
        found = list(self.regions)
        if step.planner is not None:
            found += [Region("marker", section.label_span) for section in step.planner.sections]
        if step.reply is None:
            self._met_reasoning = self._met_calls = self._met_names = 0
            found += [*self.news(), *self._of_calls]
        shown = (one for one in step.problems if one.outcome is not Outcome.IGNORED)
        return found + [Region("problem", one.span) for one in shown if one.span.end > one.span.start]

    def news(self) -> list[Region]:
        """What the parser met in a growing text since the last call."""
        step = self._step
        found = [Region("reasoning", span) for span in step.reasoning_spans[self._met_reasoning :]]
        opened = [live for (kind, _), live in step.live_calls.items() if kind == "text"]
        for live in opened[self._met_names :]:
            found += self._name_region(live)
        for view in step.calls[self._met_calls :]:
            found.append(Region("name", view.call.name_span))
        self._met_reasoning, self._met_calls, self._met_names = len(step.reasoning_spans), len(step.calls), len(opened)
        return [region for region in found if region.span.source == "text"]

    def _name_region(self, live: LiveCall) -> list[Region]:
        """The name of a call that has just begun, inside what the parser took for its opening."""
        if live.span is None or not live.name or live.span.source != "text":
            return []
        at = self._step.raw.source("text").rfind(live.name, live.span.start, live.span.end)
        return [Region("name", Span(at, at + len(live.name)))] if at >= 0 else []
