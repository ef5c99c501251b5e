from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.engine_run import QWEN
from tests.kit.fakes import FakeClient, FakeClock, FakeTools, RequiredOnly, plan
from workbench.core.approvals import NobodyToAsk
from workbench.core.events import StepReply, StepRole, Totals
from workbench.core.exchange import Usage
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.core.tools import CallPlace
from workbench.engine.context import RunContext
from workbench.engine.request import first_request


def test_steps_are_numbered_and_summed_up() -> None:
    wanted = plan(FakeClient([]), QWEN)
    context = RunContext(wanted, FakeTools(), RequiredOnly(), FakeClock())
    for number in range(3):
        step = context.step(0, StepRole.EXECUTOR, wanted.executor, first_request(wanted), ())
        assert step.number == number
        step.reply = StepReply(usage=Usage(10, None if number else 4))
    totals = context.totals()
    assert (totals.steps, totals.input_tokens, totals.output_tokens) == (3, 30, 4)


def test_time_is_counted_from_the_runs_start() -> None:
    clock = FakeClock()
    context = RunContext(plan(FakeClient([]), QWEN), FakeTools(), RequiredOnly(), clock)
    start = clock.ticks
    assert context.offset(start + 5000) == 5000
    assert context.since() == 1000


@pytest.mark.parametrize(
    ("limits", "reached"),
    [
        (RunLimits(tokens=30), ""),
        (RunLimits(tokens=29), "limit of 29 tokens reached"),
        (RunLimits(cost=0.00009), ""),
        (RunLimits(cost=85 / 1e6), "limit of cost 8.5e-05 reached"),
        (RunLimits(cost=0.00008), "limit of cost 8e-05 reached"),
    ],
)
def test_a_limit_counts_what_providers_told(limits: RunLimits, reached: str) -> None:
    """A step whose provider tells no usage, or a half of it, counts nothing for the rest."""
    wanted = plan(FakeClient([]), QWEN, target=Target(ModelRef("fake", "m"), QWEN.id, limits=limits))
    executor = replace(wanted.executor, info=replace(wanted.executor.info, price=(2.0, 5.0)))
    context = RunContext(wanted, FakeTools(), RequiredOnly(), FakeClock())
    for usage in (Usage(20, None), Usage(None, 9), Usage()):
        context.step(0, StepRole.EXECUTOR, executor, first_request(wanted), ()).reply = StepReply(usage=usage)
    assert context.over_limit() is bool(reached)
    assert context.limit == reached


def context_of(limits: RunLimits) -> RunContext:
    wanted = plan(FakeClient([]), QWEN, target=Target(ModelRef("fake", "m"), QWEN.id, limits=limits))
    return RunContext(wanted, FakeTools(), RequiredOnly(), FakeClock())


def test_a_run_begins_with_nothing_done() -> None:
    context = context_of(RunLimits())
    assert (context.steps, context.calls, context.limit) == ([], 0, "")
    assert context.started_us == FakeClock().now_us() + 1000
    assert context.totals() == Totals(duration_us=1000)
    assert isinstance(context.approver, NobodyToAsk)
    chosen = NobodyToAsk()
    assert RunContext(context.plan, FakeTools(), RequiredOnly(), FakeClock(), chosen).approver is chosen


def test_only_an_executor_reads_calls_of_tools() -> None:
    context = context_of(RunLimits())
    request = first_request(context.plan)
    executor, planner = (
        context.step(1, role, context.plan.executor, request, ("n",)) for role in (StepRole.EXECUTOR, StepRole.PLANNER)
    )
    assert (executor._tools, planner._tools) == (context.plan.specs, ())
    assert [(one.number, one.loop, one.role) for one in (executor, planner)] == [
        (0, 1, StepRole.EXECUTOR),
        (1, 1, StepRole.PLANNER),
    ]


def test_the_place_of_a_call_counts_earlier_ones_of_the_same_tool() -> None:
    context = context_of(RunLimits())
    context.plan = replace(context.plan, workspace="files")
    run_id, workspace = context.plan.run_id, context.plan.workspace
    assert [context.place(tool) for tool in ("a", "b", "a", "a")] == [
        CallPlace(run_id, earlier, workspace) for earlier in (0, 0, 1, 2)
    ]


@pytest.mark.parametrize(
    ("limits", "made", "reached"),
    [
        (RunLimits(calls=2), 1, ""),
        (RunLimits(calls=2), 2, "limit of 2 tool calls reached"),
        (RunLimits(calls=2), 3, "limit of 2 tool calls reached"),
        (RunLimits(calls=0), 3, ""),
        (RunLimits(seconds=0.002), 0, ""),
        (RunLimits(seconds=0.001), 0, "limit of 0.001 seconds reached"),
        (RunLimits(seconds=0.001, calls=1), 1, "limit of 1 tool calls reached"),
        (RunLimits(tokens=1), 0, ""),
        (RunLimits(cost=0.01), 0, ""),
    ],
)
def test_the_first_limit_that_is_reached_is_named(limits: RunLimits, made: int, reached: str) -> None:
    """The clock of this test stands one millisecond behind the start when it is asked."""
    context = context_of(limits)
    for number in range(made):
        context.place(f"tool {number}")
    assert (context.over_limit(), context.limit) == (bool(reached), reached)


def test_a_limit_of_many_tokens_is_written_in_groups() -> None:
    context = context_of(RunLimits(tokens=12_000))
    context.step(0, StepRole.EXECUTOR, context.plan.executor, first_request(context.plan), ()).reply = StepReply(
        usage=Usage(11_000, 1_000)
    )
    assert (context.over_limit(), context.limit) == (True, "limit of 12,000 tokens reached")


def test_a_model_without_a_price_costs_nothing() -> None:
    context = context_of(RunLimits(cost=1e-9))
    context.step(0, StepRole.EXECUTOR, context.plan.executor, first_request(context.plan), ()).reply = StepReply(
        usage=Usage(10**9, 10**9)
    )
    assert not context.over_limit()


def test_totals_are_sums_of_all_that_was_told() -> None:
    context = context_of(RunLimits())
    for usage in (Usage(1, 2), Usage(None, 4), Usage(8, None)):
        context.step(0, StepRole.EXECUTOR, context.plan.executor, first_request(context.plan), ()).reply = StepReply(
            usage=usage
        )
    context.calls = 5
    assert context.totals() == Totals(steps=3, calls=5, input_tokens=9, output_tokens=6, duration_us=1000)
