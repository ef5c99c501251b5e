"""The five built-in tools: files of the workspace folder, commands in it, and a web search.

Each gets the arguments of a call and returns `{"success", "result", "error"}` as a `ToolResult`; what is refused is a
result too, in words that a model can use.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, ToolError
from workbench.core.tools import ToolMode, ToolResult
from workbench.tools.commands import CommandFailed, CommandRules, execute_command
from workbench.tools.web_search import SearchRules, web_search
from workbench.tools.workspace import LARGEST, Workspace

if TYPE_CHECKING:
    from workbench.core.tools import CallPlace, ToolSetup
    from workbench.tools.web_search import Fetch
    from workbench.tools.write_journal import WriteJournal

NAMES = ("web_search", "read_file", "write_file", "list_directory", "execute_command")
LABEL = "built-in"


@dataclass(frozen=True, slots=True)
class BuiltinRules:
    """What the built-in tools may do."""

    largest_file: int = LARGEST
    commands: CommandRules = field(default_factory=CommandRules)
    search: SearchRules = field(default_factory=SearchRules)


class BuiltinTools:
    """The five over one journal; `private` is the program's own data folder, which is never a workspace."""

    def __init__(
        self, journal: WriteJournal, rules: BuiltinRules, *, private: Path | None = None, fetch: Fetch | None = None
    ) -> None:
        self.journal, self.rules = journal, rules
        self.workspace: Path | None = None
        """Folder of calls that bring none of their own."""
        self._private, self._fetch = private, fetch

    async def execute(self, setup: ToolSetup, arguments: dict[str, Any], place: CallPlace) -> ToolResult:
        """Execute a call of a run in its workspace, or in that of the settings."""
        folder = Path(place.workspace) if place.workspace else self.workspace
        return await self.call(setup.source.tool or setup.spec.name, arguments, folder)

    async def call(self, name: str, arguments: dict[str, Any], folder: Path | None) -> ToolResult:
        """Execute one call; a refusal is a result."""
        try:
            if name == "web_search":
                return _well(await web_search(arguments, self.rules.search, self._fetch))
            if folder is None:
                raise ToolError(
                    "No workspace folder is chosen.", hint="Choose one in the settings, or with --workspace."
                )
            workspace = await asyncio.to_thread(
                Workspace.open, folder, largest=self.rules.largest_file, private=self._private
            )
            with workspace:
                return await self._in_workspace(name, arguments, workspace)
        except CommandFailed as failed:
            return ToolResult(False, failed.result, failed.message, ToolMode.RUN, by=LABEL)
        except (ToolError, InvalidInput) as refused:
            return ToolResult(False, None, str(refused), ToolMode.RUN, by=LABEL)

    async def _in_workspace(self, name: str, arguments: dict[str, Any], workspace: Workspace) -> ToolResult:
        path = arguments.get("path", ".")
        match name:
            case "read_file":
                return _well(await asyncio.to_thread(_read_text, workspace, path))
            case "write_file":
                return await asyncio.to_thread(self._write, workspace, arguments)
            case "list_directory":
                return _well(await asyncio.to_thread(_list, workspace, path))
            case "execute_command":
                return _well(await execute_command(arguments.get("command"), workspace, self.rules.commands))
        raise ToolError(f"There is no built-in tool {name!r}.")

    def _write(self, workspace: Workspace, arguments: dict[str, Any]) -> ToolResult:
        path, content = arguments.get("path"), arguments.get("content", "")
        if not isinstance(content, str):
            raise ToolError("The content is not a text.")
        try:
            data = content.encode()
        except UnicodeEncodeError as error:
            raise ToolError("The content holds half of a character (a lone surrogate).") from error
        mode = arguments.get("mode", "overwrite")
        if mode not in ("overwrite", "append"):
            raise ToolError(f"There is no mode {mode!r}.", hint="Known: overwrite, append.")
        if mode == "append":
            data = (workspace.look(path) or b"") + data
        noted = self.journal.write(workspace, str(path), data)
        told = {"path": noted.path, "bytes": noted.size, "created": noted.created}
        return ToolResult(True, told, None, ToolMode.RUN, by=LABEL, undo=noted.id)


def _well(result: Any) -> ToolResult:
    return ToolResult(True, result, None, ToolMode.RUN, by=LABEL)


def _read_text(workspace: Workspace, path: object) -> str:
    data = workspace.read(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(f"The file is no UTF-8 text: byte {error.start:,} of {len(data):,}.") from error
    if "\0" in text:
        raise ToolError("The file is no text: it holds zero bytes.")
    return text


def _list(workspace: Workspace, path: object) -> dict[str, Any]:
    entries, more = workspace.entries(path)
    listed = [
        {"name": one.name, "kind": one.kind} | ({"bytes": one.size} if one.kind == "file" else {}) for one in entries
    ]
    return {"entries": listed} | ({"more": True} if more else {})
