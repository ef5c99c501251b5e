"""Which processes keep the write lock of an SQLite file, and whether they work or sleep, as Linux tells.

SQLite locks a byte of a file: in write-ahead logging one of the shared memory beside it, else one of the file itself
(https://www.sqlite.org/walformat.html, section 2.3.1, and https://www.sqlite.org/lockingv3.html). Elsewhere than on
Linux nobody is found.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOCKS, _PROCESSES = Path("/proc/locks"), Path("/proc")
_LOG_BYTE, _RESERVED_BYTE = 120, 0x40000001
_WAITING_FOR_DISK = "D"


class Holder(NamedTuple):
    """A process, and what it had done when it was looked at."""

    process: int
    name: str
    """Of its program, as the system has it: at most fifteen characters, no arguments."""
    ticks: int
    """Of the system's clock, for as long as it computed."""
    waits_for_disk: bool


def write_holders(database: Path) -> list[Holder]:
    """Who keeps the lock now; empty where nobody does, or where the system does not tell."""
    places = {
        place
        for file, byte in ((database.with_name(f"{database.name}-shm"), _LOG_BYTE), (database, _RESERVED_BYTE))
        if (place := _place(file, byte))
    }
    try:
        lines = _LOCKS.read_text("ascii", "replace").splitlines()
    except OSError:
        return []
    found = (_process_of(line, places) for line in lines)
    return [holder for process in sorted({process for process in found if process}) if (holder := _look_at(process))]


def have_worked(before: Sequence[Holder], after: Sequence[Holder], waited_s: float) -> bool:
    """Whether the lock is not just forgotten: somebody new has it, or waits for the disk, or computed a twentieth of the time."""
    known = {holder.process: holder.ticks for holder in before}
    least = os.sysconf("SC_CLK_TCK") * waited_s / 20 if after else 0
    return any(
        holder.waits_for_disk or holder.process not in known or holder.ticks - known[holder.process] >= least
        for holder in after
    )


def _place(file: Path, byte: int) -> tuple[str, int] | None:
    try:
        return str(file.stat().st_ino), byte
    except OSError:
        return None


def _process_of(line: str, places: set[tuple[str, int]]) -> int:
    """Read `1: POSIX ADVISORY WRITE 4711 fe:00:1234 120 120`; 0 if it is not a lock of those places."""
    match line.split():
        case [_, "POSIX", _, "WRITE", process, where, first, last] if process.isdigit() and first.isdigit():
            inode, end = where.rpartition(":")[2], int(last) if last.isdigit() else sys.maxsize
            if any(inode == known and int(first) <= byte <= end for known, byte in places):
                return int(process)
    return 0


def _look_at(process: int) -> Holder | None:
    try:
        told = (_PROCESSES / str(process) / "stat").read_text("utf-8", "replace")
    except OSError:
        return None
    name, _, rest = told.partition("(")[2].rpartition(")")
    fields = rest.split()
    return Holder(process, name, int(fields[11]) + int(fields[12]), fields[0] == _WAITING_FOR_DISK)
