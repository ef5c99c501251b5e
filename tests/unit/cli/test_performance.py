"""Executed calls and times as JSON."""

from __future__ import annotations

import json

from workbench.cli.performance import performance_json
from workbench.grading.performance import RunPerformance, performance


def test_measured_values_in_the_table() -> None:
    found = performance([RunPerformance(str(number), 1, 1, 100_000, None, 1_500_000, 40.0) for number in range(3)])
    made = json.loads(json.dumps(performance_json(found)))
    assert made["tool_calls"] == {
        "executed": 3, "tried": 3, "interval": [0.4385, 1.0], "wanted": 0.95, "met": "cannot tell"
    }  # fmt: skip
    assert made["first_call_us"] is None
    assert made["total_us"]["median"] == 1_500_000


def test_unmeasured_values_stay_empty() -> None:
    found = performance([])
    assert performance_json(found)["tool_calls"] == {
        "executed": 0, "tried": 0, "interval": None, "wanted": 0.95, "met": None
    }  # fmt: skip
