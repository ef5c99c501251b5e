"""One run of `workbench run`."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from workbench.app import RunDraft
from workbench.cli.inputs import prompt_case
from workbench.cli.options import TargetOptions
from workbench.cli.run_job import Job


def test_the_number_of_a_job_comes_from_the_store() -> None:
    draft = RunDraft(prompt_case("hi").messages, TargetOptions(provider="P", model="m").resolve())
    job = Job("a", 0, draft)

    async def ended() -> None:
        return None

    job.handle = SimpleNamespace(run_id="r", wait=ended)  # type: ignore[assignment]
    asyncio.run(job.finish(SimpleNamespace(find=lambda ref: SimpleNamespace(number={"r": 12}[ref]))))  # type: ignore[arg-type]
    assert job.number == 12
