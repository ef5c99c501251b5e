"""Calls in mode `ask`: what each decision leads to, as events."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.kit.engine_run import QWEN, end, events_of, only
from tests.kit.fakes import WEATHER, FakeClient, FakeTools, Reply, plan
from workbench.core.approvals import ApprovalDecision, ApprovalRequest, DecidedBy
from workbench.core.events import ApprovalAsked, ApprovalDecided, RunEvent, ToolFinished, ToolStarted
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.core.tools import CallPlace, ToolMode, ToolResult, ToolSetup
from workbench.engine.execution import REFUSALS
from workbench.store.codec import decode_event, encode_event

ASKED = (ToolSetup(WEATHER, ToolMode.ASK),)


def reply(arguments: str = '{"city": "Rome"}') -> Reply:
    return Reply(f'<tool_call>\n{{"name": "get_weather", "arguments": {arguments}}}\n</tool_call>')


class Decides:
    """Gives one decision and remembers what was asked."""

    def __init__(self, decision: ApprovalDecision) -> None:
        self.decision = decision
        self.asked: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        self.asked.append(request)
        return self.decision


class Sleeps:
    """Never decides."""

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        await asyncio.Event().wait()
        raise AssertionError


def run(approver: Any, first: Reply | None = None, tools: Any = ASKED) -> tuple[list[RunEvent], FakeTools, FakeClient]:
    client, executed = FakeClient([first or reply(), Reply("Done.")]), FakeTools()
    events = events_of(plan(client, QWEN, tools=tools), executed, approver)
    return events, executed, client


def test_an_allowed_call_is_executed_as_the_model_gave_it() -> None:
    approver = Decides(ApprovalDecision(True))

    events, executed, client = run(approver)

    assert executed.ran == [("get_weather", {"city": "Rome"})]
    assert [type(event) for event in events if isinstance(event, ToolStarted | ApprovalAsked | ApprovalDecided | ToolFinished)] == [
        ToolStarted, ApprovalAsked, ApprovalDecided, ToolFinished,
    ]  # fmt: skip
    assert only(events, ToolFinished)[0].result.source is ToolMode.ASK
    assert approver.asked[0].arguments == {"city": "Rome"}
    assert "result of get_weather" in client.requests[1].messages[-1].text


def test_edited_arguments_are_executed_and_checked() -> None:
    _, executed, _ = run(Decides(ApprovalDecision(True, arguments={"city": "Oslo"})))
    assert executed.ran == [("get_weather", {"city": "Oslo"})]

    events, executed, _ = run(Decides(ApprovalDecision(True, arguments={})))
    assert executed.ran == []
    assert "city: is required" in only(events, ToolFinished)[0].result.error


def test_a_given_result_goes_back_and_nothing_is_executed() -> None:
    events, executed, client = run(Decides(ApprovalDecision(True, answered=True, result={"t": 21})))
    result = only(events, ToolFinished)[0].result
    assert (result.result, result.by, executed.ran) == ({"t": 21}, "the user", [])
    assert '"t": 21' in client.requests[1].messages[-1].text


@pytest.mark.parametrize(
    ("approver", "said", "by"),
    [
        (
            Decides(ApprovalDecision(False, reason="Not today.")),
            "The user refused this call. Not today.",
            DecidedBy.USER,
        ),
        (None, "nobody could be asked", DecidedBy.NOBODY),
    ],
)
def test_a_refusal_is_told_to_the_model(approver: Any, said: str, by: DecidedBy) -> None:
    events, executed, client = run(approver)
    result = only(events, ToolFinished)[0].result
    assert executed.ran == []
    assert result.refused
    assert said in str(result.error)
    assert said in client.requests[1].messages[-1].text
    assert only(events, ApprovalDecided)[0].decision.by is by


def test_undecided_call_is_refused_after_the_limit() -> None:
    events, executed, _ = run(Sleeps(), tools=(ToolSetup(WEATHER, ToolMode.ASK, ask_seconds=0.05),))
    assert only(events, ApprovalDecided)[0].decision == ApprovalDecision(False, DecidedBy.CLOCK)
    assert executed.ran == []


def test_invalid_arguments_are_refused_without_asking() -> None:
    approver = Decides(ApprovalDecision(True))
    events, executed, _ = run(approver, reply("{}"))
    assert (approver.asked, executed.ran) == ([], [])
    assert only(events, ToolFinished)[0].problems


def test_a_cancel_while_a_call_waits_ends_the_run() -> None:
    async def main() -> list[RunEvent]:
        from tests.kit.fakes import FakeClock, RequiredOnly
        from workbench.engine import run as run_engine

        events: list[RunEvent] = []
        waiting = plan(FakeClient([reply()]), QWEN, tools=ASKED)

        async def consume() -> None:
            async for event in run_engine(waiting, FakeTools(), RequiredOnly(), approver=Sleeps(), clock=FakeClock()):
                events.append(event)
                if isinstance(event, ApprovalAsked):
                    asyncio.get_running_loop().call_later(0.02, task.cancel)

        task = asyncio.ensure_future(consume())  # noqa: TID251
        with pytest.raises(asyncio.CancelledError):
            await task
        return events

    events = asyncio.run(main())
    assert events[-1].cancel is None  # type: ignore[union-attr]
    assert events[-1].stop.value == "cancelled"  # type: ignore[union-attr]


def test_decisions_are_kept_as_they_were_made() -> None:
    decision = ApprovalDecision(True, DecidedBy.RULE, {"city": "Oslo"}, answered=True, result=[1], reason="x")
    event = ApprovalDecided(1, 0, "call_1", decision, 77)
    assert decode_event(*encode_event(event)) == event


UNFIT = "The arguments do not fit the schema: city: is required"


@pytest.mark.parametrize(
    ("mode", "decision", "arguments", "result"),
    [
        (ToolMode.RECORD, None, "{}", ToolResult(True, None, None, ToolMode.RECORD)),
        (ToolMode.MOCK, None, "{}", ToolResult(False, None, UNFIT, ToolMode.MOCK)),
        (ToolMode.ASK, None, "{}", ToolResult(False, None, UNFIT, ToolMode.ASK)),
        (ToolMode.ASK, ApprovalDecision(True), '{"city": "Rome"}', ToolResult(True, "result of get_weather", source=ToolMode.ASK)),
        (ToolMode.ASK, ApprovalDecision(True, arguments={}), '{"city": "Rome"}', ToolResult(False, None, UNFIT, ToolMode.ASK)),
        (ToolMode.ASK, ApprovalDecision(True, answered=True), '{"city": "Rome"}', ToolResult(True, None, None, ToolMode.ASK, by="the user")),
        (ToolMode.ASK, ApprovalDecision(False), '{"city": "Rome"}', ToolResult(False, None, REFUSALS[DecidedBy.USER], ToolMode.ASK, refused=True)),
        (ToolMode.ASK, ApprovalDecision(False, DecidedBy.RULE, reason="Never."), '{"city": "Rome"}', ToolResult(False, None, "The user refused calls like this one. Never.", ToolMode.ASK, refused=True)),
    ],
)  # fmt: skip
def test_what_goes_back_to_the_model(
    mode: ToolMode, decision: ApprovalDecision | None, arguments: str, result: ToolResult
) -> None:
    approver = Decides(decision) if decision else None
    events, _, _ = run(approver, reply(arguments), (ToolSetup(WEATHER, mode),))
    assert only(events, ToolFinished)[0].result == result


def test_who_is_asked_gets_all_that_is_known_of_the_call() -> None:
    approver = Decides(ApprovalDecision(True))
    setup = ToolSetup(WEATHER, ToolMode.ASK, ask_seconds=7)
    events, _, _ = run(approver, tools=(setup,))
    (asked,) = approver.asked
    wanted = plan(FakeClient([]), QWEN)
    assert asked == ApprovalRequest(wanted.run_id, 0, 0, setup, {"city": "Rome"}, 7, wanted.workspace)
    (told,), (decided,) = only(events, ApprovalAsked), only(events, ApprovalDecided)
    assert (told.step, told.name, told.seconds) == (0, "get_weather", 7)
    assert decided.decision == ApprovalDecision(True)


def test_a_tool_is_told_where_its_call_stands() -> None:
    class Notes(FakeTools):
        def __init__(self) -> None:
            super().__init__()
            self.places: list[object] = []

        async def run(self, setup: ToolSetup, call: object, place: object = None) -> ToolResult:
            self.places.append(place)
            return await super().run(setup, call, place)

    for mode, approver in ((ToolMode.MOCK, None), (ToolMode.ASK, Decides(ApprovalDecision(True)))):
        tools = Notes()
        wanted = plan(
            FakeClient([reply(), reply('{"city": "Oslo"}'), Reply("Done.")]), QWEN, tools=(ToolSetup(WEATHER, mode),)
        )
        events_of(wanted, tools, approver)
        assert tools.places == [CallPlace(wanted.run_id, at, wanted.workspace) for at in range(2)]


def test_results_are_cut_to_what_the_run_allows() -> None:
    target = Target(ModelRef("fake", "m"), QWEN.id, limits=RunLimits(result_characters=5))
    events = events_of(
        plan(FakeClient([reply(), Reply("Done.")]), QWEN, target=target, tools=(ToolSetup(WEATHER, ToolMode.MOCK),))
    )
    (finished,) = only(events, ToolFinished)
    assert str(finished.result.result).splitlines()[0] == "resul"
    assert end(events).codes[:1] == ("loop.result_too_large",)


def test_every_place_where_arguments_do_not_fit_is_told() -> None:
    class Strict:
        def problems(self, tool: object, arguments: object) -> list[tuple[tuple[str | int, ...], str]]:
            return [(("list", 0, "a"), "is no number"), ((), "has too little")]

    async def main() -> list[RunEvent]:
        from workbench.engine import run as run_engine

        wanted = plan(FakeClient([reply(), Reply("Done.")]), QWEN, tools=(ToolSetup(WEATHER, ToolMode.MOCK),))
        return [event async for event in run_engine(wanted, FakeTools(), Strict())]

    (finished,) = only(asyncio.run(main()), ToolFinished)
    assert (
        finished.result.error
        == "The arguments do not fit the schema: list.0.a: is no number; arguments: has too little"
    )
    assert [(one.code, one.message, one.name) for one in finished.problems] == [
        ("schema", "list.0.a: is no number", "get_weather"),
        ("schema", "arguments: has too little", "get_weather"),
    ]
