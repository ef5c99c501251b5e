"""Files written as a whole: all of them or none, and never an empty or half one in place of an old one.

Each file is first written beside its target under a name of its own; only when all are complete, on the disk too, they take their
places. Where one cannot (a folder stands there, the disk is full), those that were placed already go back to what they were.
A symbolic link keeps pointing where it points; a device or a pipe is written to directly.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.whole_files import opened_without_waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_HINTS = {
    errno.ENOSPC: "Make room on that disk, or give another place.",
    errno.EDQUOT: "Make room, or give another place.",
    errno.EISDIR: "A folder stands there: give the name of a file.",
    errno.ENOTDIR: "A file stands where a folder is needed: give another place.",
    errno.EEXIST: "Give another path, or --force to replace it.",
    errno.EROFS: "Give a place that can be written.",
    errno.EACCES: "Give a place that you may write to.",
    errno.EPERM: "Give a place that you may write to.",
    errno.ENAMETOOLONG: "Give a shorter name.",
    errno.ENXIO: "Nobody reads that pipe: start its reader first.",
    errno.ELOOP: "The link leads back to itself: take it away, or give another place.",
    errno.ENOLCK: "Files there cannot be locked: give a place on this computer.",
}


@dataclass(frozen=True, slots=True)
class NewFile:
    """What shall stand at a path."""

    path: Path
    content: str | bytes
    """Text is written as UTF-8 with `\\n`; half a surrogate pair leaves as `\\udXXX`, which JSON and Python read back."""
    executable: bool = False
    private: bool = False
    """Readable for its owner alone; a file that is there keeps the rights that it has."""
    still: Callable[[], bool] | None = None
    """Asked just before it takes its place; `Overtaken` is raised where what it was made from is not so any more."""

    @property
    def data(self) -> bytes:
        """The bytes to be written."""
        return self.content.encode("utf-8", "backslashreplace") if isinstance(self.content, str) else self.content


class Overtaken(Exception):
    """Somebody else wrote the file meanwhile: nothing was written."""


def write_files(
    files: Iterable[NewFile], *, replace: bool = True, sync: bool = True, error: type[WorkbenchError] = InvalidInput
) -> tuple[Path, ...]:
    """Write all files, or none; return their paths. Missing folders are made.

    Without `replace` nothing that is there is touched. Without `sync` a power cut may undo the change (never half of it).
    Raise `error` naming the first path that cannot be written.
    """
    parts = [_Part(file) for file in files]
    done = False
    try:
        for part in parts:
            part.find(replace)
        for part in parts:
            part.prepare(sync)
        for part in parts:
            part.place(replace, keep_old=len(parts) > 1)
        done = True
    except (OSError, ValueError) as problem:  # a name that no system takes is a ValueError
        raise not_written(part.file.path, problem, error) from problem
    finally:
        for part in reversed(parts):
            part.clear(done)
    return tuple(part.file.path for part in parts)


def write_file(
    path: Path,
    content: str | bytes,
    *,
    replace: bool = True,
    sync: bool = True,
    private: bool = False,
    still: Callable[[], bool] | None = None,
    error: type[WorkbenchError] = InvalidInput,
) -> Path:
    """Write one file as a whole; return its path. See `write_files`."""
    return write_files([NewFile(path, content, private=private, still=still)], replace=replace, sync=sync, error=error)[
        0
    ]


@contextmanager
def replaced_file(path: Path, *, error: type[WorkbenchError] = InvalidInput) -> Iterator[Path]:
    """Give a path beside `path` to write to; it takes its place when the block ends well, and is removed otherwise."""
    part = _Part(NewFile(path, b"", private=True))
    try:
        part.find(replace=True)
        yield part.make()
        part.place(replace=True, keep_old=False)
    except OSError as problem:
        raise not_written(path, problem, error) from problem
    finally:
        part.clear(done=True)


def make_folder(path: Path, *, error: type[WorkbenchError] = InvalidInput) -> None:
    """Make a folder for its owner alone, if it is missing; raise `error`."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as problem:
        raise not_written(path, _no_folder(problem), error) from problem


def check_writable(path: Path, *, replace: bool = True, error: type[WorkbenchError] = InvalidInput) -> None:
    """Look before long work whether a file can be written there; raise `error`."""
    try:
        part = _Part(NewFile(path, b""))
        part.find(replace)
        folder = next(place for place in path.absolute().parents if place.exists())
        check_folder(folder)
    except OSError as problem:
        raise not_written(path, problem, error) from problem


def check_folder(folder: Path) -> None:
    """Look whether files can be made in a folder; raise OSError."""
    if not folder.is_dir():
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not os.access(folder, os.W_OK | os.X_OK):
        read_only = hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY
        number = errno.EROFS if read_only else errno.EACCES
        raise OSError(number, os.strerror(number))


