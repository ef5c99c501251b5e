"""A path as a model wrote it, as steps below the workspace folder; everything that could lead out of it is refused.

This looks at the text alone. Links, devices and races are the business of `workspace`, which walks the steps.
"""

from __future__ import annotations

import re
import unicodedata

from workbench.core.errors import ToolError

LONGEST_PATH = 1024
LONGEST_NAME = 255
DEEPEST = 32

_DRIVE = re.compile(r"[A-Za-z]:")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_IGNORED = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Invisible signs that some file systems drop from a name."""
STAY = "Give a path inside the workspace folder, such as notes/today.md."


def path_steps(text: object, root: str) -> tuple[str, ...]:
    """Return the names from the workspace folder `root` (absolute) down, none for the folder; raise ToolError."""
    if not isinstance(text, str):
        raise ToolError(f"The path is not a text: {text!r}.", hint=STAY)
    _check_signs(text)
    inside = _below(text, root)
    if "\\" in inside:
        raise ToolError("A path here has no backslashes.", hint="Separate folders by '/'.")
    steps = tuple(step for step in inside.split("/") if step not in ("", "."))
    for step in steps:
        _check_step(step)
    if len(steps) > DEEPEST:
        raise ToolError(f"The path is more than {DEEPEST} folders deep.")
    return steps


def is_repository_data(steps: tuple[str, ...]) -> bool:
    """Whether a path leads into a `.git` folder, whose files make git run programs."""
    plain = (_IGNORED.sub("", unicodedata.normalize("NFKC", step)).casefold().rstrip(". ") for step in steps)
    return any(step in (".git", "git~1") for step in plain)


def _check_signs(text: str) -> None:
    if len(text.encode(errors="surrogatepass")) > LONGEST_PATH:
        raise ToolError(f"The path is longer than {LONGEST_PATH} bytes.")
    for sign in text:
        if unicodedata.category(sign) in ("Cc", "Cs") or _IGNORED.match(sign):
            raise ToolError(f"The path holds a sign that no file name has: {sign!a}.")
    if _ADDRESS.match(text):
        raise ToolError("An address is no path.", hint=STAY)


def _below(text: str, root: str) -> str:
    """The part below the workspace folder, of an absolute path that names it too."""
    if text == root or text.startswith(root.rstrip("/") + "/"):
        return text[len(root) :].lstrip("/")
    if text.startswith(("/", "\\")) or _DRIVE.match(text):
        raise ToolError("The path leads out of the workspace folder.", hint=STAY)
    if text == "~" or re.match(r"~[^/]*/", text):
        raise ToolError("A path here does not begin in a home directory.", hint=STAY)
    return text


def _check_step(step: str) -> None:
    plain = unicodedata.normalize("NFKC", step)
    if step == ".." or plain.strip(" ") in ("..", ".") or "/" in plain or "\\" in plain:
        raise ToolError("The path leads out of the workspace folder.", hint=STAY)
    if len(step.encode()) > LONGEST_NAME:
        raise ToolError(f"A name in the path is longer than {LONGEST_NAME} bytes.")
