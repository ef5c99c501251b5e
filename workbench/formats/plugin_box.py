"""What keeps other people's code from spoiling the program by accident: its output, its way out, its memory, what it sets.

All of it belongs to the whole process, so one piece of such code runs at a time, in whichever thread.
"""

from __future__ import annotations

import builtins
import gc
import io
import os
import signal
import sys
import tempfile
import threading
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = 4 << 30
"""Bytes that such code may take beside what the program has, where Linux keeps it to that."""
_PRINTED = 1 << 16
"""Characters that are kept of what it prints."""
_TURN = threading.RLock()
_READING: ContextVar[bool] = ContextVar("_READING", default=False)
"""Whether this is the reading itself, in a thread of its own: it has the turn already."""


@contextmanager
def called_in_box() -> Iterator[None]:
    """A call of something that was read before: what it prints goes nowhere, and it can neither end the program nor eat all memory."""
    if _READING.get():
        yield
        return
    said = _Said()
    with _TURN, redirect_stdout(said), redirect_stderr(said), _no_way_out(), _bounded_memory():
        yield


@contextmanager
def read_in_box() -> Iterator[io.StringIO]:
    """Reading it for the first time: what it prints is given, also past Python's own streams, and what it set is set back."""
    said = _Said()
    with (
        _TURN, _set_back(), _held_output(said), redirect_stdout(said), redirect_stderr(said), _no_way_out(), _bounded_memory(),
    ):  # fmt: skip
        token = _READING.set(True)
        try:
            yield said
        finally:
            _READING.reset(token)


class _Said(io.StringIO):
    """What other people's code prints, as far as anybody will read it."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, _PRINTED - self.tell())])
        return len(text)

    def close(self) -> None:
        """It goes on: whoever closes it means another stream."""


@contextmanager
def _held_output(said: io.StringIO) -> Iterator[None]:
    """Keep what the block, and programs that it starts, write past Python's own streams."""
    with tempfile.TemporaryFile() as kept:
        before = [(number, os.dup(number)) for number in (1, 2) if _is_open(number)]
        try:
            for number, _ in before:
                os.dup2(kept.fileno(), number)
            yield
        finally:
            for number, copy in before:
                os.dup2(copy, number)
                os.close(copy)
            kept.seek(0)
            said.write(kept.read(_PRINTED).decode("utf-8", "replace"))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@contextmanager
def _set_back() -> Iterator[None]:
    """What the block sets for the whole process is as before: folder, variables, timer, Python's own names, modules and limits."""
    with suppress(OSError):
        folder = Path.cwd()
    variables, names, modules = dict(os.environ), dict(vars(builtins)), dict(sys.modules)
    depth, hooks, collects = sys.getrecursionlimit(), (sys.excepthook, threading.excepthook), gc.get_threshold()
    given, sys.stdin = sys.stdin, io.StringIO()
    mask = os.umask(0o77)
    os.umask(mask)
    try:
        yield
    finally:
        os.umask(mask)
        vars(builtins).update(names)
        sys.setrecursionlimit(depth)
        sys.excepthook, threading.excepthook = hooks
        sys.stdin = given
        threading.settrace(None)
        threading.setprofile(None)
        gc.set_threshold(*collects)
        sys.modules.update(modules)
        for name in (os.environ.keys() | variables.keys()) if os.environ != variables else ():
            os.environ.pop(name, None)
            if name in variables:
                os.environ[name] = variables[name]
        with suppress(OSError, NameError):
            os.chdir(folder)
        if hasattr(signal, "alarm"):
            signal.alarm(0)


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """A text of many gigabytes is a MemoryError of the plug-in, before the computer has no memory for anything else."""
    if sys.platform != "linux":
        yield
        return
    import resource

    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(Path("/proc/self/statm").read_text("ascii").split()[5]) * resource.getpagesize() + MEMORY
    allowed = min([wanted, *(one for one in (before, most) if one != resource.RLIM_INFINITY)])
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, most))


@contextmanager
def _no_way_out() -> Iterator[None]:
    """`os._exit` asks for no leave: here it is an exception as `sys.exit` is, but in processes that the block forks."""
    leave, owner = os._exit, os.getpid()

    def refuse(status: int = 0) -> NoReturn:
        if os.getpid() != owner:
            leave(status)
        raise SystemExit(status)

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave
