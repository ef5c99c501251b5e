"""A workspace full of traps beside a folder with a secret, and what must be true after every attempt to get out."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.kit.tree import ROOT

SECRET = "SECRET-7f3a"
DATA = yaml.safe_load((ROOT / "tests" / "attack" / "cases" / "tool_escapes.yaml").read_text(encoding="utf-8"))
_TIMES = re.compile(r"<(.+?) × (\d+)>")


@dataclass(frozen=True, slots=True)
class Scene:
    """Where it plays."""

    workspace: Path
    outside: Path
    before: str

    def filled(self, value: Any, **more: object) -> Any:
        """Fill places into an attempt; `<x × 9>` is x nine times."""
        text = json.dumps(value)
        for key, told in {"ws": self.workspace, "out": self.outside, **more}.items():
            text = text.replace(f"{{{key}}}", str(told))
        return _repeated(json.loads(text))

    def check(self, told: Any) -> None:
        """Nothing of the secret came out, and nothing outside changed."""
        assert SECRET not in json.dumps(told, default=str)
        assert digest(self.outside) == self.before


def _repeated(value: Any) -> Any:
    if isinstance(value, str):
        return _TIMES.sub(lambda match: match[1] * int(match[2]), value)
    if isinstance(value, dict):
        return {key: _repeated(item) for key, item in value.items()}
    return value


def make_scene(base: Path) -> Scene:
    """Build workspace and outside."""
    workspace, outside = base / "work", base / "outside"
    (workspace / "notes").mkdir(parents=True)
    outside.mkdir()
    (base / "work-secret").mkdir()
    for folder in (outside, base / "work-secret"):
        (folder / "secret.txt").write_text(f"{SECRET} of the user\n")
    (outside / "tool.sh").write_text(f"#!/bin/sh\necho {SECRET}\n")
    (outside / "tool.sh").chmod(0o755)
    (workspace / "notes" / "today.md").write_text("# Today\n")
    (workspace / "notes" / "cat").write_text(f"#!/bin/sh\necho {SECRET}\n")
    (workspace / "notes" / "cat").chmod(0o755)
    (workspace / "data.csv").write_text("a,b\n1,2\n")
    (workspace / "large.bin").write_bytes(b"x" * 1_500_000)
    (workspace / "binary.bin").write_bytes(bytes(range(256)))
    (workspace / ".git" / "hooks").mkdir(parents=True)
    _links(workspace, outside)
    return Scene(workspace, outside, digest(outside))


def _links(workspace: Path, outside: Path) -> None:
    links = {
        "link-file": "../outside/secret.txt",
        "link-absolute": str(outside / "secret.txt"),
        "link-folder": "../outside",
        "link-root": "/",
        "link-chain": "link-file",
        "link-loop": "link-loop",
        "notes/link-up": "../..",
        "link-inside": "data.csv",
        "link-dangling": "../outside/not-there.txt",
        "link-environ": "/proc/self/environ",
        "link-memory": "/proc/self/mem",
        "link-handles": "/proc/self/fd",
        "link-cwd": "/proc/self/cwd",
        "link-zero": "/dev/zero",
    }
    for name, target in links.items():
        (workspace / name).symlink_to(target)
    (workspace / "hard").hardlink_to(outside / "secret.txt")
    os.mkfifo(workspace / "pipe")
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as listening:  # its name may be too long
        listening.bind(str(workspace / "socket"))
    with contextlib.suppress(PermissionError):  # root alone makes devices; without one the file is simply not there
        os.mknod(workspace / "device", 0o666 | stat.S_IFCHR, os.makedev(1, 5))


def digest(folder: Path) -> str:
    """Names, contents, permissions and link counts of everything below a folder."""
    lines = []
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        lines.append(f"{path.relative_to(folder)} {facts.st_mode:o} {facts.st_nlink} {content}")
    return "\n".join(lines)
