"""The window photographed by a process of its own, on a recorded run or without one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.history import record
from tests.kit.playback import CALL, play, reply
from tests.kit.waiting import LIMIT_S
from workbench.cli.picture import CHILD


def portrait(place: Path, run_id: str, home: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CHILD, str(place), run_id, str(home)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)


@pytest.mark.parametrize("chosen", [True, False])
def test_a_picture_of_the_usual_size(tmp_path: Path, home: Path, chosen: bool) -> None:
    events = play(reply(CALL), reply("It is clear."))
    if chosen:
        record(events)
    place = tmp_path / "window.png"
    done = portrait(place, events[0].run_id if chosen else "", home)
    assert done.returncode == 0, done.stderr
    data = place.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (1440, 900)
    assert len(data) > 20_000


def test_unwritable_place(tmp_path: Path, home: Path) -> None:
    done = portrait(tmp_path / "no" / "window.png", "", home)
    assert done.returncode == 2
    assert "could not be written" in done.stderr
    assert "Traceback" not in done.stderr
