"""All tools that a user has: built-in ones, Python files, MCP servers and saved sets. Window and commands call this."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.errors import InvalidInput, ToolError, UnknownName, WorkbenchError
from workbench.core.tools import CallPlace, SourceKind, ToolMode, ToolResult, ToolSetup, ToolSource
from workbench.core.whole_files import expanded
from workbench.providers.transport import fetch_once
from workbench.settings.values import ProviderConfig
from workbench.tools.builtin import NAMES, BuiltinRules, BuiltinTools
from workbench.tools.child import ChildLimits
from workbench.tools.commands import CommandRules
from workbench.tools.fence import FenceFact, command_facts, find_fence
from workbench.tools.mcp_configs import McpServerConfig, find_server, read_config
from workbench.tools.mcp_hub import McpHub
from workbench.tools.openapi import OpenApiTools
from workbench.tools.preview import Effect, effect_of
from workbench.tools.python_tools import PythonTools, find_entry_points
from workbench.tools.runner import ToolExecutor, Tools
from workbench.tools.toolset import builtin_tools
from workbench.tools.web_search import SearchRules
from workbench.tools.workspace import check_workspace
from workbench.tools.write_journal import WriteJournal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.exchange import WireRequest
    from workbench.core.protocols import SchemaChecker
    from workbench.settings.paths import Home
    from workbench.settings.secrets import SecretBox
    from workbench.settings.values import Settings, ToolSettings
    from workbench.store import Store
    from workbench.store.tool_sets import ToolSetVersion

_SEARCH_S = 20.0


@dataclass(frozen=True, slots=True)
class ShelfTool:
    """A tool with where it was found."""

    setup: ToolSetup
    shelf: str
    """`built-in`, a file's name, `MCP time`, or `set repo-agent 4`."""
    note: str = ""
    """Why it is not executed as things stand; empty if it is."""


@dataclass(frozen=True, slots=True)
class SourceFault:
    """A source that could not be read."""

    shelf: str
    message: str
    hint: str = ""


