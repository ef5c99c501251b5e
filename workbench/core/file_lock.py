"""Locks between programs: a file that one process at a time holds. The system gives it back when that process dies."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from workbench.core.atomic_files import not_written
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.whole_files import opened_without_waiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        """Raise BlockingIOError where another holder has it, OSError where nothing can be locked."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(file: IO[bytes]) -> bool:
    """Take the lock of an open file; False where another holder has it, and where nothing can be locked."""
    try:
        _take(file)
    except OSError:
        return False
    return True


_PAUSE_S = 0.005


@contextmanager
def locked(path: Path, wait_s: float = 10.0, error: type[WorkbenchError] = InvalidInput) -> Iterator[None]:
    """Hold the lock of a file inside the block; the file is made if needed and stays. Folders are not made.

    Raise `error` where the file cannot be made, or somebody else holds it for longer than `wait_s` seconds.
    """
    try:
        file = open(path, "ab", opener=opened_without_waiting)  # noqa: SIM115 - pathlib has no openers
    except OSError as problem:
        raise not_written(path, problem, error) from problem
    with file:
        _wait_for(file, path, wait_s, error)
        yield


def _wait_for(file: IO[bytes], path: Path, wait_s: float, error: type[WorkbenchError]) -> None:
    end = time.monotonic() + wait_s
    while True:
        try:
            return _take(file)
        except (BlockingIOError, PermissionError) as held:
            if time.monotonic() > end:
                raise error(f"Another program holds {str(path)!r}.", hint="Try again when it is done.") from held
        except OSError as problem:  # such as a network file system without locks
            raise not_written(path, problem, error) from problem
        time.sleep(_PAUSE_S)
