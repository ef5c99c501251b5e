"""Roles of a step: all at once, or only what is new."""

from __future__ import annotations

from tests.kit import events as kit
from workbench.core.calls import CallOpened, CallRead, ReasoningRead, Region, Span
from workbench.core.events import ChunkReceived
from workbench.ui.run.loop.marks import StepMarks
from workbench.ui.run.run_fold import RunFold, fold


def test_a_planner_is_coloured_by_its_labels() -> None:
    step = fold(kit.story()).steps[1]
    found = [(region.role, step.text[region.span.start : region.span.end]) for region in StepMarks(step).everything()]
    assert found == [("marker", "**ANALYSIS:**"), ("marker", "**GUIDANCE:**")]


def test_problems_are_marked_and_mentions_are_not() -> None:
    step = fold(kit.unreadable()).steps[0]
    marks = StepMarks(step)
    assert [region.role for region in marks.everything()] == ["problem"]
    marks.regions = (Region("marker", Span(0, 11)),)
    assert [region.role for region in marks.everything()] == ["marker", "problem"]


def test_a_growing_text_tells_each_role_once() -> None:
    folder = RunFold()
    folder.apply(kit.running(kit.TWO_CALLS))
    step = folder.view.steps[0]
    marks = StepMarks(step)
    first, second = kit.read_calls(kit.TWO_CALLS)
    folder.apply([ChunkReceived(0, 0, 90, b"", 1, (), (ReasoningRead("x", Span(7, 35)), CallRead(0, first)))])
    assert [region.role for region in marks.news()] == ["reasoning", "name"]
    assert marks.news() == []
    folder.apply([ChunkReceived(0, 0, 91, b"", 2, (), (CallRead(1, second),))])
    names = [region for region in marks.news() if region.role == "name"]
    assert len(names) == 1
    assert [step.text[one.span.start : one.span.end] for one in names] == ["read_file"]
    marks.add([Region("marker", Span(36, 47))])
    assert sorted(region.role for region in marks.everything()) == ["marker", "name", "name", "reasoning"]
    marks.forget()
    assert len(marks.everything()) == 3


def test_the_name_of_a_call_is_coloured_as_soon_as_it_is_known() -> None:
    folder = RunFold()
    folder.apply(kit.running(kit.CUT))
    step = folder.view.steps[0]
    marks = StepMarks(step)
    opening = step.text.index('{"name"')
    event = CallOpened(0, "write_file", Span(opening, opening + 21))
    folder.apply([ChunkReceived(0, 0, 90, b"", 1, (), (event,))])
    (name,) = marks.news()
    assert (name.role, step.text[name.span.start : name.span.end]) == ("name", "write_file")
    assert marks.news() == []
