from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from tests.kit.batches import batch, target
from tests.kit.timing import growth
from workbench.core.batch import BatchRow, BatchState
from workbench.core.target import ModelRef
from workbench.grading.matrix import matrix
from workbench.ui.compare import from_batch

MADE = batch(
    {
        "calm": ["ssssss", "ssssss", "sssss-"],
        "split": ["ssssss", "ffffff", "pppppp"],
        "flaky": ["pfpfpf", "pppppf", "eeeeee"],
        "early": ["p.....", "ppp...", "......"],
    },
    targets=[target("hasty"), target("steady"), target("hasty", "react")],
)


def test_default_pair_is_best_and_second() -> None:
    made = batch({"one": ["ssff", "ssss", "sssf"], "two": ["ffff", "ssss", "ssss"]})
    assert from_batch.default_pair(matrix(made).columns) == (2, 1)
    waiting = batch({"one": ["....", "....", "...."]})
    assert from_batch.default_pair(matrix(waiting).columns) == (0, 1)
    assert from_batch.default_pair(matrix(batch({"one": ["ss"]})).columns) is None


def test_scores_tell_format_and_decision_apart() -> None:
    shown = matrix(MADE)
    scores = from_batch.scores_of(MADE, shown)
    hasty = dict(scores.tax)["hasty qwen_xml"]
    assert hasty.strict.passed < hasty.tolerant.passed
    assert [len(line) for line in scores.decisions] == [3] * len(scores.decisions)
    assert [len(line) for line in scores.times] == [5] * len(scores.decisions), (
        "no call was tried, every run took its time"
    )
    assert scores.needed.startswith("6 of 6 shows at least")


def test_paused_batch_shows_the_rest() -> None:
    far = from_batch.standing(MADE)
    assert (far.state, far.targets[2].trimmed, far.targets[0].left) == (BatchState.STOPPED, 1, 5)
    assert far.total == len(MADE.items) - 1
    assert from_batch.standing(batch({"a": ["sss"]})).state is BatchState.DONE
    assert from_batch.names_of(MADE.spec)[1] == "steady · qwen_xml · direct"


def test_standing_is_linear_in_targets() -> None:
    made = {targets: batch({"a": ["ss"] * targets}) for targets in (100, 400)}

    assert growth(lambda targets: [from_batch.standing(made[targets]) for _ in range(20)], 100) < 10


def test_a_cell_leads_to_its_runs() -> None:
    shown = matrix(MADE)
    at = next(row for row in shown.rows if row.case.id == "flaky")
    view = from_batch.cell_of(MADE, at, shown.columns[0])
    assert [run.state for run in view.runs] == ["pass", "fail"] * 3
    assert view.runs[1].code == "decision.no_call"
    assert "Read strictly: 0 of 6" in view.words


def test_a_cell_is_found_in_the_history() -> None:
    shown = matrix(MADE)
    at = next(row for row in shown.rows if row.case.id == "flaky")
    text = from_batch.cell_filter(MADE, at, shown.columns[0])
    assert text == f"batch:{MADE.spec.id} case:flaky model:hasty format:qwen_xml mode:direct"


def test_footer_counts_omitted_items() -> None:
    left, right = from_batch.foot_of(MADE)
    assert "6 errors left out of rates" in left
    assert "1 taken out by hand" in left
    assert right == "parser 1 · grader 1 · seed asked 7"
    assert from_batch.context_of(MADE) == "demo · 3 targets · 6 repeats · simulated"


def test_targets_get_their_shortest_own_name() -> None:
    boost = replace(target("hasty"), planner=ModelRef("Simulator", "plain"))
    shown = matrix(batch({"a": ["sss", "sss", "sss"]}, targets=[target("hasty"), boost, target("steady")]))
    assert [from_batch.short_of(shown.columns, one) for one in shown.columns] == ["hasty", "hasty, boost", "steady"]


def test_a_line_of_the_list_of_batches() -> None:
    now = datetime(2026, 11, 21, tzinfo=UTC)
    row = BatchRow("id", "demo", "demo", 1_760_000_000_000_000, BatchState.STOPPED, 14, 4, 10, 560, 37)
    choice = from_batch.choice_of(row, now)
    assert choice.resumable
    assert choice.note.endswith("14 cases × 4 targets × 10")
    told = from_batch.choice_of(row, now, ("big", "small"))
    assert told.note.endswith("14 cases × 4 targets × 10 · big, small")
    assert from_batch.choice_of(row, now, ("big", "small"), verified=True).note.endswith(
        "verified, 14 pairs, 2 candidates · big, small"
    )
