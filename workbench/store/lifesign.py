"""Which processes are still writing: each holds a lock on a small file as long as it lives.

The system gives a lock back when its process dies, whatever killed it. So a run whose owner's lock can be taken was left
behind, and a run of another living program is left alone.
"""

from __future__ import annotations

import uuid
from typing import IO, TYPE_CHECKING

from workbench.core.file_lock import try_lock
from workbench.store.database_errors import unwritable

if TYPE_CHECKING:
    from pathlib import Path


class FileLifeSign:
    """This process's sign of life beside the database's file; implements `database.LifeSign`."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self.owner = uuid.uuid4().hex
        """What running runs are marked with."""
        self._path = _sign_path(database, self.owner)
        self._file: IO[bytes] | None = None

    def begin(self) -> None:
        """Make the sign, before anything is written under this owner's name; raise StoreError."""
        if self._file is None:
            try:
                self._file = self._path.open("wb")
            except OSError as error:
                raise unwritable(self._database, error) from error  # the sign is our own affair
            try_lock(self._file)

    def is_alive(self, owner: str) -> bool:
        """Whether the process behind an owner mark still runs; the file of a dead one is removed."""
        if owner == self.owner:
            return True
        path = _sign_path(self._database, owner)
        try:
            with path.open("r+b") as file:
                if not try_lock(file):
                    return True
        except OSError:
            return False
        path.unlink(missing_ok=True)
        return False

    def sweep(self) -> None:
        """Remove the files that dead processes left behind."""
        for path in self._database.parent.glob(_sign_path(self._database, "*").name):
            self.is_alive(path.name.split(".")[-2])

    def end(self) -> None:
        """Give the lock back."""
        if self._file is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)


def _sign_path(database: Path, owner: str) -> Path:
    return database.with_name(f".{database.name}.{owner}.live")
