"""Runs one program and leaves nothing behind: a script of its own that needs the standard library alone.

It is started as `python -I -S keeper.py` with a clean environment. The first line of its input is what to run, as
JSON; the input then stays open, and when it ends (the workbench stopped it, or died) everything is killed. At the end
one line of JSON tells how it went. The program becomes the leader of a session, is held to the limits, and whatever
descends from it is killed with it, also what left its process group: orphans come to this process (a subreaper).
With `--guard PROGRAM …` it runs a long-lived program on its own input and output instead, without limits.
"""

import base64
import contextlib
import ctypes
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from typing import Any

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
"""By the keeper itself: only the end of its input stops it."""
LOOK_S = 0.02
"""Seconds between two looks at time, processes and memory."""
ALL_RIGHTS = (1 << 16) - 1
READ = 1 << 0 | 1 << 2 | 1 << 3
"""Of Landlock: run a file, read a file, list a folder."""
FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14
DEVICES = 1 << 6 | 1 << 11 | 1 << 15
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
)
OPEN_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
PAGE = resource.getpagesize()


def prctl(option: int, value: int) -> None:
    """Ask the kernel for something about this process; systems without it go on."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def confine(limits: dict[str, Any], writable: list[str]) -> None:
    """In the new process, before the program begins: hard limits, no new rights, and death with the keeper."""
    for name, value in (
        ("RLIMIT_CORE", 0),
        ("RLIMIT_CPU", int(limits["seconds"]) + 1),
        ("RLIMIT_FSIZE", limits["file_bytes"]),
        ("RLIMIT_NOFILE", 256),
    ):
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        lower = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (lower, lower))
    if os.geteuid() != 0:
        most = processes_of_user() + limits["processes"]
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    for number in IGNORED:
        signal.signal(number, signal.SIG_DFL)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if writable:
        landlock(writable)


class Ruleset(ctypes.Structure):
    """What Landlock shall handle: files, TCP, and signals and abstract sockets to others."""

    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scope", ctypes.c_uint64)]


class Beneath(ctypes.Structure):
    """What is allowed in a folder, or of a file."""

    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("handle", ctypes.c_int32)]


def landlock(writable: list[str]) -> None:
    """Let this process and all that follow see the system read-only and these folders, nothing else; no TCP."""
    kernel = ctypes.CDLL(None, use_errno=True)
    wanted = Ruleset(ALL_RIGHTS, 3, 3)
    rules = kernel.syscall(444, ctypes.byref(wanted), ctypes.sizeof(wanted), 0)
    if rules < 0:
        raise OSError(ctypes.get_errno(), "Landlock")
    places = [(place, READ) for place in SYSTEM] + [(place, ALL_RIGHTS & ~DEVICES) for place in writable]
    for place, rights in [*places, *((place, READ | 1 << 1) for place in OPEN_DEVICES)]:
        try:
            handle = os.open(place, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # not every system has each
        plain = rights if os.path.isdir(place) else rights & FILE_RIGHTS  # noqa: PTH112
        rule = Beneath(plain, handle)
        if kernel.syscall(445, rules, 1, ctypes.byref(rule), 0) < 0:
            raise OSError(ctypes.get_errno(), f"Landlock: {place}")
        os.close(handle)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if kernel.syscall(446, rules, 0) < 0:
        raise OSError(ctypes.get_errno(), "Landlock")
    os.close(rules)


def look_in_time() -> None:
    """Let the keeper look whatever runs: no limit on processes holds for root, so only a look in time ends a fork bomb.

    What it starts is scheduled like everything else. Systems that do not allow it hold the limit by themselves.
    """
    if hasattr(os, "SCHED_RESET_ON_FORK") and os.geteuid() == 0:
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def processes_of_user() -> int:
    """Threads that the user has already: the kernel counts them together with the program's."""
    count, user = 0, os.getuid()
    for name in numbers("/proc"):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == user:  # noqa: PTH116 - starts faster without pathlib
                count += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208
    return count


def numbers(folder: str) -> list[str]:
    """Names in a folder that are numbers."""
    try:
        return [name for name in os.listdir(folder) if name.isdigit()]  # noqa: PTH208
    except OSError:
        return []


def descendants() -> dict[int, int]:
    """Every living process that descends from this one, with its resident bytes."""
    parents: dict[int, tuple[int, int, str]] = {}
    for name in numbers("/proc"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                fields = file.read().rpartition(b")")[2].split()
            parents[int(name)] = (int(fields[1]), int(fields[21]) * PAGE, fields[0].decode())
    children: dict[int, list[int]] = {}
    for pid, (parent, _, _) in parents.items():
        children.setdefault(parent, []).append(pid)
    waiting, found = [os.getpid()], dict[int, int]()
    while waiting:
        for pid in children.pop(waiting.pop(), ()):
            waiting.append(pid)
            _, size, state = parents[pid]
            if state not in "ZX":
                found[pid] = size
    return found


def kill_all(group: int) -> int:
    """Kill the process group and every descendant until none is left; return how many still were."""
    for _ in range(400):
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)
        alive = descendants()
        for pid in alive:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        reap()
        if not alive and not descendants():
            return 0
        time.sleep(0.005)
    return len(descendants())


