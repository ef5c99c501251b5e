from __future__ import annotations

import asyncio
from datetime import date

from tests.kit.events import story
from workbench.app import Workbench
from workbench.core.calls import Outcome, ParsedCall, ParseResult, Span
from workbench.core.events import RunStarted
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.replay.parse import ReplyChange, RunReparse
from workbench.replay.result import ReplayVerdict
from workbench.store.rows import DayCount, Facet
from workbench.ui.controllers import history_reading as reading


def test_a_recorded_run_becomes_line_glance_and_reparse(home) -> None:
    async def body() -> None:
        async with Workbench.open(home) as wb:
            events = story()
            started = events[0]
            assert isinstance(started, RunStarted)
            wb.store.record(started.run_id, events)
            stored = await wb.load(1)
            line = reading.line_of(stored.run)
            assert (line.number, line.model, line.mode, line.simulated) == (1, "qwen-hasty", "boost", True)
            glance = reading.glance_of(wb, stored)
            assert len(glance.steps) == len(glance.run.steps) > 3
            assert glance.regions
            found = reading.reparsed(wb, stored)
            assert found is not None
            assert found.number == 1
            assert reading.sentence_of(found)

    asyncio.run(body())


def _change() -> ReplyChange:
    call = ParsedCall(
        "get_weather", {"city": "Oslo"}, "call_1", Outcome.STRICT, (), Span(0, 9), Span(1, 2), Span(3, 4), "react"
    )
    after = ParseResult(calls=(call._replace(arguments={"city": "Rome" * 40}),))
    return ReplyChange(2, "react", ReplayVerdict.CHANGED, ParseResult(calls=(call,)), after)


def test_changes_say_where_before_and_after() -> None:
    found = RunReparse(7, "id", ReplayVerdict.CHANGED, "1", 3, (_change(),))
    places = reading.changes_of(found)
    assert len(places) == 1
    where, before, after = places[0]
    assert where.startswith("step 2: ")
    assert "city" in where
    assert before == "Oslo"
    assert len(after) == 60
    assert reading.sentence_of(found) == "1 of 3 replies are read differently."


def test_a_flip_is_told() -> None:
    was, now = (Verdict(state, Basis.INTRINSIC, "") for state in (VerdictState.FAIL, VerdictState.PASS))
    found = RunReparse(7, "id", ReplayVerdict.FIXED, "1", 3, (_change(),), before=was, after=now)
    assert reading.sentence_of(found).endswith("The verdict would be pass, it was fail.")
    same = RunReparse(7, "id", ReplayVerdict.SAME, "2026.1", 3)
    assert reading.sentence_of(same) == "All 3 replies are read as they were (then: parser 2026.1)."
    assert reading.sentence_of(RunReparse(7, "id", ReplayVerdict.NOT_COMPARABLE, "1", 0, note="gone")) == "gone"


def test_facets_keep_the_lists_order_and_are_short() -> None:
    many = [Facet(f"tool_{number}", 50 - number) for number in range(30)]
    groups = reading.facet_groups({"tool": many, "layer": many, "verdict": [Facet("fail", 3)], "code": []})
    assert list(groups) == ["verdict", "tool"]
    assert len(groups["tool"]) == 8
    assert reading.days_of([DayCount(date(2026, 11, 20), 4, 1)])[0].failed == 1


def test_a_stop_is_for_good() -> None:
    stop = reading.Stop()
    assert not stop()
    stop.stop()
    assert stop()
