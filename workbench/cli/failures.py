"""The edge of every command: errors become one line and an exit code, bugs become a crash report. Imports nothing heavy."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from workbench.cli.text import visible
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.resources import resource_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FINE, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130
LONGEST = 2_000
"""Characters of one complaint."""


_OF_PATHS = frozenset({
    errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC,
    errno.EDQUOT, errno.EFBIG,
})  # fmt: skip
"""What is wrong with a path or a disk, never with the program."""


class OutputClosed(Exception):
    """Whoever read our output has gone, as `head` does: nothing is wrong."""


def guarded(command: Callable[[], int]) -> int:
    """Run a command; return its exit code, or that of the error that it ended with."""
    try:
        return command()
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # the library for options ends so where its help is not read
            _forget_output()
            return FINE
        return stop.code if isinstance(stop.code, int) else WRONG_USE if stop.code else FINE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OutputClosed, BrokenPipeError):
        _forget_output()
        return FINE
    except OSError as error:
        if (known := world_error(error)) is not None:
            complain(known)
            return WRONG_USE
        if error.filename is not None or error.errno not in (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT):
            return _crashed(error)
        _forget_output()  # what printed was somebody else's code: the help, the version
        complain(InvalidInput(f"The output cannot be written: {error.strerror or error}."))
        return WRONG_USE
    except Exception as error:  # noqa: BLE001 - the outermost edge: the excepthook of the command line
        known = world_error(error)
        if known is None:
            return _crashed(error)
        complain(known)
        return known.exit_code


def world_error(error: BaseException) -> WorkbenchError | None:
    """Return the error that a user can act on: ours, or that of a path; task groups wrap theirs."""
    if isinstance(error, WorkbenchError):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = [world_error(inner) for inner in error.exceptions]
        return found[0] if found and all(found) else None
    if isinstance(error, OSError) and error.errno in _OF_PATHS and error.filename is not None:
        return InvalidInput(f"{str(error.filename)[:120]!r} cannot be used: {error.strerror}.")
    if isinstance(error, ValueError) and "null byte" in str(error):  # Python's own word for a path with such a sign
        return InvalidInput("The name of a file holds a NUL sign.", hint="Give another name.")
    return None


def complain(error: WorkbenchError) -> None:
    """Print one clear line: what is wrong and what to do next."""
    say(str(error))


def say(text: str) -> None:
    """Print one line about what is going on; results never go this way."""
    with suppress(OSError, ValueError, AttributeError):  # nobody listens: the exit code still tells
        line = visible(_without_keys(" ".join(text.split())))
        if len(line) > LONGEST:  # a name of megabytes hides what is wrong before it, and the hint behind it
            line = f"{line[: LONGEST * 3 // 4]} … {line[-LONGEST // 4 :]}"
        print(f"workbench: {line}", file=sys.stderr, flush=True)


def _without_keys(text: str) -> str:
    """The line with stars for keys of the environment and of addresses, which may be told before anybody has read them as such."""
    from workbench.core.secret_values import secrets_in_addresses, secrets_in_environment, secrets_in_fields

    found = {*secrets_in_addresses(text), *secrets_in_fields(text), *secrets_in_environment(os.environ)}
    for secret in sorted(found, key=len, reverse=True):
        text = text.replace(secret, "*" * len(secret))
    return text


def apt_line() -> str:
    """Return the command that installs what a bare Debian or Ubuntu lacks for the window."""
    names = resource_path("system", "window-on-debian.txt").read_text(encoding="ascii").split()
    return f"apt-get install --no-install-recommends {' '.join(names)}"


def tell_notes(notes: Sequence[str]) -> None:
    """Print what is set and has no effect."""
    for note in notes:
        say(note)


def _crashed(error: Exception) -> int:
    from workbench.settings.crash_reports import crash_report, write_crash_report

    report = crash_report(error)
    place = write_crash_report(report)
    if place is None:
        print(report, file=sys.stderr)
        say("This is a fault of the program, not yours. The report stands above; it could not be written to a file.")
    else:
        say(f"This is a fault of the program, not yours: {type(error).__name__}. Report: {place}")
    return FAILED


def _forget_output() -> None:
    """Point standard output nowhere, so that the interpreter's own flush at exit stays quiet."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        return
