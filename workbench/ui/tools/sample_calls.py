"""Calls of the chosen tool for real, outside of any run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.core.tools import MockRule
from workbench.ui.widgets.quantities import seconds

if TYPE_CHECKING:
    import asyncio
    from typing import Any

    from workbench.core.tools import ToolResult, ToolSetup
    from workbench.ui.bridge.page import Shell
    from workbench.ui.tools.sample_pane import SamplePane


class SampleCalls(QObject):
    """Calls, shows the result, takes a write back."""

    failed = Signal(object)
    """A `WorkbenchError`."""
    mocked = Signal(object)
    """The `MockRule` that gives the last result from now on."""

    def __init__(self, shell: Shell, pane: SamplePane) -> None:
        super().__init__(pane)
        self._shell, self._pane = shell, pane
        self._tool: ToolSetup | None = None
        self._editable = False
        self._result: ToolResult | None = None
        self._task: asyncio.Task[None] | None = None
        """The call that is under way."""
        pane.call_asked.connect(self._on_asked)
        pane.stop_asked.connect(self.stop)
        pane.undo_asked.connect(self.undo_write)
        pane.mock_asked.connect(self._on_mock)

    def show_tool(self, tool: ToolSetup | None, why: str, *, editable: bool) -> None:
        """Get ready for another tool; `why` says why it cannot be called."""
        self.stop()
        self._tool, self._editable, self._result = tool, editable, None
        self._pane.show_tool(tool, why)

    def replace_tool(self, tool: ToolSetup) -> None:
        """The tool is another version of itself; what the form holds stays."""
        self._tool = tool

    def _on_asked(self, arguments: dict[str, Any]) -> None:
        if self._tool is not None:
            work = self._call(self._tool, arguments)
            self._task = self._shell.tasks.start(work, "call tool", on_error=self.failed.emit)

    @property
    def is_running(self) -> bool:
        """A call is under way."""
        return self._task is not None

    def stop(self) -> None:
        """Give the call up that is under way."""
        if self._task is not None:
            self._task.cancel()
            self._end()

    def _end(self) -> None:
        self._task = None
        self._pane.show_idle()

    async def _call(self, tool: ToolSetup, arguments: dict[str, Any]) -> None:
        self._pane.show_running()
        begun = time.perf_counter()
        try:
            result = await self._shell.wb.tools.call(tool, arguments)
        except WorkbenchError:
            self._end()
            raise
        self._end()
        self._result = result
        took = seconds(round((time.perf_counter() - begun) * 1_000_000))
        self._pane.show_result(result, took, editable=self._editable)
        self._pane.undo.setVisible(bool(result.undo))

    def undo_write(self) -> None:
        """Take the write of the last call back."""
        if self._result is not None and self._result.undo:
            try:
                self._pane.show_undone(self._shell.wb.tools.undo(self._result.undo))
            except WorkbenchError as error:
                self.failed.emit(error)

    def _on_mock(self) -> None:
        if self._result is None:
            return
        rule = MockRule("fixed", self._result.result, recorded=True)
        if not self._result.success:
            rule = MockRule("failing", error=self._result.error or "the tool failed", recorded=True)
        self.mocked.emit(rule)
