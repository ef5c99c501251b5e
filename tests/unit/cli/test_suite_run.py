"""Exit codes of batches, and what is refused before anything is spent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.batches import batch
from workbench.cli.suite_order import SuiteOrder
from workbench.cli.suite_run import exit_code, perform
from workbench.core.batch import Batch
from workbench.core.errors import InvalidInput


def order(suite: str = "demo", **more: object) -> SuiteOrder:
    given: dict[str, object] = {
        "targets": (), "repeat": None, "parallel": None, "seed": 0, "resume": "", "retry_errors": False, "max_cost": None,
        "junit": "", "markdown": "", "min_rate": None, "baseline": "", "json": False, "quiet": True,
    }  # fmt: skip
    return SuiteOrder(suite, **{**given, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("made", "min_rate", "code"),
    [
        (batch({"a": ["sss"]}), None, 0),
        (batch({"a": ["ssf"]}), None, 1),
        (batch({"a": ["ssf"]}), 0.5, 0),
        (batch({"a": ["ssf"]}), 0.7, 1),
        (batch({"a": ["sss", "fff"]}), 0.5, 1),
        (batch({"a": ["sse"]}), 0.5, 3),
        (batch({"a": ["sce"]}), None, 3),
        (batch({"a": ["n"]}), None, 0),
        (batch({"a": ["n"]}), 0.5, 1),
    ],
)
def test_exit_codes(made: Batch, min_rate: float | None, code: int) -> None:
    assert exit_code(made, min_rate) == code


GOOD = batch({f"c{place}": ["p" * 10] for place in range(8)})
BAD = batch({f"c{place}": ["ppffffffff"] for place in range(8)})


@pytest.mark.parametrize(
    ("made", "min_rate", "baseline", "code"),
    [(BAD, None, GOOD, 1), (BAD, None, BAD, 0), (GOOD, None, BAD, 0), (BAD, 0.5, BAD, 1), (BAD, 0.1, GOOD, 1)],
)
def test_against_a_baseline_only_a_regression_fails(
    made: Batch, min_rate: float | None, baseline: Batch, code: int
) -> None:
    assert exit_code(made, min_rate, baseline) == code


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (order(""), "Which suite"),
        (order("demo", resume="x"), "has its suite"),
        (order("", resume="x", repeat=3), "keeps its targets"),
        (order("", resume="nothing"), "no batch"),
        (order(junit=f"{__file__}/j.xml"), "cannot be written"),
        (order("no-such-suite"), "no suite"),
        (order(baseline="none"), "no batch"),
        (order(targets=("provider=nobody,model=x",)), "nobody"),
        (order(targets=("model=qwen-hasty,format=nonsense",)), "nonsense"),
        (order(targets=("nonsense",)), "key=value"),
        (order(resume="nothing", suite="", max_cost=1.0), "no batch"),
    ],
)
def test_errors_are_reported_before_running(wrong: SuiteOrder, message: str, home: Path) -> None:
    with pytest.raises(InvalidInput, match=message):
        perform(wrong)
    if (home / "workbench.db").exists():
        from workbench.store import Store

        store = Store.open(home / "workbench.db")
        assert store.batches.list() == []
        store.close()


def test_a_suite_of_ones_own_needs_a_target(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("prompt: Hi!\nexpect: no_call\n")

    with pytest.raises(InvalidInput, match="Which target"):
        perform(order(str(tmp_path / "mine.yaml")))
