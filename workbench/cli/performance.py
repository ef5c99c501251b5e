"""Executed tool calls and times of several runs, as columns of a table and as JSON: for suites and for the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.grading.performance import WANTED

if TYPE_CHECKING:
    from workbench.grading.performance import Performance
    from workbench.grading.scores import Quantiles

COLUMNS = ("calls executed", "95 %", "> 95 %", "first token", "first call", "total", "tokens/s")
"""Heads of `performance_cells`: the rate, its interval, whether the wanted share is reached; times are medians."""


def performance_cells(found: Performance) -> tuple[str, ...]:
    """What several runs came to, a cell each; empty where nothing was measured."""
    calls = found.calls
    return (
        f"{calls.passed}/{calls.of}" if calls else "",
        f"{100 * calls.interval.low:.0f}–{100 * calls.interval.high:.0f} %" if calls else "",
        found.met.value if calls else "",
        _seconds(found.first_token),
        _seconds(found.first_call),
        _seconds(found.total),
        f"{found.tokens_per_second.median:.0f}" if found.tokens_per_second else "",
    )


def _seconds(found: Quantiles | None) -> str:
    return f"{found.median / 1e6:.2f} s" if found else ""


def performance_json(found: Performance) -> dict[str, Any]:
    """The same as JSON: times in microseconds with their 95th percentile, each with its interval."""
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
        "first_token_us": quantiles_json(found.first_token),
        "first_call_us": quantiles_json(found.first_call),
        "total_us": quantiles_json(found.total),
        "tokens_per_second": quantiles_json(found.tokens_per_second),
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
