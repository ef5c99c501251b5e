"""What tools wrote, with what stood there before, so that each write can be undone. Kept outside of the workspace.

journal/000042.json    {"id", "workspace", "path", "at", "created", "before", "after", "size"}
journal/000042.before  the old content, where there was any
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import ToolError, UnknownName
from workbench.core.json_text import parse_json
from workbench.core.whole_files import bytes_of_file, text_of_file
from workbench.tools.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

KEPT = 500
"""Writes that can be undone; older ones are forgotten."""
_NAME = re.compile(r"\d{6,}")


@dataclass(frozen=True, slots=True)
class Write:
    """One write to a file of a workspace."""

    id: str
    workspace: str
    path: str
    at: int
    """Seconds since 1970, UTC."""
    created: bool
    """Nothing stood there."""
    before: str
    """SHA-256 of the old content; empty where there was none."""
    after: str
    """SHA-256 of what was written."""
    size: int


class WriteJournal:
    """Writes to workspaces, the latest last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, workspace: Workspace, path: str, data: bytes) -> Write:
        """Note what stands at a path, then replace it; raise ToolError."""
        steps = workspace.writable(path)
        old = workspace.look(path)
        try:
            noted = self._note(str(workspace.root), "/".join(steps), old, data)
        except OSError as error:
            why = error.strerror or error
            raise ToolError(f"Nothing was written: it cannot be noted in {str(self._folder)!r}: {why}.") from error
        try:
            workspace.write(path, data)
        except ToolError:
            self._forget(noted.id)
            raise
        self._prune()
        return noted

    def undo(self, number: str) -> Write:
        """Put back what stood there before a write; raise UnknownName, or ToolError where it was changed since."""
        noted = self.find(number)
        with Workspace.open(Path(noted.workspace)) as workspace:
            now = workspace.look(noted.path)
            if now is None or _digest(now) != noted.after:
                raise ToolError(f"{noted.path!r} was changed since; nothing was undone.")
            if noted.created:
                workspace.remove(noted.path)
            else:
                workspace.write(noted.path, self._content(noted.id))
        self._forget(noted.id)
        return noted

    def find(self, number: str) -> Write:
        """One write, by its number with or without zeros; raise UnknownName."""
        for noted in self.writes():
            if noted.id == number.strip().rjust(len(noted.id), "0"):
                return noted
        raise UnknownName("write to undo", number, (noted.id for noted in self.writes()))

    def writes(self) -> tuple[Write, ...]:
        """All that can be undone, oldest first."""
        return tuple(self._read())

    def _read(self) -> Iterator[Write]:
        for name in self._numbers():
            with contextlib.suppress(OSError, ValueError, TypeError):
                yield Write(**parse_json(text_of_file(self._folder / f"{name}.json", "utf-8")))

    def _numbers(self) -> list[str]:
        if not self._folder.is_dir():
            return []
        return sorted(path.stem for path in self._folder.glob("*.json") if _NAME.fullmatch(path.stem))

    def _note(self, workspace: str, path: str, old: bytes | None, new: bytes) -> Write:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = int(numbers[-1]) + 1 if (numbers := self._numbers()) else 1
        while True:
            try:
                handle = os.open(self._folder / f"{number:06}.json", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                break
            except FileExistsError:  # another program writes too
                number += 1
        noted = Write(
            f"{number:06}", workspace, path, int(time.time()), old is None,
            "" if old is None else _digest(old), _digest(new), len(new),
        )  # fmt: skip
        try:
            with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 - a handle, no path
                if old is not None:
                    _private(self._folder / f"{noted.id}.before", old)
                json.dump(asdict(noted), file)
        except OSError:
            self._forget(noted.id)
            raise
        return noted

    def _content(self, number: str) -> bytes:
        try:
            return bytes_of_file(self._folder / f"{number}.before")
        except OSError as error:
            raise ToolError("The old content is not there any more; nothing was undone.") from error

    def _forget(self, number: str) -> None:
        for suffix in (".json", ".before"):
            with contextlib.suppress(OSError):
                (self._folder / f"{number}{suffix}").unlink()

    def _prune(self) -> None:
        for number in self._numbers()[:-KEPT]:
            self._forget(number)


def _private(path: Path, data: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:  # noqa: PTH123
        file.write(data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
