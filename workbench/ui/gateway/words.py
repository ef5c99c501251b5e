"""The words of the gateway page: findings, times, waiting."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from workbench.ui.widgets.quantities import counted, duration_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GROUPS = {
    "tool_call_dropped": "lost",
    "all_output_lost": "lost",
    "tool_markup_in_content": "leaked",
    "tool_markup_in_reasoning": "leaked",
    "absorbed_parameter": "absorbed",
    "malformed_arguments": "malformed",
    "invented_tool": "invented",
    "schema_violation": "refused",
    "repeated_call": "repeated",
    "repaired": "repaired",
}
"""Kind of an incident → the group that is counted."""
ORDER = ("lost", "leaked", "absorbed", "malformed", "invented", "refused", "repeated", "repaired")
_LONG = {"refused": "refused by schema"}
KINDS = {
    "tool_call_dropped": "lost call",
    "all_output_lost": "all output lost",
    "tool_markup_in_content": "leaked as text",
    "tool_markup_in_reasoning": "call in reasoning",
    "absorbed_parameter": "absorbed parameter",
    "malformed_arguments": "malformed arguments",
    "invented_tool": "invented tool",
    "schema_violation": "refused by schema",
    "repeated_call": "repeated call",
}
"""Kind of an incident → the word on an exchange's header."""
WAYS = {"route": "", "repair": "repair", "pass-through": "pass-through"}


def grouped(counts: Mapping[str, int]) -> Counter[str]:
    """Incidents counted by group."""
    found: Counter[str] = Counter()
    for kind, count in counts.items():
        found[GROUPS.get(kind, kind)] += count
    return found


def finding_words(findings: Mapping[str, int]) -> list[tuple[str, str]]:
    """`("leaked", "1 leaked")` for each group that is there, in order."""
    return [(name, f"{findings[name]:,} {_LONG.get(name, name)}") for name in ORDER if findings.get(name)]


def sums(lines: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Findings of several lines together."""
    found: Counter[str] = Counter()
    for line in lines:
        found.update(line)
    return found


def ago(seconds: float) -> str:
    """`now`, `40 s ago`, `12 min ago`, `3 h ago`, `2 days ago`."""
    if seconds < 5:
        return "now"
    if seconds < 90 * 60:
        return f"{duration_words(seconds)} ago"
    hours = round(seconds / 3600)
    return f"{hours} h ago" if hours < 36 else f"{round(hours / 24)} days ago"


def clock(seconds: float) -> str:
    """Time left, or passed: `0:48`."""
    whole = max(0, int(seconds + 0.999))
    return f"{whole // 60}:{whole % 60:02d}"


def milliseconds(time_us: int | None) -> str:
    """`2 ms`, `0.4 ms`; a dash before anything was measured."""
    if time_us is None:
        return "–"
    return f"{time_us / 1000:.0f} ms" if time_us >= 1_000 else f"{time_us / 1000:.1f} ms"


def masked(token: str) -> str:
    """A token of which the end alone is shown."""
    if not token:
        return "none: every program here may ask"
    return f"{'•' * 6} {token[-4:]}" if len(token) > 12 else "•" * 8


def exchanges(count: int) -> str:
    """`4 exchanges`."""
    return counted(count, "exchange")


def target_words(label: str) -> str:
    """A target's label with room in it: `Simulator / mistral-steady`; that its format is detected goes without saying."""
    return label.replace(" · auto", "").replace("/", " / ", 1)
