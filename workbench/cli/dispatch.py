"""From arguments to a command, importing only what that command needs.

`parse` and `send` read their own arguments and are reached without the command-line library; everything else is a
module with `register(app)`, imported when it is called for (all of them only for the list of commands).
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.failures import guarded
from workbench.cli.masked_output import keys_masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DIRECT = {
    "parse": "Read raw model output with any tool format.",
    "send": "Send one exchange (or a batch) over any wire protocol.",
    "open": "Open the window, with a case file if one is named.",
}
"""Commands with a `main(argv) -> int` of their own."""

COMMANDS = {
    "demo": "demo",
    "run": "run",
    "formats": "formats",
    "detect": "formats",
    "prompt": "formats",
    "history": "history",
    "show": "history",
    "diff": "history",
    "replay": "replay",
    "minimise": "minimise",
    "report": "report",
    "suite": "suite",
    "case": "case",
    "verdict": "verdict",
    "verify": "verify",
    "export": "exporting",
    "import": "importing",
    "providers": "providers",
    "models": "models",
    "tools": "tools",
    "server": "server",
    "gateway": "gateway",
    "read": "read",
    "scan": "scan",
    "db": "db",
}
"""Command → module in this package that registers it."""


def dispatch(argv: Sequence[str]) -> int:
    """Run the command that `argv` names; return its exit code."""
    _open_what_is_closed()
    _speak_utf8()
    arguments, home = take_home(argv)
    if arguments and arguments[0] in DIRECT:
        if home is not None:
            os.environ["WORKBENCH_HOME"] = home
        module = importlib.import_module(f"workbench.cli.{arguments[0]}")
        with keys_masked(results=arguments[0] != "parse"):
            return guarded(lambda: int(module.main(arguments[1:])))
    with keys_masked():
        return guarded(lambda: _run_tree(list(argv)))


def take_home(argv: Sequence[str]) -> tuple[list[str], str | None]:
    """Split a leading `--home DIR` off; later ones belong to the command."""
    match list(argv):
        case ["--home", folder, *rest]:
            return rest, folder
        case [first, *rest] if first.startswith("--home="):
            return rest, first.removeprefix("--home=")
    return list(argv), None


def wanted(argv: Sequence[str]) -> Iterable[str]:
    """Return the modules to load: the one of the command named, or all of them for help and misspellings."""
    arguments, _ = take_home(argv)
    name = arguments[0] if arguments else ""
    return [COMMANDS[name]] if name in COMMANDS else dict.fromkeys(COMMANDS.values())


def _run_tree(argv: list[str]) -> int:
    from workbench.cli.tree import command_tree

    found = command_tree(wanted(argv), DIRECT).main(args=argv, prog_name="workbench", standalone_mode=True)
    return found if isinstance(found, int) else 0


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale says; what has no UTF-8 leaves as an escape, which JSON reads back."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _open_what_is_closed() -> None:
    """Stand in for streams that the caller closed (`<&-`): nothing comes, and what is written goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
