from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.batches import batch, target
from workbench.core.batch import Batch
from workbench.core.target import ModelRef
from workbench.grading import comparison
from workbench.grading.ablation import ablations, missing_parts, spent, with_parts
from workbench.grading.paired import Word

ALONE, PLANNER = target("small"), target("big", "native_openai")
BOOST = replace(ALONE, planner=ModelRef("Simulator", "big"))
TARGETS = (ALONE, BOOST, PLANNER)


def priced(made: Batch, *each: tuple[int, float | None]) -> Batch:
    """Tokens and cost of a run, by target."""
    items = [
        replace(item, sample=replace(item.sample, input_tokens=each[item.target][0], cost=each[item.target][1]))
        for item in made.items
    ]
    return replace(made, items=tuple(items))


def made(*words: str) -> Batch:
    return batch({f"c{at}": list(words) for at in range(12)}, targets=TARGETS)


def test_boost_is_held_against_each_of_its_parts() -> None:
    found = ablations(priced(made("sf", "ss", "sf"), (100, 0.1), (400, 0.5), (300, 0.4)))

    assert [(one.boost, one.part, one.role) for one in found] == [(1, 0, "executor alone"), (1, 2, "planner alone")]
    executor = found[0]
    assert (executor.found.word, executor.found.points, executor.found.comparisons) == (Word.BETTER, 50.0, 3)
    assert executor.extra_tokens == pytest.approx(600)
    assert executor.extra_cost == pytest.approx(0.8)
    told = executor.sentence("C", "A")
    assert told.startswith("Boost C against its executor alone: C is better than A by 50 points")
    assert told.endswith("An extra success takes 600 tokens more and 0.8 more by the prices of that day.")


def test_without_an_extra_success_there_is_no_price() -> None:
    found = ablations(priced(made("ss", "sf", "ff"), (100, None), (400, None), (300, None)))

    assert (found[0].extra_tokens, found[0].extra_cost) == (None, None)
    assert found[0].sentence("C", "A").endswith("No extra success to pay for.")
    assert found[1].extra_tokens == pytest.approx(200)
    assert found[1].extra_cost is None


def test_a_lift_that_is_not_shown_has_a_price_on_condition() -> None:
    cases = {f"c{at}": ["sf", "ss" if at < 2 else "sf", "ff"] for at in range(12)}
    (lift, _) = ablations(priced(batch(cases, targets=TARGETS), (400, 0.0), (100, 0.0), (300, 0.0)))

    assert lift.found.word is Word.CANNOT_TELL
    assert lift.sentence("C", "A").endswith(" If that is so, an extra success takes 3,600 tokens less.")


def test_missing_parts_are_named() -> None:
    assert missing_parts(BOOST, (ALONE,)) == ("planner alone",)
    assert missing_parts(BOOST, TARGETS) == ()
    assert missing_parts(ALONE, ()) == ()
    assert ablations(batch({"a": ["s", "s"]})) == ()


def test_a_boosted_target_is_followed_by_its_parts() -> None:
    made = with_parts([BOOST, ALONE])

    assert [(one.executor.model, one.format, one.mode) for one in made] == [
        ("small", "qwen_xml", "boost"), ("small", "qwen_xml", "direct"), ("big", "auto", "direct"),
    ]  # fmt: skip
    assert missing_parts(BOOST, made) == ()


def test_a_price_is_known_only_if_it_is_known_of_every_run() -> None:
    part = priced(made("s", "s", "s"), (5, 0.25), (1, None), (1, 1.0))

    assert spent(part, 0)[:3] == (12, 12, 60)
    assert spent(part, 0).cost == pytest.approx(3.0)
    assert spent(part, 1).cost is None


def test_among_very_many_targets_a_lift_computes_its_own_pair_alone(monkeypatch) -> None:
    others = tuple(target(f"other{at}") for at in range(18))
    found = batch({f"c{at}": ["sf", "ss", "sf", *["ss"] * len(others)] for at in range(6)}, targets=(*TARGETS, *others))
    monkeypatch.delattr(comparison, "compare_all")  # two hundred and ten pairs, for each lift

    assert {one.found.comparisons for one in ablations(found)} == {210}
