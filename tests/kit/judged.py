"""Made-up runs for tests of the case judge: replies of an executor, and what was executed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.kit import runs
from workbench.core.batch import CaseVerdict
from workbench.core.calls import ParsedCall, ParseProblem
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.events import RunEvent, ToolFinished, ToolStarted
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.core.tools import ToolMode, ToolResult, ToolSetup, ToolSpec
from workbench.grading.expectation import judge_case
from workbench.schema import JsonSchemaChecker

WEATHER = ToolSpec(
    "get_weather",
    "Weather now.",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 1}},
        "required": ["city"],
    },
)
READ = ToolSpec(
    "read_file", "Read.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
)
ROME = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",))})
PARIS = ExpectedCall("get_weather", {"city": ExpectedArgument(("Paris",))})
FILE = ExpectedCall("read_file", {"path": ExpectedArgument(("a.txt",))})


def case(*calls: ExpectedCall, **more: Any) -> Case:
    """A case that expects these calls; none: expects no call."""
    expectation = Expectation(calls, no_call=not calls, **more)
    return Case("c", "c", (Message("user", "?"),), (ToolSetup(WEATHER), ToolSetup(READ)), expectation=expectation)


def turn(
    number: int, *calls: ParsedCall, problems: Sequence[ParseProblem] = (), shown: str = "", refused: bool = False
) -> list[RunEvent]:
    """One step whose calls are executed (or refused, since they break the schema)."""
    events = runs.step(number, calls=calls, problems=problems, shown=shown)
    for index, call in enumerate(calls):
        events.append(ToolStarted(number, index, call.id, call.name, call.arguments, ToolMode.MOCK, 50))
        told = (runs.problem("schema"),) if refused else ()
        events.append(ToolFinished(number, index, call.id, ToolResult(not refused), 51, told))
    return events


def weather(city: str = "Rome", *repairs: str, **more: Any) -> ParsedCall:
    return runs.call("get_weather", {"city": city, **more}, *repairs)


def judged(wanted: Case, *turns: list[RunEvent], answer: str = "It is 21 degrees.", **end: Any) -> CaseVerdict:
    """The verdict of a run made of these turns."""
    flat = [event for events in turns for event in events]
    events = [runs.started(tools=(WEATHER, READ)), *flat, runs.finished(answer, **end)]
    return judge_case(summarize(events), wanted, JsonSchemaChecker())
