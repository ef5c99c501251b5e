from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.fake_llama_server import alive, executable
from tests.kit.waiting import wait_until
from workbench.localserver.alive import end_group, identity, is_running, left_behind

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x', flush=True); time.sleep(60)",
]


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(SLEEP, start_new_session=True)
    yield process
    process.kill()
    process.wait()


def test_a_process_is_known_by_number_and_birth(child: subprocess.Popen[bytes]) -> None:
    born = identity(child.pid)
    assert born
    assert is_running(child.pid, born)
    assert not is_running(child.pid, "")
    assert not is_running(child.pid, identity(os.getpid()))
    child.kill()
    assert wait_until(lambda: identity(child.pid) == ""), "a dead child that nobody waited for does not run"


def test_a_group_is_ended_politely_with_its_children(tmp_path: Path) -> None:
    starter = executable(
        tmp_path / "starter", f"#!/bin/sh\n{sys.executable} -c 'import time; time.sleep(60)' &\nwait\n"
    )
    process = subprocess.Popen([starter], start_new_session=True)
    time.sleep(0.3)
    assert end_group(process.pid, 3)
    assert not alive(process.pid)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    process.wait()


def test_process_ignoring_sigterm_is_killed() -> None:
    with subprocess.Popen(STUBBORN, start_new_session=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert end_group(process.pid, 0.3)
    assert not alive(process.pid)
    assert end_group(process.pid), "a second time does no harm"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are listed in /proc on Linux only")
def test_leaderless_group_is_found_by_command_line(tmp_path: Path) -> None:
    mark = str(tmp_path / "model.gguf")
    program = f"{sys.executable} -c 'import time; time.sleep(60)' {mark} &"
    starter = executable(tmp_path / "starter", f"#!/bin/sh\n{program}\n")
    process = subprocess.Popen([starter], start_new_session=True)
    process.wait()
    try:
        assert wait_until(lambda: left_behind(process.pid, mark))
        assert left_behind(process.pid, mark)
        assert not left_behind(process.pid, "another model")
        assert not left_behind(process.pid, "")
    finally:
        assert end_group(process.pid)
    assert not left_behind(process.pid, mark)
