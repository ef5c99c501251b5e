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
from workbench.gateway.exchange_retention import keep_trimmed, measure, of_settings, trim
from workbench.store.retention import Retention


def record(wb: Workbench, run_id: str, days_ago: float, origin: str = "gateway") -> None:
    at = int((time.time() - days_ago * 86_400) * 1e6)
    wb.store.record(run_id, [runs.started(run_id, at_us=at, origin=origin), *runs.make_run()[1:]])


def test_exchanges_older_than_so_many_days_are_removed(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        record(wb, "a", 10)
        record(wb, "b", 10, "try")
        record(wb, "c", 1)
        assert trim(wb, Retention()) == 0
        assert trim(wb, Retention(days=7)) == 1
        assert sorted(row.id for row in wb.store.list_runs()) == ["b", "c"]
        assert measure(wb).runs == 1

    with_workbench(home, body)


def test_what_is_kept_follows_the_settings_while_it_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.01)

    async def body(wb: Workbench) -> None:
        record(wb, "a", 10)
        assert of_settings(wb) == Retention()
        task = asyncio.get_running_loop().create_task(keep_trimmed(wb))
        saved = wb.saved_settings
        wb.save(replace(saved, gateway=replace(saved.gateway, keep_days=3)))
        await until(lambda: not wb.store.count())
        task.cancel()

    with_workbench(home, body)
