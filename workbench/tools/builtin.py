"""The five built-in tools: files of the workspace folder, commands in it, and a web search.

Each gets the arguments of a call and returns `{"success", "result", "error"}` as a `ToolResult`; what is refused is a
result too, in words that a model can use.
"""

from __future__ import annotations

import asyncio
import base64
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
                encoding = arguments.get("encoding", "utf-8")
                return _well(await asyncio.to_thread(_read_text, workspace, path, encoding))
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
        data = _encoded(content, arguments.get("encoding", "utf-8"))
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


ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "latin-1", "ascii", "base64")
"""How a file's bytes stand for a text; `base64` for bytes that are none."""


def _check_encoding(encoding: object) -> str:
    if encoding not in ENCODINGS:
        raise ToolError(f"There is no encoding {encoding!r}.", hint=f"Known: {', '.join(ENCODINGS)}.")
    return str(encoding)


def _encoded(content: str, encoding: object) -> bytes:
    """The bytes of a text; raise ToolError where it has none in this encoding."""
    chosen = _check_encoding(encoding)
    if chosen == "base64":
        try:
            return base64.b64decode("".join(content.split()), validate=True)
        except ValueError as error:
            raise ToolError("The content is no base64.") from error
    try:
        return content.encode(chosen)
    except UnicodeEncodeError as error:
        sign = content[error.start]
        if 0xD800 <= ord(sign) < 0xE000:
            raise ToolError("The content holds half of a character (a lone surrogate).") from error
        raise ToolError(f"The content holds {sign!r}, which {chosen} has no bytes for.", hint="Use utf-8.") from error


def _read_text(workspace: Workspace, path: object, encoding: object = "utf-8") -> str:
    chosen = _check_encoding(encoding)
    data = workspace.read(path)
    if chosen == "base64":
        return base64.b64encode(data).decode()
    name = {"utf-8": "UTF-8"}.get(chosen, chosen)
    try:
        text = data.decode(chosen)
    except UnicodeDecodeError as error:
        raise ToolError(f"The file is no {name} text: byte {error.start:,} of {len(data):,}.") from error
    if "\0" in text:
        raise ToolError("The file is no text: it holds zero bytes.")
    return text


def _list(workspace: Workspace, path: object) -> dict[str, Any]:
    entries, more = workspace.entries(path)
    listed = [
        {"name": one.name, "kind": one.kind} | ({"bytes": one.size} if one.kind == "file" else {}) for one in entries
    ]
    return {"entries": listed} | ({"more": True} if more else {})
