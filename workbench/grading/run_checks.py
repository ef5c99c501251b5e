"""What a case may demand of a run beside its calls: of the answer's words, of the way there, of tools that are wrong."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.core.events import StepRole
from workbench.grading.findings import RunFinding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.case import Expectation, PathChecks
    from workbench.core.events import ToolStarted
    from workbench.core.run_summary import RunSummary


_QUESTION = re.compile("[?\uff1f\u061f\u037e\u055e\u1367\u2047\u2048\u2049]")
"""Question marks of all scripts that have one of their own: full-width, Arabic, Greek, Armenian, Ethiopic, and double ones."""


def checks_answer(expectation: Expectation) -> bool:
    """Whether it says something of the answer's words."""
    return bool(
        expectation.answer_contains or expectation.answer_lacks or expectation.answer_regex or expectation.no_markers
    )


def answer_findings(answer: str, expectation: Expectation, leaks: Sequence[RunFinding]) -> Iterator[RunFinding]:
    """Check the words of the final answer; `leaks` are the markers that the model left in it."""
    said = answer.casefold()
    for words in expectation.answer_contains:
        if words.casefold() not in said:
            yield RunFinding("decision.wrong_answer", f"The answer does not hold {words!r}.")
    for words in expectation.answer_lacks:
        if words.casefold() in said:
            yield RunFinding("decision.wrong_answer", f"The answer holds {words!r}, which it must not.")
    if expectation.answer_regex and not re.search(expectation.answer_regex, answer):
        yield RunFinding("decision.wrong_answer", f"The answer does not match /{expectation.answer_regex}/.")
    if expectation.must_ask and not _QUESTION.search(answer):
        yield RunFinding("decision.did_not_ask", "The right decision was to ask back, and the answer asks nothing.")
    if expectation.no_markers:
        yield from leaks


def forbidden_findings(calls: Sequence[ToolStarted], expectation: Expectation) -> Iterator[RunFinding]:
    """Check that no tool was called that is wrong here."""
    for name in dict.fromkeys(call.name for call in calls):
        if name in expectation.must_not_call:
            yield RunFinding("decision.forbidden_call", f"{name} was called, and must not be here.")


def path_findings(run: RunSummary, path: PathChecks) -> Iterator[RunFinding]:
    """Check steps, rounds, the order of tools and repeated calls."""
    steps = len(run.replies)
    if path.max_steps and steps > path.max_steps:
        yield RunFinding("loop.too_many_steps", f"It took {steps} replies; {path.max_steps} are allowed.")
    rounds = sum(step.role is StepRole.PLANNER for step, _ in run.replies)
    if path.max_loops and rounds > path.max_loops:
        yield RunFinding("loop.too_many_rounds", f"It took {rounds} boost rounds; {path.max_loops} are allowed.")
    made = iter([call.name for call in run.calls])
    for name in path.tools:
        if name not in made:  # consumes what comes before it
            yield RunFinding("decision.order", f"{name} was not called, or not in the order {' → '.join(path.tools)}.")
            break
    if path.no_repeats and (again := _repeated(run.calls)):
        yield RunFinding("loop.repeated_call", f"{again} was called again with the same arguments.")


def _repeated(calls: Sequence[ToolStarted]) -> str:
    seen = set()
    for call in calls:
        key = (call.name, json.dumps(call.arguments, sort_keys=True, default=str))
        if key in seen:
            return call.name
        seen.add(key)
    return ""
