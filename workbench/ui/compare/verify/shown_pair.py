"""The chosen pair: its raw text, both of its runs, and the way to a case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.compare.verify.panel import ShownReply
from workbench.ui.run.case.keep import keep_case
from workbench.ui.run.two_runs import open_diff
from workbench.ui.theme.translation import tr
from workbench.verify.verdict_words import letter

if TYPE_CHECKING:
    from workbench.core.events import StepReply
    from workbench.ui.compare.verify.shown_verification import ShownVerification
    from workbench.ui.run.diff_view import RunDiff
    from workbench.verify.pairs import Pair
    from workbench.verify.verification import Verification


class ShownPair:
    """What the evidence of the tab leads to."""

    def __init__(self, verify: ShownVerification) -> None:
        self._verify = verify
        self.dialog: RunDiff | None = None
        """Both runs of a pair, while they are open."""
        panel = verify.page.panel
        panel.evidence.pair_chosen.connect(self._on_pair)
        panel.evidence.both_asked.connect(self.open_both)
        panel.keep_asked.connect(self.keep)

    def _on_pair(self, row: int) -> None:
        found, chosen = self._verify.found, self._verify.page.chosen
        if row >= 0 and chosen is not None and found is not None:
            pair = self._verify.page.panel.evidence.model.line(row).pair
            self._verify.latest("pair", self._show(found, pair, chosen[1].candidate))

    async def _show(self, found: Verification, pair: Pair, candidate: int) -> None:
        show, shell = self._verify.page.panel.evidence.show_reply, self._verify.shell
        title = tr("Pair {number:03}, Candidate {candidate}", number=pair.number, candidate=letter(candidate))
        own, run_id = pair.candidates[candidate], found.run_of(pair, candidate)
        if not run_id:
            words = (
                tr("It could not be started: {error}.", error=own.error)
                if own and own.error
                else tr("Its run is not recorded here.")
            )
            show(ShownReply(title, "", words))
            return
        reply = next((reply for _, reply in (await shell.wb.load(run_id)).summary().replies), None)
        if reply is None:
            show(ShownReply(title, "", tr("No reply came.")))
            return
        text, note = raw_text(reply)
        show(ShownReply(title, text, note, shell.wb.regions(reply) if text == reply.text else ()))

    def _run_ids(self) -> list[str]:
        """Ids of the reference's run and the candidate's, as far as they were recorded."""
        found, chosen, pair = self._verify.found, self._verify.page.chosen, self._pair()
        if found is None or chosen is None or pair is None:
            return []
        return [found.run_of(pair, None), found.run_of(pair, chosen[1].candidate)]

    def _pair(self) -> Pair | None:
        panel = self._verify.page.panel.evidence
        at = panel.pairs.currentIndex().row()
        return panel.model.line(at).pair if at >= 0 else None

    def open_both(self) -> None:
        """Show both runs of the chosen pair side by side; one alone is shown in History."""
        ids = [one for one in self._run_ids() if one]
        if len(ids) == 2:
            self._verify.latest("both", self._open_both(ids[0], ids[1]))
        elif ids:
            self._verify.shell.find_runs(tr("id:{ids}", ids=ids[0]))

    async def _open_both(self, first: str, second: str) -> None:
        self.dialog = await open_diff(self._verify.shell, first, second)
        self.dialog.finished.connect(self._on_closed)

    def _on_closed(self) -> None:
        self.dialog = None

    def keep(self) -> None:
        """Keep the candidate's run of the chosen pair as a case."""
        ids = self._run_ids()
        if ids and ids[1]:
            self._verify.start(self._keep(ids[1]))

    async def _keep(self, run_id: str) -> None:
        shell = self._verify.shell
        await keep_case(shell, (await shell.wb.load(run_id)).events)


def raw_text(reply: StepReply) -> tuple[str, str]:
    """The raw text to look at, and where it stood."""
    calls = "\n".join(f"{call.name} {call.arguments}" for call in reply.native_calls)
    parts = [
        tr("tool_calls {native_calls}", native_calls=len(reply.native_calls) or tr("empty")),
        tr("finish_reason {finish_reason}", finish_reason=reply.finish_reason or tr("none")),
    ]
    if reply.error is not None:
        return reply.text or reply.error.message, f"{reply.error.kind} · {parts[1]}"
    if reply.text.strip():
        return reply.text, " · ".join([tr("in content"), *parts])
    if calls:
        return calls, " · ".join([tr("in tool_calls"), *parts[1:]])
    return reply.reasoning, " · ".join([tr("in reasoning") if reply.reasoning else tr("nothing came"), *parts])
