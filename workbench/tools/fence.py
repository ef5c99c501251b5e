"""What keeps a command inside the workspace on this system: bubblewrap or the kernel's Landlock, and plain words where
nothing does."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from workbench.tools.child import PATHS, Program, clean_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_FROM_ETC = ("ld.so.cache", "alternatives", "localtime")
_LANDLOCK, _LANDLOCK_ABI = 444, 6
SCRATCH = 64 << 20
"""Bytes of the /tmp behind bubblewrap, which is memory."""
INNER_HOME = "/tmp/home"


@dataclass(frozen=True, slots=True)
class FenceFact:
    """One sentence about what a call may do on this system."""

    kept: bool
    """The fence keeps it apart; else it does not, and people must know."""
    title: str
    detail: str


def bubblewrap_arguments(binary: str, workspace: Path, env: Mapping[str, str]) -> list[str]:
    """The command that goes before a program: its own processes, network, /tmp and /proc, the system read-only."""
    options = [binary, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    options += ["--cap-drop", "ALL", "--hostname", "workspace"]
    for place in _SYSTEM:
        path = Path(place)
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), place]
        elif path.is_dir():
            options += ["--ro-bind", place, place]
    for name in _FROM_ETC:
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    options += ["--proc", "/proc", "--dev", "/dev", "--size", str(SCRATCH), "--tmpfs", "/tmp", "--dir", INNER_HOME]
    options += ["--bind", str(workspace), str(workspace), "--chdir", str(workspace), "--clearenv"]
    for place in ("/proc", "/dev", "/"):  # root's own files in /proc/sys are writable even without capabilities
        options += ["--remount-ro", place]
    for key, value in {**env, "HOME": INNER_HOME, "TMPDIR": "/tmp"}.items():
        options += ["--setenv", key, value]
    return [*options, "--"]


@dataclass(frozen=True, slots=True)
class Fence:
    """What keeps a command apart on this system."""

    kind: Literal["bubblewrap", "landlock", ""]
    """`landlock` is half a fence: files are not opened outside, but their permissions can be changed there."""
    binary: str = ""
    """Path of bubblewrap."""

    @property
    def whole(self) -> bool:
        """Nothing that is known leads out."""
        return self.kind == "bubblewrap"

    def program(self, argv: Sequence[str], workspace: Path, home: str) -> Program:
        """The same program, inside."""
        env = clean_environment(home)
        match self.kind:
            case "bubblewrap":
                before = bubblewrap_arguments(self.binary, workspace, env)
                return Program((*before, *argv), "/", {"PATH": env["PATH"]})
            case "landlock":
                return Program(tuple(argv), str(workspace), env, inside=(str(workspace), home))
            case _:
                return Program(tuple(argv), str(workspace), env)


@cache
def find_fence() -> Fence:
    """The best fence that works here, tried once."""
    if binary := _bubblewrap():
        return Fence("bubblewrap", binary)
    return Fence("landlock" if has_landlock() else "")


def has_landlock() -> bool:
    """The kernel keeps files, TCP, signals and abstract sockets apart (Landlock ABI 6, Linux 6.12)."""
    if sys.platform != "linux":
        return False
    return int(ctypes.CDLL(None).syscall(_LANDLOCK, None, 0, 1)) >= _LANDLOCK_ABI


def _bubblewrap() -> str | None:
    binary = shutil.which("bwrap", path=os.pathsep.join(PATHS))
    if binary is None:
        return None
    trial = [*bubblewrap_arguments(binary, Path("/tmp"), {}), "true"]  # bound for a moment, unused
    try:
        done = subprocess.run(trial, capture_output=True, timeout=10, check=False, env={}, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return binary if done.returncode == 0 else None


def why_no_fence() -> str:
    """One clause for the user, where `find_fence` gives none."""
    found = shutil.which("bwrap", path=os.pathsep.join(PATHS))
    return "bubblewrap does not work here" if found else "bubblewrap is not installed"


def command_facts(fence: Fence) -> tuple[FenceFact, ...]:
    """What keeps commands apart on this system, and what does not."""
    match fence.kind:
        case "bubblewrap":
            return (
                FenceFact(
                    True, "Commands see the workspace and a read-only system", "bubblewrap, with a /tmp of its own."
                ),
                FenceFact(True, "Commands reach no network", "bubblewrap gives them none, the loopback included."),
            )
        case "landlock":
            return (
                FenceFact(True, "Commands see the workspace and a read-only system", f"Landlock: {why_no_fence()}."),
                FenceFact(
                    False, "Commands can change permissions of your files elsewhere", "Landlock does not stop it."
                ),
                FenceFact(False, "Commands may reach the network by other ways than TCP", "Landlock stops TCP alone."),
            )
        case _:
            return (
                FenceFact(False, "Commands reach all files that you can", f"{_sentence(why_no_fence())}."),
                FenceFact(False, "Commands reach the network on this system", f"{_sentence(why_no_fence())}."),
            )


def _sentence(clause: str) -> str:
    return clause[:1].upper() + clause[1:]
