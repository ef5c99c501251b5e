"""The verdict of the run shown in Try, set by hand beside the machine's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.run.hand_verdict import HandVerdict, hand_words

if TYPE_CHECKING:
    from workbench.store.opinions import Opinion
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.replay import TryReplay
    from workbench.ui.try_.view import TryPage


class TryByHand(HandVerdict):
    """Serves the verdict bar; an example is in no history and has nothing to be set."""

    def __init__(self, shell: Shell, page: TryPage, replay: TryReplay) -> None:
        self._page, self._replay = page, replay
        super().__init__(shell, "try:", page.verdict.hand, self._shown_run, self._tell)
        page.verdict.hand_asked.connect(self.menu)

    def show(self) -> None:
        stored = self._replay.stored
        self._page.verdict.set_recorded(stored is None or stored.number > 0)
        super().show()

    def _shown_run(self) -> str:
        stored, started = self._replay.stored, self._page.run.started
        recorded = self._replay.possible and (stored is None or stored.number > 0)
        return started.run_id if recorded and started is not None else ""

    def _tell(self, held: Opinion | None) -> None:
        self._page.verdict.show_hand(*(hand_words(held) if held is not None else ("", "")))
