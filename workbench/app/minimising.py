"""Making a failure small: a reply by reading it, or a whole request by asking the model again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from workbench.app.forensics import Specimen, specimen_of
from workbench.core.calls import Outcome
from workbench.core.errors import InvalidInput
from workbench.core.events import CancelCause, RunEvent
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.verdict import VerdictState
from workbench.formats import get_format
from workbench.formats.survey.forensics import attempts, survey
from workbench.replay.faults import FailedReading, FaultyReply, ReplyReader, find_fault
from workbench.replay.minimise import Minimising, begin
from workbench.replay.shrinking import fewer_tools, made, shorter_history, smaller_schemas
from workbench.scan.dialect import unknown_markup

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from workbench.app.batch_work import RunStarter
    from workbench.app.runs import RunDraft
    from workbench.core.messages import Message
    from workbench.core.protocols import SchemaChecker
    from workbench.core.tools import ToolSpec
    from workbench.replay.faults import Fault

ORIGIN = "minimise"
ANY = "native_openai"
"""Reads a call in unknown markup as every other format does: not at all, and says so."""


def reply_of(specimen: Specimen) -> FaultyReply:
    """The reply as it came."""
    pieces = tuple(chunk.text for chunk in specimen.chunks if chunk.text)
    return FaultyReply(pieces if "".join(pieces) == specimen.text else (specimen.text,), specimen.tools)


def reader_of(specimen: Specimen, name: str, check: SchemaChecker | None = None) -> ReplyReader:
    """How one format reads replies like this one; raise UnknownName."""
    return ReplyReader(get_format(name), specimen.reason, specimen.flags, specimen.native_calls, check, unknown_markup)


def best_format(specimen: Specimen) -> str:
    """The format that explains most of a text, any where a call stands in unknown markup; empty where none finds anything."""
    found = survey(specimen.text, specimen.tools or None, specimen.reason or None)
    called = any(one.outcome in (Outcome.STRICT, Outcome.RECOVERED) for one in attempts(found))
    if not called and next(unknown_markup(specimen.text, specimen.tools or ()), None) is not None:
        return ANY
    return found.best.format if found.best else ANY if found.unknown else ""


def search_smaller(
    specimen: Specimen, name: str = "", *, code: str = "", check: SchemaChecker | None = None
) -> Minimising:
    """Prepare a search as the format `name` reads (else the one asked for, else the best); raise InvalidInput.

    Takes as long as reading the reply with every format. `search.run` does the work.
    """
    chosen = name or (specimen.spec.id if specimen.spec else "") or best_format(specimen)
    if not chosen:
        raise InvalidInput("No format finds a call or a problem in this text: there is nothing that could be kept.")
    found = begin(reply_of(specimen), reader_of(specimen, chosen, check), code)
    if found is None:
        raise InvalidInput(f"{chosen} finds no call and no problem here: there is nothing that could be kept.")
    return found


def failing_specimen(events: Sequence[RunEvent], check: SchemaChecker | None = None) -> Specimen | None:
    """The first reply of a run with something to keep beside a good call, else the most telling one."""
    told = specimen_of(events)
    numbers = [step.number for step, _ in summarize(events).executor_replies]
    for one in (told, *(specimen_of(events, number) for number in numbers)):
        name = one.spec.id if one and one.spec else ""
        fault = find_fault(reply_of(one), reader_of(one, name, check)) if one and name else None
        if fault is not None and not _good(fault):
            return one
    return told


def _good(fault: Fault) -> bool:
    return isinstance(fault, FailedReading) and fault.fault.outcome is Outcome.STRICT and not fault.fault.codes


@dataclass(slots=True)
class LiveMinimising:
    """A search that asks the model again: which messages, tools and parts of schemas does the failure need?

    A candidate is kept if one of `each` runs of it fails alike: chance may keep a part that is needed only mostly.
    """

    runs: RunStarter
    draft: RunDraft
    """The smallest so far that failed alike."""
    fault: str
    """Failure code that stays, or the kind of a provider's error."""
    most: int
    """Runs in all."""
    each: int = 1
    asked: int = 0
    """Runs so far."""
    failing_run: str = ""
    """Id of the last run that failed alike; empty before there was one."""
    complete: bool = False

    async def run(self, stop: Callable[[], bool] = lambda: False) -> RunDraft:
        """Search to the end, until `stop` or until all runs are spent. Raise InvalidInput if the failure does not recur."""
        if not await self._stands_in(self.draft, stop):
            if stop():
                return self.draft
            raise InvalidInput(
                f"The failure ({self.fault}) did not come back in {self.asked} runs.",
                hint="Ask more often for each candidate: --each N.",
            )
        ended = [await self._drive(phase, stop) for phase in self._phases()]
        self.complete = all(ended)
        return self.draft

    def _phases(self) -> Iterator[Generator[RunDraft, bool, Any]]:
        yield made(shorter_history(self.draft.messages), self._with_messages)
        if self.draft.tools:
            yield made(fewer_tools(self._tools), self._with_tools)
            yield made(smaller_schemas(self._tools), self._with_tools)

    @property
    def _tools(self) -> tuple[ToolSpec, ...]:
        return tuple(setup.spec for setup in self.draft.tools)

    def _with_messages(self, messages: tuple[Message, ...]) -> RunDraft:
        return replace(self.draft, messages=messages)

    def _with_tools(self, tools: tuple[ToolSpec, ...]) -> RunDraft:
        setups = {setup.spec.name: setup for setup in self.draft.tools}
        return replace(self.draft, tools=tuple(replace(setups[tool.name], spec=tool) for tool in tools))

    async def _drive(self, steps: Generator[RunDraft, bool, Any], stop: Callable[[], bool]) -> bool:
        try:
            candidate = next(steps)
            while not stop() and self.asked + self.each <= self.most:
                keeps = await self._stands_in(candidate, stop)
                if keeps:
                    self.draft = candidate
                candidate = steps.send(keeps)
        except StopIteration:
            return True
        return False

    async def _stands_in(self, draft: RunDraft, stop: Callable[[], bool]) -> bool:
        for _ in range(self.each):
            if stop() or self.asked >= self.most:
                return False
            self.asked += 1
            summary = RunSummary()
            handle = await self.runs.start(draft, summary.add_all)
            try:
                await handle.wait()
            finally:
                handle.cancel(CancelCause.USER)  # nothing happens to a run that has ended
            if self.fault in failures_of(summary):
                self.failing_run = handle.run_id
                return True
        return False


def failures_of(run: RunSummary) -> tuple[str, ...]:
    """What a run may be said to have failed by: its codes, else the kind of the provider's error."""
    if run.verdict is not None and run.verdict.codes and run.state is not VerdictState.PASS:
        return run.verdict.codes
    error = run.finished.error if run.finished else None
    return (f"provider.{error.kind}",) if error is not None else ()


def search_live(
    runs: RunStarter, events: Sequence[RunEvent], draft: RunDraft, *, most: int, each: int = 1, code: str = ""
) -> LiveMinimising:
    """Prepare a search over requests like that of a recorded run; raise InvalidInput where nothing is wrong with it."""
    known = failures_of(summarize(events))
    if not known:
        raise InvalidInput("Nothing is wrong with this run.", hint="Name a run that failed.")
    wanted = next((one for one in known if one == code or one.partition(".")[2] == code), "") if code else known[0]
    if not wanted:
        raise InvalidInput(f"The run did not fail by {code!r}.", hint=f"There are: {', '.join(known)}.")
    return LiveMinimising(runs, replace(draft, origin=ORIGIN), wanted, most, each)
