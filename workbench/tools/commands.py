"""The built-in tool `execute_command`: a program of the allow-list in the workspace folder, without a shell.

Behind bubblewrap it sees the system read-only, the workspace, and no network. Without it less holds, so it runs only
where the user said that it may, and its arguments must then not name a place outside of the workspace.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass, field
from typing import Any

from workbench.core.errors import ToolError
from workbench.tools.child import PATHS, ChildLimits, run_child
from workbench.tools.fence import find_fence, why_no_fence
from workbench.tools.workspace import Workspace

ALLOWED = ("ls", "cat", "head", "tail", "wc", "grep")
"""Programs that read and do not start others."""
_LONGEST = 8192
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_SHELL = re.compile(r"[|&;<>()]+|\d?[<>]+.*")
_FOLLOWING = frozenset({"--dereference", "--dereference-recursive", "--dereference-command-line"})


@dataclass(frozen=True, slots=True)
class CommandRules:
    """What commands may do."""

    enabled: bool = False
    allowed: tuple[str, ...] = ALLOWED
    unfenced: bool = False
    """Run also where nothing keeps a command apart."""
    limits: ChildLimits = field(default_factory=ChildLimits)


async def execute_command(command: object, workspace: Workspace, rules: CommandRules) -> dict[str, Any]:
    """Run a command line and return `{"exit", "stdout", "stderr"}`; raise ToolError where it is refused or fails."""
    if not rules.enabled:
        raise ToolError("Commands are switched off.", hint="The user can switch them on in the settings of the tools.")
    words = read_command(command, rules.allowed)
    binary, fence = _find(words[0]), find_fence()
    if not fence.whole:
        if not rules.unfenced:
            raise ToolError(
                f"Commands are refused: {why_no_fence()}, so nothing keeps them wholly inside the workspace folder.",
                hint="Install bubblewrap, or allow unfenced commands in the settings.",
            )
        check_arguments(words[1:], workspace)
    with tempfile.TemporaryDirectory(prefix="workbench-home-") as home:
        end = await run_child(fence.program((binary, *words[1:]), workspace.root, home), rules.limits)
    result = {"exit": end.exit, "stdout": _text(end.stdout), "stderr": _text(end.stderr)}
    if trouble := end.trouble(rules.limits):
        raise CommandFailed(trouble, result)
    if end.exit:
        raise CommandFailed(f"The command ended with status {end.exit}.", result)
    return result


class CommandFailed(ToolError):
    """A command that ran and did not end well; what it wrote is kept."""

    def __init__(self, message: str, result: dict[str, Any]) -> None:
        super().__init__(message)
        self.result = result


def read_command(command: object, allowed: tuple[str, ...]) -> list[str]:
    """Split a command line into words; raise ToolError where it is no plain call of an allowed program."""
    if not isinstance(command, str) or not command.strip():
        raise ToolError("There is no command.")
    if len(command) > _LONGEST or (not command.isascii() and any(0xD800 <= ord(sign) < 0xE000 for sign in command)):
        raise ToolError(f"The command is longer than {_LONGEST} characters, or no text.")
    if any((ord(sign) < 32 and sign != "\t") or ord(sign) == 127 for sign in command):
        raise ToolError("The command holds a control character or a line end; one plain line is run.")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ToolError(f"The command cannot be split into words: {error}.") from error
    _refuse_shell(command)
    name = words[0] if words else ""
    if not _NAME.fullmatch(name):
        raise ToolError(f"{name!r} is no plain name of a program.", hint=f"Allowed: {', '.join(allowed)}.")
    if name not in allowed:
        raise ToolError(f"The program {name!r} is not on the allow-list.", hint=f"Allowed: {', '.join(allowed)}.")
    return words


def _refuse_shell(command: str) -> None:
    """Signs of a shell outside of quotes would be taken as plain words: that is said, not done."""
    lexer = shlex.shlex(command, posix=False, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return  # the same text was split with the rules that count
    for word in words:
        bare = word[:1] not in ("'", '"')
        if bare and (_SHELL.fullmatch(word) or "$(" in word or "`" in word):
            raise ToolError(f"There is no shell here: {word!r} would have no meaning.", hint="Run one plain program.")


def check_arguments(words: list[str], workspace: Workspace) -> None:
    """Refuse arguments that name a place outside of the workspace folder, or a link in it; raise ToolError.

    This is for systems without a whole fence, and none itself: a program that opens other names is not stopped by it.
    """
    for word in words:
        if word in _FOLLOWING or re.fullmatch(r"-[A-Za-z]*[RL][A-Za-z]*", word):
            raise ToolError(f"{word!r} may follow links out of the workspace folder.", hint="Leave the option out.")
        for value in _places(word):
            _check_place(value, workspace)


def _places(word: str) -> list[str]:
    """What of an argument may be a path: all of it, what stands behind `=`, and what is glued to a short option."""
    if not word.startswith("-"):
        return [word]
    found = [word.partition("=")[2]] if "=" in word else []
    return [*found, *([word[2:]] if len(word) > 2 and word[1] != "-" else [])]


def _check_place(value: str, workspace: Workspace) -> None:
    root = str(workspace.root)
    inside = value[len(root) :].lstrip("/") if value == root or value.startswith(root + "/") else value
    if inside.startswith(("/", "~")) or ".." in inside.split("/"):
        raise ToolError(f"{value!r} leads out of the workspace folder.", hint="Name places inside it.")
    if inside.strip("./") and os.path.lexists(os.path.join(root, inside)):  # noqa: PTH118 - as the program sees it
        try:
            workspace.read(inside)
        except ToolError as refused:
            if "folder, not a file" not in refused.message and "larger than" not in refused.message:
                raise


def _find(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join(PATHS))
    if found is None:
        raise ToolError(f"The program {name!r} is not installed in {', '.join(PATHS)}.")
    return found


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
