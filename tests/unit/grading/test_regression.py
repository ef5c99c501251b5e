from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.batches import batch, case, target
from workbench.core.batch import Batch
from workbench.grading.honesty import GateState
from workbench.grading.regression import Regression, regressions

NAMES = [f"c{place}" for place in range(8)]


def many(word: str, **odd: str) -> Batch:
    return batch({name: [odd.get(name, word)] for name in NAMES})


def one(now: Batch, before: Batch) -> Regression:
    (found,) = regressions(now, before)
    return found


def test_the_same_again_holds() -> None:
    found = one(many("pppppppppf"), many("pppppppppf"))

    assert (found.state, found.worse, found.changed, found.warnings) == (GateState.HELD, (), (), ())


def test_a_clear_drop_fails_the_gate() -> None:
    found = one(many("pppffffffff", c0="p" * 10), many("p" * 10))

    assert found.state is GateState.FAILED
    assert found.chance > 0.99
    assert len(found.worse) == 7
    assert found.sentence().startswith(
        "Simulator/model-0 · qwen_xml: regressed. This batch is worse than the earlier one by 64 points"
    )


def test_insignificant_drop_is_moved_not_shown() -> None:
    found = one(many("ppp", c3="ppf"), many("ppp"))

    assert found.state is GateState.MOVED
    assert [item[0] for item in found.worse] == ["c3"]
    assert found.chance < 0.5


def test_a_larger_margin_forgives_more() -> None:
    now, before = many("ppppppppff", c0="p" * 10, c1="p" * 9 + "f"), many("p" * 10)

    (strict,) = regressions(now, before, margin=0.02)
    (loose,) = regressions(now, before, margin=0.3)
    assert (strict.state, loose.state) == (GateState.FAILED, GateState.MOVED)


def test_a_single_case_is_judged_by_its_runs() -> None:
    assert one(batch({"a": ["f" * 10]}), batch({"a": ["p" * 10]})).state is GateState.FAILED
    assert one(batch({"a": ["ppf"]}), batch({"a": ["ppp"]})).state is GateState.MOVED


def test_changed_and_new_cases_are_left_out_and_named() -> None:
    now = batch({"a": ["ffff"], "b": ["ffff"], "c": ["pppp"]}, cases=[case("a", "Other words?"), case("b"), case("c")])
    found = one(now, batch({"a": ["pppp"], "c": ["pppp"]}))

    assert (found.state, found.changed, found.worse) == (GateState.HELD, ("a", "b"), ())


def test_other_targets_are_not_compared() -> None:
    assert regressions(batch({"a": ["f"]}, targets=[target("x")]), batch({"a": ["p"]}, targets=[target("y")])) == ()


def test_nothing_in_common_has_not_held() -> None:
    found = one(batch({"a": ["eee"]}), batch({"a": ["ppp"]}))

    assert (found.state, found.found, found.chance) == (GateState.UNKNOWN, None, 0.0)
    assert found.sentence().endswith("This batch and the earlier one have no judged case in common.")


@pytest.mark.parametrize(("name", "words"), [("parser", "the parser's version"), ("model", "the served model")])
def test_other_changes_are_listed(name: str, words: str) -> None:
    now = many("p" * 5)
    items = tuple(replace(item, sample=replace(item.sample, **{name: "other"})) for item in now.items)

    assert one(replace(now, items=items), many("p" * 5)).warnings == (words,)
