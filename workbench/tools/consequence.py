"""What allowing a call would do, in a few sentences for the person who decides. Nothing is executed to find out."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.approvals import Consequence
from workbench.core.errors import ToolError
from workbench.tools.paths import path_steps

if TYPE_CHECKING:
    from workbench.core.tools import ToolSetup

_MOST_LINES = 4
_MOST_BYTES = 64 * 1024


def consequences(setup: ToolSetup, arguments: dict[str, Any], workspace: str) -> tuple[Consequence, ...]:
    """Return what a call of this tool with these arguments would do."""
    name, kind = setup.source.tool or setup.spec.name, setup.source.kind
    if kind == "builtin":
        return (*_BUILTIN.get(name, _unknown)(arguments, workspace), _KEPT)
    if kind == "python":
        told = Consequence("does", f"Runs your function {name} of {setup.source.label} in a process of its own")
        return told, Consequence("warn", "It has your rights: files and network are not kept from it"), _KEPT
    if kind == "mcp":
        told = Consequence("does", f"Asks the server {setup.source.label} to run {name}")
        return told, Consequence("warn", "The server has your rights, outside of all limits here"), _KEPT
    if kind == "openapi":
        return Consequence("does", f"Sends the request of {setup.source.name or name} over the network"), _KEPT
    return Consequence("does", "Nothing executes this tool: answer it yourself, or refuse"), _KEPT


_KEPT = Consequence("undo", "Your decision is recorded and replayed offline")


def _write(arguments: dict[str, Any], workspace: str) -> tuple[Consequence, ...]:
    path, new = str(arguments.get("path", "")), str(arguments.get("content", ""))
    size = len(new.encode("utf-8", "replace"))
    old = _text_of(path, workspace)
    if old is None:
        return (
            Consequence("does", f"Creates {path} in {workspace or 'the workspace'}: {size:,} B"),
            Consequence("undo", "Undo removes the file again"),
        )
    if arguments.get("mode") == "append":
        new = old + new
    verb = "Appends to" if arguments.get("mode") == "append" else "Replaces"
    sizes = f"{len(old.encode('utf-8', 'replace')):,} B become {len(new.encode('utf-8', 'replace')):,} B"
    return (
        Consequence("does", f"{verb} {path} in {workspace}: {sizes}"),
        Consequence("undo", "The old text stays in the journal and can be brought back"),
        *_difference(old, new),
    )


def _difference(old: str, new: str) -> list[Consequence]:
    lines = [
        Consequence("added" if line[0] == "+" else "removed", line[1:])
        for line in difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    if len(lines) > _MOST_LINES:
        return [*lines[: _MOST_LINES - 1], Consequence("does", f"… {len(lines) - _MOST_LINES + 1} more changed lines")]
    return lines


def _text_of(path: str, workspace: str) -> str | None:
    """The text of a file inside the workspace as far as it is small enough to show; None where there is none."""
    if not workspace:
        return None
    root = Path(workspace).expanduser()
    try:
        place = root.joinpath(*path_steps(path, str(root)))
        if place.is_symlink() or not place.is_file() or place.stat().st_size > _MOST_BYTES:
            return None
        return place.read_text(encoding="utf-8", errors="replace")
    except (OSError, ToolError):
        return None


def _read(arguments: dict[str, Any], workspace: str) -> tuple[Consequence, ...]:
    return (
        Consequence("does", f"Reads {arguments.get('path', '')} in {workspace or 'the workspace'}; changes nothing"),
    )


def _list(arguments: dict[str, Any], workspace: str) -> tuple[Consequence, ...]:
    return (
        Consequence("does", f"Lists {arguments.get('path') or '.'} in {workspace or 'the workspace'}; changes nothing"),
    )


def _command(arguments: dict[str, Any], workspace: str) -> tuple[Consequence, ...]:
    return (
        Consequence(
            "does", f"Runs {arguments.get('command', '')!r} in {workspace or 'the workspace'}, without a shell"
        ),
        Consequence("warn", "What a command changes has no undo"),
    )


def _search(arguments: dict[str, Any], workspace: str) -> tuple[Consequence, ...]:  # noqa: ARG001
    return (Consequence("does", f"Sends the words {arguments.get('query', '')!r} to the search service"),)


def _unknown(arguments: dict[str, Any], workspace: str) -> tuple[Consequence, ...]:  # noqa: ARG001
    return (Consequence("does", "Runs the built-in tool inside its fence"),)


_BUILTIN = {
    "write_file": _write, "read_file": _read, "list_directory": _list, "execute_command": _command, "web_search": _search,
}  # fmt: skip