def not_written(
    path: Path, problem: OSError | ValueError, error: type[WorkbenchError] = InvalidInput
) -> WorkbenchError:
    """Say what kept a file from being written, and what to do."""
    if not isinstance(problem, OSError):
        return error(f"{str(path)!r} cannot be the name of a file: {problem}.", hint="Give another name.")
    if problem.errno == errno.EEXIST:
        return error(f"{str(path)!r} exists already.", hint=_HINTS[errno.EEXIST])
    return error(
        f"{str(path)!r} cannot be written: {problem.strerror or problem}.", hint=_HINTS.get(problem.errno or 0, "")
    )


@dataclass(slots=True)
class _Part:
    """One file on its way to its place."""

    file: NewFile
    target: Path = field(init=False)
    """Where the bytes end up: behind a symbolic link, what it points to."""
    fresh: Path | None = None
    """The new content, not in its place yet."""
    old: Path | None = None
    """What stood there, to be put back."""
    placed: bool = False
    made: list[Path] = field(default_factory=list)
    """Folders that were missing, the innermost first."""

    def __post_init__(self) -> None:
        self.target = self.file.path

    def find(self, replace: bool) -> None:
        """Follow a symbolic link, and see whether a file may stand there."""
        try:
            if self.file.path.is_symlink():
                self.target = self.file.path.resolve()
        except RuntimeError as circle:  # Python's own word for links that lead back to themselves
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from circle
        self.check(replace)

    @property
    def direct(self) -> bool:
        """A device or a pipe: it has no content that could be replaced."""
        return self.target.exists() and not self.target.is_file() and not self.target.is_dir()

    def check(self, replace: bool) -> None:
        if self.file.path.parts[:1] == ("-",):
            raise InvalidInput("'-' is not the name of a file.", hint="Give a path; this cannot be printed.")
        if self.target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not replace and os.path.lexists(self.file.path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    def prepare(self, sync: bool) -> None:
        """Write the content beside the target."""
        if self.direct:
            return
        with self.make().open("wb") as out:
            out.write(self.file.data)
            out.flush()
            if sync:
                os.fsync(out.fileno())

    def make(self) -> Path:
        """Make the empty file beside the target, with the rights that the target has or shall have."""
        folder = self.target.parent
        self.made = [place for place in (folder, *folder.parents) if not place.exists()]
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700 if self.file.private else 0o777)
        except OSError as problem:
            raise _no_folder(problem) from problem
        rights = 0o600 if self.file.private else 0o777 if self.file.executable else 0o666
        self.fresh = self._beside()
        os.close(os.open(self.fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, rights))
        if self.target.exists() and not self.file.executable:
            shutil.copymode(self.target, self.fresh)
        return self.fresh

    def _hand_over(self) -> None:
        """Write to a device or a pipe; raise OSError where nobody reads that."""
        with open(self.target, "wb", opener=opened_without_waiting) as out:
            if os.name == "posix":
                os.set_blocking(out.fileno(), True)
            out.write(self.file.data)

    def place(self, replace: bool, *, keep_old: bool) -> None:
        """Move the content to the target."""
        if self.file.still is not None and not self.file.still():
            raise Overtaken
        if self.fresh is None:
            self._hand_over()
            return
        self.check(replace)
        if keep_old and self.target.exists():
            beside = self._beside()
            _link_or_copy(self.target, beside)
            self.old = beside
        if replace:
            self.fresh.replace(self.target)
        else:
            _link_or_copy(self.fresh, self.target)
        self.placed = True

    def clear(self, done: bool) -> None:
        """Remove what stands beside the target; where the whole was not done, put back what was there before."""
        with suppress(OSError):
            if not done and self.placed and self.old is not None:
                self.old.replace(self.target)
            elif not done and self.placed:
                self.target.unlink()
        for beside in (self.fresh, self.old):
            if beside is not None:
                with suppress(OSError):
                    beside.unlink(missing_ok=True)
        if not done or not self.placed:
            with suppress(OSError):
                for folder in self.made:
                    folder.rmdir()

    def _beside(self) -> Path:
        return self.target.with_name(f".{secrets.token_hex(8)}.part")


def _no_folder(problem: OSError) -> OSError:
    """The system says "exists" of a file in a folder's place; that would be told wrongly."""
    return OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) if problem.errno == errno.EEXIST else problem


def _link_or_copy(source: Path, target: Path) -> None:
    """Let the same content stand at a second path that is free; raise FileExistsError where it is not."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with target.open("xb") as out:
            out.write(source.read_bytes())
        shutil.copymode(source, target)
