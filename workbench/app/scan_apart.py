"""Files of a scan read by workers, each by itself: what was seen of tools in one file does not help with another."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.app.data_folder import DataFolder
from workbench.scan.scanner import FileScan, Scan
from workbench.scan.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.jobs import PieceExecutor


class FilePiece(NamedTuple):
    """One file."""

    name: str
    """Of its source, as findings tell it."""
    path: Path
    kind: str
    """Empty: it tells by what it holds."""
    home: Path
    """Data folder with the user's own formats."""


class Apart:
    """Has an executor read the files; implements `scan.scanner.FileReader`. Their paths must mean the same where its workers are."""

    def __init__(self, executor: PieceExecutor, home: Path) -> None:
        self._executor, self._home = executor, home

    def read(self, source: Source, files: Sequence[Path]) -> Iterator[FileScan]:
        """What each file came to, in order; a file whose worker is lost is read again."""
        pieces = [FilePiece(source.name, path.absolute(), source.kind, self._home) for path in files]
        yield from self._executor.map(scan_file, pieces)


def scan_file(piece: FilePiece) -> FileScan:
    """Scan one file; done by whichever process. The user's keys stay at home: they are masked where the findings arrive."""
    folder = _known(piece.home)
    made = Scan([Source(piece.name, piece.path, kind=piece.kind)], folder.check)
    made.run()
    if made.stopped:
        raise KeyboardInterrupt
    return FileScan(made.sources[0], made.tally, made.findings)


@cache
def _known(home: Path) -> DataFolder:
    folder = DataFolder.find(home)
    folder.use_plugins()
    return folder
