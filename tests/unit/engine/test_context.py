from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.engine_run import QWEN
from tests.kit.fakes import FakeClient, FakeClock, FakeTools, RequiredOnly, plan
from workbench.core.events import StepReply, StepRole
from workbench.core.exchange import Usage
from workbench.core.target import ModelRef, RunLimits, Target
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
