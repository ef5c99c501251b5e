"""Letting a run go another way: opens the dialog over its iterations, reads what was changed, hands the draft on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.app.live import fork_draft
from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.tools import ToolResult
from workbench.replay.fork import ForkEdits, fork, iterations, results_before
from workbench.tools.toolset import parse_toolset, write_toolset
from workbench.ui.run.fork_dialog import ForkDialog
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from workbench.app import RunDraft
    from workbench.core.run_summary import StepSummary
    from workbench.replay.fork import CallAt, KnownResult
    from workbench.store import StoredRun


class RunFork(QObject):
    """One dialog over one recorded run; it lives as long as the dialog."""

    def __init__(self, stored: StoredRun, at: int, send: Callable[[RunDraft], None], window: QWidget) -> None:
        """Raise InvalidInput for a run that cannot be forked."""
        self._stored, self._send = stored, send
        self._run = stored.summary()
        fork(self._run, at)
        started = self._run.started
        assert started is not None  # else it could not be forked
        self._prompt = next((one.text for one in reversed(started.messages) if one.role == "user"), "")
        self._tools = write_toolset(started.tools)
        steps = [(_title(number, step), number) for number, step in enumerate(iterations(self._run), 1)]
        self.dialog = ForkDialog(steps, at, self._prompt, self._tools, window)
        super().__init__(self.dialog)
        self._known: list[KnownResult] = []
        self.dialog.iteration_chosen.connect(self._show_results)
        self.dialog.forked.connect(self._on_forked)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self._show_results(at)

    def open(self) -> None:
        """Show the dialog."""
        self.dialog.open()

    def _show_results(self, iteration: int) -> None:
        self._known = results_before(self._run, int(iteration))
        self.dialog.show_results(
            [
                (tr("Result of {tool}, iteration {at}", tool=one.tool, at=one.at), _text(one.result))
                for one in self._known
            ]
        )

    def edits(self) -> ForkEdits:
        """What was changed; raise InvalidInput where a field cannot be read."""
        prompt, tools = self.dialog.prompt.toPlainText(), self.dialog.tools.toPlainText()
        results: dict[CallAt, ToolResult] = {}
        for known, field in zip(self._known, self.dialog.results, strict=True):
            if (text := field.toPlainText()) != _text(known.result):
                results[known.at] = _result(text)
        return ForkEdits(
            prompt=prompt if prompt != self._prompt else None,
            tools=parse_toolset(tools) if tools.strip() != self._tools.strip() else None,
            results=results,
        )

    def _on_forked(self) -> None:
        try:
            draft = fork_draft(self._stored, fork(self._run, int(self.dialog.iteration.value), self.edits()))
        except InvalidInput as error:
            self.dialog.say_wrong(str(error))
            return
        self.dialog.accept()
        self._send(draft)


def _title(number: int, step: StepSummary) -> str:
    news = ", ".join(step.asked.news) if step.asked else ""
    return (
        tr("iteration {number} · {news}", number=number, news=news) if news else tr("iteration {number}", number=number)
    )


def _text(result: ToolResult) -> str:
    return json.dumps(result.result if result.success else {"error": result.error}, ensure_ascii=False)


def _result(text: str) -> ToolResult:
    """JSON where it is some, else the text itself; `{"error": …}` alone is a failure."""
    try:
        value = parse_json(text)
    except ValueError:
        return ToolResult(True, text)
    if isinstance(value, dict) and set(value) == {"error"}:
        return ToolResult(False, None, str(value["error"]))
    return ToolResult(True, value)
