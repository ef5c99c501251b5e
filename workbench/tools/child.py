"""A program of somebody else, run by a keeper process with limits on time, output, processes, memory and file size."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from workbench.core.errors import ToolError
from workbench.core.json_text import parse_json

KEEPER = Path(__file__).with_name("keeper.py")
PATHS = ("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin")
"""Where programs are looked for: folders of the system, never the user's own."""
_SUPPORTED = os.name == "posix"


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """What one program may use."""

    seconds: float = 20.0
    output: int = 256 * 1024
    """Bytes of standard output and error together."""
    processes: int = 32
    memory: int = 1 << 30
    """Resident bytes of all its processes together."""
    file_bytes: int = 64 << 20
    """Of each file that it writes."""


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """How a program ended."""

    exit: int | None
    """Exit status; None where a signal or a limit ended it."""
    signal: int | None = None
    reason: str = ""
    """The limit that was reached: `time`, `output`, `processes`, `memory`; or `stopped`."""
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    left: int = 0
    """Processes that could not be killed."""

    def trouble(self, limits: ChildLimits) -> str:
        """Why it did not end by itself, in a sentence; empty if it did."""
        said = {
            "time": f"Stopped after {limits.seconds:g} seconds.",
            "output": f"Stopped: it wrote more than {limits.output:,} bytes.",
            "processes": f"Stopped: it had more than {limits.processes} processes.",
            "memory": f"Stopped: it used more than {limits.memory:,} bytes of memory.",
            "stopped": "Stopped.",
        }
        if self.reason:
            return said[self.reason]
        return f"Ended by signal {signal_name(self.signal)}." if self.signal is not None else ""


@dataclass(frozen=True, slots=True)
class Program:
    """What to run."""

    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str] = field(default_factory=dict)
    """The whole environment."""
    stdin: bytes = b""
    inside: tuple[str, ...] = ()
    """Folders that it is kept in by Landlock, the system read-only beside them; none: it is not kept in."""


def clean_environment(home: str) -> dict[str, str]:
    """An environment with a home of its own, and nothing of ours: no keys, no settings."""
    return {
        "PATH": os.pathsep.join(PATHS),
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "PAGER": "cat",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


async def run_child(program: Program, limits: ChildLimits) -> ChildEnd:
    """Run it to its end; a cancel kills all of it first. Raise ToolError where it cannot be started."""
    if not _SUPPORTED:
        raise ToolError("Programs cannot be run with limits on this system.", hint="Mock the tool here.")
    keeper = await asyncio.to_thread(_start)
    waiting = asyncio.get_running_loop().run_in_executor(None, _converse, keeper, program, limits)
    try:
        return _read(await asyncio.shield(waiting))
    except asyncio.CancelledError:
        _hang_up(keeper)
        with contextlib.suppress(asyncio.TimeoutError, ToolError):
            await asyncio.wait_for(asyncio.shield(waiting), 5)
        raise


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(KEEPER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.pathsep.join(PATHS), "LANG": "C.UTF-8"},
        cwd="/",
        start_new_session=True,
    )


def _converse(keeper: subprocess.Popen[bytes], program: Program, limits: ChildLimits) -> bytes:
    """Tell the keeper what to run and wait for its line, in a thread."""
    wanted = asdict(program) | {"stdin": base64.b64encode(program.stdin).decode(), "limits": asdict(limits)}
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        keeper.stdin.write(json.dumps(wanted).encode() + b"\n")
        keeper.stdin.flush()
    line = keeper.stdout.readline()
    _hang_up(keeper)
    keeper.stdout.close()
    keeper.wait()
    return line


def _hang_up(keeper: subprocess.Popen[bytes]) -> None:
    """The end of its input tells the keeper to kill everything."""
    assert keeper.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        keeper.stdin.close()


def _read(line: bytes) -> ChildEnd:
    try:
        report: dict[str, Any] = parse_json(line)
    except ValueError as error:
        raise ToolError("The process that watches over the program died.") from error
    if "error" in report:
        raise ToolError(f"The program cannot be started: {report['error']}.")
    return ChildEnd(
        report["exit"],
        report["signal"],
        report["reason"],
        base64.b64decode(report["stdout"]),
        base64.b64decode(report["stderr"]),
        report["seconds"],
        report["left"],
    )


def signal_name(number: int | None) -> str:
    """A signal as people call it."""
    try:
        return signal.Signals(number or 0).name
    except ValueError:
        return str(number)
