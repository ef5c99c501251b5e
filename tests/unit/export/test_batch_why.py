from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, target
from workbench.core.batch import Batch
from workbench.core.target import ModelRef
from workbench.core.variations import STRICT
from workbench.export.batch_why import STANDS_ON, TRADE, provenance_rows, trade_rows, why_sections
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix

PLAIN = target("small")
BOOST = replace(PLAIN, planner=ModelRef("Simulator", "big"))
MADE = batch(
    {f"c{at}": ["sff", "sss", "sfe"] for at in range(8)}, targets=(PLAIN, BOOST, replace(PLAIN, variation=STRICT))
)


def _with(made: Batch, **facts: object) -> Batch:
    items = tuple(
        replace(item, sample=replace(item.sample, **facts)) if item.target == 1 and item.repeat == 0 else item
        for item in made.items
    )
    return replace(made, items=items)


def test_every_part_has_its_heading_and_empty_ones_are_left_out() -> None:
    made = {section.title: section.lines for section in why_sections(MADE, compare_all(MADE), "ABC")}

    assert made["failures by layer"][0] == "A  16 failed: decision 16, 100 % (no_call 16)"
    assert made["boost"][0].startswith("Boost B against its executor alone: B is better than A")
    assert made["asked otherwise"][1].startswith(f"  {STRICT}: C against A")
    assert made["model, grammar or parser"][0].startswith("A: is it the model, the grammar or the parser?")
    calm = batch({"a": ["sss"], "b": ["sss"]})
    assert why_sections(calm, compare_all(calm), "AB") == ()


def test_quality_stands_against_what_a_run_takes() -> None:
    made = _with(batch({f"c{at}": ["sff", "sss"] for at in range(8)}), input_tokens=30, cost=0.0)
    first, second = trade_rows(made, matrix(made), "AB")

    assert len(first) == len(second) == len(TRADE)
    assert first[:3] == ("A", "33 %", "0 (0–0)")
    assert first[4] == second[4] == "–"
    assert first[5] == "tokens, seconds"
    assert second[5] == "tokens, seconds"


def test_a_quantity_that_nobody_takes_makes_nobody_the_best() -> None:
    made = batch({"a": ["sss", "sss"], "b": ["sss", "sss"]})
    free = replace(made, items=tuple(replace(one, sample=replace(one.sample, cost=0.0)) for one in made.items))

    assert [row[4:] for row in trade_rows(free, matrix(free), "AB")] == [("–", "seconds"), ("–", "")]


def test_runs_that_stand_on_something_else_have_a_line_of_their_own() -> None:
    made = _with(MADE, model="another", seed_honoured=False, tools="0123456789abcdef", template="t")
    rows = provenance_rows(made, "ABC")

    assert all(len(row) == len(STANDS_ON) for row in rows)
    assert [row[:3] for row in rows] == [("A", "24", "m"), ("B", "16", "m"), ("B", "8", "another"), ("C", "24", "m")]
    assert rows[2][4:] == ("not honoured", "1", "1", "0123456789ab", "t")
    assert rows[0][4] == "not known"
