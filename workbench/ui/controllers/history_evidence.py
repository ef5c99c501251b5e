"""From a recorded run to evidence: keep it as a case, replay it offline or live, export it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.app import RunDraft
from workbench.core.events import RunFinished, RunStarted
from workbench.replay.difference import compare_json
from workbench.replay.offline import outcome_json, replay_offline
from workbench.replay.result import ReplayVerdict, flip
from workbench.ui.controllers.exporting import Exporting
from workbench.ui.controllers.keep_case import KeepCase
from workbench.ui.controllers.try_replay import replay_sentence

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from typing import Any

    from workbench.core.errors import WorkbenchError
    from workbench.replay.difference import Change
    from workbench.store import StoredRun
    from workbench.ui.controllers.page import Shell
    from workbench.ui.views.history_view import HistoryView

_SHORT = 60


class HistoryEvidence:
    """Serves the buttons of the history's preview; everything acts on the chosen run."""

    def __init__(self, shell: Shell, page: HistoryView) -> None:
        self._shell, self._page = shell, page
        self.exporting = Exporting(shell)
        preview = page.preview
        preview.keep_button.clicked.connect(lambda _checked=False: self.keep())
        preview.export_button.clicked.connect(lambda _checked=False: self.export())
        preview.replay.offline.clicked.connect(lambda _checked=False: self.offline())
        preview.replay.live.clicked.connect(lambda _checked=False: self.live())

    def show(self, stored: StoredRun) -> None:
        """A run is shown: say what sending it once more takes."""
        finished = next((event for event in stored.events if isinstance(event, RunFinished)), None)
        self._page.preview.replay.show_tokens(finished.totals.input_tokens if finished else 0)

    def keep(self) -> None:
        """Open the dialog that keeps the run as a case."""
        if (line := self._page.chosen) is not None:
            self._latest("keep", self._keep(line.id))

    async def _keep(self, run_id: str) -> None:
        KeepCase(self._shell, (await self._shell.wb.load(run_id)).events).open()

    def export(self) -> None:
        """Open the menu of exports."""
        if (line := self._page.chosen) is not None:
            self.exporting.menu(self._page.preview.export_button, [line.id])

    def offline(self) -> None:
        """Run today's engine over the recorded exchanges; never the network."""
        if (line := self._page.chosen) is not None:
            self._page.preview.replay.show_running("offline")
            self._latest("offline", self._offline(line.id))

    async def _offline(self, run_id: str) -> None:
        stored = await self._shell.wb.load(run_id)
        found = await replay_offline(stored.events, stored.verdict, self._shell.wb.check)
        changes = [
            *found.difference.changes,
            *(one for request in found.requests for one in request.difference.changes),
        ]
        self._show(run_id, "offline", found.verdict, replay_sentence(found), changes)

    def live(self) -> None:
        """Send the same once more; it is a new run, and what came of it is held against the recorded one."""
        if (line := self._page.chosen) is not None:
            self._page.preview.replay.show_running("live")
            self._latest("live", self._live(line.id))

    async def _live(self, run_id: str) -> None:
        wb = self._shell.wb
        stored = await wb.load(run_id)
        handle = await wb.runs.start(draft_of(stored))
        after = await handle.wait()
        today = await wb.load(handle.run_id)
        difference = compare_json(outcome_json(stored.events), outcome_json(today.events))
        verdict = ReplayVerdict.SAME
        if difference:
            verdict = flip(stored.verdict, after) or ReplayVerdict.CHANGED
        words = f"Run {today.number:,} was sent now: {after.state.value.replace('_', ' ')}, {after.reason}"
        self._show(run_id, "live", verdict, words, difference.changes)

    def _show(self, run_id: str, kind: str, verdict: ReplayVerdict, sentence: str, changes: Sequence[Change]) -> None:
        word = verdict.value.replace("_", " ")
        if self._page.chosen is not None and self._page.chosen.id == run_id:
            told = [(one.path or "(whole)", _short(one.before), _short(one.after)) for one in changes]
            self._page.preview.replay.show_result(word, sentence, told, kind)
        self._shell.say(f"Replay {kind}: {word}")

    def _latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.latest(f"history {what}", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self._page.preview.replay.reset()
        self._shell.say(str(error))


def draft_of(stored: StoredRun) -> RunDraft:
    """The same run as a draft, format and all decided anew; raise LookupError where the record has no beginning."""
    started = next(event for event in stored.events if isinstance(event, RunStarted))
    return RunDraft(
        started.messages, started.target, started.tools, started.tool_choice, started.title, origin="replay"
    )


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
