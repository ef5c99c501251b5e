"""Simulated models through the whole application: what was put in is what the record shows."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

from tests.kit.simulated import ASK, TOOLS
from workbench.app import RunDraft, Workbench
from workbench.core.events import PlannerRead, ResponseStarted, RunEvent, RunFinished, StepFinished
from workbench.core.messages import Message
from workbench.core.target import ModelRef, Sampling, Target
from workbench.core.tools import ToolMode, ToolSetup
from workbench.simulate.personas import PERSONAS

RUNS = 120


def _draft(model: str, seed: int, *, planner: str = "", mode: ToolMode = ToolMode.RECORD, ask: str = ASK) -> RunDraft:
    target = Target(
        ModelRef("simulator", model),
        planner=ModelRef("simulator", planner) if planner else None,
        sampling=Sampling(seed=seed, extra={"simulate": {"tokens_per_second": 0}}),
    )
    return RunDraft((Message("user", ask),), target, tuple(ToolSetup(tool, mode) for tool in TOOLS))


async def _record(wb: Workbench, draft: RunDraft) -> tuple[RunEvent, ...]:
    handle = await wb.runs.start(draft)
    await handle.wait()
    return (await wb.load(handle.run_id)).events


def _wilson(hits: int, draws: int, z: float = 2.58) -> tuple[float, float]:
    rate, square = hits / draws, z * z / draws
    middle = (rate + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(rate * (1 - rate) / draws + square / draws / 4)
    return middle - half, middle + half


SHOWN_AS = {"no close tag": "missing_close_tag", "trailing comma": "trailing_comma"}
"""Fault → the repair under which a parser reports it."""


def test_the_record_recovers_the_true_rates(home: Path) -> None:
    async def body() -> list[tuple[list[str], set[str]]]:
        seen = []
        async with Workbench.open(home) as wb:
            for seed in range(RUNS):
                events = await _record(wb, _draft("qwen-hasty", seed))
                head = next(event for event in events if isinstance(event, ResponseStarted))
                reply = next(event.reply for event in events if isinstance(event, StepFinished))
                told = dict(head.headers).get("x-simulated-faults", "").split("; ")
                seen.append((told, {repair for call in reply.result.calls for repair in call.repairs}))
        return seen

    seen = asyncio.run(body())
    for fault, repair in SHOWN_AS.items():
        assert all((fault in told) == (repair in repairs) for told, repairs in seen)
        low, high = _wilson(sum(repair in repairs for _, repairs in seen), RUNS)
        assert low <= PERSONAS["qwen-hasty"].rates[fault] <= high


def test_a_stubborn_executor_is_moved_by_the_third_boost_round_at_last(home: Path) -> None:
    async def body() -> set[tuple[str, ...]]:
        stories = set()
        async with Workbench.open(home) as wb:
            for seed in range(30):
                events = await _record(wb, _draft("aux-stubborn", seed, planner="plain", mode=ToolMode.MOCK))
                finished = next(event for event in events if isinstance(event, RunFinished))
                kinds = [event.reply.kind.value for event in events if isinstance(event, PlannerRead)]
                assert 1 <= len(kinds) <= 3
                stories.add((*kinds, finished.stop.value))
        return stories

    stories = asyncio.run(body())
    assert ("GUIDANCE", "GUIDANCE", "answer") in stories
    assert ("OTHER", "GUIDANCE", "GUIDANCE", "answer") in stories


def test_every_persona_ends_every_run(home: Path) -> None:
    async def body() -> None:
        async with Workbench.open(home) as wb:
            for name, persona in PERSONAS.items():
                ask = "Say hello." if persona.planner else ASK
                events = await _record(wb, _draft(name, 1, mode=ToolMode.MOCK, ask=ask))
                finished = next(event for event in events if isinstance(event, RunFinished))
                if persona.takes_tools:
                    assert finished.error is None
                assert "<tool_call>" not in finished.answer

    asyncio.run(body())
