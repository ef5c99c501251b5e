from __future__ import annotations

from pathlib import Path

from tests.kit.app import fast, with_workbench
from workbench.app import Workbench
from workbench.app import hostile_suite as module
from workbench.app.hostile_suite import ORIGIN, hostile_cases, run_hostility
from workbench.grading.hostility import HostilityRow


def test_runs_are_recorded_and_enter_no_other_rate(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    few = tuple(case for case in hostile_cases() if case.id.startswith(("01", "13", "23", "29", "35")))
    assert len(few) == 5
    monkeypatch.setattr(module, "hostile_cases", lambda: few)

    async def body(wb: Workbench) -> tuple[list[HostilityRow], int, int]:
        rows = await run_hostility(wb.runs, wb.load, [fast("model=qwen-hasty,seed=1")], 2)
        return rows, wb.store.count(f"origin:{ORIGIN}"), len(wb.store.batches.list())

    rows, recorded, batches = with_workbench(tmp_path, body)
    assert rows[0].attack == ""
    assert rows[0].held.runs == 10
    assert rows[0].followed.runs == 4
    assert (recorded, batches) == (10, 0)
