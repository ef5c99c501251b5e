"""The command `workbench`: without arguments the window, otherwise the command line.

Nothing heavy is imported here: `workbench parse` must start in an instant, and headless commands never touch Qt.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.whole_files import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


def main(argv: Sequence[str] | None = None) -> int:
    """Run the window or a command; return the exit code."""
    try:
        return _main(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # while the command was still being imported
        return 130


def _main(arguments: list[str]) -> int:
    asked = window_asked(arguments)
    if asked is None:
        return _command(arguments)
    if asked.file is not None and not asked.file.is_file():
        _say(f"There is no file {str(asked.file)!r}. Name a case file: .yaml, .yml, .json or .jsonl.")
        return 2
    if asked.home is not None:
        os.environ["WORKBENCH_HOME"] = str(asked.home)
    return _window(asked)


class WindowAsked(NamedTuple):
    """A window that somebody wants."""

    home: Path | None = None
    file: Path | None = None
    """A case file that it shows first."""


def window_asked(arguments: Sequence[str]) -> WindowAsked | None:
    """What `workbench [--home DIR] [open [FILE]]` asks for; None for every other command."""
    match list(arguments):
        case ["--home", folder, *rest]:
            home: Path | None = Path(folder)
        case [first, *rest] if first.startswith("--home="):
            home = Path(first.removeprefix("--home="))
        case rest:
            home = None
    match rest:
        case [] | ["open"]:
            return WindowAsked(home)
        case ["open", file] if not file.startswith("-"):
            return WindowAsked(home, expanded(file).absolute())
    return None


def _command(arguments: list[str]) -> int:
    from workbench.cli.dispatch import dispatch

    return dispatch(arguments)


def _window(asked: WindowAsked) -> int:
    from workbench.core.errors import MissingLibrary

    if reason := no_display():
        _say(f"{reason} Running the headless demo instead; `workbench --help` lists all commands.")
        return _command(["demo", *(["--screenshot", PICTURE] if window_installed() else [])])
    if not window_installed():
        _say(str(MissingLibrary.of_extra("The window is not installed; every command works without it.", "gui")))
        return 2
    from workbench.cli.failures import apt_line, guarded

    if missing := missing_library():
        _say(f"The window needs a system library that is not installed: {missing}")
        _say(f"On Debian or Ubuntu: {apt_line()}")
        return 2
    launch = importlib.import_module("workbench.ui.main").launch
    return guarded(lambda: int(launch([], asked.home, asked.file)))


PICTURE = "workbench-demo.png"
"""What the window looks like, for those who have none here: written where the command was started."""


def no_display() -> str:
    """Say why no window can be shown on this machine; empty if one can."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    if os.environ.get("WAYLAND_DISPLAY"):
        return ""
    display = os.environ.get("DISPLAY")
    if not display:
        return "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)."
    return "" if _answers(display) else f"The display {display!r} does not answer."


def _answers(display: str) -> bool:
    """Ask the X server; Qt would abort the whole process where it cannot connect."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # `missing_library` has the better message
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode(), None)
    broken = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not broken


def window_installed() -> bool:
    """Whether the optional part `gui` is there, without importing it."""
    return all(importlib.util.find_spec(name) is not None for name in ("PySide6", "qasync"))


def import_qt() -> ModuleType:
    """Import Qt's widgets; raise ImportError.

    PySide6 puts an `__import__` of its own in place, which reads the source of every module that is imported from then on,
    for a syntax that nobody here uses: a tenth of the window's start. Python's own is put back.
    """
    own = builtins.__import__
    try:
        return importlib.import_module("PySide6.QtWidgets")
    finally:
        builtins.__import__ = own


def missing_library() -> str:
    """Name the library that keeps Qt from starting; empty if nothing is missing."""
    try:
        widgets = import_qt()
    except ImportError as error:
        return str(error)
    if not _uses_xcb():
        return ""
    plugin = Path(str(widgets.__file__)).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    try:
        # Qt itself only aborts, and blames xcb-cursor0 whatever is missing
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error) if plugin.exists() else ""
    return ""


def _uses_xcb() -> bool:
    if not sys.platform.startswith("linux"):
        return False
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    return chosen == "xcb" if chosen else not os.environ.get("WAYLAND_DISPLAY")


def _say(text: str) -> None:
    print(f"workbench: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    if getattr(sys, "frozen", False):  # a process of a job begins here, too
        importlib.import_module("multiprocessing").freeze_support()
    sys.exit(main())
