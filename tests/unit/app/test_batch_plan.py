from __future__ import annotations

from dataclasses import replace
from unittest.mock import create_autospec

import pytest

from tests.kit.batches import batch, case, target
from workbench.app.batch_plan import ItemCounts, demo_targets, draft_of, fast, item_seed, plan_items
from workbench.core.batch import BatchSpec, BatchState, ItemState
from workbench.core.errors import InvalidInput
from workbench.core.target import ModelRef, Sampling, Target

SPEC = BatchSpec("b", "t", "demo", (case("one"), case("two")), (target("a"), target("b")), repeats=2, seed=7)


def test_repeats_are_the_outermost_loop() -> None:
    items = plan_items(SPEC)

    assert [(item.repeat, item.case_id, item.target) for item in items] == [
        (0, "one", 0), (0, "one", 1), (0, "two", 0), (0, "two", 1),
        (1, "one", 0), (1, "one", 1), (1, "two", 0), (1, "two", 1),
    ]  # fmt: skip
    assert [item.position for item in items] == list(range(8))
    assert {item.state for item in items} == {ItemState.WAITING}


def test_item_seeds_depend_on_case_target_and_repeat() -> None:
    seeds = {item.seed for item in plan_items(SPEC)}

    assert len(seeds) == 8
    assert all(0 <= seed < 2**31 for seed in seeds)
    more = plan_items(replace(SPEC, id="other", targets=(target("b"), target("c")), repeats=1))
    assert more[0].seed == item_seed(7, "one", target("b").identity(), 0) == plan_items(SPEC)[1].seed
    assert item_seed(8, "one", target("b").identity(), 0) != more[0].seed


def test_a_target_is_hashed_once_for_all_its_items(monkeypatch) -> None:
    hashed = create_autospec(Target.identity, side_effect=Target.identity)
    monkeypatch.setattr(Target, "identity", hashed)
    assert len(plan_items(replace(SPEC, repeats=100))) == 400
    assert hashed.call_count == len(SPEC.targets)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (replace(SPEC, cases=()), "no case"),
        (replace(SPEC, targets=()), "no target"),
        (replace(SPEC, repeats=0), "at least 1"),
        (replace(SPEC, parallel=0), "at least 1"),
        (replace(SPEC, repeats=50_000), "too many"),
        (replace(SPEC, targets=(target("a"), target("a"))), "twice"),
    ],
)
def test_invalid_batch_is_refused(spec: BatchSpec, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        plan_items(spec)


def test_a_draft_asks_with_the_items_seed_and_the_cases_tools() -> None:
    wanted = replace(case("one"), tool_choice="required")
    draft = draft_of(wanted, target("a"), 99)

    assert draft.target.sampling.seed == 99
    assert (draft.messages, draft.tools, draft.tool_choice) == (wanted.messages, wanted.tools, "required")
    assert (draft.title, draft.origin) == ("one", "suite")


def test_simulated_models_do_not_type_slowly_in_a_batch_unless_they_are_told_to() -> None:
    plain = fast(Target(ModelRef("simulator", "plain")))

    assert plain.executor.provider == "Simulator"
    assert plain.sampling.extra["simulate"]["tokens_per_second"] == 0
    paced = Target(ModelRef("Simulator", "plain"), sampling=Sampling(extra={"simulate": {"tokens_per_second": 5}}))
    assert fast(paced).sampling.extra["simulate"]["tokens_per_second"] == 5
    assert fast(Target(ModelRef("mine", "plain"))) == Target(ModelRef("mine", "plain"))
    assert len({item.identity() for item in demo_targets()}) == 4


def test_progress_counts_and_estimates() -> None:
    made = batch({"one": ["pfe", "..-"]})
    tally = ItemCounts(made.spec, made.items)
    now = tally.progress(BatchState.RUNNING, 6.0, 3)

    assert (now.total, now.done, now.running, now.failed, now.errors) == (5, 3, 0, 1, 1)
    assert now.left_s == 4.0
    assert [(row.done, row.left, row.trimmed) for row in now.targets] == [(3, 0, 0), (0, 2, 1)]
    assert tally.progress(BatchState.RUNNING, 6.0, 0).left_s is None
    done = batch({"one": ["p"]})
    assert ItemCounts(done.spec, done.items).progress(BatchState.DONE, 0.0, 0).left_s == 0


def test_counts_follow_their_items() -> None:
    made = batch({"one": ["p.", "f."]})
    tally = ItemCounts(made.spec, made.items)
    tally.change(made.items[1], replace(made.items[1], state=ItemState.RUNNING))
    tally.change(made.items[2], replace(made.items[2], state=ItemState.WAITING, result=None))

    now = tally.progress(BatchState.RUNNING, 1.0, 1)
    assert (now.done, now.running, now.failed) == (1, 1, 0)
    assert [row.left for row in now.targets] == [0, 2]
