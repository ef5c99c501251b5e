"""Keeping a run as a case: what the case would hold, and where its expectation comes from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.app.exporting import Cases
from workbench.cases.from_run import case_from_run
from workbench.cases.proposal import Proposal, calls_made, propose
from workbench.core.run_summary import summarize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app.data_folder import DataFolder
    from workbench.core.case import Case, Expectation
    from workbench.core.events import RunEvent


@dataclass(frozen=True, slots=True)
class KeepableRun:
    """A run on its way to a case."""

    case: Case
    """With the proposed expectation."""
    proposal: Proposal
    called: Expectation
    """What was done, right or wrong."""
    texts: dict[int, str]
    """Of the replies with lost calls, by step."""

    def excerpts(self, beside: int) -> tuple[str, ...]:
        """Each lost call with some characters on both sides."""
        made = []
        for step, span in self.proposal.places:
            text = self.texts.get(step, "")
            low, high = max(span.start - beside, 0), min(span.end + beside, len(text))
            made.append(f"{'…' if low else ''}{text[low:high]}{'…' if high < len(text) else ''}")
        return tuple(dict.fromkeys(one for one in made if one.strip()))

    @property
    def words(self) -> str:
        """How the expectation is known, in one line."""
        return " ".join(self.proposal.notes)


def keepable_run(folder: DataFolder, events: Sequence[RunEvent]) -> KeepableRun:
    """Propose a case for a run; raise InvalidInput if it has no beginning. Reads suites and lost replies: not at once."""
    made, run = case_from_run(events, expect=False), summarize(events)
    known, place = Cases(folder.store, folder.home.suites).of(run.run_id)
    proposal = propose(events, folder.check, known)
    if known is not None:
        proposal = proposal._replace(notes=(f"It is what {place} expects.",))
        made = replace(made, title=known.title, tags=known.tags, notes=known.notes, family=known.family)
    lost = {step for step, _ in proposal.places}
    texts = {step.number: reply.text for step, reply in run.replies if step.number in lost}
    return KeepableRun(replace(made, expectation=proposal.expectation), proposal, calls_made(run), texts)
