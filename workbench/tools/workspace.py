"""The workspace folder by its handle: files below it are opened step by step, and no link is ever followed.

What is checked is what is used: a file is found as a handle, the handle is looked at, and the same handle is read. A
file is written beside its place and moved there in one step, so nobody sees half of it and nothing behind a link is
changed. Folders, devices, pipes, sockets, and files with a second name (a hard link) are refused.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import stat
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, ToolError
from workbench.core.whole_files import expanded
from workbench.tools.paths import is_repository_data, path_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 1_000_000
"""Bytes of a file that is read or written."""
MOST_ENTRIES = 1000
LEFTOVER = ".workbench-part-"
"""Beginning of the name of a file that is being written; the number after it is the process."""

SUPPORTED = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_PATH = getattr(os, "O_PATH", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_OPENAT2 = 437
_RESOLVE = 0x01 | 0x02 | 0x04 | 0x08
"""RESOLVE_NO_XDEV, NO_MAGICLINKS, NO_SYMLINKS, BENEATH."""
_SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/run")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a folder."""

    name: str
    kind: str
    """`file`, `folder`, `link` or `other`."""
    size: int = 0
    """Bytes of a file."""


class Workspace:
    """An open workspace folder; use as a context manager."""

    def __init__(self, root: Path, handle: int, largest: int) -> None:
        """Use `Workspace.open`."""
        self.root, self.largest = root, largest
        self._handle = handle

    @classmethod
    def open(cls, folder: Path, *, largest: int = LARGEST, private: Path | None = None) -> Workspace:
        """Open the folder; `private` is the program's own data, which must not lie in it. Raise InvalidInput."""
        root = check_workspace(folder, private)
        workspace = cls(root, os.open(root, os.O_RDONLY | _FOLDER), largest)
        workspace._sweep()
        return workspace

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def steps(self, path: object) -> tuple[str, ...]:
        """The names from the workspace down to a path; raise ToolError."""
        return path_steps(path, str(self.root))

    def read(self, path: object) -> bytes:
        """The bytes of a file; raise ToolError."""
        steps = self.steps(path)
        with _told(path), self._parent(steps) as (folder, name), _file(folder, name) as (handle, facts):
            if facts.st_size > self.largest:
                raise ToolError(f"The file is larger than {self.largest:,} bytes: {facts.st_size:,}.")
            return _read_all(handle, self.largest)

    def look(self, path: object) -> bytes | None:
        """The same, or None where nothing stands."""
        try:
            return self.read(path)
        except ToolError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None
            raise

    def write(self, path: object, data: bytes) -> None:
        """Put a file in its place in one step, folders made as needed; raise ToolError."""
        steps = self.writable(path)
        if len(data) > self.largest:
            raise ToolError(f"The content is larger than {self.largest:,} bytes: {len(data):,}.")
        with _told(path), self._parent(steps, make=True) as (folder, name):
            mode = _mode_there(folder, name)
            self._replace(folder, name, data, mode)

    def writable(self, path: object) -> tuple[str, ...]:
        """The steps to a file that may be written; raise ToolError."""
        steps = self.steps(path)
        if not steps:
            raise ToolError("The workspace folder itself is no file.")
        if is_repository_data(steps):
            raise ToolError("What is in a .git folder is not written.", hint="Its files make git run programs.")
        if steps[-1].startswith(LEFTOVER):
            raise ToolError(f"Names that begin with {LEFTOVER!r} are the program's own.")
        return steps

    def remove(self, path: object) -> None:
        """Take a file away; raise ToolError."""
        steps = self.writable(path)
        with _told(path), self._parent(steps) as (folder, name), _file(folder, name):
            os.unlink(name, dir_fd=folder)

    def entries(self, path: object) -> tuple[list[Entry], bool]:
        """What is in a folder, by name, and whether there was more; raise ToolError."""
        steps = self.steps(path)
        with _told(path), self._folder(steps) as handle:
            found: list[Entry] = []
            with os.scandir(handle) as listing:
                for entry in listing:
                    if len(found) == MOST_ENTRIES:
                        return sorted(found, key=lambda one: one.name), True
                    found.append(_entry(entry))
        return sorted(found, key=lambda one: one.name), False

    def _replace(self, folder: int, name: str, data: bytes, mode: int) -> None:
        """Write beside the place and move; the part lies in the workspace folder, where `_sweep` finds leftovers."""
        part = f"{LEFTOVER}{os.getpid()}-{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(part, flags, mode, dir_fd=self._handle)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123 - a handle, no path
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.rename(part, name, src_dir_fd=self._handle, dst_dir_fd=folder)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(part, dir_fd=self._handle)
            raise

    def _sweep(self) -> None:
        """Take away parts whose process died while it wrote."""
        with os.scandir(self._handle) as listing:
            names = [entry.name for entry in listing if entry.name.startswith(LEFTOVER)]
        for name in names:
            process = name.removeprefix(LEFTOVER).partition("-")[0]
            if process.isdigit() and not _alive(int(process)):
                with contextlib.suppress(OSError):
                    os.unlink(name, dir_fd=self._handle)

    @contextlib.contextmanager
    def _parent(self, steps: tuple[str, ...], *, make: bool = False) -> Iterator[tuple[int, str]]:
        if not steps:
            raise ToolError("That is the workspace folder, not a file.")
        with self._folder(steps[:-1], make=make) as folder:
            yield folder, steps[-1]

    @contextlib.contextmanager
    def _folder(self, steps: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
        handle = _walk(self._handle, steps, make=make)
        try:
            yield handle
        finally:
            os.close(handle)


def check_workspace(folder: Path, private: Path | None = None) -> Path:
    """Return the real path of a folder that may be a workspace; raise InvalidInput with the reason."""
    if not SUPPORTED:
        raise InvalidInput("Files cannot be kept inside a folder on this system.", hint="Mock the file tools here.")
    try:
        root = expanded(folder).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise InvalidInput(f"There is no folder {str(folder)!r}.", hint="Make it, or choose another one.") from error
    if not root.is_dir():
        raise InvalidInput(f"{str(folder)!r} is not a folder.")
    if root == Path(root.anchor) or any(root == Path(place) or Path(place) in root.parents for place in _SYSTEM):
        raise InvalidInput(f"{str(root)!r} belongs to the system.", hint="Make a folder of its own for the tools.")
    if root == _home() or (private is not None and root in (private.resolve(), *private.resolve().parents)):
        raise InvalidInput(
            f"{str(root)!r} holds keys and settings.",
            hint="Make a folder of its own for the tools, in it or elsewhere.",
        )
    return root


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return None


def _walk(root: int, steps: tuple[str, ...], *, make: bool) -> int:
    """A handle of the folder at the steps. One call of the kernel where it can, else step by step."""
    if not make and steps and (handle := _open_beneath(root, "/".join(steps))) is not None:
        return handle
    handle = os.dup(root)
    for step in steps:
        try:
            following = _enter(handle, step, make=make)
        finally:
            os.close(handle)
        handle = following
    return handle


def _enter(folder: int, step: str, *, make: bool) -> int:
    try:
        return os.open(step, os.O_RDONLY | _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(step, 0o755, dir_fd=folder)
    return os.open(step, os.O_RDONLY | _FOLDER, dir_fd=folder)


class _How(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


@cache
def _kernel() -> Any:
    """The C library, where `openat2` is worth trying."""
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _open_beneath(root: int, path: str) -> int | None:
    """`openat2`; None where the kernel does not have it or gives no answer, OSError where it refuses."""
    if (kernel := _kernel()) is None:
        return None
    how = _How(os.O_RDONLY | _FOLDER, 0, _RESOLVE)
    handle = kernel.syscall(_OPENAT2, root, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how))
    if handle >= 0:
        return int(handle)
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EPERM, errno.EAGAIN, errno.E2BIG, errno.EINVAL):
        return None
    raise OSError(code, os.strerror(code), path)


@contextlib.contextmanager
def _file(folder: int, name: str) -> Iterator[tuple[int, os.stat_result]]:
    """A handle of an ordinary file, looked at before anything of it is touched, and then read by the same handle."""
    found = os.open(name, (_PATH or os.O_RDONLY | os.O_NONBLOCK) | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        facts = os.fstat(found)
        _check_kind(facts)
        handle = os.open(f"/proc/self/fd/{found}", os.O_RDONLY | os.O_CLOEXEC) if _PATH else os.dup(found)
        try:
            yield handle, facts
        finally:
            os.close(handle)
    finally:
        os.close(found)


def _check_kind(facts: os.stat_result) -> None:
    mode = facts.st_mode
    if stat.S_ISLNK(mode):
        raise ToolError("Links are not followed.")
    if stat.S_ISDIR(mode):
        raise ToolError("That is a folder, not a file.")
    if not stat.S_ISREG(mode):
        raise ToolError("That is a device, pipe or socket, not a file.")
    if facts.st_nlink > 1:
        raise ToolError("The file has a second name (a hard link), which may lie outside of the workspace folder.")


def _mode_there(folder: int, name: str) -> int:
    """Permissions of the file that is replaced; raise ToolError where no ordinary file is replaced."""
    try:
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return 0o644
    _check_kind(facts)
    return stat.S_IMODE(facts.st_mode) & 0o777


def _read_all(handle: int, largest: int) -> bytes:
    """Read what there is, and no more than the limit however the file grows meanwhile."""
    pieces, size = [], 0
    while piece := os.read(handle, 65_536):
        size += len(piece)
        if size > largest:
            raise ToolError(f"The file is larger than {largest:,} bytes.")
        pieces.append(piece)
    return b"".join(pieces)


def _entry(entry: os.DirEntry[str]) -> Entry:
    try:
        if entry.is_symlink():
            return Entry(entry.name, "link")
        if entry.is_dir(follow_symlinks=False):
            return Entry(entry.name, "folder")
        if entry.is_file(follow_symlinks=False):
            return Entry(entry.name, "file", entry.stat(follow_symlinks=False).st_size)
    except OSError:
        pass
    return Entry(entry.name, "other")


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


@contextlib.contextmanager
def _told(path: object) -> Iterator[None]:
    """Say what the system refused in the words of a tool, without the path outside of the workspace."""
    try:
        yield
    except FileNotFoundError as error:
        raise ToolError(f"There is no {str(path)!r} in the workspace folder.") from error
    except OSError as error:
        said = {
            errno.ELOOP: "Links are not followed.",
            errno.EXDEV: "The path leads out of the workspace folder.",
            errno.ENOTDIR: "A part of the path is no folder, or a link, which is not followed.",
        }
        words = said.get(error.errno or 0, f"{error.strerror or error}.")
        raise ToolError(f"{str(path)!r} cannot be used: {words}") from error
