"""The window with hostile names on every page, watched from outside: nothing that they name is opened or spoken to.

`strace` writes down every file and every address that the process asks the system for.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.hostile import MARKUP
from tests.kit.waiting import LIMIT_S

ROOT = Path(__file__).resolve().parents[2]
WALK = "tests/ui/test_hostile_text.py::test_hostile_texts_on_every_page"
BAIT = re.compile(r'nowhere/bait|share(?:\\+|/)bait|"(?:\\{2,}|/{2})server')
NEAR = re.compile(r"AF_UNIX|AF_LOCAL|127\.0\.0\.1|\"::1\"|AF_UNSPEC|AF_NETLINK")
"""This machine itself: the screen, names of users, buses of the session and of the system, whatever of them is asked."""


def _can_watch() -> bool:
    return (
        bool(shutil.which("strace"))
        and not subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode
    )


def faults(calls: list[str]) -> list[str]:
    """Calls to the system that open what a hostile text names, or speak to somebody elsewhere."""
    opened = [line for line in calls if BAIT.search(line) and "execve(" not in line]
    return opened + [line for line in calls if re.search(r"\bconnect\(", line) and not NEAR.search(line)]


def test_what_would_be_a_fault() -> None:
    assert all("bait.png" in text or "bait" not in text for text in MARKUP)
    bad = [
        '7 openat(AT_FDCWD, "/nowhere/bait.png", O_RDONLY) = -1 ENOENT',
        r'7 statx(AT_FDCWD, "\\\\server\\share\\bait.png") = -1 ENOENT',
        '7 newfstatat(AT_FDCWD, "//server/share/bait.png") = -1 ENOENT',
        '7 connect(3, {sa_family=AF_INET, sin_port=htons(445), sin_addr=inet_addr("10.0.0.1")}, 16) = -1 EINPROGRESS',
    ]
    fine = [
        '7 openat(AT_FDCWD, "/home/x_img_src_nowhere_bait.png.json", O_RDONLY) = -1 ENOENT',
        '7 connect(3, {sa_family=AF_UNIX, sun_path=@"/tmp/.X11-unix/X71"}, 20) = 0',
        '7 connect(3, {sa_family=AF_UNIX, sun_path="/run/dbus/system_bus_socket"}, 110) = 0',
        '7 connect(3, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 ECONNREFUSED',
    ]
    assert faults([*bad, *fine]) == bad


@pytest.mark.skipif(not _can_watch(), reason="needs strace, and the right to watch processes")
@pytest.mark.timeout(600)
def test_hostile_names_open_nothing(tmp_path: Path) -> None:
    log = tmp_path / "calls.txt"
    watched = ["strace", "-f", "--seccomp-bpf", "-e", "trace=%file,connect", "-s", "4096", "-o", str(log)]
    walk = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        f"--basetemp={tmp_path / 'walk'}",
        WALK,
    ]
    done = subprocess.run([*watched, *walk], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S * 4, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    calls = log.read_text("utf-8", "replace").splitlines()
    assert len(calls) > 1_000
    assert faults(calls) == []
