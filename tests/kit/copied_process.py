"""Processes that begin as copies of one that has imported the command line already.

A command is a process of its own with arguments, environment, folder and streams of its own; only its imports, which cost
more than most commands, are done once for each process of the test run. POSIX alone can copy a process.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_ROOMS = (
    "cli",
    "cases",
    "export",
    "formats",
    "gateway",
    "grading",
    "imports",
    "replay",
    "scan",
    "store",
    "tools",
    "wires",
)
"""What commands import when they need it."""
BEGIN = "import sys; from tests.kit.copied_process import serve; sys.exit(serve(int(sys.argv[1])))"


def may_copy(environment: Mapping[str, str]) -> bool:
    """Whether a copy would behave as a new process: what Python itself reads when it begins is as it was here."""
    return hasattr(os, "fork") and _of_python(environment) == _of_python(_AT_START)


class CopiedProcess:
    """A command under way; asked for its end as a `subprocess.Popen` is."""

    def __init__(
        self, argv: Sequence[str], streams: Sequence[int], environment: Mapping[str, str], folder: Path | None = None
    ) -> None:
        """`streams`: input, output, errors; they stay the caller's own."""
        self.args = list(argv)
        self.returncode: int | None = None
        self._told, its = socket.socketpair()
        with its:
            _origin().begin([*streams, its.fileno()])
        self.pid = self._number()
        order = {"argv": self.args, "environment": dict(environment), "folder": str(folder or Path.cwd())}
        self._told.sendall(json.dumps(order).encode())
        self._told.shutdown(socket.SHUT_WR)

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; raise TimeoutExpired where it still runs after these seconds."""
        if self.returncode is None:
            if timeout is not None and not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout)
            self.returncode = self._number()
            self._told.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def _number(self) -> int:
        """What the origin says next: first the process's id, at its end how it ended."""
        said = b""
        while not said.endswith(b"\n"):
            piece = self._told.recv(1)  # a line alone: what follows is for the next who asks
            if not piece:
                raise EOFError("The process that is copied has ended.")
            said += piece
        return int(said)


def run_copy(
    argv: Sequence[str], stdin: str, timeout: float, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run `workbench ARGV` to its end; raise TimeoutExpired, having ended it."""
    with ThreadPoolExecutor(2) as readers:
        (in_read, in_write), (out_read, out_write), (err_read, err_write) = os.pipe(), os.pipe(), os.pipe()
        given = (in_read, out_write, err_write)
        try:
            process = CopiedProcess(argv, given, environment)
        finally:
            for number in given:
                os.close(number)
        out, err = readers.submit(_all_of, out_read), readers.submit(_all_of, err_read)
        _write(in_write, stdin.encode())
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(process.args, code, out.result().decode(), err.result().decode())


def _of_python(environment: Mapping[str, str]) -> dict[str, str]:
    """What Python reads when it begins; the keychain's library reads its own variable when it is first asked."""
    known = {name: value for name, value in environment.items() if name.startswith(("PYTHON", "LC_", "LANG"))}
    return {name: value for name, value in known.items() if name != "PYTHON_KEYRING_BACKEND"}


_AT_START = dict(os.environ)


def _all_of(number: int) -> bytes:
    with open(number, "rb") as stream:
        return stream.read()


def _write(number: int, data: bytes) -> None:
    """Write all of it; a command that does not read it has ended."""
    with suppress(BrokenPipeError), open(number, "wb", buffering=0) as stream:
        stream.write(data)


class _Origin:
    """The process that is copied, seen from here."""

    def __init__(self) -> None:
        self._control, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-c", BEGIN, str(its.fileno())], pass_fds=[its.fileno()], cwd=ROOT, env=_AT_START,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip  # pipes, as the streams of the copies are: Python looks at them when it begins
        atexit.register(self.close)

    def begin(self, streams: list[int]) -> None:
        """Have a copy made that gets these streams: input, output, errors, and where it is told what to do."""
        with self._lock:
            socket.send_fds(self._control, [b"."], streams)

    @property
    def control(self) -> int:
        """The file descriptor over which copies are asked for."""
        return self._control.fileno()

    def close(self) -> None:
        self._control.close()
        self._process.communicate()


@cache
def _origin() -> _Origin:
    return _Origin()


_SHELL = """#!{python} -IS
import json, os, signal, socket, sys
ours, its = socket.socketpair()
socket.send_fds(socket.socket(fileno={control}), [b"."], [0, 1, 2, its.fileno()])
its.close()
told = ours.makefile("rb")
pid = int(told.readline())
order = {{"argv": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd()}}
ours.sendall(json.dumps(order).encode())
ours.shutdown(socket.SHUT_WR)
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: os.kill(pid, number))
code = int(told.readline())
os._exit(code if code >= 0 else 128 - code)
"""


def shell_command(folder: Path) -> int:
    """Write a command `workbench` for shells, which has a copy made; return the file descriptor that shells must inherit."""
    control = _origin().control
    path = folder / "workbench"
    path.write_text(_SHELL.format(python=sys.executable, control=control))
    path.chmod(0o755)
    return control


def serve(number: int) -> int:
    """Make copies until nobody is left who asks for them; in a copy, return the exit code of its command."""
    for name in ("app", "simulate.simulated_server"):
        importlib.import_module(f"workbench.{name}")
    for place in (one for room in _ROOMS for one in sorted((ROOT / "workbench" / room).rglob("[a-z]*.py"))):
        if "migrations" not in place.parts:  # they are run, not imported
            importlib.import_module(".".join(place.relative_to(ROOT).with_suffix("").parts))
    from workbench.formats import list_formats
    from workbench.formats.sanitize import sanitize
    from workbench.formats.survey.crossread import best_reading

    sanitize("a <tool_call> b")  # all formats' expressions are made once, here
    best_reading("a <tool_call> b", None)
    for spec in list_formats():
        spec.parser().feed("a <tool_call> b <")
        spec.grammar.nested.search("a <tool_call> b <")
        spec.grammar.nested.hold("a <tool_call> b <", 0)
    assert threading.active_count() == 1, "a copy of a process with threads would lack them"
    gc.freeze()  # else each copy would look at all of it, and by that own it
    control = socket.socket(fileno=number)
    ended, wake = socket.socketpair()
    for end in (ended, wake):
        end.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, socket.socket] = {}
    with selectors.DefaultSelector() as ready:
        ready.register(control, selectors.EVENT_READ)
        ready.register(ended, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select():
                if key.fileobj is ended:
                    ended.recv(4096)
                    _tell(running)
                    continue
                asked, streams, *_ = socket.recv_fds(control, 1, 4)
                if not asked:
                    return 0
                if (pid := os.fork()) == 0:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    for one in (control, ended, wake, *running.values()):
                        one.close()
                    return _become(streams)
                *given, told = streams
                for one in given:
                    os.close(one)
                running[pid] = socket.socket(fileno=told)
                running[pid].sendall(f"{pid}\n".encode())


def _tell(running: dict[int, socket.socket]) -> None:
    """Tell those who wait how their processes have ended."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with running.pop(pid) as told, suppress(OSError):  # whoever waited has given up
            told.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _become(streams: list[int]) -> int:
    """Take the streams and what there is to do, as a new process would have them, and run the command."""
    *given, told = streams
    with socket.socket(fileno=told) as asked, asked.makefile("rb") as text:
        order = json.loads(text.read())
    for number, own in zip(given, (0, 1, 2), strict=True):
        os.dup2(number, own)
        os.close(number)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["folder"])
    sys.argv = ["workbench", *order["argv"]]
    return int(importlib.import_module("workbench.__main__").main())
