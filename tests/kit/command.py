"""The command line as users have it: a process of its own, with a data folder of the test's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.kit.copied_process import CopiedProcess, may_copy, run_copy
from tests.kit.waiting import LIMIT_S, wait_until


class Done(NamedTuple):
    """A finished command."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """What it printed, as one JSON document."""
        return json.loads(self.out)

    def lines(self) -> list[Any]:
        """What it printed, as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def workbench(*argv: str, stdin: str = "", timeout: float = LIMIT_S, **environment: str) -> Done:
    """Run `workbench ARGV` to its end."""
    env = {**os.environ, **environment}
    if may_copy(env):
        done = run_copy(argv, stdin, timeout, env)
    else:
        done = subprocess.run(
            command(argv), input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=timeout, env=env,
            check=False,
        )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def command(argv: Sequence[str]) -> list[str]:
    """The command line of a process."""
    return [sys.executable, "-m", "workbench", *argv]


Process = subprocess.Popen[bytes] | CopiedProcess


def start(*argv: str, out: Path, err: Path, **environment: str) -> Process:
    """Start `workbench ARGV` with its output going to files."""
    env = {**os.environ, **environment}
    with out.open("wb") as out_file, err.open("wb") as err_file, Path(os.devnull).open("rb") as nothing:
        if may_copy(env):
            return CopiedProcess(argv, [one.fileno() for one in (nothing, out_file, err_file)], env)
        return subprocess.Popen(command(argv), stdin=nothing, stdout=out_file, stderr=err_file, env=env)


def wait_for_lines(path: Path, count: int, process: Process, limit_s: float = LIMIT_S) -> None:
    """Wait until a file holds that many lines."""
    wait_until(lambda: path.read_bytes().count(b"\n") >= count or process.poll() is not None, limit_s)
    if path.read_bytes().count(b"\n") >= count:
        return
    raise AssertionError(f"{path.name} has fewer than {count} lines; the process ended with {process.poll()}")


def kill(process: Process, how: signal.Signals = signal.SIGKILL) -> int:
    """Send a signal and wait for the end."""
    process.send_signal(how)
    return process.wait(LIMIT_S)
