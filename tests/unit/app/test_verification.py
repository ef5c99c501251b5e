"""Verifications over the real application and simulated vendors, as fast as they can."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import with_workbench
from workbench.app import Workbench
from workbench.app.verification import MEASURED, VerifyOrder
from workbench.core.batch import BatchState, ItemState
from workbench.core.errors import InvalidInput
from workbench.core.target import Target, parse_target
from workbench.verify.judgement import Judgement
from workbench.verify.observation import VERSION
from workbench.verify.plan import Streams
from workbench.verify.policy import load_policy
from workbench.verify.request_sets import built_in_requests

MAIN = parse_target("provider=simulator,model=main-70b")


def vendor(kind: str) -> Target:
    return parse_target(f"provider=simulator,model=main-70b+{kind}")


def order(*candidates: Target, pairs: int = 8, **fields: object) -> VerifyOrder:
    made = VerifyOrder("main-70b", MAIN, candidates, load_policy(), built_in_requests(), parallel=8)
    return replace(made, budget=pairs * (MEASURED + len(candidates)), **fields)


def test_every_pair_is_sent_to_all_and_recorded_as_runs(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(vendor("template"), MAIN))).wait()
        assert (found.planned, found.complete, found.state) == (8, 8, BatchState.DONE)
        assert (found.reference.replies, [one.replies for one in found.candidates]) == (16, [8, 8])
        assert found.reference.simulated
        assert found.reference.wire == "openai_chat"
        rows = wb.store.list_runs("origin:verify")
        assert len(rows) == 32
        run = (await wb.load(found.run_of(found.pairs[0], 0))).summary()
        assert run.started is not None
        assert run.started.target.executor.model == "main-70b+template"
        assert run.started.target.stream is found.pairs[0].streamed
        tokens = next(one for one in found.judged().results[0] if one.metric.id == "prompt_tokens")
        assert tokens.difference is not None
        assert tokens.difference > 23
        assert tokens.judgement is not Judgement.PASS

    with_workbench(home, body)


def test_what_was_stopped_goes_on_without_loss(home: Path) -> None:
    async def first(wb: Workbench) -> str:
        handle = await wb.verifications.start(order(vendor("drop"), parallel=1), watch=lambda far: stop(far.done))

        def stop(done: int) -> None:
            if done == 9:
                handle.batch.cancel()

        found = await handle.wait()
        assert found.state is BatchState.STOPPED
        assert 0 < found.complete < 8
        return found.id

    number = with_workbench(home, first)

    async def second(wb: Workbench) -> None:
        before = await wb.verifications.load(number)
        found = await (await wb.verifications.resume("last")).wait()
        assert (found.id, found.complete, found.state) == (number, 8, BatchState.DONE)
        assert found.pairs[0] == before.pairs[0]
        whole = await (await wb.verifications.start(order(vendor("drop")))).wait()
        plain = [
            [seen and (seen.agreement, seen.calls, seen.input_tokens) for seen in (*pair.reference, *pair.candidates)]
            for pair in found.pairs
        ]
        assert plain == [
            [seen and (seen.agreement, seen.calls, seen.input_tokens) for seen in (*pair.reference, *pair.candidates)]
            for pair in whole.pairs
        ]

    with_workbench(home, second)


def test_a_larger_budget_adds_pairs_and_costs_a_look(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(MAIN, pairs=3))).wait()
        more = await (await wb.verifications.resume(found.id, budget=15)).wait()
        assert (found.planned, more.planned, more.complete) == (3, 5, 5)
        assert more.pairs[:3] == found.pairs
        assert (found.looks, more.looks) == (0, 2)
        assert more.level < found.level
        with pytest.raises(InvalidInput, match="nothing is left"):
            await wb.verifications.resume(found.id, budget=15)

    with_workbench(home, body)


def test_looks_are_planned_from_the_beginning(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(MAIN, pairs=2, looks=True))).wait()
        assert (found.looks, found.level) == (1, pytest.approx(0.025))

    with_workbench(home, body)


def test_errors_and_what_cannot_start_are_unanswered(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        found = await (
            await wb.verifications.start(order(vendor("500"), parse_target("provider=gone,model=m"), pairs=3))
        ).wait()
        assert [one.errors for one in found.candidates] == [3, 3]
        kinds = {seen.error for pair in found.pairs for seen in pair.candidates if seen}
        assert kinds == {"server", "not_started"}
        assert found.unanswered == 6

    with_workbench(home, body)


def test_observations_of_another_version_are_made_again(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(MAIN, pairs=2))).wait()
        await wb.store.verifications.observe(found.id, 0, {"version": "0", "calls": 77})
        again = await wb.verifications.load(found.id)
        assert again.pairs == found.pairs
        assert {seen.version for pair in again.pairs for seen in pair.references} == {VERSION}

    with_workbench(home, body)


def test_a_plan_sends_nothing(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        plans = wb.verifications.plan(order(MAIN, pairs=10))
        assert [plan.requests for plan in plans] == [20, 10]
        assert plans[0].cost == 0
        assert wb.store.list_runs() == []
        drafts = wb.verifications.first_drafts(order(vendor("cut"), pairs=10))
        assert [draft.target.executor.model for draft in drafts] == ["main-70b", "main-70b+cut"]

    with_workbench(home, body)


def test_verifications_are_listed_apart_from_suites(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        handle = await wb.verifications.start(order(MAIN, pairs=1))
        assert [one.id for one in wb.verifications.running] == [handle.id]
        found = await handle.wait()
        assert [(row.id, row.title, row.done) for row in await wb.verifications.list()] == [(found.id, "main-70b", 3)]
        assert await wb.batches.list() == []
        assert wb.verifications.running == ()

    with_workbench(home, body)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"candidates": ()}, "no candidate"),
        ({"requests": ()}, "no requests"),
        ({"budget": 2}, "less than one pair"),
        ({"parallel": 0}, "at least 1"),
        ({"reference": parse_target("provider=simulator,model=main-70b,boost=Simulator/plain")}, "is boosted"),
    ],
)
def test_what_cannot_be_verified_is_refused(changed: dict, told: str, home: Path) -> None:
    async def body(wb: Workbench) -> None:
        with pytest.raises(InvalidInput, match=told):
            await wb.verifications.start(replace(order(MAIN), **changed))

    with_workbench(home, body)


def test_a_limit_of_cost_needs_prices(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        with pytest.raises(InvalidInput, match="price"):
            await wb.verifications.start(order(parse_target("provider=gone,model=m"), max_cost=1.0))

    with_workbench(home, body)


def test_streams_can_be_fixed(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(MAIN, pairs=3, streams=Streams.OFF))).wait()
        assert {pair.streamed for pair in found.pairs} == {False}
        first = found.pairs[0].references[0]
        assert (first.streamed, first.first_token_us) == (False, None)

    with_workbench(home, body)


def test_a_paused_plan_waits(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        handle = await wb.verifications.start(order(MAIN, pairs=4, parallel=1))
        handle.batch.pause()
        await asyncio.sleep(0)
        handle.batch.unpause()
        found = await handle.wait()
        batch = await wb.batches.load(found.id)
        assert {item.state for item in batch.items} == {ItemState.DONE}

    with_workbench(home, body)
