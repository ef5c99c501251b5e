"""The tools page: everything that a user has for models to call; sets are edited and saved, sources read and called."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from workbench.app.tool_shelf import ShelfTool
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.tools import MockRule, ToolMode, tool_from_json
from workbench.schema import check_schema
from workbench.tools.openapi import setups_from_openapi
from workbench.tools.pasted_request import setups_from_request
from workbench.tools.toolset import write_toolset
from workbench.ui.bridge.page import Page
from workbench.ui.tools.rows import ToolLine
from workbench.ui.tools.view import ToolsView
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.entry_list import Entry
from workbench.ui.widgets.json_check import fault_at, locate, read_json
from workbench.ui.widgets.quantities import counted, seconds

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.core.tools import ToolResult, ToolSetup
    from workbench.tools.mcp_configs import McpServerConfig
    from workbench.ui.bridge.page import Shell
    from workbench.ui.widgets.json_check import TextFault

SET = "set:"
_ICONS = {"built-in": "wrench", "MCP": "broadcast"}


class ToolsController(Page):
    """Controller of the tools page."""

    key = "tools"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.page = ToolsView()
        self._shelf = shell.wb.tools
        self._found: dict[str, list[ShelfTool]] = {}
        """Tools of each source, by its name."""
        self._servers: dict[str, McpServerConfig] = {}
        """Configured MCP servers; one is started when it is chosen."""
        self._chosen = ""
        """A source's name, or `set:` and a set's name."""
        self._tools: list[ToolSetup] = []
        """Of the chosen set or source, as they stand here."""
        self._saved: list[ToolSetup] = []
        self._before: list[list[ToolSetup]] = []
        """What can be undone."""
        self._version = 0
        self._result: ToolResult | None = None
        self.save_button = Button("Save version", icon="check", keys="Ctrl+S", on_click=self.save)
        self.import_button = Button("Import …", icon="export", on_click=self._open_imports)
        self.use_button = Button("Use in Try", icon="play", on_click=self.use)
        page = self.page
        page.source_chosen.connect(self._on_source)
        page.tool_chosen.connect(self._on_tool)
        page.filter.textChanged.connect(lambda _text: self._show_tools())
        page.new.clicked.connect(lambda: self._start(self._new_set()))
        page.add.clicked.connect(self.add)
        page.remove.clicked.connect(self.remove)
        page.definition.mode_chosen.connect(self.set_mode)
        page.definition.seconds_chosen.connect(lambda value: self._change(ask_seconds=float(value)))
        page.definition.text_edited.connect(self._on_text)
        page.sample.call_asked.connect(lambda values: self._start(self._call(values)))
        page.sample.undo_asked.connect(self.undo_write)
        page.sample.mock_asked.connect(self._mock_from_result)

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self.import_button, self.use_button, self.save_button)

    def shown(self) -> None:
        self._start(self._load())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.start(work, "tools page", on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self.set_status(str(error), "")

    # -- what there is ---------------------------------------------------------------------------------------------

    async def _load(self, choose: str = "") -> None:
        found, faults = await self._shelf.tools()
        self._found = {}
        for one in found:
            if not one.shelf.startswith("set "):
                self._found.setdefault(one.shelf, []).append(one)
        rows = self.shell.wb.store.tool_sets.rows()
        sets = [
            Entry(one.name, f"version {one.version}, {counted(one.tools, 'tool')}", "stack", "pass", "saved")
            for one in rows
        ]
        self._servers = {f"MCP {one.name}": one for one in self._shelf.mcp_servers()[0] if not one.disabled}
        sources = [Entry(name, _about(tools), _icon(name), "pass", "ready") for name, tools in self._found.items()]
        sources += [
            Entry(name, server.line, "broadcast", "not_gradable", "not asked")
            for name, server in self._servers.items()
            if name not in self._found
        ]
        sources += [Entry(one.shelf, one.message, "file-text", "error", "no answer") for one in faults]
        self.set_title(
            "Tools", f"{counted(len(sets), 'set')} · {counted(len(sources), 'source')} · {counted(len(found), 'tool')}"
        )
        chosen = choose or self._chosen or (f"{SET}{rows[0].name}" if rows else next(iter(self._found), ""))
        facts = [(one.kept, one.title, one.detail) for one in self._shelf.facts()]
        self.page.sample.show_facts(facts, self.shell.wb.settings.run.workspace)
        self.page.show_sources(sets, sources, chosen.removeprefix(SET))
        self._show_state()

    def _on_source(self, name: str) -> None:
        is_set = self.page.set_list.currentIndex().isValid()
        wanted = f"{SET}{name}" if is_set else name
        if self.edited and wanted != self._chosen:
            self.save()
        self._chosen, self._before = wanted, []
        if is_set:
            loaded = self.shell.wb.store.tool_sets.load(name)
            self._tools, self._version = list(loaded.tools), loaded.version
        else:
            self._tools, self._version = [one.setup for one in self._found.get(name, ())], 0
            if name in self._servers and name not in self._found:
                self.shell.tasks.latest("mcp tools", self._ask_server(name), on_error=self._on_error)
        self._saved = list(self._tools)
        self._show_tools()

    async def _ask_server(self, name: str) -> None:
        """Start an MCP server and show what it offers."""
        self.set_status(f"{name} is asked for its tools", "")
        setups = await self._shelf.import_mcp(Path(self._servers[name].place), [self._servers[name].name], live=True)
        self._found[name] = [ShelfTool(one, name) for one in setups]
        entry = Entry(name, _about(self._found[name]), _icon(name), "pass", "running")
        self.page.sources.replace_row(self.page.sources.row_of(name), entry)
        if self._chosen == name:
            self._tools = [one.setup for one in self._found[name]]
            self._saved = list(self._tools)
            self._show_tools()
        self.set_status(f"{name}: {counted(len(self._found[name]), 'tool')}", "")

    @property
    def is_set(self) -> bool:
        """A saved set is chosen, which can be edited."""
        return self._chosen.startswith(SET)

    @property
    def edited(self) -> bool:
        """The chosen set is not what was saved last."""
        return self.is_set and self._tools != self._saved

    def _show_tools(self, chosen: str = "") -> None:
        words = self.page.filter.text().casefold()
        notes = {one.setup.spec.name: one.note for one in self._found.get(self._chosen, ())}
        lines = [
            ToolLine(one, one.source.label or "written here", notes.get(one.spec.name, ""))
            for one in self._tools
            if words in one.spec.name.casefold() or words in one.spec.description.casefold()
        ]
        title = self._chosen.removeprefix(SET)
        note = f"version {self._version}" if self.is_set else "read only"
        current = self._current()
        self.page.show_tools(lines, title, note, chosen or (current.spec.name if current else ""))
        self._show_state()

    def _show_state(self) -> None:
        self.page.remove.setVisible(self.is_set)
        self.page.add.setVisible(not self.is_set and bool(self._tools))
        self.save_button.setEnabled(self.edited)
        self.use_button.setEnabled(bool(self._tools))
        saved = f"{self._chosen.removeprefix(SET)} version {self._version}, {'edited' if self.edited else 'saved'}"
        self.set_status(saved if self.is_set else "", str(self.shell.wb.settings.run.workspace or ""))

    # -- importing -------------------------------------------------------------------------------------------------

    def _open_imports(self) -> None:
        menu = QMenu(self.page)
        for title, work in (
            ("MCP servers of a configuration file …", self.import_mcp),
            ("Operations of an OpenAPI file …", self.import_openapi),
            ("Functions of a Python file …", self.import_python),
            ("The request in the clipboard", self.import_pasted),
        ):
            menu.addAction(title, work)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.import_button.mapToGlobal(self.import_button.rect().bottomLeft()))

    def import_mcp(self) -> None:
        """Take the tools of MCP servers that another program is set up for."""
        self._start(self._import_file("MCP configuration", "JSON (*.json)", "mcp"))

    def import_openapi(self) -> None:
        """Take operations of an OpenAPI file as tools."""
        self._start(self._import_file("OpenAPI file", "OpenAPI (*.json *.yaml *.yml)", "openapi"))

    def import_python(self) -> None:
        """Take the functions of a Python file."""
        self._start(self._import_file("Python file", "Python (*.py)", "python"))

    def import_pasted(self) -> None:
        """Take the tools of a request in the clipboard: curl, HAR entry, or JSON of any protocol."""
        self._start(self._import_pasted())

    async def _import_pasted(self) -> None:
        setups = setups_from_request(QGuiApplication.clipboard().text())
        await self._keep(setups, "pasted", "the pasted request")

    async def _import_file(self, title: str, kinds: str, kind: str) -> None:
        path = await dialogs.ask_open_file(self.shell.window, title, kinds)
        if path is None:
            return
        self.set_status(f"{path.name} is read", "")
        if kind == "mcp":
            setups = await self._shelf.import_mcp(path, ())
        elif kind == "python":
            setups = await self._shelf.import_python(str(path))
        else:
            setups = await asyncio.to_thread(setups_from_openapi, path)
        await self._keep(setups, path.stem, path.name)

    async def _keep(self, setups: Sequence[ToolSetup], name: str, source: str) -> None:
        told = f"{counted(len(setups), 'tool')} of {source}. Into which set?"
        chosen = await dialogs.ask_text(self.shell.window, "Import tools", told, "Import", name)
        if chosen and chosen.strip():
            saved = self._shelf.save(chosen.strip(), setups, f"imported from {source}")
            await self._load(f"{SET}{saved.name}")
            self.set_status(f"{counted(len(setups), 'tool')} in {saved.name} version {saved.version}", "")

    # -- one tool --------------------------------------------------------------------------------------------------

    def _current(self) -> ToolSetup | None:
        at = self.page.tool_list.currentIndex().row()
        return self.page.tools.line(at).setup if 0 <= at < self.page.tools.rowCount() else None

    def _on_tool(self, at: int) -> None:
        if at < 0:
            self.page.sample.show_nothing()
            return
        line = self.page.tools.line(at)
        saved = next((one for one in self._saved if one.spec.name == line.setup.spec.name), None)
        self.page.definition.show_tool(
            line.setup, line.note, editable=self.is_set, edited=self.is_set and saved != line.setup
        )
        self._result = None
        self.page.sample.show_tool(line.setup, self._why_not(line))

    @staticmethod
    def _why_not(line: ToolLine) -> str:
        if not line.setup.source.runnable:
            return "Nothing executes this tool here: models get a mock, or your answer."
        return f"It cannot be called: {line.note}." if line.note else ""

    def _change(self, **what: Any) -> None:
        """Change the chosen tool of a set, as one step that can be undone."""
        current = self._current()
        if current is None or not self.is_set:
            return
        changed = replace(current, **what)
        if changed == current:
            return
        self._before.append(list(self._tools))
        self._tools = [changed if one is current else one for one in self._tools]
        at = self.page.tool_list.currentIndex().row()
        self.page.tools.replace_row(at, replace(self.page.tools.line(at), setup=changed))
        self.page.definition.show_mode(changed, editable=True)
        self.page.definition.show_parameters(changed)
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
        if current is None or not self.is_set:
            return
        value, fault = read_json(text)
        if fault is None:
            fault = self._fault_of(text, value, current)
        self.page.definition.show_fault(fault)
        if fault is None:
            self._change(spec=tool_from_json(value))

    def _fault_of(self, text: str, value: Any, current: ToolSetup) -> TextFault | None:
        try:
            spec = tool_from_json(value, "the tool")
        except InvalidInput as error:
            return fault_at(text, 0, f"{error.message} {error.hint}".strip())
        if any(one.spec.name == spec.name and one is not current for one in self._tools):
            return fault_at(text, locate(text, ("name",)), f"There is another tool {spec.name!r} in this set.")
        for path, message in check_schema(spec.parameters):
            return fault_at(text, locate(text, ("parameters", *path)), message)
        return None

    # -- sets ------------------------------------------------------------------------------------------------------

    async def _new_set(self) -> None:
        name = await dialogs.ask_text(self.shell.window, "New tool set", "Its name:", "Create")
        if name:
            self.shell.wb.store.tool_sets.save(name.strip(), [])
            await self._load(f"{SET}{name.strip()}")

    def add(self) -> None:
        """Copy the chosen tool into a set."""
        if (current := self._current()) is not None and not self.is_set:
            self._start(self._add(current))

    async def _add(self, tool: ToolSetup) -> None:
        sets = self.shell.wb.store.tool_sets
        rows = sets.rows()
        told = (
            f"Into which set? There are: {', '.join(one.name for one in rows)}." if rows else "The name of a new set:"
        )
        name = await dialogs.ask_text(
            self.shell.window, f"Add {tool.spec.name}", told, "Add", rows[0].name if rows else "my-agent"
        )
        if not name:
            return
        known = {one.name for one in rows}
        there = list(sets.load(name).tools) if name in known else []
        if any(one.spec.name == tool.spec.name for one in there):
            self.set_status(f"{name} has a tool {tool.spec.name} already.", "")
            return
        saved = sets.save(name, [*there, tool], f"{tool.spec.name} added")
        await self._load(f"{SET}{name}")
        self.set_status(f"{tool.spec.name} is in {name} version {saved.version}", "")

    def remove(self) -> None:
        """Take the chosen tool out of the set."""
        current = self._current()
        if current is not None and self.is_set:
            self._before.append(list(self._tools))
            self._tools = [one for one in self._tools if one is not current]
            self._show_tools()

    def undo(self) -> None:
        """Take the last edit of the set back."""
        if self._before:
            self._tools = self._before.pop()
            self._show_tools()

    @property
    def can_undo(self) -> bool:
        """Something was edited."""
        return bool(self._before)

    def save(self) -> None:
        """Keep the set as its next version."""
        if not self.edited:
            return
        name = self._chosen.removeprefix(SET)
        saved = self.shell.wb.store.tool_sets.save(name, self._tools)
        self._saved, self._version = list(self._tools), saved.version
        self._start(self._load(self._chosen))
        self.set_status(f"{name} version {saved.version} saved", "")

    def use(self) -> None:
        """Put the tools into the prompt of Try."""
        if self._tools:
            self.shell.use_tools(write_toolset(self._tools))

    # -- calling ---------------------------------------------------------------------------------------------------

    def call(self) -> None:
        """Call the chosen tool with what the form says."""
        self.page.sample.ask()

    async def _call(self, arguments: dict[str, Any]) -> None:
        current = self._current()
        if current is None:
            return
        self.page.sample.show_running()
        begun = time.perf_counter()
        result = await self._shelf.call(current, arguments)
        if self._current() is not current:
            return
        self._result = result
        took = seconds(round((time.perf_counter() - begun) * 1_000_000))
        self.page.sample.show_result(result, took, editable=self.is_set)
        self.page.sample.undo.setVisible(bool(result.undo))

    def undo_write(self) -> None:
        """Take the write of the last call back."""
        if self._result is not None and self._result.undo:
            try:
                self.page.sample.show_undone(self._shelf.undo(self._result.undo))
            except WorkbenchError as error:
                self._on_error(error)

    def _mock_from_result(self) -> None:
        if self._result is not None:
            rule = MockRule("fixed", self._result.result, recorded=True)
            if not self._result.success:
                rule = MockRule("failing", error=self._result.error or "the tool failed", recorded=True)
            self._change(mode=ToolMode.MOCK, mock=rule)


def _about(tools: Sequence[ShelfTool]) -> str:
    off = sum(bool(one.note) for one in tools)
    return f"{counted(len(tools), 'tool')}, {off} switched off" if off else counted(len(tools), "tool")


def _icon(name: str) -> str:
    return next((icon for start, icon in _ICONS.items() if name.startswith(start)), "file-text")
