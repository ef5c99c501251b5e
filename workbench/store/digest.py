"""What a run's line in the history shows and what a search finds it by. Pure: rebuilt from events at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.events import RunFinished, StepFinished, ToolStarted
from workbench.core.run_summary import RunSummary
from workbench.core.target import FamilyFlags
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store.codec import to_json
from workbench.store.rows import RUNNING
from workbench.store.search import SearchTexts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.events import RunEvent

PROMPT_SHOWN = 400
"""Characters of the prompt that a history line keeps."""
PROCESS_ENDED = "execution.process_ended"


class StepRow(NamedTuple):
    """What a re-parse must know of a step besides its reply."""

    step: int
    seq: int
    """Of the StepFinished event."""
    role: str
    format: str
    flags: FamilyFlags


class RunDigest:
    """A run's summary with its place in the tables."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.run = RunSummary()
        self.number = 0
        """Display number, once the run has a row."""
        self.next_seq = 0
        self.indexed = False
        """The search knows it; the texts go in once, when the run is over."""
        self.new_steps: list[StepRow] = []
        """Steps that ended since the caller last took them."""
        self._tools: tuple[str, ...] = ()
        self._calls = 0
        self._counted = False

    def add_all(self, events: Iterable[RunEvent]) -> None:
        """Take events in order, one sequence number each."""
        for event in events:
            self.add(event, self.next_seq)
            self.next_seq += 1

    def add(self, event: RunEvent, seq: int) -> None:
        """Take one event."""
        self.run.add(event)
        if isinstance(event, StepFinished | RunFinished) or (
            isinstance(event, ToolStarted) and event.name not in self._tools
        ):
            self._counted = False
        if isinstance(event, StepFinished):
            step = self.run.steps[event.step]
            party = self.run.party(step.role)
            flags = party.family if party else FamilyFlags()
            self.new_steps.append(StepRow(step.number, seq, step.role, step.asked.format if step.asked else "", flags))

    @property
    def verdict(self) -> Verdict:
        """The last one given, or that it is still running."""
        return self.run.verdict or RUNNING

    @property
    def over(self) -> bool:
        """Nothing more is expected but corrections of the verdict."""
        return self.verdict.state is not VerdictState.RUNNING

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that were called, as `RunSummary.called_tools`."""
        self._count()
        return self._tools

    @property
    def calls(self) -> int:
        """How many calls there are, as `RunSummary.call_count`."""
        self._count()
        return self._calls

    def _count(self) -> None:
        """A line is written again with every batch of events: its calls are gone through only when there are new ones."""
        if not self._counted:
            self._tools, self._calls, self._counted = self.run.called_tools, self.run.call_count, True

    @property
    def prompt(self) -> str:
        """Beginning of the last user message."""
        return self.run.prompt[:PROMPT_SHOWN]

    def texts(self) -> SearchTexts:
        """What a search finds the run by."""
        run = self.run
        results = (ended.result for ended in run.results)
        lists = {
            "prompt": [message.text for message in run.started.messages] if run.started else [],
            "raw": [part for _, reply in run.replies for part in (
                reply.text, reply.reasoning, *(f"{call.name} {call.arguments}" for call in reply.native_calls)
            )],
            "answer": [run.answer],
            "arguments": [to_json(call.arguments) for _, call in run.parsed_calls],
            "results": [to_json(result.result) if result.success else str(result.error) for result in results],
            "tools": list(run.called_tools),
        }  # fmt: skip
        return SearchTexts(**{name: "\n".join(part for part in parts if part) for name, parts in lists.items()})

    def cut_short(self) -> Verdict:
        """The verdict of a run whose process ended before it was judged."""
        if self.run.finished is None:
            return Verdict(VerdictState.CANCELLED, Basis.INTRINSIC, "The process ended.", (PROCESS_ENDED,))
        reason = "The run finished, but the process ended before it was judged."
        return Verdict(VerdictState.NOT_GRADABLE, Basis.INTRINSIC, reason, (PROCESS_ENDED,))
