"""A run far from UTC: stored and printed in UTC, found by the user's own days, replayed as it was."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.kit.command import workbench

HOUR_S = 3600


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"])
def test_a_run_in_another_time_zone(zone: str, home: Path) -> None:
    before = time.time()
    done = workbench("run", "--provider", "Simulator", "--model", "mistral-steady", "--json", "-q", "hello", TZ=zone)
    assert done.code == 0, done.err
    (row,) = workbench("history", "--json", TZ=zone).json()
    started = datetime.strptime(row["started"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp()
    assert before - 1 <= started <= time.time()
    with closing(sqlite3.connect(home / "workbench.db")) as raw:
        (stored,) = raw.execute("SELECT started_us FROM runs").fetchone()
    assert stored // 1_000_000 == int(started)

    day, later = (
        datetime.fromtimestamp(moment, ZoneInfo(zone)).strftime(form)
        for moment, form in ((started, "%Y-%m-%d"), (started + HOUR_S, "%Y-%m-%dT%H:%M"))
    )
    found = workbench("history", f"since:{day}", f"before:{later}", "--json", TZ=zone).json()
    assert [item["id"] for item in found] == [row["id"]]
    assert workbench("history", f"since:{later}", "--json", TZ=zone).json() == []
    assert workbench("replay", "--all", "--mode", "offline", TZ="UTC").out == "1 same\n"