def reap() -> None:
    """Take the ends of orphans."""
    with contextlib.suppress(OSError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class Watch:
    """Collects output and notices limits."""

    def __init__(self, process: subprocess.Popen[bytes], limits: dict[str, Any], data: bytes) -> None:
        self.process, self.limits, self.input = process, limits, data
        self.output = {"stdout": bytearray(), "stderr": bytearray()}
        self.reason = ""
        self.status: int | None = None
        self.end = time.monotonic() + limits["seconds"]

    def run(self) -> None:
        """Until the program ends or a limit is reached."""
        selector = selectors.DefaultSelector()
        for name in self.output:
            pipe = getattr(self.process, name)
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ, name)
        self.feed(selector)
        selector.register(0, selectors.EVENT_READ, "control")
        looked = 0.0
        while not self.reason and self.status is None:
            for key, _ in selector.select(LOOK_S):
                self.take(selector, key)
            now = time.monotonic()
            if now - looked >= LOOK_S:
                looked = now
                self.look(now)
        if not self.reason:
            self.drain()

    def take(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        """Read one pipe."""
        if key.data == "control":
            if not os.read(0, 4096):
                self.reason = "stopped"
            return
        if key.data == "stdin":
            self.give(selector, key.fd)
            return
        try:
            data = os.read(key.fd, 65_536)
        except BlockingIOError:
            return
        if not data:
            selector.unregister(key.fileobj)
        self.add(key.data, data)

    def feed(self, selector: selectors.BaseSelector) -> None:
        """Give the program more of its input; the end of it closes the pipe."""
        pipe = self.process.stdin
        assert pipe is not None
        if not self.input and not pipe.closed:
            if pipe in selector.get_map():
                selector.unregister(pipe)
            pipe.close()
        elif pipe not in selector.get_map():
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_WRITE, "stdin")

    def give(self, selector: selectors.BaseSelector, handle: int) -> None:
        """Write as much as the pipe takes; a program that does not read is no fault."""
        try:
            self.input = self.input[os.write(handle, self.input[:65_536]) :]
        except BlockingIOError:
            return
        except OSError:
            self.input = b""
        if not self.input:
            self.feed(selector)

    def add(self, name: str, data: bytes) -> None:
        """Keep output up to the limit."""
        left = self.limits["output"] - sum(map(len, self.output.values()))
        self.output[name] += data[:left]
        if len(data) > left:
            self.reason = "output"

    def drain(self) -> None:
        """What is still in the pipes after the end."""
        for name in self.output:
            with contextlib.suppress(OSError):
                while data := os.read(getattr(self.process, name).fileno(), 65_536):
                    self.add(name, data)
                    if self.reason:
                        return

    def look(self, now: float) -> None:
        """Time, processes, memory, and the program's own end."""
        pid, status = os.waitpid(self.process.pid, os.WNOHANG)
        if pid:
            self.status = status
            return
        alive = descendants()
        if now >= self.end:
            self.reason = "time"
        elif len(alive) > self.limits["processes"]:
            self.reason = "processes"
        elif sum(alive.values()) > self.limits["memory"]:
            self.reason = "memory"


def start(wanted: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start the program in a session of its own."""
    return subprocess.Popen(
        wanted["argv"],
        cwd=wanted["cwd"],
        env=wanted["env"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: confine(wanted["limits"], wanted["inside"]),  # noqa: PLW1509 - one thread here
    )


def main() -> None:
    """Read what to run, run it, tell how it went."""
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    look_in_time()
    line = bytearray()
    while not line.endswith(b"\n"):
        if not (piece := os.read(0, 65_536)):
            return
        line += piece
    wanted = json.loads(line)
    try:
        process = start(wanted)
    except (OSError, subprocess.SubprocessError) as error:
        tell({"error": str(error)})
        return
    watch = Watch(process, wanted["limits"], base64.b64decode(wanted["stdin"]))
    began = time.monotonic()
    watch.run()
    left = kill_all(process.pid)
    status = watch.status
    tell(
        {
            "reason": watch.reason,
            "exit": os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None,
            "stdout": base64.b64encode(watch.output["stdout"]).decode(),
            "stderr": base64.b64encode(watch.output["stderr"]).decode(),
            "seconds": round(time.monotonic() - began, 3),
            "left": left,
        }
    )


def tell(report: dict[str, Any]) -> None:
    """Write the one line of the end."""
    with contextlib.suppress(OSError):
        sys.stdout.write(json.dumps(report) + "\n")
        sys.stdout.flush()


def guard(argv: list[str]) -> int:
    """Run a long-lived program on our own input and output; with its end, or ours, everything that it started ends."""
    parent = os.getppid()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    process = subprocess.Popen(argv, start_new_session=True)
    with open(os.devnull, "r+b") as nothing:  # noqa: PTH123 - starts faster without pathlib
        for handle in (0, 1):
            os.dup2(nothing.fileno(), handle)  # else nobody hears that the program has closed its own
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(kill_all(process.pid)))
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    try:
        if os.getppid() != parent:  # it died before we asked to be told
            return 1
        return process.wait()
    finally:
        kill_all(process.pid)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--guard"]:
        sys.exit(guard(sys.argv[2:]))
    main()
