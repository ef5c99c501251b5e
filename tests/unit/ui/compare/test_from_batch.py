from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.kit.batches import batch, case, target
from workbench.core.batch import BatchProgress, BatchRow, BatchState, TargetProgress
from workbench.core.target import ModelRef
from workbench.ui.compare import from_batch as reading

MADE = batch(
    {
        "calm": ["ssssss", "ssssss", "sssss-"],
        "split": ["ssssss", "ffffff", "pppppp"],
        "flaky": ["pfpfpf", "pppppf", "eeeeee"],
        "early": ["p.....", "ppp...", "......"],
    },
    targets=[target("hasty"), target("steady"), target("hasty", "react")],
)


def test_columns_of_one_model_stand_side_by_side() -> None:
    shown = reading.matrix_of(MADE)
    assert [(one.model, one.index) for one in shown.targets] == [("hasty", 0), ("hasty", 2), ("steady", 1)]
    assert len(shown.totals) == 3
    assert shown.cases[0].id == "split"


def test_cells_keep_what_honesty_asks_for() -> None:
    shown = reading.matrix_of(MADE)
    cell = shown.cells["flaky", 2]
    assert (cell.state, cell.errors, cell.heat) == ("error", 6, "")
    assert shown.cells["split", 1].heat == "low"
    assert shown.cells["early", 0].left == 5
    assert len(shown.cells["calm", 0].run_ids) == 6


def test_the_second_line_of_a_case() -> None:
    assert reading.note_of(case("a")) == "get_weather"
    assert reading.note_of(case("a", no_call=True)) == "no call expected"
    assert reading.note_of(replace(case("a"), tags=("one", "two"))) == "one, two"
    assert reading.note_of(replace(case("a"), expectation=None)) == "no expectation"


def test_a_pair_reads_the_same_from_either_side() -> None:
    there, back = reading.pair_of(MADE, 0, 1), reading.pair_of(MADE, 1, 0)
    assert there.points == pytest.approx(-back.points)
    assert (there.low, there.high) == (pytest.approx(-back.high, abs=5), pytest.approx(-back.low, abs=5))
    assert [(one.before, one.after) for one in back.moved] == [(one.after, one.before) for one in there.moved]
    assert there.lead.startswith("B ")
    assert back.lead == f"B against A: cannot tell, {back.points:+.0f} points"
    assert there.note == back.note == "Holm over 3 pairs"


def test_where_nobody_chose_the_best_is_held_against_the_second() -> None:
    made = batch({"one": ["ssff", "ssss", "sssf"], "two": ["ffff", "ssss", "ssss"]})
    assert reading.default_pair(reading.matrix_of(made)) == (2, 1)
    waiting = batch({"one": ["....", "....", "...."]})
    assert reading.default_pair(reading.matrix_of(waiting)) == (0, 1)
    assert reading.default_pair(reading.matrix_of(batch({"one": ["ss"]}))) is None


def test_beyond_very_many_pairs_the_chosen_one_pays_for_all_of_them() -> None:
    made = batch({f"c{place}": ["ssssss", "ffffff", *["sfsfsf"] * 19] for place in range(6)})
    found = reading.pair_of(made, 0, 1)
    assert found.note == "Bonferroni over 210 pairs"
    assert not found.shown  # six cases cannot carry two hundred and ten comparisons
    assert found.rest.startswith("(paired, 99.98 %: -100 to +100). About 14 cases like these would decide.")


def test_a_sentence_is_cut_before_its_bracket() -> None:
    assert reading.split_sentence("B better (paired): x (y)") == ("B better", "(paired): x (y)")
    assert reading.split_sentence("Nothing in common.") == ("Nothing in common.", "")


def test_scores_tell_format_and_decision_apart() -> None:
    shown = reading.matrix_of(MADE)
    scores = reading.scores_of(MADE, shown)
    hasty = next(one for one in scores.tax if one.label == "hasty qwen_xml")
    assert hasty.strict < hasty.tolerant
    assert [len(line) for line in scores.decisions] == [3] * len(scores.decisions)
    assert scores.needed.startswith("6 of 6 shows at least")


def test_a_standing_batch_says_what_is_left() -> None:
    view = reading.standing_view(MADE, alive=False)
    assert (view.state, view.lines[2].trimmed, view.lines[0].left) == ("stopped", 1, 5)
    assert view.total == len(MADE.items) - 1
    done = batch({"a": ["sss"]})
    assert reading.standing_view(done, alive=False).state == "done"
    assert reading.standing_view(MADE, alive=True).state == "elsewhere"


def test_progress_of_a_batch_under_way() -> None:
    told = BatchProgress(BatchState.RUNNING, 10, 4, 2, 1, 0, 3.0, 5.0, (TargetProgress(1, 4, 2, 1, 0, 4, 0),))
    view = reading.progress_view(told, MADE.spec)
    assert (view.state, view.left_s, view.lines[0].label) == ("running", 5.0, "steady · qwen_xml · direct")


def test_a_cell_leads_to_its_runs() -> None:
    shown = reading.matrix_of(MADE)
    at = next(one for one in shown.cases if one.id == "flaky")
    view = reading.cell_of(MADE, at, shown.targets[0], shown.cell(at, shown.targets[0]))
    assert [run.state for run in view.runs] == ["pass", "fail"] * 3
    assert view.runs[1].code == "decision.no_call"
    assert "Read strictly: 0 of 6" in view.words


def test_a_cell_is_found_in_the_history() -> None:
    shown = reading.matrix_of(MADE)
    at = next(one for one in shown.cases if one.id == "flaky")
    text = reading.cell_filter(MADE, at, shown.targets[0])
    assert text == f"batch:{MADE.spec.id} case:flaky model:hasty format:qwen_xml mode:direct"


def test_the_foot_counts_what_was_left_out() -> None:
    left, right = reading.foot_of(MADE)
    assert "6 errors left out of rates" in left
    assert "1 taken out by hand" in left
    assert right == "parser 1 · grader 1 · seed asked 7"
    assert reading.context_of(MADE) == "demo · 3 targets · 6 repeats · simulated"


def test_targets_get_their_shortest_own_name() -> None:
    boost = replace(target("hasty"), planner=ModelRef("Simulator", "plain"))
    shown = reading.matrix_of(batch({"a": ["sss", "sss", "sss"]}, targets=[target("hasty"), boost, target("steady")]))
    assert [reading.short_of(shown, at) for at in range(3)] == ["hasty", "hasty, boost", "steady"]


def test_a_line_of_the_list_of_batches() -> None:
    now = datetime(2026, 11, 21, tzinfo=UTC)
    row = BatchRow("id", "demo", "demo", 1_760_000_000_000_000, BatchState.STOPPED, 14, 4, 10, 560, 37)
    choice = reading.choice_of(row, now)
    assert choice.resumable
    assert "14 cases × 4 targets × 10" in choice.note
