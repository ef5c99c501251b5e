from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.batch import Batch, BatchSpec, BatchState, ItemState, RunSample
from workbench.core.target import ModelRef, Target
from workbench.verify.observation import Observation
from workbench.verify.plan import Streams, VerifySpec, plan_pairs
from workbench.verify.policy import load_policy
from workbench.verify.request_sets import built_in_requests
from workbench.verify.verification import from_batch

CASES = tuple(request.case for request in built_in_requests()[:3])
TARGETS = tuple(Target(ModelRef(name, "m")) for name in ("R", "R", "A", "B"))
SPEC = VerifySpec("m", load_policy())


def made(pairs: int = 4, costs: float | None = 0.5) -> tuple[Batch, dict[int, Observation]]:
    items = [
        replace(item, state=ItemState.DONE, run_id=f"run-{item.position}", sample=RunSample(cost=costs, simulated=True))
        for item in plan_pairs(CASES, 4, range(pairs), Streams.BOTH, 3)
    ]
    spec = BatchSpec("b", "m", "verification", CASES, TARGETS, 2, 3)
    seen = {item.position: Observation(calls=item.target, wire="openai_chat", served_model="x") for item in items}
    return Batch(spec, tuple(items), BatchState.DONE), seen


def test_items_become_pairs_by_slot() -> None:
    found = from_batch(*made()[:1], SPEC, made()[1])
    assert [pair.number for pair in found.pairs] == [1, 2, 3, 4]
    assert [pair.request for pair in found.pairs] == [CASES[0].id, CASES[1].id, CASES[2].id, CASES[0].id]
    for pair in found.pairs:
        assert [seen and seen.calls for seen in (*pair.reference, *pair.candidates)] == [0, 1, 2, 3]
    assert (found.planned, found.complete, found.cost) == (4, 4, 8.0)
    assert found.titles[CASES[0].id] == CASES[0].title


def test_endpoints_know_what_came_of_them() -> None:
    batch, seen = made()
    seen[2] = Observation(error="server", wire="openai_chat")
    found = from_batch(batch, SPEC, seen)
    assert (found.reference.label, found.reference.wire, found.reference.replies) == ("R/m", "openai_chat", 8)
    assert [one.label for one in found.candidates] == ["A/m", "B/m"]
    assert (found.candidates[0].errors, found.unanswered) == (1, 1)
    assert found.candidates[0].served == ("x",)
    assert found.candidates[0].simulated


def test_runs_are_found_by_pair_and_candidate() -> None:
    batch, seen = made()
    found = from_batch(batch, SPEC, seen)
    second = found.pairs[1]
    by_slot = {item.target: item.run_id for item in batch.items[4:8]}
    assert found.run_of(second, None) == by_slot[0]
    assert found.run_of(second, 1) == by_slot[3]
    assert found.run_of(replace(second, number=99), 0) == ""


def test_what_has_not_run_is_no_pair_yet() -> None:
    batch, seen = made()
    items = [replace(item, state=ItemState.WAITING, run_id="") if item.position > 5 else item for item in batch.items]
    found = from_batch(replace(batch, items=tuple(items), state=BatchState.STOPPED), SPEC, seen)
    assert (len(found.pairs), found.complete, found.planned) == (2, 1, 4)
    assert found.pairs[1].candidates.count(None) + found.pairs[1].reference.count(None) == 2


def test_a_price_that_is_not_known_is_not_summed() -> None:
    batch, seen = made(costs=None)
    assert from_batch(batch, SPEC, seen).cost is None


@pytest.mark.parametrize(("looks", "level"), [(0, 0.05), (1, 0.025), (2, 0.05 / 6)])
def test_each_look_has_its_own_level(looks: int, level: float) -> None:
    batch, seen = made()
    found = from_batch(batch, replace(SPEC, looks=looks), seen)
    assert found.level == pytest.approx(level)
    assert found.judged().level == pytest.approx(level)