class ToolShelf:
    """Finds tools by name and calls them outside of any run; `executors` are those of runs too."""

    def __init__(
        self,
        home: Home,
        settings: Callable[[], Settings],
        secrets: SecretBox,
        check: SchemaChecker,
        store: Callable[[], Store],
        recorded: Callable[[], bool],
    ) -> None:
        self._home, self._settings, self._secrets, self._check, self._store = home, settings, secrets, check, store
        self._recorded = recorded
        self.journal = WriteJournal(home.journal)
        self._builtin = BuiltinTools(self.journal, BuiltinRules(), private=home.path, fetch=_fetch)
        self._python = PythonTools(self.workspace)
        self.mcp = McpHub(self.workspace)
        """Connections to MCP servers, opened when first needed."""
        self.executors: dict[SourceKind, ToolExecutor] = {
            "builtin": _Fresh(self), "python": self._python, "mcp": self.mcp, "openapi": OpenApiTools(_fetch),
        }  # fmt: skip
        self.runner = Tools(self.executors)

    def workspace(self) -> Path | None:
        """The folder of the settings, if one is chosen."""
        chosen = self._settings().run.workspace
        return expanded(chosen) if chosen else None

    def use_workspace(self, folder: Path) -> str:
        """Check a folder that a run or a call shall have; raise InvalidInput."""
        return str(check_workspace(folder, self._home.path))

    def builtin(self, rules: ToolSettings | None = None) -> BuiltinTools:
        """The five, as the settings have them now."""
        self._builtin.rules = _rules(rules or self._settings().tools, self._search_key)
        self._builtin.workspace = self.workspace()
        return self._builtin

    async def tools(self) -> tuple[list[ShelfTool], list[SourceFault]]:
        """Every tool there is, and the sources that could not be read. Sets come first: they are what a user chose."""
        found, faults = self._of_sets(), []
        found += [ShelfTool(_source(setup), "built-in", self._why_off(setup.spec.name)) for setup in builtin_tools()]
        for place in self.python_places():
            try:
                described = await self._python.describe(place)
                found += [ShelfTool(one.setup, one.setup.source.label) for one in described]
            except WorkbenchError as error:
                faults.append(SourceFault(ToolSource("python", place).label, error.message, error.hint))
        return found, [*faults, *self.mcp_servers()[1]]

    def mcp_servers(self) -> tuple[list[McpServerConfig], list[SourceFault]]:
        """Servers of `mcp.json` in the data folder and of the files that the settings name; nothing is started."""
        found: list[McpServerConfig] = []
        faults: list[SourceFault] = []
        own = (self._home.mcp,) if self._home.mcp.exists() else ()
        for path in (*own, *(expanded(one) for one in self._settings().tools.mcp_configs)):
            try:
                found += read_config(path)
            except InvalidInput as error:
                faults.append(SourceFault(path.name, error.message, error.hint))
        return found, faults

    def python_places(self) -> tuple[str, ...]:
        """The user's Python files, and entry points of installed packages."""
        folder = self._home.tools
        files = sorted(folder.glob("*.py")) if folder.is_dir() else []
        return (*(str(path) for path in files if not path.name.startswith("_")), *find_entry_points())

    def _of_sets(self) -> list[ShelfTool]:
        if not self._recorded():
            return []
        sets = self._store().tool_sets
        loaded = [sets.load(row.name) for row in sets.rows()]
        return [ShelfTool(setup, f"set {one.name} {one.version}") for one in loaded for setup in one.tools]

    def _why_off(self, name: str) -> str:
        chosen = self._settings().tools
        if name == "web_search" and chosen.search == "off":
            return "switched off"
        if name == "execute_command" and not chosen.commands:
            return "switched off"
        if name == "execute_command" and not find_fence().whole and not chosen.unfenced:
            return "refused: bubblewrap does not keep commands apart here"
        return ""

    async def find(self, name: str) -> ShelfTool:
        """A tool by its name, or by `SHELF/NAME` where several have it; raise UnknownName or the source's fault."""
        server, slash, own = name.partition("/")
        if slash and (config := next((one for one in self.mcp_servers()[0] if one.name == server), None)):
            for setup in await self.mcp.tools(config):
                if setup.spec.name == own:
                    return ShelfTool(setup, setup.source.label)
        found, faults = await self.tools()
        for one in found:
            if name in (one.setup.spec.name, f"{one.shelf}/{one.setup.spec.name}"):
                return one
        if faults:
            raise InvalidInput(f"{faults[0].shelf}: {faults[0].message}", hint=faults[0].hint)
        raise UnknownName("tool", name, {one.setup.spec.name for one in found})

    def chosen(self, name: str) -> tuple[ToolSetup, ...]:
        """The tools of `builtin`, or of `set:NAME` or `set:NAME@VERSION`; raise UnknownName or InvalidInput."""
        if name == "builtin":
            return tuple(self._waiting(_source(setup)) for setup in builtin_tools())
        wanted, _, version = name.removeprefix("set:").partition("@")
        if version and not version.isdigit():
            raise InvalidInput(f"{version!r} is no version of a tool set.", hint="Write set:NAME@3.")
        return self._store().tool_sets.load(wanted, int(version) if version else None).tools

    async def ready(self, setups: tuple[ToolSetup, ...]) -> tuple[ToolSetup, ...]:
        """Tools as a run takes them: each with what executes it, live ones with their definition of now."""
        return await self.refreshed(await self.with_sources(setups))

    async def with_sources(self, setups: tuple[ToolSetup, ...]) -> tuple[ToolSetup, ...]:
        """Give tools that are to be run and say nothing of it what executes the tool of their name."""
        wanted = {ToolMode.ASK, ToolMode.RUN}
        if not any(setup.mode in wanted and not setup.source.runnable for setup in setups):
            return setups
        found, _ = await self.tools()
        known = {one.setup.spec.name: one.setup.source for one in reversed(found) if one.setup.source.runnable}
        return tuple(
            setup if setup.source.runnable else replace(setup, source=known.get(setup.spec.name, setup.source))
            for setup in setups
        )

    async def refreshed(self, setups: tuple[ToolSetup, ...]) -> tuple[ToolSetup, ...]:
        """Ask live tools for their definitions, before a run; raise ToolError where a server cannot be used."""
        fresh: dict[tuple[str, str], dict[str, ToolSetup]] = {}
        out = []
        for setup in setups:
            source = setup.source
            if source.live and source.kind == "mcp":
                key = (source.place, source.name)
                if key not in fresh:
                    listed = await self.mcp.tools(find_server(*key))
                    fresh[key] = {one.source.tool: one for one in listed}
                if (now := fresh[key].get(source.tool or setup.spec.name)) is not None:
                    spec = replace(now.spec, name=setup.spec.name)
                    setup = replace(setup, spec=spec)
            out.append(setup)
        return tuple(out)

    def save(self, name: str, setups: Sequence[ToolSetup], note: str = "") -> ToolSetVersion:
        """Add tools to a set as a new version; tools of the same name are replaced. Raise InvalidInput."""
        sets = self._store().tool_sets
        old = sets.load(name).tools if any(row.name == name for row in sets.rows()) else ()
        new = {setup.spec.name: setup for setup in setups}
        kept = [new.pop(setup.spec.name, setup) for setup in old]
        return sets.save(name, (*kept, *new.values()), note)

    def change(self, name: str, tool: str, change: Callable[[ToolSetup], ToolSetup], note: str = "") -> ToolSetVersion:
        """Change one tool of a set, as a new version; raise UnknownName."""
        setups = self._store().tool_sets.load(name).tools
        if tool not in {setup.spec.name for setup in setups}:
            raise UnknownName("tool", tool, [setup.spec.name for setup in setups])
        changed = [change(setup) if setup.spec.name == tool else setup for setup in setups]
        return self._store().tool_sets.save(name, changed, note)

    async def import_mcp(
        self,
        path: Path | None,
        servers: Sequence[str],
        *,
        live: bool = False,
        tell: Callable[[str], object] = str,
    ) -> tuple[ToolSetup, ...]:
        """The tools of servers of a configuration file, or of the data folder's own; all are asked at the same time.

        `tell` hears of each server how it went. One that cannot be used is left out, unless it was named or is the only one.
        """
        configs = list(read_config(path)) if path is not None else self.mcp_servers()[0]
        for name in servers:
            if name not in {config.name for config in configs}:
                raise UnknownName("MCP server", name, {config.name for config in configs})
        if not configs:
            raise InvalidInput("No MCP servers are configured.", hint=f"Name a file, or write {self._home.mcp}.")
        found: dict[str, ToolSetup] = {}
        wanted = [one for one in configs if not one.disabled and (not servers or one.name in servers)]
        tell(f"MCP {', '.join(one.name for one in wanted)}: asked for tools")
        answers = await asyncio.gather(*(self._asked(one, tell) for one in wanted), return_exceptions=True)
        faults = [one for one in answers if isinstance(one, BaseException)]
        if faults and (servers or len(faults) == len(answers) or not all(isinstance(one, ToolError) for one in faults)):
            raise next((one for one in faults if not isinstance(one, ToolError)), faults[0])
        for config, listed in zip(wanted, answers, strict=True):
            for setup in listed if isinstance(listed, tuple) else ():
                name = setup.spec.name if setup.spec.name not in found else f"{config.name}_{setup.spec.name}"
                spec, source = replace(setup.spec, name=name), replace(setup.source, live=live)
                found[name] = self._waiting(replace(setup, spec=spec, source=source, mode=ToolMode.ASK))
        return tuple(found.values())

    async def _asked(self, config: McpServerConfig, tell: Callable[[str], object]) -> tuple[ToolSetup, ...]:
        try:
            found = await self.mcp.tools(config)
        except ToolError as error:
            tell(f"{error} It is left out.")
            raise
        tell(f"MCP {config.name}: {len(found)} tool{'' if len(found) == 1 else 's'}")
        return found

    async def import_python(self, place: str) -> tuple[ToolSetup, ...]:
        """The functions of a Python file, named by its whole path."""
        found = await self._python.describe(place)
        return tuple(self._waiting(replace(one.setup, mode=ToolMode.ASK)) for one in found)

    def _waiting(self, setup: ToolSetup) -> ToolSetup:
        """A tool whose calls wait as long as the settings say."""
        return replace(setup, ask_seconds=self._settings().tools.ask_seconds)

    async def aclose(self) -> None:
        """End MCP servers."""
        await self.mcp.aclose()

    async def call(
        self, setup: ToolSetup, arguments: dict[str, Any], *, workspace: str = "", rules: ToolSettings | None = None
    ) -> ToolResult:
        """Really execute one call, its arguments checked first. What goes wrong is a result."""
        if problems := self._check.problems(setup.spec, arguments):
            told = "; ".join(f"{'.'.join(map(str, path)) or 'arguments'}: {message}" for path, message in problems)
            return ToolResult(False, None, f"The arguments do not fit the schema: {told}", ToolMode.RUN)
        if rules is not None and setup.source.kind == "builtin":
            folder = Path(workspace) if workspace else self.workspace()
            return await self.builtin(rules).call(setup.source.tool or setup.spec.name, arguments, folder)
        return await self.runner.run(
            replace(setup, mode=ToolMode.RUN), _call(setup, arguments), CallPlace(workspace=workspace)
        )

    def preview(self, setup: ToolSetup, arguments: dict[str, Any], workspace: str = "") -> Effect:
        """What allowing a call would do; may read a file, so call it off the window's loop."""
        return effect_of(setup, arguments, Path(workspace) if workspace else self.workspace())

    def undo(self, number: str) -> str:
        """Undo one write; return the path. Raise UnknownName or ToolError."""
        return self.journal.undo(number).path

    def facts(self) -> tuple[FenceFact, ...]:
        """What a call may do on this system, first what is not kept apart."""
        chosen = self._settings().tools
        fence = find_fence()
        files = f"No way up, no link out; {chosen.largest_file:,} bytes a file; every write has an undo."
        facts = [FenceFact(True, "Files only inside the workspace", files)]
        if not chosen.commands:
            facts.append(FenceFact(True, "Commands off, until you switch them on", f"Then: {_command_words(chosen)}."))
        else:
            facts.append(FenceFact(True, "Commands have limits", f"{_command_words(chosen).capitalize()}."))
            facts += command_facts(fence)
        facts.append(FenceFact(True, "No keys in the environment", "A clean one is made, with its own HOME."))
        facts.append(
            FenceFact(
                False, "Your own functions are not fenced", "They run with your rights, in a process with limits."
            )
        )
        facts.append(FenceFact(False, "MCP servers are not fenced", "They run with your rights, outside these limits."))
        return tuple(sorted(facts, key=lambda fact: fact.kept))

    def _search_key(self) -> str:
        chosen = self._settings().tools
        return self._secrets.get(ProviderConfig("web search", key=chosen.search_key)) or ""


