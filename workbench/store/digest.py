"""A run folded into what its line in the history shows and what a search finds. Pure: rebuilt from events at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.events import (
    RunFinished,
    RunStarted,
    StepFinished,
    StepRole,
    StepStarted,
    ToolFinished,
    ToolStarted,
    VerdictGiven,
)
from workbench.core.target import FamilyFlags
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store.codec import to_json
from workbench.store.rows import RUNNING
from workbench.store.search import SearchTexts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.events import PartyInfo, RunEvent

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
    """Everything about one run that is derived from its events."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.number = 0
        """Display number, once the run has a row."""
        self.next_seq = 0
        self.indexed = False
        """The search knows it; the texts go in once, when the run is over."""
        self.started: RunStarted | None = None
        self.finished: RunFinished | None = None
        self.verdict: Verdict = RUNNING
        self.steps = 0
        self.calls = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.last_us = 0
        self.new_steps: list[StepRow] = []
        """Steps that ended since the caller last took them."""
        self._roles: dict[int, tuple[StepRole, str]] = {}
        self._tools: dict[str, None] = {}
        self._texts: dict[str, list[str]] = {name: [] for name in SearchTexts._fields}
        self._last_shown = ""

    def add_all(self, events: Iterable[RunEvent]) -> None:
        """Take events in order, one sequence number each."""
        for event in events:
            self.add(event, self.next_seq)
            self.next_seq += 1

    def add(self, event: RunEvent, seq: int) -> None:
        """Take one event."""
        match event:
            case RunStarted():
                self.started = event
                self._texts["prompt"] += [message.text for message in event.messages]
            case StepStarted():
                self._roles[event.step] = (event.role, event.format)
            case StepFinished():
                self._add_step(event, seq)
            case ToolStarted():
                self._tools[event.name] = None
            case ToolFinished():
                result = event.result
                self._texts["results"] += [to_json(result.result) if result.success else str(result.error)]
            case RunFinished():
                self._finish(event)
            case VerdictGiven():
                self.verdict = event.verdict
            case _:
                pass
        self.last_us = max(self.last_us, getattr(event, "at_us", 0))

    def _add_step(self, event: StepFinished, seq: int) -> None:
        reply = event.reply
        role, format_id = self._roles.get(event.step, (StepRole.EXECUTOR, ""))
        party = self._party(role)
        flags = party.family if party else FamilyFlags()
        self.new_steps.append(StepRow(event.step, seq, role, format_id, flags))
        self.steps += 1
        self.calls += len(reply.result.calls)
        self.input_tokens += reply.usage.input or 0
        self.output_tokens += reply.usage.output or 0
        self._last_shown = reply.sanitized or self._last_shown
        self._texts["raw"] += [reply.text, reply.reasoning]
        for native in reply.native_calls:
            self._texts["raw"].append(f"{native.name} {native.arguments}")
        for call in reply.result.calls:
            self._tools[call.name] = None
            self._texts["arguments"].append(to_json(call.arguments))

    def _party(self, role: StepRole) -> PartyInfo | None:
        if self.started is None:
            return None
        return self.started.planner if role is StepRole.PLANNER else self.started.executor

    def _finish(self, event: RunFinished) -> None:
        self.finished = event
        totals = event.totals
        self.steps = totals.steps or self.steps
        self.calls = totals.calls or self.calls
        self.input_tokens = totals.input_tokens or self.input_tokens
        self.output_tokens = totals.output_tokens or self.output_tokens

    @property
    def over(self) -> bool:
        """Nothing more is expected but corrections of the verdict."""
        return self.verdict.state is not VerdictState.RUNNING

    @property
    def duration_us(self) -> int:
        """As the engine counted it, or up to the last event."""
        return (self.finished.totals.duration_us or self.last_us) if self.finished else self.last_us

    @property
    def prompt(self) -> str:
        """Beginning of the last user message."""
        messages = self.started.messages if self.started else ()
        asked = [message.text for message in messages if message.role == "user"] or [m.text for m in messages]
        return asked[-1][:PROMPT_SHOWN] if asked else ""

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that were called."""
        return tuple(self._tools)

    def texts(self) -> SearchTexts:
        """What a search finds the run by."""
        answer = self.finished.answer if self.finished else self._last_shown
        lists = self._texts | {"answer": [answer], "tools": list(self._tools)}
        return SearchTexts(**{name: "\n".join(part for part in parts if part) for name, parts in lists.items()})

    def cut_short(self) -> Verdict:
        """The verdict of a run whose process ended before it was judged."""
        if self.finished is None:
            return Verdict(VerdictState.CANCELLED, Basis.INTRINSIC, "The process ended.", (PROCESS_ENDED,))
        reason = "The run finished, but the process ended before it was judged."
        return Verdict(VerdictState.NOT_GRADABLE, Basis.INTRINSIC, reason, (PROCESS_ENDED,))
