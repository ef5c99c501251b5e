from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.kit import runs
from tests.kit.app import with_workbench
from workbench.app import Workbench
from workbench.core.errors import InvalidInput
from workbench.core.events import ChunkReceived, RunEvent
from workbench.ui.gateway.reading import LiveTail, read_recorded, reading_of, show_what_was_given
from workbench.ui.run.run_fold import RunFold, fold

RUN = runs.make_run()
RUN_ID = RUN[0].run_id


def structural(events: list[RunEvent]) -> int:
    return sum(not isinstance(event, ChunkReceived) for event in events)


def kinds(events: list[RunEvent]) -> list[object]:
    return [
        (event.step, event.exchange, event.index) if isinstance(event, ChunkReceived) else type(event).__name__
        for event in events
        if not (isinstance(event, ChunkReceived) and event.index < 0)
    ]


@pytest.mark.parametrize("recorded", range(1, len(RUN)))
@pytest.mark.parametrize("behind", [0, 1, 3])
def test_every_event_comes_once_wherever_somebody_begins_to_look(home: Path, recorded: int, behind: int) -> None:
    """The record holds so many events; delivered were fewer, since batches come after they are on disk."""

    async def body(wb: Workbench) -> None:
        delivered = max(0, recorded - behind)
        if delivered == 0:
            return
        wb.store.record(RUN_ID, RUN[:recorded])
        tail = LiveTail(RUN_ID, structural(RUN[:delivered]))
        assert tail.take(RUN[delivered:recorded]) == []
        stored, news = await tail.begin(wb)
        rest = tail.take(RUN[recorded:])
        assert kinds([*stored, *news, *rest]) == kinds(RUN)

    with_workbench(home, body)


def test_what_has_told_nothing_yet_is_not_looked_for(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        tail = LiveTail("not there", 0)
        assert tail.take(RUN[:2]) == []
        stored, news = await tail.begin(wb)
        assert (list(stored), news) == ([], RUN[:2])

    with_workbench(home, body)


def test_a_recorded_run_is_folded_with_its_readings(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        wb.store.record(RUN_ID, RUN)
        live, readings = await read_recorded(wb, RUN_ID)
        assert set(readings) == set(live.view.steps)
        assert live.view.finished is not None
        with pytest.raises(InvalidInput):
            await read_recorded(wb, "gone")

    with_workbench(home, body)


def test_shown_text_is_filled_in_where_the_record_has_none(home: Path) -> None:
    live = RunFold()
    live.apply(RUN[:6])
    for step in live.view.steps.values():
        step.raw.append("text", "Look. <tool_call>")
    show_what_was_given(live)
    assert all("tool_call" not in step.shown.source("text") for step in live.view.steps.values())


def test_a_long_reply_is_not_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.ui.gateway import reading as module

    monkeypatch.setattr(module, "READ_UP_TO", 1)

    async def body(wb: Workbench) -> None:
        step = next(iter(fold(RUN).steps.values()))
        assert reading_of(wb, step).regions == ()
        await asyncio.sleep(0)

    with_workbench(home, body)