class _Fresh:
    """Executes built-in tools by the settings of the moment."""

    def __init__(self, shelf: ToolShelf) -> None:
        self._shelf = shelf

    async def execute(self, setup: ToolSetup, arguments: dict[str, Any], place: CallPlace) -> ToolResult:
        return await self._shelf.builtin().execute(setup, arguments, place)


def _source(setup: ToolSetup) -> ToolSetup:
    assert setup.spec.name in NAMES
    return replace(setup, mode=ToolMode.ASK, source=ToolSource("builtin", tool=setup.spec.name))


def _rules(chosen: ToolSettings, key: Callable[[], str]) -> BuiltinRules:
    limits = ChildLimits(chosen.command_seconds, chosen.command_output, chosen.command_processes, chosen.command_memory)
    commands = CommandRules(chosen.commands, chosen.allowed, chosen.unfenced, limits)
    return BuiltinRules(chosen.largest_file, commands, SearchRules(chosen.search, chosen.search_url, key))


def _command_words(chosen: ToolSettings) -> str:
    return (
        f"allow-list of {len(chosen.allowed)}, no shell, {chosen.command_seconds:g} s,"
        f" {chosen.command_output // 1024} kB, killed as a group"
    )


def _call(setup: ToolSetup, arguments: dict[str, Any]) -> ParsedCall:
    nowhere = Span(0, 0)
    return ParsedCall(setup.spec.name, arguments, "call_1", Outcome.STRICT, (), nowhere, nowhere, nowhere, "")


async def _fetch(request: WireRequest) -> tuple[int, bytes]:
    try:
        return await fetch_once(request, _SEARCH_S)
    except WorkbenchError as error:
        raise ToolError(str(error)) from error
