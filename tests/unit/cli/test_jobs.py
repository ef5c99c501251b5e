"""Jobs keep what an outcome is made of, and nothing heavy."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from tests.kit.playback import CALL, play, reply
from workbench.app import RunDraft
from workbench.cli.inputs import prompt_case
from workbench.cli.jobs import Job, Plan
from workbench.cli.options import TargetOptions
from workbench.core.events import ChunkReceived


def job() -> Job:
    case = prompt_case("hi")
    return Job("a", 0, RunDraft(case.messages, TargetOptions(provider="P", model="m").resolve()))


def test_bytes_are_left_out() -> None:
    kept = job()
    events = play(reply(CALL), reply("Done."))
    kept.take(events[:3])
    assert kept.run_id == events[0].run_id
    kept.take(events[3:])
    assert not [event for event in kept.facts if isinstance(event, ChunkReceived)]
    assert kept.outcome().state == "pass"
    assert job().run_id == ""


def test_the_number_comes_from_the_store() -> None:
    kept = job()

    async def ended() -> None:
        return None

    kept.handle = SimpleNamespace(run_id="r", wait=ended)  # type: ignore[assignment]
    asyncio.run(kept.finish(SimpleNamespace(find=lambda ref: SimpleNamespace(number={"r": 12}[ref]))))  # type: ignore[arg-type]
    assert kept.number == 12
    assert kept.outcome().number == 12


def test_the_size_of_a_plan() -> None:
    plan = Plan((prompt_case("a", case_id="x"), prompt_case("b", case_id="y")), TargetOptions(), repeat=3)
    assert plan.size == 6
