from __future__ import annotations

from tests.kit.engine_run import QWEN
from tests.kit.fakes import FakeClient, FakeClock, FakeTools, RequiredOnly, plan
from workbench.core.events import StepReply, StepRole
from workbench.core.exchange import Usage
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
