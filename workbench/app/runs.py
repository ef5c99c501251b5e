"""Running: one task that runs the engine, one that pumps, and a handle to watch, wait and cancel."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.app.pump import Pump
from workbench.core.batch import CaseVerdict
from workbench.core.errors import ErrorInfo, ErrorKind, WorkbenchError
from workbench.core.events import CancelCause, RunEvent, RunFinished, StopReason, Totals, VerdictGiven
from workbench.core.masking import Secrets
from workbench.core.run_summary import RunSummary
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.engine import CancelNote, RunPlan, run
from workbench.grading.expectation import judge_case
from workbench.grading.intrinsic import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from workbench.core.approvals import Approver
    from workbench.core.case import Case
    from workbench.core.events import ClientRequest, ParentRun
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
    case: Case | None = None
    """What it is held against; None: it is judged by itself."""
    approver: Approver | None = None
    """Who decides about calls in mode `ask`; None: they are refused."""
    workspace: str = ""
    """Folder of executed tools; empty: that of the settings."""
    stop: tuple[str, ...] = ()
    """Stop sequences beside those of the format."""
    by_wire: dict[str, Any] = field(default_factory=dict)
    """Body fields for one wire only, see `ChatRequest.by_wire`."""
    client: ClientRequest | None = None
    """Set where a program asked through the gateway."""
    parent: ParentRun | None = None
    """Set where it is made from another run."""
    run_id: str = ""
    """Chosen beforehand; a run that was recorded under it goes on where its record ends. Empty: a new one."""


class RunHandle:
    """A run under way."""

    def __init__(self, run_id: str, note: CancelNote) -> None:
        self.run_id = run_id
        self._note = note
        self._task: asyncio.Future[Verdict] | None = None
        self._begun = self._over = False
        self.result: CaseVerdict | None = None
        """How it was judged, every aspect, as recorded; None until it has ended."""

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
        if self._task is not None and self._begun and not self._over:
            self._task.cancel()

    def begin(self) -> None:
        """The run's task is under way; a cancel that came before is made good, so that it is recorded too."""
        self._begun = True
        if self._note.cause is not None and self._task is not None:
            self._task.cancel()

    def end(self) -> None:
        """Nothing is left to stop: what is known of the run goes to disk, and no cancel may come between."""
        self._over = True


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges a run once: by its case where it has one, else by itself. What is kept of it holds no key."""

    case: Case | None
    check: SchemaChecker
    secrets: Secrets

    def __call__(self, run: RunSummary) -> CaseVerdict:
        case = self.case
        found = CaseVerdict(judge(run, self.check)) if case is None else judge_case(run, case, self.check)
        return self.secrets.mask_value(found)

    def fault(self, fault: Exception) -> CaseVerdict:
        """A fault of the workbench itself says nothing about the model."""
        basis = Basis.EXPECTATION if self.case and self.case.expectation else Basis.INTRINSIC
        return self.secrets.mask_value(
            CaseVerdict(Verdict(VerdictState.ERROR, basis, str(fault), ("execution.internal",)))
        )


class RunService:
    """Owns the tasks of all runs."""

    def __init__(
        self,
        recorder: Recorder,
        tools: ToolRunner,
        check: SchemaChecker,
        on_fault: Callable[[Exception], object] = lambda _: None,
        secrets: Callable[[], Collection[str]] = tuple,
        mask_foreign_keys: Callable[[], bool] = bool,
    ) -> None:
        self._recorder, self._tools, self._check = recorder, tools, check
        self._on_fault, self._secrets = on_fault, secrets
        self._mask_foreign_keys = mask_foreign_keys
        self._running: dict[str, RunHandle] = {}

    @property
    def running(self) -> tuple[RunHandle, ...]:
        """Handles of all runs under way."""
        return tuple(self._running.values())

    def launch(
        self,
        plan: RunPlan,
        watch: Callable[[Sequence[RunEvent]], None] | None = None,
        case: Case | None = None,
        approver: Approver | None = None,
        tap: Callable[[RunEvent], None] | None = None,
        recorder: Recorder | None = None,
    ) -> RunHandle:
        """Start a resolved plan; `watch` gets each batch after it was committed, `case` judges the run.

        `tap` gets each event at once, before the disk, with the keys of whoever is asked still in it: for a program that
        waits for the reply, never for what is shown or kept. `recorder` keeps this run in place of the service's own.
        """
        note = CancelNote()
        handle = RunHandle(plan.run_id, note)
        secrets = Secrets(self._secrets(), foreign=self._mask_foreign_keys())
        pump = Pump(plan.run_id, recorder or self._recorder, [watch] if watch else [], secrets.mask_event, tap)
        work = self._run(plan, pump, note, handle, _Judge(case, self._check, secrets), approver)
        handle._task = asyncio.create_task(work, name=f"run {plan.run_id}")  # noqa: TID251
        self._running[plan.run_id] = handle
        handle._task.add_done_callback(lambda done: self._ended(plan.run_id, done))
        return handle

    def recorded(self, run_id: str, run: RunSummary, case: Case | None) -> RunHandle:
        """The handle of a run that has ended before, judged as it would be now."""
        handle = RunHandle(run_id, CancelNote())
        handle.result = _Judge(case, self._check, Secrets(self._secrets()))(run)
        done: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        done.set_result(handle.result.verdict)
        handle._task = done
        return handle

    def _ended(self, run_id: str, done: asyncio.Task[Verdict]) -> None:
        """Forget a run. Its fault is for those who wait; where nobody does any more, it is no news of its own."""
        self._running.pop(run_id, None)
        if not done.cancelled():
            done.exception()

    async def _run(
        self, plan: RunPlan, pump: Pump, note: CancelNote, handle: RunHandle, judged: _Judge, approver: Approver | None
    ) -> Verdict:
        pumping = asyncio.create_task(pump.run(), name=f"pump {plan.run_id}")  # noqa: TID251
        task = asyncio.current_task()
        assert task is not None

        def stop(done: asyncio.Task[None]) -> None:
            """A run that cannot be recorded must not go on: the pump's failure cancels it."""
            if not done.cancelled() and done.exception():
                task.cancel()

        pumping.add_done_callback(stop)
        handle.begin()
        try:
            handle.result = await self._produce(plan, pump, note, handle, judged, approver)
        except asyncio.CancelledError:
            if pumping.done() and not pumping.cancelled():
                pumping.result()  # this is why it was cancelled: who waits is told of the disk
            raise
        except Exception as fault:  # noqa: BLE001  a fault of ours ends this run visibly, not the program
            handle.end()
            await pump.put(_internal(fault))
            handle.result = judged.fault(fault)
            await pump.put(VerdictGiven(handle.result.verdict))
            if not isinstance(fault, WorkbenchError):
                self._on_fault(fault)
        finally:
            pump.close()
        pumping.remove_done_callback(stop)  # from here on the fault comes out of the pump itself
        await pumping
        return handle.result.verdict

    async def _produce(
        self, plan: RunPlan, pump: Pump, note: CancelNote, handle: RunHandle, judged: _Judge, approver: Approver | None
    ) -> CaseVerdict:
        """Run the engine into the pump. A cancel ends the run by the engine's own closing events."""
        summary = RunSummary()
        task = asyncio.current_task()
        assert task is not None
        with suppress(asyncio.CancelledError):
            async with aclosing(run(plan, self._tools, self._check, approver=approver, cancel=note)) as events:
                async for event in events:
                    if isinstance(event, RunFinished):
                        event = replace(event, totals=event.totals._replace(waited_us=pump.waited_us))
                    summary.add(event)
                    try:
                        await pump.put(event)
                    except asyncio.CancelledError:
                        task.cancel()  # the engine must hear of it, so that it can close the step and the run
        if summary.finished is None:
            raise asyncio.CancelledError
        handle.end()
        while task.cancelling():
            task.uncancel()
        result = judged(summary)
        await pump.put(VerdictGiven(result.verdict))
        return result

    async def aclose(self, limit_s: float = 3.0) -> None:
        """Cancel all runs and wait until they are on disk, at most `limit_s` seconds."""
        tasks = [handle._task for handle in self._running.values() if handle._task]
        for handle in list(self._running.values()):
            handle.cancel(CancelCause.SHUTDOWN)
        if tasks:
            await asyncio.wait(tasks, timeout=limit_s)


def _internal(fault: Exception) -> RunFinished:
    """The end of a run that a fault of the workbench itself cut short, or one that somebody can mend, as of a plug-in."""
    if isinstance(fault, WorkbenchError):
        known = ErrorInfo(ErrorKind.INTERNAL, fault.message, hint=fault.hint)
        return RunFinished(StopReason.ERROR, "", fault.message, Totals(), 0, known)
    message = f"A fault of the workbench itself: {type(fault).__name__}: {fault}"
    error = ErrorInfo(ErrorKind.INTERNAL, message, hint="Please report this; what came before is recorded.")
    return RunFinished(StopReason.ERROR, "", "a fault of the workbench itself", Totals(), 0, error)
