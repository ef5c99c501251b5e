"""Replay of the run shown in Try: the whole engine once more over the recorded exchanges, never the network."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.replay.offline import replay_offline
from workbench.replay.result import ReplayVerdict
from workbench.ui.theme.translation import tr
from workbench.ui.try_.dialogs import WholeText

if TYPE_CHECKING:
    from workbench.core.errors import WorkbenchError
    from workbench.replay.offline import OfflineReplay
    from workbench.store import StoredRun
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.view import TryPage

SENTENCES = {
    ReplayVerdict.SAME: tr("same: today's parser and engine do what was recorded"),
    ReplayVerdict.FIXED: tr("fixed: what failed then passes today"),
    ReplayVerdict.REGRESSED: tr("regressed: what passed then fails today"),
    ReplayVerdict.CHANGED: tr("changed: another outcome, neither plainly better"),
    ReplayVerdict.NOT_COMPARABLE: tr("not comparable"),
}
LONGEST = 2_000
"""Characters of one value in the list of differences."""


class TryReplay(QObject):
    """One replay at a time; a new one takes the place of the one before."""

    said = Signal(str)
    """A line for the status bar."""

    def __init__(self, shell: Shell, page: TryPage) -> None:
        super().__init__(page)
        self._shell, self._page = shell, page
        self.stored: StoredRun | None = None
        """The run shown, where it is at hand: an example is in no history."""
        self.found: OfflineReplay | None = None
        page.verdict.replay_asked.connect(self.start)
        page.verdict.outcome_asked.connect(self.show_report)

    @property
    def possible(self) -> bool:
        """There is a run that has ended."""
        return self._page.run.started is not None and not self._page.run.live

    def start(self) -> None:
        """Replay the run that is shown."""
        if self.possible:
            self.said.emit("Replaying offline")
            self._shell.tasks.latest("try: replay", self._replay(), on_error=self._on_error)

    async def _replay(self) -> None:
        run, wb = self._page.run, self._shell.wb
        assert run.started is not None
        stored = self.stored if self.stored is not None else await wb.load(run.started.run_id)
        found = await replay_offline(stored.events, stored.verdict, wb.check)
        if self._page.run is not run:
            return
        self.found = found
        sentence = replay_sentence(found)
        self._page.verdict.show_outcome(found.verdict.value, sentence)
        self.said.emit(f"Replay: {sentence}")

    def _on_error(self, error: WorkbenchError) -> None:
        self.said.emit(str(error))

    def show_report(self) -> None:
        """Show every difference in a window of its own."""
        if self.found is not None:
            WholeText(tr("Replay, then and today"), replay_report(self.found), self._shell.window).show()


def replay_sentence(replay: OfflineReplay) -> str:
    """What came of it, in one line."""
    words = [SENTENCES[replay.verdict]]
    if replay.note:
        words.append(replay.note)
    if replay.requests:
        words.append(f"{len(replay.requests)} of the requests would be others today")
    return "; ".join(words)


def replay_report(replay: OfflineReplay) -> str:
    """Every difference: where, then, today."""
    lines = [
        replay_sentence(replay),
        tr("verdict then: {before}, today: {after}", before=replay.before.state, after=replay.after.state),
    ]
    for change in replay.difference.changes:
        lines += [
            "",
            change.path or "(whole)",
            tr("  then:  {before}", before=_short(change.before)),
            tr("  today: {after}", after=_short(change.after)),
        ]
    for request in replay.requests:
        lines += ["", tr("request {step} of its role", step=request.step)]
        lines += [f"  {one.path}: {_short(one.before)} → {_short(one.after)}" for one in request.difference.changes]
    if replay.difference.folded:
        lines += ["", tr("treated as equal:"), *(f"  {place}" for place in replay.difference.folded)]
    return "\n".join(lines)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return (
        text
        if len(text) <= LONGEST
        else tr("{beginning}… ({length:,} characters)", beginning=text[:LONGEST], length=len(text))
    )
