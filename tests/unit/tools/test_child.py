from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.core.errors import ToolError
from workbench.tools.child import ChildLimits, Program, clean_environment, run_child


def run(*argv: str, stdin: bytes = b"", limits: ChildLimits = ChildLimits(seconds=10)):  # noqa: B008
    return asyncio.run(run_child(Program(argv, "/", clean_environment("/tmp"), stdin), limits))


def test_output_error_and_status_come_back() -> None:
    end = run("/bin/sh", "-c", "echo out; echo err >&2; exit 3")
    assert (end.stdout, end.stderr, end.exit, end.reason, end.left) == (b"out\n", b"err\n", 3, "", 0)


def test_a_large_input_reaches_the_program() -> None:
    end = run("/usr/bin/wc", "-c", stdin=b"x" * 500_000)
    assert end.stdout.split() == [b"500000"]


def test_unread_input_is_no_error() -> None:
    assert run("/bin/true", stdin=b"x" * 500_000).exit == 0


def test_a_signal_is_named() -> None:
    end = run("/bin/sh", "-c", "kill -SEGV $$")
    assert end.trouble(ChildLimits()) == "Ended by signal SIGSEGV."


def test_missing_program_is_an_error() -> None:
    with pytest.raises(ToolError, match="cannot be started"):
        run("/no/such/program")


def test_the_environment_holds_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret")
    end = run("/usr/bin/env")
    assert b"sk-very-secret" not in end.stdout
    assert b"HOME=/tmp" in end.stdout


def test_a_cancel_kills_the_whole_tree() -> None:
    async def main() -> None:
        program = Program(("/bin/sh", "-c", "sleep 4711 & setsid sleep 4711 & wait"), "/", clean_environment("/tmp"))
        task = asyncio.ensure_future(run_child(program, ChildLimits(seconds=60)))  # noqa: TID251
        while len(sleepers()) < 2:
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert gone()


def test_kill_9_of_the_program_itself_leaves_nothing(tmp_path: Path) -> None:
    code = (
        "import asyncio\n"
        "from workbench.tools.child import *\n"
        "program = Program(('/bin/sh', '-c', 'setsid sleep 4711 & sleep 4711'), '/', clean_environment('/tmp'))\n"
        "asyncio.run(run_child(program, ChildLimits(seconds=60)))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    while len(sleepers()) < 2:
        time.sleep(0.02)

    process.send_signal(signal.SIGKILL)
    process.wait()

    assert gone()


def sleepers() -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"sleep\0004711"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def gone() -> bool:
    for _ in range(100):
        if not sleepers():
            return True
        time.sleep(0.05)
    for pid in sleepers():
        os.kill(pid, signal.SIGKILL)
    return False
