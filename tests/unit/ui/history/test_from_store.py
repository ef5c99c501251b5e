from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from typing import Any

from tests.kit.batches import case
from tests.kit.events import story
from workbench.app import Workbench
from workbench.core.events import RunStarted
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.replay.difference import compare_json
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.store.rows import DayCount, Facet
from workbench.ui.history import from_store
from workbench.ui.run.glance import glance_of


def test_a_recorded_run_becomes_glance_and_reparse(home) -> None:
    async def body() -> None:
        async with Workbench.open(home) as wb:
            events = story()
            started = events[0]
            assert isinstance(started, RunStarted)
            wb.store.record(started.run_id, events)
            stored = await wb.load(1)
            glance = glance_of(wb, stored)
            assert len(glance.steps) == len(glance.run.steps) > 3
            assert glance.regions
            found = from_store.reparsed(wb, stored)
            assert found is not None
            assert found.number == 1
            assert from_store.sentence_of(found)
            by_case = from_store.reparsed(wb, stored, case("rome"))
            assert by_case is not None
            assert by_case.verdict is found.verdict

    asyncio.run(body())


def _found(verdict: ReplayVerdict, mode: str = "parse", **more: Any) -> Replayed:
    return Replayed(7, "id", mode, verdict, parser_version="2026.1", replies=3, **more)


def test_change_lines_have_place_and_both_values() -> None:
    difference = compare_json({"city": "Oslo", "days": 1}, {"city": "Rome" * 40, "days": None})
    places = from_store.told_places(_found(ReplayVerdict.CHANGED, differences=(("step 2: ", difference),)))
    assert places == [
        ("step 2: city", "Oslo", ("Rome" * 40)[:59] + "…"),
        ("step 2: days", "1", "null"),
    ]


def test_replay_sentence() -> None:
    assert from_store.sentence_of(_found(ReplayVerdict.FIXED)) == "What failed then passes today."
    assert from_store.sentence_of(_found(ReplayVerdict.SAME)) == (
        "The 3 replies are read as they were (then: parser 2026.1)."
    )
    one = replace(_found(ReplayVerdict.SAME), replies=1)
    assert from_store.sentence_of(one) == "The reply is read as it was (then: parser 2026.1)."
    gone = _found(ReplayVerdict.NOT_COMPARABLE, note="There is no format 'x'.")
    assert from_store.sentence_of(gone) == "There is no format 'x'."
    now = Verdict(VerdictState.PASS, Basis.EXPECTATION, "Called what was expected.")
    live = _found(ReplayVerdict.SAME, "live", after=now, new_number=1_200, case="rome")
    assert from_store.sentence_of(live) == (
        "It does the same now. Run 1,200 was sent now: Called what was expected. Judged by the case rome."
    )


def test_facets_keep_the_lists_order_and_are_short() -> None:
    many = [Facet(f"tool_{number}", 50 - number) for number in range(30)]
    groups = from_store.facet_groups({"tool": many, "layer": many, "verdict": [Facet("fail", 3)], "code": []})
    assert list(groups) == ["verdict", "tool"]
    assert len(groups["tool"]) == 8
    assert from_store.days_of([DayCount(date(2026, 11, 20), 4, 1)])[0].failed == 1
