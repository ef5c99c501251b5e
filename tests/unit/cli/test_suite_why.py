from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, target
from workbench.cli.suite_why import difference_json, difference_lines, why_json, why_lines
from workbench.core.target import ModelRef
from workbench.grading.comparison import compare_all
from workbench.grading.flips import difference
from workbench.grading.matrix import matrix

ALONE = target("small")
BOOST = replace(ALONE, planner=ModelRef("Simulator", "big"))
MADE = batch({f"c{at}": ["sff", "sss"] for at in range(8)}, targets=(ALONE, BOOST))


def test_the_answer_comes_first_then_the_reasons() -> None:
    lines = why_lines(MADE, matrix(MADE), compare_all(MADE))

    assert lines[0].startswith("B is in front with 100 %")
    assert lines[1].startswith("A fails in 16 runs: decision 100 % (no_call)")
    assert "A  16 failed: decision 16, 100 % (no_call 16)" in lines
    assert lines[-1].startswith("Boost B against its executor alone: B is better than A by 67 points")


def test_the_document_has_the_runs_behind_each_bar() -> None:
    found = why_json(MADE, matrix(MADE), compare_all(MADE))

    assert (found["conclusion"]["best"], found["conclusion"]["shown"]) == (1, True)
    (layer,) = found["failures"][0]["layers"]
    assert (layer["failed"], layer["of"], len(layer["runs"])) == (16, 16, 16)
    assert found["failures"][1]["layers"] == []
    assert found["ablation"][0]["tokens_per_extra_success"] == 0
    first, second = found["tradeoff"]
    assert (first["best_for"], second["best_for"]) == (["seconds"], ["tokens", "seconds"])
    assert first["quality"]["value"] < second["quality"]["low"]


def test_two_batches_are_told_by_target_and_by_cell() -> None:
    after = batch({f"c{at}": ["sss", "sss"] for at in range(8)}, targets=(ALONE, target("new")))

    lines, found = difference_lines(difference(MADE, after)), difference_json(difference(MADE, after))

    assert lines[0].startswith("A  Simulator/small")
    assert f"only before: {BOOST.label}" in lines
    assert lines[-1] == "8 cells changed: 8 up, 0 down; 0 of them whole flips"
    assert (found["up"], found["down"], len(found["flips"])) == (8, 0, 8)
    assert found["flips"][0]["before"] == [1, 3]
