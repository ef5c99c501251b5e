"""What allowing a call would do, said before it is done: facts, and for a write the lines that would change."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, ToolError
from workbench.tools.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.tools import ToolSetup

_MOST_LINES = 40


@dataclass(frozen=True, slots=True)
class Effect:
    """For people who decide."""

    facts: tuple[str, ...]
    diff: tuple[str, ...] = ()
    """Lines that begin with `-` or `+`."""
    undo: bool = False
    """It can be taken back."""
    refused: str = ""
    """Why the tool itself would refuse; empty where it would not."""


def effect_of(setup: ToolSetup, arguments: dict[str, Any], folder: Path | None) -> Effect:
    """What executing a call would do. Reads at most the file that would be written; changes nothing."""
    source = setup.source
    match source.kind:
        case "builtin":
            return _of_builtin(source.tool or setup.spec.name, arguments, folder)
        case "python":
            return Effect((f"Calls {setup.spec.name} of {source.label}, with your rights, in a process with limits.",))
        case "mcp":
            return Effect((f"Asks the MCP server {source.name}, which runs with your rights.",))
        case "openapi":
            return Effect((f"Sends a request to the server of {source.label}.",))
        case _:
            return Effect(("Nothing is executed; the mock answers.",))


def _of_builtin(name: str, arguments: dict[str, Any], folder: Path | None) -> Effect:
    if name == "web_search":
        return Effect((f"Looks for {str(arguments.get('query', ''))!r} on the web.",))
    if folder is None:
        return Effect((), refused="No workspace folder is chosen.")
    if name == "execute_command":
        return Effect((f"Runs {str(arguments.get('command', ''))!r} in {folder}.",))
    path = arguments.get("path", ".")
    try:
        with Workspace.open(folder) as workspace:
            if name == "write_file":
                return _of_write(workspace, arguments)
            steps = "/".join(workspace.steps(path)) or "the workspace folder"
            return Effect((f"{'Lists' if name == 'list_directory' else 'Reads'} {steps} in {folder}.",))
    except (ToolError, InvalidInput) as refused:
        return Effect((), refused=refused.message)


def _of_write(workspace: Workspace, arguments: dict[str, Any]) -> Effect:
    path = "/".join(workspace.writable(arguments.get("path")))
    content = str(arguments.get("content", ""))
    old = workspace.look(path)
    new = (
        (old or b"") + content.encode(errors="replace")
        if arguments.get("mode") == "append"
        else content.encode(errors="replace")
    )
    if old is None:
        facts = (f"Makes {path} in {workspace.root}: {len(new):,} bytes.",)
    else:
        facts = (f"Replaces {path} in {workspace.root}: {len(old):,} bytes become {len(new):,}.",)
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (old, new))
    lines = [line for line in difflib.unified_diff(before, after, lineterm="", n=0) if line[:1] in "+-"]
    changed = [line for line in lines if not line.startswith(("+++", "---"))]
    return Effect((*facts, "The old text stays in the journal."), tuple(changed[:_MOST_LINES]), undo=True)
