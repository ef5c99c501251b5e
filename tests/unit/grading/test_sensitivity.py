from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, target
from workbench.grading.sensitivity import difference, sensitivities, words_of

PLAIN = target("small")
FEW, MANY = (replace(PLAIN, variation=f"distractors={count}") for count in (4, 64))
REACT = replace(PLAIN, format="react")
TARGETS = (PLAIN, MANY, FEW, REACT, target("other"))
MADE = batch({f"c{at}": ["sss", "fff", "sss", "ssf", "sss"] for at in range(12)}, targets=TARGETS)


def test_ways_to_be_asked_are_held_against_the_plain_one_by_kind_and_step() -> None:
    (found,) = sensitivities(MADE)

    assert [(way.target, way.words) for way in found.ways] == [
        (0, ""), (2, "distractors=4"), (1, "distractors=64"), (3, "format=react"),
    ]  # fmt: skip
    assert found.ways[0].found is None
    assert [str(way.found.word) for way in found.ways[1:] if way.found] == ["cannot tell", "worse", "worse"]
    assert found.ways[2].found is not None
    assert (found.ways[2].found.points, found.ways[2].found.comparisons) == (-100, 5)
    assert found.reach == 1.0


def test_the_step_where_it_breaks_is_named() -> None:
    (found,) = sensitivities(MADE)

    assert found.breaks == (("distractors", 64, True),)
    told = words_of(found, "A")
    assert told.startswith("A: 100 points between its best and its worst way to be asked (standard deviation ")
    assert told.endswith("distractors: shown to be worse from 64 on.")
    calm = batch({f"c{at}": ["sss", "sss", "sss"] for at in range(12)}, targets=(PLAIN, MANY, FEW))
    assert words_of(sensitivities(calm)[0], "A").endswith("distractors: not shown to be worse up to 64.")


def test_only_one_thing_may_differ() -> None:
    assert difference(PLAIN, MANY) == "distractors=64"
    assert difference(PLAIN, REACT) == "format=react"
    assert difference(PLAIN, replace(MANY, format="react")) == ""
    assert difference(PLAIN, target("other")) == ""
    assert sensitivities(batch({"a": ["s", "f"]})) == ()
