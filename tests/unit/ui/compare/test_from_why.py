from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, target
from workbench.core.batch import StoppingRule
from workbench.core.target import ModelRef
from workbench.grading.matrix import matrix
from workbench.ui.compare.from_why import against_of, layer_view, why_of

ALONE = target("small")
BOOST = replace(ALONE, planner=ModelRef("Simulator", "big"))
MADE = batch({f"c{at}": ["sff", "sss"] for at in range(8)}, targets=(ALONE, BOOST))


def test_the_panel_says_which_is_best_why_and_what_stopped_it() -> None:
    ruled = replace(MADE, spec=replace(MADE.spec, stopping=StoppingRule()))

    found = why_of(ruled, matrix(ruled))

    assert found.glance[0].startswith("small, boost is in front with 100 %") or "boost is in front" in found.glance[0]
    assert found.glance[1].startswith("small fails in 16 runs: decision 100 %")
    assert found.glance[-2].startswith("Stopped ")
    assert found.glance[-1].startswith("Rule fixed beforehand")
    assert [(one.words, one.layer, one.failed) for one in found.bars] == [
        ("small · 16 runs", "", 0),
        ("small", "decision", 16),
    ]
    assert len(found.points) == 2
    assert found.lifts[0].startswith("Boost small, boost against its executor alone")
    assert found.lifts[1] == "small, boost: add its planner alone to see what boost adds."


def test_a_target_in_several_ways_is_told_of_at_once() -> None:
    varied = batch(
        {f"c{at}": ["sss", "sff"] for at in range(8)}, targets=(ALONE, replace(ALONE, variation="distractors=32"))
    )
    glance = why_of(varied, matrix(varied)).glance

    assert glance[0].endswith("; 1 other way of asking it is held against that.")
    assert glance[1].startswith("small: 67 points between its best and its worst way to be asked")


def test_a_bar_opens_exactly_its_runs() -> None:
    view = layer_view(MADE, 0, "decision")

    assert len(view.runs) == 16
    assert view.runs[0].reason == "c0: made up"
    assert (view.state, view.case_id) == ("fail", "")
    assert view.history == "batch:b1 model:small mode:direct code:decision.*"
    assert layer_view(MADE, 1, "decision").runs == ()


def test_flips_against_another_batch_are_told() -> None:
    before = batch({f"c{at}": ["sss", "sss"] for at in range(8)}, targets=(ALONE, BOOST))

    found = against_of(before, MADE)

    assert found.words[0] == "8 cells changed: 0 up, 8 down; 0 of them whole flips."
    assert found.flips[0].case_id.startswith("c0 · ")
    assert not found.flips[0].up
    other = batch({"c0": ["s"]}, targets=(target("new"),))
    assert against_of(other, MADE).words == ("The two have no target in common.",)
