"""Executed tool calls and times of several runs, as JSON: for suites and for the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.grading.performance import WANTED

if TYPE_CHECKING:
    from workbench.grading.performance import Performance
    from workbench.grading.scores import Quantiles


def performance_json(found: Performance) -> dict[str, Any]:
    """What several runs came to: times in microseconds with their 95th percentile, each with its interval."""
    calls = found.calls
    return {
        "runs": found.runs,
        "tool_calls": {
            "executed": calls.passed if calls else 0,
            "tried": calls.of if calls else 0,
            "interval": [round(bound, 4) for bound in calls.interval] if calls else None,
            "wanted": WANTED,
            "met": found.met.value if calls else None,
        },
        "first_token_us": quantiles_json(found.first_token.quantiles()),
        "first_call_us": quantiles_json(found.first_call.quantiles()),
        "total_us": quantiles_json(found.total.quantiles()),
        "tokens_per_second": quantiles_json(found.tokens_per_second.quantiles()),
    }


def quantiles_json(found: Quantiles | None) -> dict[str, Any] | None:
    """Median and 95th percentile with their intervals; None where nothing was measured."""
    if found is None:
        return None
    return {
        "runs": found.runs,
        "median": found.median,
        "median_interval": list(found.median_interval),
        "p95": found.p95,
        "p95_interval": list(found.p95_interval),
    }
