"""Running: one task that runs the engine, one that pumps, and a handle to watch, wait and cancel."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.app.masking import EventMask
from workbench.app.pump import Pump
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import CancelCause, ChunkReceived, RunEvent, RunFinished, StopReason, Totals, VerdictGiven
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.engine import CancelNote, RunPlan, run
from workbench.grading.intrinsic import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from workbench.core.messages import Message, ToolChoice
    from workbench.core.protocols import Recorder, SchemaChecker, ToolRunner
    from workbench.core.target import Target
    from workbench.core.tools import ToolSetup


@dataclass(frozen=True, slots=True)
class RunDraft:
    """What a user wants to run, before providers, formats and defaults are resolved."""

    messages: tuple[Message, ...]
    target: Target
    tools: tuple[ToolSetup, ...] = ()
    tool_choice: ToolChoice = None
    title: str = ""
    """Empty: the beginning of the last user message."""
    origin: str = "try"


class RunHandle:
    """A run under way."""

    def __init__(self, run_id: str, note: CancelNote) -> None:
        self.run_id = run_id
        self._note = note
        self._task: asyncio.Task[Verdict] | None = None
        self._begun = False

    @property
    def done(self) -> bool:
        """The run has ended and everything is on disk."""
        return self._task is not None and self._task.done()

    async def wait(self) -> Verdict:
        """Wait for the end; raise StoreError if the run could not be recorded. Cancelling the waiter leaves the run."""
        assert self._task is not None
        return await asyncio.shield(self._task)

    def cancel(self, cause: CancelCause = CancelCause.USER) -> None:
        """Stop the run; what came so far is kept. The first cause counts."""
        if self._note.cause is None:
            self._note.cause = cause
        if self._task is not None and self._begun and not self._task.done():
            self._task.cancel()

    def begin(self) -> None:
        """The run's task is under way; a cancel that came before is made good, so that it is recorded too."""
        self._begun = True
        if self._note.cause is not None and self._task is not None:
            self._task.cancel()


class RunService:
    """Owns the tasks of all runs."""

    def __init__(
        self,
        recorder: Recorder,
        tools: ToolRunner,
        check: SchemaChecker,
        on_fault: Callable[[Exception], object] = lambda _: None,
        secrets: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self._recorder, self._tools, self._check = recorder, tools, check
        self._on_fault, self._secrets = on_fault, secrets
        self._running: dict[str, RunHandle] = {}

    @property
    def running(self) -> tuple[RunHandle, ...]:
        """Handles of all runs under way."""
        return tuple(self._running.values())

    def launch(self, plan: RunPlan, watch: Callable[[Sequence[RunEvent]], None] | None = None) -> RunHandle:
        """Start a resolved plan; `watch` gets each batch after it was committed."""
        note = CancelNote()
        handle = RunHandle(plan.run_id, note)
        pump = Pump(plan.run_id, self._recorder, [watch] if watch else [], EventMask(self._secrets()))
        handle._task = asyncio.create_task(self._run(plan, pump, note, handle), name=f"run {plan.run_id}")  # noqa: TID251
        self._running[plan.run_id] = handle
        handle._task.add_done_callback(lambda _: self._running.pop(plan.run_id, None))
        return handle

    async def _run(self, plan: RunPlan, pump: Pump, note: CancelNote, handle: RunHandle) -> Verdict:
        pumping = asyncio.create_task(pump.run(), name=f"pump {plan.run_id}")  # noqa: TID251
        task = asyncio.current_task()
        assert task is not None
        # A run that cannot be recorded must not go on: the pump's failure cancels it.
        pumping.add_done_callback(lambda done: task.cancel() if not done.cancelled() and done.exception() else None)
        handle.begin()
        try:
            verdict = await self._produce(plan, pump, note)
        except Exception as fault:  # noqa: BLE001  a fault of ours ends this run visibly, not the program
            await pump.put(_internal(fault))
            verdict = Verdict(VerdictState.ERROR, Basis.INTRINSIC, str(fault), ("execution.internal",))
            await pump.put(VerdictGiven(verdict))
            self._on_fault(fault)
        finally:
            pump.close()
        await pumping
        return verdict

    async def _produce(self, plan: RunPlan, pump: Pump, note: CancelNote) -> Verdict:
        """Run the engine into the pump. A cancel ends the run by the engine's own closing events."""
        facts: list[RunEvent] = []
        task = asyncio.current_task()
        assert task is not None
        with suppress(asyncio.CancelledError):
            async with aclosing(run(plan, self._tools, self._check, cancel=note)) as events:
                async for event in events:
                    if isinstance(event, RunFinished):
                        event = replace(event, totals=event.totals._replace(waited_us=pump.waited_us))
                    if not isinstance(event, ChunkReceived):
                        facts.append(event)
                    try:
                        await pump.put(event)
                    except asyncio.CancelledError:
                        task.cancel()  # the engine must hear of it, so that it can close the step and the run
        if not (facts and isinstance(facts[-1], RunFinished)):
            raise asyncio.CancelledError
        while task.cancelling():
            task.uncancel()
        verdict = judge(facts, self._check)
        await pump.put(VerdictGiven(verdict))
        return verdict

    async def aclose(self, limit_s: float = 3.0) -> None:
        """Cancel all runs and wait until they are on disk, at most `limit_s` seconds."""
        tasks = [handle._task for handle in self._running.values() if handle._task]
        for handle in list(self._running.values()):
            handle.cancel(CancelCause.SHUTDOWN)
        if tasks:
            await asyncio.wait(tasks, timeout=limit_s)


def _internal(fault: Exception) -> RunFinished:
    """The end of a run that a fault of the workbench itself cut short."""
    message = f"A fault of the workbench itself: {type(fault).__name__}: {fault}"
    error = ErrorInfo(ErrorKind.INTERNAL, message, hint="Please report this; what came before is recorded.")
    return RunFinished(StopReason.ERROR, "", "a fault of the workbench itself", Totals(), 0, error)
