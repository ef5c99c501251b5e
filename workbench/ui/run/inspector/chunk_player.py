"""Plays a reply's chunks again: recorded ones, or the pieces into which a pasted text is cut."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.app.forensics import check_cuts, tape_of
from workbench.ui.bridge.tasks import Stop
from workbench.ui.run.beliefs import belief_words, parity_words, tape_lines
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.app.forensics import Specimen
    from workbench.formats.survey.playback import Tape
    from workbench.ui.bridge.tasks import Tasks
    from workbench.ui.run.inspector.scrubber import ScrubberTab

PLAY_AT_ONCE = 20_000
"""Characters up to which a moment is computed in the window's own thread."""
PARITY_AT_ONCE = 20_000
"""Characters up to which other cuts are checked without being asked for."""
PASTED_CUT = 4
"""Characters in a piece of a text that came in no pieces: about a token."""


class ChunkPlayer(QObject):
    """Fills one scrubber with one reply at a time."""

    def __init__(self, tasks: Tasks, view: ScrubberTab, name: str) -> None:
        super().__init__(view)
        self._tasks, self._view, self._name = tasks, view, name
        self._specimen: Specimen | None = None
        self._tape: Tape | None = None
        self._stop = Stop()
        view.position_chosen.connect(self._on_position)
        view.cut_chosen.connect(self._on_cut)
        view.parity_asked.connect(self._check)

    def forget(self) -> None:
        """The reply is another one now; what runs over the one before is given up."""
        self._stop.stop()
        self._stop = Stop()
        self._specimen = self._tape = None

    def show(self, specimen: Specimen) -> None:
        """Show a reply, from its end; nothing if it is shown already."""
        if specimen is self._specimen and self._tape is not None:
            return
        self.forget()
        self._specimen = specimen
        received = bool(specimen.chunks) or specimen.recorded
        self._view.offer_received(received)
        self._tasks.latest(f"{self._name} tape", self._play(specimen, None if received else PASTED_CUT))

    async def _play(self, specimen: Specimen, cut: int | None) -> None:
        tape = await asyncio.to_thread(tape_of, specimen, cut)
        if specimen is not self._specimen:
            return
        if tape is None or not specimen.text:
            self._view.show_waiting(*_no_tape(specimen))
            return
        first, self._tape = self._tape is None, tape
        self._view.show_tape(tape_lines(specimen, tape, cut), len(tape) + 1, cut)
        if first:
            self._view.show_parity(())
            if len(specimen.text) <= PARITY_AT_ONCE:
                self._check()

    def _on_cut(self, cut: object) -> None:
        if self._specimen is not None and (cut is None or isinstance(cut, int)):
            self._tasks.latest(f"{self._name} tape", self._play(self._specimen, cut))

    def _on_position(self, at: int) -> None:
        if self._tape is None or self._specimen is None:
            return
        if len(self._specimen.text) <= PLAY_AT_ONCE:
            self._view.show_belief(belief_words(self._tape.after(at)))
        else:
            self._tasks.latest(f"{self._name} belief", self._believe(self._tape, at))

    async def _believe(self, tape: Tape, at: int) -> None:
        belief = await asyncio.to_thread(tape.after, at)
        if tape is self._tape:
            self._view.show_belief(belief_words(belief))

    def _check(self) -> None:
        if self._specimen is not None:
            self._view.show_parity((), checking=True)
            self._tasks.latest(f"{self._name} parity", self._compare(self._specimen, self._stop))

    async def _compare(self, specimen: Specimen, stop: Stop) -> None:
        lines = await asyncio.to_thread(check_cuts, specimen, stop)
        if specimen is self._specimen and not stop():
            self._view.show_parity(parity_words(lines))

    def close(self) -> None:
        """Nobody waits any more."""
        self._stop.stop()


def _no_tape(specimen: Specimen) -> tuple[str, str]:
    if specimen.spec is not None and specimen.spec.native:
        return tr("Native calls"), tr("The provider cut and joined them; there is no text in which cuts could matter.")
    if not specimen.text:
        return tr("No text"), tr("The reply has no text to cut.")
    if specimen.recorded:
        return tr("No format"), tr("A planner's reply is read as a whole, in labelled sections.")
    return tr("No format"), tr("No format finds anything in this text: choose the one that was asked for.")
