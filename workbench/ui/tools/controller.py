"""The tools page: everything that a user has for models to call; sets are edited and saved, sources read and called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.app.tool_shelf import ShelfTool
from workbench.core.errors import WorkbenchError
from workbench.core.tools import ToolMode, tool_from_json
from workbench.tools.lint import lint_tools
from workbench.tools.toolset import write_toolset
from workbench.ui.bridge.page import Page
from workbench.ui.theme.translation import tr
from workbench.ui.tools.edited_set import EditedSet
from workbench.ui.tools.imports import ToolImports
from workbench.ui.tools.lint_notes import NoteLine
from workbench.ui.tools.rows import ToolLine
from workbench.ui.tools.sample_calls import SampleCalls
from workbench.ui.tools.set_facts import change_lines, costs_of, versions_of
from workbench.ui.tools.version_diff import VersionDiff
from workbench.ui.tools.view import NOTHING, ToolsView
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.entry_list import ListEntry
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.core.tools import MockRule, ToolSetup
    from workbench.tools.lint import LintNote
    from workbench.tools.mcp_configs import McpServerConfig
    from workbench.ui.bridge.page import Shell

_ICONS = {"built-in": "wrench", "MCP": "broadcast"}


class ToolsController(Page):
    """Controller of the tools page."""

    key = "tools"

    def __init__(self, shell: Shell, show_limits: Callable[[], None] | None = None) -> None:
        super().__init__(shell)
        self.page, self._show_limits = ToolsView(), show_limits
        self.set = EditedSet()
        """The set or source that is shown."""
        self._sets = shell.wb.store.tool_sets
        self._found: dict[str, list[ShelfTool]] = {}
        """Tools of each source, by its name."""
        self._servers: dict[str, McpServerConfig] = {}
        """Configured MCP servers; one is started when it is chosen."""
        self._notes: list[LintNote] = []
        """Of the linter, on the chosen tool."""
        self.imports = ToolImports(shell, self)
        self.calls = SampleCalls(shell, self.page.sample)
        self._import = Button(tr("Import …"), icon="export", on_click=lambda: self.imports.open_menu(self._import))
        self._save = Button(tr("Save version"), icon="check", keys="Ctrl+S", on_click=self.save)
        self._use = Button(tr("Use in Try"), icon="play", on_click=self.use)
        self._connect()

    def _connect(self) -> None:
        page = self.page
        page.source_chosen.connect(self._on_source)
        page.tool_chosen.connect(self._on_tool)
        page.tool_list.mode_asked.connect(self.next_mode)
        page.tool_list.remove_asked.connect(self.remove)
        page.tool_list.undo_asked.connect(self.undo)
        page.filter.textChanged.connect(lambda _text: self._show_tools())
        page.new.clicked.connect(lambda: self._start(self._new_set()))
        page.add.clicked.connect(self.add)
        page.remove.clicked.connect(self.remove)
        page.diff.clicked.connect(self.diff)
        page.definition.mode_chosen.connect(self.set_mode)
        page.sample.limits_asked.connect(self.show_limits)
        page.definition.seconds_chosen.connect(lambda value: self._change(ask_seconds=float(value)))
        page.definition.text_edited.connect(self._on_text)
        page.definition.notes.fix_asked.connect(self._on_fix)
        self.imports.imported.connect(lambda name: self._start(self._load(name)))
        self.calls.mocked.connect(self._on_mocked)
        for part in (self.imports, self.calls):
            part.failed.connect(self._on_error)
        self.imports.said.connect(lambda text: self.set_status(text, ""))

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self._import, self._use, self._save)

    def shown(self) -> None:
        self._start(self._load())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.start(work, "tools page", on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self.set_status(str(error), "")

    async def _load(self, choose: str = "") -> None:
        """Read everything anew and choose a set or source; without a name the one that is shown."""
        found, faults = await self.shell.wb.tools.tools()
        self._found = {}
        for one in found:
            if not one.shelf.startswith("set "):
                self._found.setdefault(one.shelf, []).append(one)
        rows = self._sets.rows()
        sets = [ListEntry(one.name, f"v{one.version}, {counted(one.tools, 'tool')}", "stack") for one in rows]
        self._servers = {f"MCP {one.name}": one for one in self.shell.wb.tools.mcp_servers()[0] if not one.disabled}
        sources = [_ready(name, tools) for name, tools in self._found.items()]
        sources += [
            ListEntry(name, server.line, "broadcast", "not_gradable", tr("not asked"))
            for name, server in self._servers.items()
            if name not in self._found
        ]
        sources += [ListEntry(one.shelf, one.message, "file-text", "error", tr("no answer")) for one in faults]
        count = len({one.setup.spec.name for one in found})
        self.set_title(
            tr("Tools"), f"{counted(len(sets), 'set')} · {counted(len(sources), 'source')} · {counted(count, 'tool')}"
        )
        facts = [(one.kept, one.title, one.detail) for one in self.shell.wb.tools.facts()]
        self.page.sample.show_facts(facts, self.shell.wb.settings.run.workspace)
        first = rows[0].name if rows else next(iter(self._found), "")
        self.page.show_sources(sets, sources, choose or self.set.name or first)
        self._show_state()

    def _on_source(self, name: str) -> None:
        is_set = self.page.set_list.currentIndex().isValid()
        if (name, is_set) != (self.set.name, self.set.is_set):
            self.save()
        if is_set:
            loaded = self._sets.load(name)
            self.set = EditedSet(name, is_set=True, tools=list(loaded.tools), version=loaded.version)
        else:
            self.set = EditedSet(name, tools=[one.setup for one in self._found.get(name, ())])
            if name in self._servers and name not in self._found:
                self.page.none.set_state(
                    "broadcast", tr("Asked for its tools"), tr("A server may take a while to start.")
                )
                self.shell.tasks.latest("mcp tools", self._ask_server(name), on_error=self._on_no_answer)
                self._show_tools()
                return
        self.page.none.set_state("wrench", *NOTHING)
        self._show_tools()

    def _on_no_answer(self, error: WorkbenchError) -> None:
        self.page.none.set_state("warning", tr("No answer"), str(error), "failed")
        self._on_error(error)

    async def _ask_server(self, name: str) -> None:
        """Start an MCP server and show what it offers."""
        self.set_status(tr("{name} is asked for its tools", name=name), "")
        server = self._servers[name]
        setups = await self.shell.wb.tools.import_mcp(Path(server.place), [server.name], live=True)
        self._found[name] = [ShelfTool(one, name) for one in setups]
        self.page.sources.replace_row(self.page.sources.row_of(name), _ready(name, self._found[name], "running"))
        if self.set.name == name:
            self.set = EditedSet(name, tools=list(setups))
            self._show_tools()
        self.set_status(f"{name}: {counted(len(setups), 'tool')}", "")

    def _show_tools(self) -> None:
        words = self.page.filter.text().casefold()
        notes = {one.setup.source: one.note for tools in self._found.values() for one in tools if one.note}
        lines = [
            ToolLine(one, one.source.label or tr("written here"), notes.get(one.source, ""))
            for one in self.set.tools
            if words in one.spec.name.casefold() or words in one.spec.description.casefold()
        ]
        current = self._current()
        note = tr("version {version}", version=self.set.version) if self.set.is_set else tr("read only")
        self.page.show_tools(lines, self.set.name, note, current.spec.name if current else "")
        self._show_state()

    def _show_state(self) -> None:
        self.page.show_set(self.set, costs_of(self.set.tools))
        self._save.setEnabled(self.set.edited)
        self._use.setEnabled(bool(self.set.tools))
        kept = "edited" if self.set.edited else "saved"
        said = (
            tr("{set} version {version}, {kept}", set=self.set.name, version=self.set.version, kept=kept)
            if self.set.is_set
            else tr("{set}, read only", set=self.set.name)
        )
        self.set_status(said if self.set.name else "", self.shell.wb.settings.run.workspace)

    async def _new_set(self) -> None:
        name = await dialogs.ask_text(self.shell.window, tr("New tool set"), tr("Its name:"), tr("Create"))
        if name and name.strip():
            self._sets.save(name.strip(), [])
            await self._load(name.strip())

    def diff(self) -> None:
        """Show what differs between two versions; what was edited and not saved is one more."""
        known = versions_of(self.set, self._sets.versions(self.set.name)) if self.set.is_set else []
        if len(known) > 1:
            VersionDiff(self.set.name, known, change_lines, self.shell.window).show()

    def add(self) -> None:
        """Copy the chosen tool into a set."""
        if (current := self._current()) is not None and not self.set.is_set:
            self._start(self._add(current))

    async def _add(self, tool: ToolSetup) -> None:
        names = [one.name for one in self._sets.rows()]
        told = (
            tr("Into which set? There are: {names}.", names=", ".join(names)) if names else tr("The name of a new set:")
        )
        first = names[0] if names else "my-agent"
        name = await dialogs.ask_text(self.shell.window, tr("Add {spec}", spec=tool.spec.name), told, tr("Add"), first)
        if name and name.strip():
            saved = self.shell.wb.tools.save(name.strip(), [tool], f"{tool.spec.name} added")
            await self._load(saved.name)
            self.set_status(
                tr(
                    "{spec} is in {saved} version {version}",
                    spec=tool.spec.name,
                    saved=saved.name,
                    version=saved.version,
                ),
                "",
            )

    def save(self) -> None:
        """Keep the set as its next version."""
        if self.set.edited:
            saved = self._sets.save(self.set.name, self.set.tools)
            self.set.keep(saved.version)
            self._start(self._load())  # by then another set may be chosen: that one stays
            self.set_status(tr("{saved} version {version} saved", saved=saved.name, version=saved.version), "")

    def show_limits(self) -> None:
        """Go to where it is chosen what a call may do."""
        if self._show_limits is not None:
            self._show_limits()

    def use(self) -> None:
        """Put the tools into the prompt of Try."""
        if self.set.tools:
            self.shell.use_tools(write_toolset(self.set.tools))

    def _current(self) -> ToolSetup | None:
        at = self.page.tool_list.currentIndex().row()
        return self.page.tools.line(at).setup if 0 <= at < self.page.tools.rowCount() else None

    def _on_tool(self, at: int) -> None:
        if at < 0:
            self.calls.show_tool(None, "", editable=False)
            return
        line, editable = self.page.tools.line(at), self.set.is_set
        edited = self.set.is_edited(line.setup)
        self.page.definition.show_tool(line.setup, line.note, editable=editable, edited=edited)
        self.calls.show_tool(line.setup, _why_not(line), editable=editable)
        self._show_notes(line.setup)

    def _show_notes(self, tool: ToolSetup) -> None:
        self._notes = [note for note in lint_tools([one.spec for one in self.set.tools]) if note.tool == tool.spec.name]
        lines = [NoteLine(one.message, one.consequence, one.wrong, one.fix is not None) for one in self._notes]
        self.page.definition.notes.show_notes(lines, editable=self.set.is_set)

    def _on_fix(self, number: int) -> None:
        """Take what the linter proposes, as an edit like any other."""
        fix = self._notes[number].fix
        if fix is not None:
            self._change(spec=fix)
            self._on_tool(self.page.tool_list.currentIndex().row())

    def _change(self, **what: Any) -> None:
        """Change the chosen tool of a set, as one step that can be undone."""
        current = self._current()
        if current is None or not self.set.is_set or (changed := replace(current, **what)) == current:
            return
        self.set.change(current, changed)
        at = self.page.tool_list.currentIndex().row()
        self.page.tools.replace_row(at, replace(self.page.tools.line(at), setup=changed))
        self.page.definition.show_mode(changed, editable=True)
        self.page.definition.show_parameters(changed)
        self.calls.replace_tool(changed)
        self._show_notes(changed)
        self._show_state()

    def set_mode(self, mode: ToolMode) -> None:
        """Choose what a call of the tool is."""
        self._change(mode=mode)

    def next_mode(self) -> None:
        """Go to the next mode."""
        current, modes = self._current(), list(ToolMode)
        if current is not None:
            self.set_mode(modes[(modes.index(current.mode) + 1) % len(modes)])

    def _on_text(self, text: str) -> None:
        """Take a definition as it is typed; what cannot be read stays and is not taken."""
        current = self._current()
        if current is None or not self.set.is_set:
            return
        value, fault = read_json(text)
        fault = fault or self.set.fault_of(text, value, current)
        self.page.definition.show_fault(fault)
        if fault is None:
            self._change(spec=tool_from_json(value))

    def _on_mocked(self, rule: MockRule) -> None:
        self._change(mode=ToolMode.MOCK, mock=rule)

    def remove(self) -> None:
        """Take the chosen tool out of the set."""
        current = self._current()
        if current is not None and self.set.is_set:
            self.set.change(current, None)
            self._show_tools()

    def undo(self) -> None:
        """Take the last edit of the set back."""
        self.set.undo()
        self._show_tools()


def _why_not(line: ToolLine) -> str:
    if not line.setup.source.runnable:
        return tr("Nothing executes this tool here: models get a mock, or your answer.")
    return tr("It cannot be called: {note}.", note=line.note) if line.note else ""


def _ready(name: str, tools: Sequence[ShelfTool], word: str = "ready") -> ListEntry:
    off = sum(bool(one.note) for one in tools)
    about = counted(len(tools), "tool") + (tr(", {off} off", off=off) if off else "")
    icon = next((icon for start, icon in _ICONS.items() if name.startswith(start)), "file-text")
    return ListEntry(name, about, icon, "pass", word)
