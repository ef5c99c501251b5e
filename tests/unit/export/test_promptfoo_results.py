from __future__ import annotations

import json

from tests.kit import runs
from tests.kit.batches import batch
from workbench.core.run_summary import summarize
from workbench.export.promptfoo_results import promptfoo_results

MADE = batch({"good": ["ss", "sf"], "bad": ["ff", "ee"]})


def test_results_count_passes_failures_and_errors() -> None:
    document = json.loads(promptfoo_results(MADE, lambda _: summarize(runs.make_run())))
    results = document["results"]
    assert (results["version"], len(results["results"])) == (3, 8)
    assert {key: results["stats"][key] for key in ("successes", "failures", "errors")} == {
        "successes": 3, "failures": 3, "errors": 2,
    }  # fmt: skip
    assert [column["metrics"]["testPassCount"] for column in results["prompts"]] == [2, 1]
    first = results["results"][0]
    assert (first["success"], first["failureReason"], first["testIdx"], first["promptIdx"]) == (True, 0, 0, 0)
    assert first["response"]["output"]["tool_calls"][0]["function"]["name"] == "get_weather"
    assert {(one["testIdx"], one["promptIdx"]) for one in results["results"]} == {
        (at, of) for at in range(4) for of in range(2)
    }


def test_deleted_run_has_no_output() -> None:
    document = json.loads(promptfoo_results(MADE, lambda _: None))
    assert document["results"]["results"][0]["response"]["output"] == ""
    assert "createdAt" not in document
