"""Where deleted cases wait: a folder beside the suites, so that a deletion can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

BIN = ".bin"
"""Folder beside the suites; suites beginning with a dot are not listed."""


def to_bin(folder: Path, path: Path) -> Path:
    """Move a case's file to the bin of the suites in `folder`; return where it is now. Raise InvalidInput."""
    return _move(path, folder / BIN / path.parent.name / path.name)


def from_bin(binned: Path, path: Path) -> Path:
    """Move it back; return where it is now. Raise InvalidInput."""
    return _move(binned, path)


def binned(folder: Path) -> list[Path]:
    """What waits in the bin, the latest first."""
    try:
        files = [path for path in (folder / BIN).rglob("*") if path.is_file()]
        return sorted(files, key=lambda path: (path.stat().st_ctime_ns, path.name), reverse=True)
    except OSError as error:
        raise InvalidInput(f"The bin cannot be read: {error.strerror or error}.") from error


def _move(path: Path, wanted: Path) -> Path:
    place, number = wanted, 2
    while place.exists():
        place, number = wanted.with_stem(f"{wanted.stem}-{number}"), number + 1
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        path.rename(place)
    except OSError as error:
        raise InvalidInput(f"{str(path)!r} cannot be moved: {error.strerror}.") from error
    return place
