"""Finds llama-server and asks it, once per program file, which flags it knows.

Looked for in this order: the setting, `LLAMACPP_SERVER`, the folders of `PATH`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import MissingLibrary
from workbench.core.whole_files import expanded

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "LLAMACPP_SERVER"
PROGRAM = "llama-server"
HELP_S = 20.0
"""How long the program may take to print its help: the first start loads drivers."""

_SECRET_NAME = re.compile(r"key|token|secret|passw|credential", re.IGNORECASE)
_NAMES = re.compile(r"-{1,2}[A-Za-z][\w-]*")
_HEAD = re.compile(r"^ {0,3}-")
"""A line that begins a flag; its explanation stands further right."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag of the program's help."""

    names: tuple[str, ...]
    value: str = ""
    """What the help writes for its value, such as `N` or `[on|off|auto]`; empty: it takes none."""
    about: str = ""


@dataclass(frozen=True, slots=True)
class ServerBinary:
    """A program that was found, with the flags it knows."""

    path: Path
    flags: tuple[Flag, ...]
    found_by: str = ""
    """`setting`, `LLAMACPP_SERVER` or `PATH`."""

    def flag(self, name: str) -> Flag | None:
        """The flag of that name, if the program knows it."""
        return next((flag for flag in self.flags if name in flag.names), None)

    def first(self, *names: str) -> str:
        """The first of these names that the program knows; empty if none."""
        return next((name for name in names if self.flag(name)), "")

    @property
    def names(self) -> tuple[str, ...]:
        """All names of all flags."""
        return tuple(name for flag in self.flags for name in flag.names)


_learned: dict[tuple[str, int, int], tuple[Flag, ...]] = {}
"""By path, time of change and size: a program that was replaced is asked again."""


def find_binary(setting: str = "", environ: Mapping[str, str] | None = None) -> ServerBinary:
    """Find the program and learn its flags; raise MissingLibrary saying where it was looked for."""
    found = os.environ if environ is None else environ
    for name, by in ((setting, "setting"), (found.get(VARIABLE, ""), VARIABLE)):
        if name.strip():
            path = _program(name.strip(), found)
            if path is None:
                text = f"The {by} names {name.strip()!r} as {PROGRAM}, and that is no program here."
                raise MissingLibrary(text, hint="Give the path of the program file, or of its folder.")
            return ServerBinary(path, learn_flags(path, found), by)
    path = _program(PROGRAM, found)
    if path is None:
        hint = f"Install llama.cpp, then set {VARIABLE} to the path of {PROGRAM}, or put its folder into PATH."
        raise MissingLibrary(f"{PROGRAM} was not found in PATH.", hint=hint)
    return ServerBinary(path, learn_flags(path, found), "PATH")


def _program(name: str, environ: Mapping[str, str]) -> Path | None:
    path = expanded(name)
    if path.is_dir():
        path /= PROGRAM
    found = shutil.which(str(path), path=environ.get("PATH"))
    return Path(found).absolute() if found else None


def learn_flags(path: Path, environ: Mapping[str, str] | None = None) -> tuple[Flag, ...]:
    """The flags that a program's `--help` names; raise MissingLibrary if it does not answer."""
    state = path.stat()
    known = (str(path), state.st_mtime_ns, state.st_size)
    if known not in _learned:
        flags = read_help(_help(path, os.environ if environ is None else environ))
        if not any("--model" in flag.names for flag in flags):
            text = f"{str(path)!r} does not look like {PROGRAM}: its --help names no --model."
            raise MissingLibrary(text, hint=f"Give the path of llama.cpp's {PROGRAM}.")
        _learned[known] = flags
    return _learned[known]


def _help(path: Path, environ: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            [str(path), "--help"], capture_output=True, stdin=subprocess.DEVNULL, timeout=HELP_S,
            env=clean_environment(environ), check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise MissingLibrary(f"{str(path)!r} --help did not end within {HELP_S:g} seconds.") from error
    except OSError as error:
        text = f"{str(path)!r} cannot be started: {error.strerror or error}."
        raise MissingLibrary(text, hint="Is it made for this system?") from error
    said = done.stdout.decode("utf-8", "replace") + "\n" + done.stderr.decode("utf-8", "replace")
    if done.returncode != 0 and "--model" not in said:
        last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "it said nothing")
        text = f"{str(path)!r} --help ended with {done.returncode}: {last[:300]}"
        raise MissingLibrary(text, hint="Start it once by hand: a library of its own may be missing.")
    return said


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without keys: a server on this computer needs none, and shows its environment to others."""
    return {name: value for name, value in environ.items() if not _SECRET_NAME.search(name)}


def read_help(text: str) -> tuple[Flag, ...]:
    """Read the flags out of a help text; lines that are something else are passed over."""
    flags: list[Flag] = []
    for line in text.expandtabs().splitlines():
        if _HEAD.match(line):
            flags.append(_flag(line.strip()))
        elif flags and line.startswith(" ") and line.strip():
            last = flags[-1]
            flags[-1] = Flag(last.names, last.value, f"{last.about} {line.strip()}".strip())
    return tuple(flag for flag in flags if flag.names)


def _flag(line: str) -> Flag:
    """Read `-c,    --ctx-size N      size of the prompt context`: names, one value, then the explanation."""
    names, at = [], 0
    while match := _NAMES.match(line, at):
        names.append(match.group())
        at = match.end()
        if not (comma := re.compile(r"\s*,\s*(?=-)").match(line, at)):
            break
        at = comma.end()
    value, _, about = line[at:].partition("  ") if line[at : at + 2] != "  " else ("", "", line[at:])
    return Flag(tuple(names), value.strip(), about.strip())
