"""One running llama-server: started on a free port of this computer, watched by looking at it, stopped with its children.

Nothing here waits in the background: whoever shows a server calls `look` now and then. On Linux the system ends the
server when the program that started it dies; elsewhere, and for what it left behind, the records are swept at the next
start. Start servers from a thread that lives as long as the program: the system watches that thread.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.clock import Clock
from workbench.core.errors import InvalidInput, MissingLibrary, SettingsError
from workbench.localserver.alive import end_group, identity
from workbench.localserver.binary import clean_environment
from workbench.localserver.logtail import LogTail
from workbench.localserver.records import ServerRecord, owner_now, remove_record, write_record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import TypeAlias

    from workbench.localserver.binary import ServerBinary
    from workbench.localserver.flags import ServerArguments

    Health: TypeAlias = Callable[[int], int | None]
    # Port → HTTP status of `/health`, None if nothing answers.

LOGS_KEPT = 20
HEALTH_EVERY_S = 15.0
_TIED = """\
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""Asks the system for an end together with the starter, then becomes the program: the process number stays."""


class ServerState(StrEnum):
    """Where a server stands."""

    STARTING = "starting"
    """It does not answer yet."""
    LOADING = "loading"
    """It answers, and loads the model."""
    READY = "ready"
    SILENT = "silent"
    """It was ready and runs, but does not answer now."""
    ENDED = "ended"
    """It ended by itself; the log tells why."""
    STOPPED = "stopped"
    """It was stopped."""


RUNNING = frozenset({ServerState.STARTING, ServerState.LOADING, ServerState.READY, ServerState.SILENT})
"""States of a server that runs."""


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """All that is needed for a start."""

    binary: ServerBinary
    proposal: ServerArguments
    model: Path
    family: str = ""
    template: str = ""
    """The model's chat template, kept for detection."""
    parallel: int = 1
    port: int = 0
    """0: a free one."""


class LocalServer:
    """A started server. It may be looked at and stopped from several threads."""

    def __init__(self, process: subprocess.Popen[bytes], record: ServerRecord, folder: Path, health: Health) -> None:
        self.record = record
        self.state = ServerState.STARTING
        self._process, self._folder, self._health = process, folder, health
        self._log = LogTail(Path(record.log))
        self._asked_s = 0.0
        self._changing, self._reading = threading.Lock(), threading.Lock()

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines of the log, as far as they were looked at."""
        return tuple(self._log.lines)

    @property
    def exit_code(self) -> int | None:
        """How it ended; None while it runs."""
        return self._process.poll()

    def look(self) -> list[str]:
        """Bring the state up to date; return the log's new lines. Asks the server, so it may take some seconds."""
        if self.state not in RUNNING:
            return []
        if self._process.poll() is not None:
            if self._become(ServerState.ENDED):
                remove_record(self._folder, self.record)
            return self._read(to_the_end=True)
        if self.state is not ServerState.READY or time.monotonic() > self._asked_s + HEALTH_EVERY_S:
            self._ask()
        return self._read()

    def _read(self, *, to_the_end: bool = False) -> list[str]:
        with self._reading:
            return self._log.finish() if to_the_end else self._log.read()

    def _become(self, state: ServerState) -> bool:
        """Change the state, unless it has ended or was stopped meanwhile; say whether it was changed."""
        with self._changing:
            if self.state not in RUNNING:
                return False
            self.state = state
            return True

    def _ask(self) -> None:
        """Ask how it is; rarely once it is ready, because some versions log each question."""
        status = self._health(self.record.port)
        self._asked_s = time.monotonic()
        if status is not None:
            self._become(ServerState.READY if status == 200 else ServerState.LOADING)
        elif self.state is ServerState.READY:
            self._become(ServerState.SILENT)

    def stop(self) -> None:
        """End it and its children, politely first; what it says at the end is in the log."""
        if not self._become(ServerState.STOPPED):
            return
        end_group(self._process.pid)
        self._process.poll()
        remove_record(self._folder, self.record)
        self._read(to_the_end=True)

    def let_go(self) -> None:
        """Have it live on: it will not be waited for."""
        if self._process.poll() is None:
            self._process.returncode = 0  # else the interpreter warns of a child that nobody waited for


def start_server(
    plan: ServerPlan, *, folder: Path, logs: Path, health: Health, detach: bool = False, taken: Collection[int] = ()
) -> LocalServer:
    """Start a server; raise InvalidInput, MissingLibrary or SettingsError if that is not possible."""
    port = check_port(plan.port) if plan.port else free_port(taken)
    log = _log_path(logs, port)
    words = [str(plan.binary.path), *plan.proposal.arguments, *_port_flag(plan.binary), str(port)]
    command = words if detach else _tied(words)
    try:
        with log.open("ab") as out:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                env=clean_environment(os.environ), start_new_session=True,
            )  # fmt: skip
    except OSError as error:
        text = f"{str(plan.binary.path)!r} cannot be started: {error.strerror or error}."
        raise MissingLibrary(text, hint=f"See {str(log)!r}.") from error
    owner, owner_born = (0, "") if detach else owner_now()
    record = ServerRecord(
        pid=process.pid, born=identity(process.pid), port=port, model=str(plan.model.absolute()),
        alias=plan.proposal.alias, log=str(log), program=str(plan.binary.path), arguments=tuple(words[1:]),
        started_us=Clock().now_us(), owner=owner, owner_born=owner_born, family=plan.family, template=plan.template, parallel=plan.parallel,
    )  # fmt: skip
    try:
        write_record(folder, record)
    except SettingsError:
        end_group(process.pid)
        raise
    return LocalServer(process, record, folder, health)


def _tied(words: list[str]) -> list[str]:
    """The command, tied to the life of this process where the system can do that."""
    if sys.platform != "linux" or getattr(sys, "frozen", False):
        return words
    return [sys.executable, "-I", "-S", "-c", _TIED, str(os.getpid()), *words]


def _port_flag(binary: ServerBinary) -> list[str]:
    name = binary.first("--port")
    if not name:
        raise MissingLibrary(f"{str(binary.path)!r} knows no --port, so it cannot be told where to listen.")
    return [name]


def free_port(taken: Collection[int] = ()) -> int:
    """A port that nobody listens on right now."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port not in taken:
            return port


def check_port(port: int) -> int:
    """Return the port if a server can listen there; raise InvalidInput."""
    if not 1 <= port <= 65535:
        raise InvalidInput(f"{port} is no port.", hint="Give a number from 1024 to 65535.")
    with socket.socket() as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            text = f"Port {port} cannot be used: {error.strerror or error}."
            raise InvalidInput(text, hint="Choose another one, or leave it out for a free one.") from error
    return port


def _log_path(logs: Path, port: int) -> Path:
    """A new log file; the oldest ones go."""
    try:
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        old = sorted(logs.glob("server-*.log"), key=lambda path: path.stat().st_mtime)
        for path in old[: max(0, len(old) - LOGS_KEPT + 1)]:
            path.unlink(missing_ok=True)
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        path = logs / f"server-{stamp}-{port}.log"
        path.touch(mode=0o600)
    except OSError as error:
        raise SettingsError(f"No log can be written to {str(logs)!r}: {error.strerror or error}.") from error
    return path
