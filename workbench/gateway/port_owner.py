"""Which program listens on a port, as far as this system tells (on Linux, programs of the same user), and which port is free."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

from workbench.loopback import HOST

_PROC = Path("/proc")
_LISTENING = "0A"


def port_owner(port: int, proc: Path = _PROC) -> str:
    """Return `name (process 1234)`, or an empty text where it cannot be told."""
    sockets = {f"socket:[{inode}]" for inode in _listening(port, proc)}
    if not sockets:
        return ""
    for folder in proc.glob("[0-9]*"):
        with suppress(OSError):
            if any(_points_to(link, sockets) for link in (folder / "fd").iterdir()):
                return f"{_name(folder)} (process {folder.name})"
    return ""


def _listening(port: int, proc: Path) -> set[str]:
    """Inodes of the sockets that listen on a port: columns 1 (address), 3 (state) and 9 of the tables."""
    found = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (proc / "net" / table).read_text(encoding="ascii").splitlines()[1:]:
                words = line.split()
                if len(words) > 9 and words[3] == _LISTENING and int(words[1].rpartition(":")[2], 16) == port:
                    found.add(words[9])
    return found


def _points_to(link: Path, sockets: set[str]) -> bool:
    try:
        return str(link.readlink()) in sockets
    except OSError:  # closed meanwhile
        return False


def _name(folder: Path) -> str:
    """The program's own command: of a script its name, not its interpreter's."""
    words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
    named = [word for word in words if word and not word.startswith("-")]
    script = named[1] if len(named) > 1 and Path(named[0]).name.startswith(("python", "node")) else ""
    return Path(script or (named[0] if named else "another program")).name


def free_port_after(port: int) -> int:
    """Return the next port that can be had; 0 where there is none near."""
    for one in range(port + 1, min(port + 100, 65_536)):
        with suppress(OSError), socket.create_server((HOST, one)):
            return one
    return 0
