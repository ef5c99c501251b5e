"""The words of the gateway page: findings, times, waiting."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from workbench.ui.theme.translation import tr
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
_LONG = {"refused": tr("refused by schema")}
KINDS = {
    "tool_call_dropped": tr("lost call"),
    "all_output_lost": tr("all output lost"),
    "tool_markup_in_content": tr("leaked as text"),
    "tool_markup_in_reasoning": tr("call in reasoning"),
    "absorbed_parameter": tr("absorbed parameter"),
    "malformed_arguments": tr("malformed arguments"),
    "invented_tool": tr("invented tool"),
    "schema_violation": tr("refused by schema"),
    "repeated_call": tr("repeated call"),
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
        return tr("{seconds} ago", seconds=duration_words(seconds))
    hours = round(seconds / 3600)
    return tr("{hours} h ago", hours=hours) if hours < 36 else tr("{round} days ago", round=round(hours / 24))


def clock(seconds: float) -> str:
    """Time left, or passed: `0:48`."""
    whole = max(0, int(seconds + 0.999))
    return f"{whole // 60}:{whole % 60:02d}"


def milliseconds(time_us: int | None) -> str:
    """`2 ms`, `0.4 ms`; a dash before anything was measured."""
    if time_us is None:
        return "–"
    return (
        tr("{time_us:.0f} ms", time_us=time_us / 1000)
        if time_us >= 1_000
        else tr("{time_us:.1f} ms", time_us=time_us / 1000)
    )


def masked(token: str) -> str:
    """A token of which the end alone is shown."""
    if not token:
        return tr("none: every program here may ask")
    return f"{'•' * 6} {token[-4:]}" if len(token) > 12 else "•" * 8


def exchanges(count: int) -> str:
    """`4 exchanges`."""
    return counted(count, "exchange")


def target_words(label: str) -> str:
    """A target's label with room in it: `Simulator / mistral-steady`; that its format is detected goes without saying."""
    return label.replace(" · auto", "").replace("/", " / ", 1)
