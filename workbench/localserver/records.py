"""Servers that were started, as small files that all programs on a data folder share: who listens where, and whose it is.

A server that outlives its owner without being meant to is ended when the next program looks.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from workbench.core.atomic_files import write_file
from workbench.core.errors import SettingsError
from workbench.core.json_text import parse_json
from workbench.core.whole_files import text_of_file
from workbench.localserver.alive import end_group, identity, is_running, left_behind

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """One started server."""

    pid: int
    born: str
    """Tells it from a later process of the same number."""
    port: int
    model: str
    """Path of the GGUF file."""
    alias: str
    log: str
    """Path of its log file."""
    program: str = ""
    arguments: tuple[str, ...] = ()
    started_us: int = 0
    owner: int = 0
    """Process that started it; 0: it was detached and belongs to nobody."""
    owner_born: str = ""
    family: str = ""
    """What the model was taken for."""
    template: str = ""
    """The file's chat template: what the model is detected by."""
    parallel: int = 1

    @property
    def base_url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def running(self) -> bool:
        """It is there."""
        return is_running(self.pid, self.born)

    @property
    def orphaned(self) -> bool:
        """Its owner is gone."""
        return bool(self.owner) and not is_running(self.owner, self.owner_born)


def owner_now() -> tuple[int, str]:
    """This process, as an owner."""
    return os.getpid(), identity(os.getpid())


def write_record(folder: Path, record: ServerRecord) -> None:
    """Put a record into the folder; raise SettingsError."""
    write_file(folder / f"{record.port}.json", json.dumps(asdict(record)), private=True, error=SettingsError)


def read_records(folder: Path) -> tuple[ServerRecord, ...]:
    """All records by port, those of dead servers too; what cannot be read is passed over."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(_record(parse_json(text_of_file(path, "utf-8"))))
        except (OSError, ValueError, TypeError):
            continue
    return tuple(sorted(found, key=lambda record: record.port))


def _record(value: Any) -> ServerRecord:
    if not isinstance(value, dict):
        raise TypeError("not a record")
    known = {item.name for item in fields(ServerRecord)}
    record = ServerRecord(**{name: item for name, item in value.items() if name in known})
    numbers = [record.pid, record.port, record.owner, record.parallel, record.started_us]
    texts = [record.born, record.model, record.alias, record.log, record.program]
    texts += [record.owner_born, record.family, record.template]
    if not all(type(item) is int and item >= 0 for item in numbers) or not all(isinstance(item, str) for item in texts):
        raise TypeError("not a record")
    if record.pid < 2:
        raise ValueError("no process of ours has this number")
    return ServerRecord(**{**asdict(record), "arguments": tuple(str(item) for item in record.arguments)})


def remove_record(folder: Path, record: ServerRecord) -> None:
    """Take a record out, unless another server has its port now."""
    if any(other.port == record.port and other.pid != record.pid for other in read_records(folder)):
        return
    with suppress(OSError):  # a folder that cannot be written keeps a record of the dead, which is passed over
        (folder / f"{record.port}.json").unlink(missing_ok=True)


def stop_recorded(folder: Path, record: ServerRecord) -> bool:
    """End a recorded server with all its children; say whether it is gone."""
    gone = True
    if record.running or left_behind(record.pid, record.model):
        gone = end_group(record.pid)
    if gone:
        remove_record(folder, record)
    return gone


def sweep(folder: Path) -> tuple[ServerRecord, ...]:
    """End what its owner left behind and forget what is gone; return the servers that run."""
    running = []
    for record in read_records(folder):
        if record.running and not record.orphaned:
            running.append(record)
        else:
            stop_recorded(folder, record)
    return tuple(running)
