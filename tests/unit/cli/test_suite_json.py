from __future__ import annotations

import json
from dataclasses import replace

from tests.kit.batches import batch, target
from workbench.cli.suite_json import batch_json, numbers
from workbench.core.target import ModelRef
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix

MADE = batch({"good": ["ssss", "ssss"], "bad": ["spff", "ffff"], "trouble": ["eeee", "ssse"], "cut": ["ss..", "----"]})


def test_all_of_it_is_json_and_every_rate_has_its_n() -> None:
    made = batch({"a": ["sspf", "eeee"], "b": ["ssss", "eeee"]})
    found = json.loads(json.dumps(numbers(made, 0)))

    assert found["decisions"]["recall"] == [7, 8]
    assert found["decisions"]["always_calls"] == [8, 8]
    assert found["funnel"][0] == {"stage": "answered", "rate": [8, 8]}
    assert found["leaked"] == [0, 8]
    assert found["latency_us"]["total"]["runs"] == 8
    assert found["latency_us"]["first_token"] is None
    assert found["variance"]["design_effect"] >= 1
    assert found["noise_floor"] > 0
    assert found["solved_by_loop"] is None
    assert found["performance"]["tool_calls"] == {
        "executed": 0, "tried": 0, "interval": None, "wanted": 0.95, "met": None
    }  # fmt: skip
    assert found["performance"]["total_us"]["runs"] == 8


def test_unknown_values_are_null() -> None:
    found = numbers(batch({"a": ["ssss", "eeee"]}), 1)

    assert found["tokens_per_success"] is None
    assert found["flakiness"] is None
    assert found["variance"] is None
    assert found["latency_us"]["total"] is None


def test_boost_table_counts_runs_by_loop() -> None:
    boosted = replace(target(), planner=ModelRef("Simulator", "plain"))
    made = batch({"a": ["ssf"]}, targets=[boosted])
    items = tuple(
        replace(item, sample=replace(item.sample, loops=loops))
        for item, loops in zip(made.items, (1, 2, 3), strict=True)
    )

    assert numbers(replace(made, items=items), 0)["solved_by_loop"] == [[1, 3], [2, 3], [2, 3]]


def test_the_document_is_json_with_ids_of_all_runs() -> None:
    made = json.loads(json.dumps(batch_json(MADE, matrix(MADE), compare_all(MADE))))

    assert made["runs"] == {"planned": 32, "left": 2}
    assert [target["judged"] for target in made["targets"]] == [10, 11]
    assert made["targets"][0]["interval"][0] < made["targets"][0]["score"] < made["targets"][0]["interval"][1]
    cells = {case["case"]: case["cells"] for case in made["cases"]}
    assert cells["bad"][0]["runs"] == [f"run-bad-0-{repeat}" for repeat in range(4)]
    assert (cells["bad"][0]["strict"], cells["bad"][0]["codes"]) == (1, {"decision.no_call": 2})
    assert cells["cut"][0]["interval"] is None
    assert made["comparisons"][0]["sentence"].startswith("B against A: cannot tell, −25 points")
    assert made["counts"]["all"] == 4
