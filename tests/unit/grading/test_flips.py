from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, case, target
from workbench.core.batch import Batch
from workbench.grading.flips import difference

ONE, TWO, THREE = target("one"), target("two"), target("three")
BEFORE = batch({"a": ["ssss", "ffff"], "b": ["ssff", "ssss"], "c": ["ssss", "ssss"]}, targets=(ONE, TWO))
AFTER = batch({"a": ["ffff", "ssff"], "b": ["sfff", "ssss"], "d": ["ssss", "ssss"]}, targets=(TWO, ONE))


def test_flips_are_found_by_case_and_by_the_targets_configuration() -> None:
    found = difference(BEFORE, AFTER)

    assert [(one.case_id, one.target, one.before, one.after, one.whole) for one in found.flips] == [
        ("b", 0, (4, 4), (1, 4), False),
        ("a", 1, (4, 4), (2, 4), False),
        ("b", 1, (2, 4), (4, 4), False),
    ]
    assert (found.up, found.down) == (1, 2)
    assert [place for place, _ in found.common] == [0, 1]
    assert found.changed == ("c", "d")
    assert [one.target for one in found.moves] == [0, 1]


def test_a_whole_flip_comes_first() -> None:
    after = batch({"a": ["ffff", "ffff"], "b": ["ssss", "ssss"], "c": ["ssss", "ssff"]}, targets=(ONE, TWO))

    found = difference(BEFORE, after)

    assert [(one.case_id, one.target, one.whole, one.up) for one in found.flips] == [
        ("a", 0, True, False), ("b", 0, False, True), ("c", 1, False, False),
    ]  # fmt: skip
    assert 0 < found.flips[0].p < 0.1
    assert found.words == "3 cells changed: 1 up, 2 down; 1 of them a whole flip"
    assert difference(BEFORE, BEFORE).words == "no cell changed"


def test_targets_of_one_batch_alone_are_named() -> None:
    found = difference(BEFORE, batch({"a": ["ssss", "ssss"]}, targets=(ONE, THREE)))

    assert len(found.common) == 1
    assert found.only_before == (TWO.label,)
    assert found.only_after == (THREE.label,)


def test_a_case_that_asks_something_else_is_left_out() -> None:
    changed: Batch = replace(BEFORE, spec=replace(BEFORE.spec, cases=(case("a", "Other?"), *BEFORE.spec.cases[1:])))

    assert difference(changed, BEFORE).changed == ("a",)
    assert difference(BEFORE, BEFORE).flips == ()
