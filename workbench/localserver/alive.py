"""Whether a process still runs and is the one that we mean, and how it is ended with all its children.

Process numbers are used again, so a number alone is never trusted: the moment at which the process began goes with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

GRACE_S = 5.0
"""From the polite request to the hard end."""
_STEP_S = 0.03


def identity(pid: int) -> str:
    """What tells this process from a later one of the same number; empty if it does not run."""
    if sys.platform == "win32":
        return _windows_birth(pid)
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            return ""
        return "" if fields[0] in "ZX" else f"{fields[19]}@{_boot()}"
    done = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    state, _, birth = done.stdout.strip().partition(" ")
    return "" if not birth or state.startswith("Z") else " ".join(birth.split())


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _windows_birth(pid: int) -> str:
    """The process's time of creation, from the system."""
    import ctypes

    kernel: Any = ctypes.__dict__["windll"].kernel32
    handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return ""
    try:
        times = [ctypes.c_ulonglong() for _ in range(4)]
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        fine = kernel.GetProcessTimes(handle, *(ctypes.byref(one) for one in times))
        return str(times[0].value) if fine and code.value == 259 else ""  # 259: STILL_ACTIVE
    finally:
        kernel.CloseHandle(handle)


def is_running(pid: int, born: str) -> bool:
    """Whether the process of that number and birth still runs."""
    return bool(born) and identity(pid) == born


def left_behind(group: int, mark: str) -> bool:
    """Whether a group lives on without its leader, with a process whose command line holds `mark`.

    A script that starts the server may die before it. As long as a group lives, its number is not used again.
    """
    if sys.platform == "win32" or not mark or not Path("/proc/self/stat").exists():
        return False
    for place in Path("/proc").iterdir():
        if place.name.isdigit() and place.name != str(group):
            try:
                fields = (place / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
                if int(fields[2]) == group and mark.encode() in (place / "cmdline").read_bytes():
                    return True
            except (OSError, IndexError, ValueError):
                continue
    return False


def end_group(pid: int, grace_s: float = GRACE_S) -> bool:
    """End a process that leads its own group, with all its children: politely first. Say whether it is gone."""
    for how in ("SIGTERM", "SIGKILL"):
        if not _send(pid, how):
            return True
        until = time.monotonic() + grace_s
        while time.monotonic() < until:
            _reap(pid)
            if not _group_runs(pid):
                return True
            time.sleep(_STEP_S)
    return not _group_runs(pid)


def _send(pid: int, how: str) -> bool:
    """Send a signal to the group; False if there is nobody left."""
    try:
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, getattr(signal, how))
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _reap(pid: int) -> None:
    """Let go of our own dead child, which would otherwise count as running."""
    if sys.platform != "win32":
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return


def _group_runs(pid: int) -> bool:
    if sys.platform == "win32":
        return bool(identity(pid))
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so of a group of dead ones
        return bool(identity(pid))
    return True
