"""What was typed and is recorded nowhere yet: it waits in the data folder, so that closing or a crash loses none of it.

Keys are stars in these files, as everywhere on disk. A file that cannot be read is passed over.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec

from workbench.core.atomic_files import write_file
from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.whole_files import text_of_file
from workbench.decoding import convert

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.app import Workbench

FOLDER = "drafts"

T = TypeVar("T")


class Unsaved:
    """One file per page."""

    def __init__(self, wb: Workbench) -> None:
        self._wb = wb

    def _path(self, name: str) -> Path:
        return self._wb.home.path / FOLDER / f"{name}.json"

    def keep(self, name: str, value: object) -> None:
        """Write a value of plain fields; what cannot be written is not worth a complaint while somebody types."""
        masked = self._wb.secrets.mask().mask_value(value)
        text = json.dumps(msgspec.to_builtins(masked))
        with suppress(InvalidInput):
            write_file(self._path(name), text, private=True, sync=False)

    def drop(self, name: str) -> None:
        """Nothing waits any more."""
        with suppress(OSError):
            self._path(name).unlink(missing_ok=True)

    def found(self, name: str, kind: type[T]) -> T | None:
        """What an earlier start left, if it fits."""
        try:
            text = text_of_file(self._path(name), "utf-8")
            return convert(parse_json(text), kind)
        except (OSError, ValueError, RecursionError):
            return None
