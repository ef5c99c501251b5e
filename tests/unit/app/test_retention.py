from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit import runs
from tests.kit.app import with_workbench
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.app import retention as module
from workbench.app.retention import keep_trimmed, of_settings, trim
from workbench.store.retention import Retention


def record(wb: Workbench, run_id: str, days_ago: float) -> None:
    at = int((time.time() - days_ago * 86_400) * 1e6)
    wb.store.record(run_id, [runs.started(run_id, at_us=at), *runs.make_run()[1:]])


def test_old_runs_of_every_origin_go_and_by_default_none(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        record(wb, "old", 400)
        record(wb, "new", 1)
        assert of_settings(wb) == Retention()
        assert trim(wb, of_settings(wb)) == 0
        assert trim(wb, Retention(days=365)) == 1
        assert [row.id for row in wb.store.list_runs()] == ["new"]

    with_workbench(home, body)


def test_the_history_follows_the_settings_while_a_program_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.01)

    async def body(wb: Workbench) -> None:
        record(wb, "old", 10)
        task = asyncio.get_running_loop().create_task(keep_trimmed(wb, lambda: of_settings(wb)))
        saved = wb.saved_settings
        wb.save(replace(saved, history=replace(saved.history, keep_days=3)))
        await until(lambda: not wb.store.count())
        task.cancel()

    with_workbench(home, body)
