from __future__ import annotations

import asyncio
import gc
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.kit.fakes import FakeClient, FakeTools, MemoryRecorder, Reply, RequiredOnly, plan
from tests.kit.waiting import LIMIT_S
from workbench.app.runs import RunService
from workbench.core.errors import InvalidInput, StoreError
from workbench.core.events import (
    CancelCause,
    ChunkReceived,
    RunEvent,
    RunFinished,
    StepFinished,
    StopReason,
    VerdictGiven,
)
from workbench.core.verdict import VerdictState
from workbench.formats import get_format

QWEN = get_format("qwen_xml")


def service(recorder: MemoryRecorder) -> RunService:
    return RunService(recorder, FakeTools(), RequiredOnly())


def test_a_run_ends_with_a_verdict_and_all_of_it_was_committed_before_it_was_shown() -> None:
    recorder, shown = MemoryRecorder(), []

    def watch(batch: list[RunEvent]) -> None:
        assert recorder.events[-len(batch) :] == list(batch)
        shown.extend(batch)

    async def main() -> VerdictState:
        handle = service(recorder).launch(plan(FakeClient([Reply(["Rome ", "is ", "nice."])]), QWEN), watch)
        return (await handle.wait()).state

    state = asyncio.run(main())
    assert shown == recorder.events
    assert isinstance(shown[-2], RunFinished)
    assert isinstance(shown[-1], VerdictGiven)
    assert shown[-1].verdict.state is state


def test_a_cancelled_run_keeps_its_text_its_end_and_its_cause() -> None:
    recorder = MemoryRecorder()

    async def main() -> None:
        runs = service(recorder)
        handle = runs.launch(plan(FakeClient([Reply("So far", hang=True)]), QWEN))
        while not any(isinstance(event, ChunkReceived) for event in recorder.events):
            await asyncio.sleep(0.001)
        assert runs.running == (handle,)
        handle.cancel(CancelCause.USER)
        handle.cancel(CancelCause.SHUTDOWN)
        assert (await handle.wait()).state is VerdictState.CANCELLED
        assert handle.done

    asyncio.run(main())
    finished = next(event for event in recorder.events if isinstance(event, RunFinished))
    assert (finished.stop, finished.cancel) == (StopReason.CANCELLED, CancelCause.USER)
    reply = next(event for event in recorder.events if isinstance(event, StepFinished)).reply
    assert (reply.text, reply.cancelled) == ("So far", True)


def test_closing_stops_everything_and_records_it() -> None:
    recorder = MemoryRecorder()

    async def main() -> None:
        runs = service(recorder)
        for number in range(3):
            runs.launch(replace(plan(FakeClient([Reply("…", hang=True)]), QWEN), run_id=f"run-{number}"))
        await asyncio.sleep(0.05)
        await runs.aclose()
        assert runs.running == ()

    asyncio.run(main())
    finished = [event for event in recorder.events if isinstance(event, RunFinished)]
    assert [event.cancel for event in finished] == [CancelCause.SHUTDOWN] * 3


def test_store_error_stops_the_run() -> None:
    recorder = MemoryRecorder(fail_after=0, error=StoreError("The disk is full."))

    async def main() -> None:
        handle = service(recorder).launch(plan(FakeClient([Reply("So far", hang=True)]), QWEN))
        with pytest.raises(StoreError, match="disk is full"):
            await asyncio.wait_for(handle.wait(), LIMIT_S)

    asyncio.run(main())


@pytest.mark.parametrize("hang", [True, False])
@pytest.mark.parametrize("batches", range(8))
def test_store_error_reaches_the_waiting_caller(batches: int, hang: bool) -> None:
    recorder = MemoryRecorder(fail_after=batches, error=StoreError("The disk is full."))

    async def main() -> None:
        handle = service(recorder).launch(plan(FakeClient([Reply(["So ", "far"], hang=hang)]), QWEN))
        await asyncio.sleep(0.05)
        handle.cancel()
        try:
            await asyncio.wait_for(handle.wait(), LIMIT_S)
        except StoreError:
            return
        assert len(recorder.batches) <= batches, "nothing failed"

    asyncio.run(main())


def test_a_cancel_while_the_verdict_goes_to_disk_takes_nothing_away() -> None:
    class Slow(MemoryRecorder):
        def __init__(self) -> None:
            super().__init__()
            self.asked, self.let = asyncio.Event(), asyncio.Event()

        async def commit(self, run_id: str, events: Sequence[RunEvent]) -> None:
            if any(isinstance(event, VerdictGiven) for event in events):
                self.asked.set()
                await self.let.wait()
            await super().commit(run_id, events)

    async def main() -> None:
        recorder = Slow()
        handle = service(recorder).launch(plan(FakeClient([Reply("So far")]), QWEN))
        await recorder.asked.wait()
        handle.cancel()
        recorder.let.set()
        verdict = await handle.wait()
        assert verdict.state is not VerdictState.CANCELLED
        assert recorder.events[-1] == VerdictGiven(verdict)

    asyncio.run(main())


def test_unawaited_run_logs_no_exception() -> None:
    recorder = MemoryRecorder(fail_after=0, error=StoreError("The disk is full."))
    complaints: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        handle = service(recorder).launch(plan(FakeClient([Reply("So far")]), QWEN))
        while not handle.done:
            await asyncio.sleep(0.001)
        del handle
        gc.collect()

    asyncio.run(main())
    assert not complaints


def test_giving_up_waiting_does_not_stop_the_run() -> None:
    recorder = MemoryRecorder()

    async def main() -> None:
        handle = service(recorder).launch(plan(FakeClient([Reply("x", hang=True)]), QWEN))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(handle.wait(), 0.05)
        assert not handle.done
        handle.cancel()
        await handle.wait()

    asyncio.run(main())


def test_a_cancel_before_the_run_has_begun_is_recorded_too() -> None:
    recorder = MemoryRecorder()

    async def main() -> VerdictState:
        handle = service(recorder).launch(plan(FakeClient([Reply("x", hang=True)]), QWEN))
        handle.cancel()
        return (await handle.wait()).state

    assert asyncio.run(main()) is VerdictState.CANCELLED
    assert any(isinstance(event, RunFinished) and event.cancel is CancelCause.USER for event in recorder.events)


@pytest.mark.parametrize("ours", [True, False])
def test_a_fault_ends_one_run_visibly(ours: bool) -> None:
    """What a user can mend, such as a plug-in, is told by its own words and not reported as a fault of ours."""
    fault = KeyError("oops") if ours else InvalidInput("The plug-in 'x.py' failed.", hint="At line 2.")

    class Broken(FakeTools):
        async def run(self, setup: object, call: object, place: object) -> object:  # type: ignore[override]
            raise fault

    recorder = MemoryRecorder()
    call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'

    async def main() -> None:
        faults: list[Exception] = []
        runs = RunService(recorder, Broken(), RequiredOnly(), faults.append)
        verdict = await runs.launch(plan(FakeClient([Reply(call)]), QWEN)).wait()
        assert (verdict.state, verdict.codes) == (VerdictState.ERROR, ("execution.internal",))
        assert faults == ([fault] if ours else [])

    asyncio.run(main())
    finished = next(event for event in recorder.events if isinstance(event, RunFinished))
    assert finished.error is not None
    assert finished.error.message == (
        "A fault of the workbench itself: KeyError: 'oops'" if ours else "The plug-in 'x.py' failed."
    )
