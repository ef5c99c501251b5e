"""What a batch does with each of its items, and who starts its runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from workbench.app.batch_plan import draft_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.app.runs import RunDraft
    from workbench.core.batch import BatchItem, BatchSpec, CaseVerdict
    from workbench.core.events import CancelCause, RunEvent
    from workbench.core.run_summary import RunSummary
    from workbench.core.target import Target
    from workbench.core.verdict import Verdict


class ItemRun(Protocol):
    """A run under way, here (`RunHandle`) or at a worker (`away_runs.AwayRun`)."""

    @property
    def run_id(self) -> str:
        """Of the attempt that counts; it may be another one once the run has ended."""
        ...

    @property
    def result(self) -> CaseVerdict | None:
        """How it was judged; None until it has ended."""
        ...

    async def wait(self) -> Verdict:
        """Wait for the end."""
        ...

    def cancel(self, cause: CancelCause = ...) -> None:
        """Stop it; what came so far is kept."""
        ...


class RunStarter(Protocol):
    """What starts runs from drafts: `Workbench.runs`, or the workers of a job."""

    async def start(self, draft: RunDraft, watch: Callable[[Sequence[RunEvent]], None] | None = None) -> ItemRun:
        """Start one run; raise WorkbenchError for what cannot be run."""
        ...


class AwayStarter(Protocol):
    """What has the runs of batches done elsewhere: `away_runs.Away`."""

    def check(self, targets: Iterable[Target]) -> None:
        """Raise InvalidInput where a provider's limit leaves nothing for some worker, UnknownName."""
        ...

    def runs_of(self, batch_id: str) -> RunStarter:
        """What starts the runs of one batch."""
        ...


class ItemWork(Protocol):
    """What a batch does with its items: what each one sends, and what is kept of its run beside the verdict."""

    def draft(self, item: BatchItem) -> RunDraft:
        """What the item runs."""
        ...

    async def ended(self, item: BatchItem, run: RunSummary, cost: float | None) -> None:
        """Keep what belongs to the run's end, before the item is done; an empty run could not be started."""
        ...


class CaseWork:
    """A suite's: the case through the target, judged by the case alone."""

    def __init__(self, spec: BatchSpec) -> None:
        self._spec, self._cases = spec, {case.id: case for case in spec.cases}

    def draft(self, item: BatchItem) -> RunDraft:
        """The case through the target."""
        return draft_of(self._cases[item.case_id], self._spec.targets[item.target], item.seed)

    async def ended(self, item: BatchItem, run: RunSummary, cost: float | None) -> None:
        """Verdict and sample are all that is kept."""
