"""Tools taken into a set: of MCP servers, an OpenAPI file, Python functions, a pasted request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from workbench.tools.openapi import setups_from_openapi
from workbench.tools.pasted_request import setups_from_request
from workbench.ui.theme.translation import tr
from workbench.ui.tools.import_dialog import ImportDialog
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.menus import Menu, open_below
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.core.tools import ToolSetup
    from workbench.ui.bridge.page import Shell


class ToolImports(QObject):
    """Asks for a file, reads it, asks which of its tools go into which set, and saves them."""

    imported = Signal(str)
    """Name of the set that has them now."""
    said = Signal(str)
    failed = Signal(object)
    """The `WorkbenchError` for which nothing was taken."""

    def __init__(self, shell: Shell, parent: QObject) -> None:
        super().__init__(parent)
        self._shell, self._shelf = shell, shell.wb.tools

    def open_menu(self, button: QWidget) -> None:
        """Show the ways below a button."""
        menu = Menu(button)
        for title, work in (
            (tr("MCP servers of a configuration file …"), self.of_mcp),
            (tr("Operations of an OpenAPI file …"), self.of_openapi),
            (tr("Functions of a Python file …"), self.of_python),
            (tr("The request in the clipboard"), self.of_clipboard),
        ):
            menu.addAction(title, work)
        open_below(menu, button)

    def of_mcp(self) -> None:
        """Take the tools of MCP servers that another program is set up for."""
        self._start(self._of_file(tr("MCP configuration"), tr("JSON (*.json)"), "mcp"))

    def of_openapi(self) -> None:
        """Take operations of an OpenAPI file as tools."""
        self._start(self._of_file(tr("OpenAPI file"), tr("OpenAPI (*.json *.yaml *.yml)"), "openapi"))

    def of_python(self) -> None:
        """Take the functions of a Python file."""
        self._start(self._of_file(tr("Python file"), tr("Python (*.py)"), "python"))

    def of_clipboard(self) -> None:
        """Take the tools of a request in the clipboard: curl, HAR entry, or JSON of any protocol."""
        self._start(self._of_text(QGuiApplication.clipboard().text()))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.start(work, "import tools", on_error=self.failed.emit)

    async def _of_text(self, text: str) -> None:
        await self._keep(setups_from_request(text), "pasted", tr("the pasted request"))

    async def _of_file(self, title: str, kinds: str, kind: str) -> None:
        path = await dialogs.ask_open_file(self._shell.window, title, kinds)
        if path is None:
            return
        self.said.emit(f"{path.name} is read")
        if kind == "mcp":
            setups = await self._shelf.import_mcp(path, (), tell=self.said.emit)
        elif kind == "python":
            setups = await self._shelf.import_python(str(path))
        else:
            setups = await asyncio.to_thread(setups_from_openapi, path)
        await self._keep(setups, path.stem, path.name)

    async def _keep(self, setups: Sequence[ToolSetup], name: str, source: str) -> None:
        dialog = ImportDialog(self._shell.window, setups, source, name)
        chosen: list[tuple[str, tuple[ToolSetup, ...]]] = []
        dialog.accepted.connect(lambda: chosen.append((dialog.into.text().strip(), dialog.offer.chosen())))
        if await dialogs.opened(dialog) and chosen:
            into, taken = chosen[0]
            saved = self._shelf.save(into, taken, f"imported from {source}")
            self.imported.emit(saved.name)
            self.said.emit(f"{counted(len(taken), 'tool')} in {saved.name} version {saved.version}")
