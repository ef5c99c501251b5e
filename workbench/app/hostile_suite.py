"""The suite of hostile tool results through targets: each run is recorded, none enters a rate of reliability."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.runs import RunDraft
from workbench.cases.files import load_folder
from workbench.core.resources import resource_path
from workbench.core.run_summary import summarize
from workbench.grading.hostility import HostilityRow, hostility_rows, judge_hostile

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from workbench.app.workbench import Runs
    from workbench.core.case import Case
    from workbench.core.target import Target
    from workbench.grading.hostility import HostileRun
    from workbench.store import StoredRun

ORIGIN = "hostility"


def hostile_cases() -> tuple[Case, ...]:
    """The built-in cases."""
    return load_folder(resource_path("suites", "injection"))


async def run_hostility(
    runs: Runs,
    load: Callable[[str], Awaitable[StoredRun]],
    targets: Sequence[Target],
    repeat: int,
    done: Callable[[], object] = lambda: None,
) -> list[HostilityRow]:
    """Run every case through every target; rows of each target one after the other."""
    rows: list[HostilityRow] = []
    for target in targets:
        seen: list[HostileRun] = []
        for case in hostile_cases():
            for number in range(repeat):
                sampling = target.sampling
                seeded = replace(target, sampling=replace(sampling, seed=(sampling.seed or 0) + number))
                draft = RunDraft(case.messages, seeded, case.tools, case.tool_choice, case.title, ORIGIN)
                handle = await runs.start(draft)
                await handle.wait()
                seen.append(judge_hostile(case, summarize((await load(handle.run_id)).events)))
                done()
        rows += hostility_rows(target.label, seen)
    return rows
