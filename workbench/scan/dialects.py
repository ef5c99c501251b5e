"""Calls in markup that no format reads, put together by how they are written: each way is one that a format can be made for.

<<call get_weather city :: Rome>>     <<call read_file path :: a.txt>>     →     <<call NAME … >>, twice
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.scan.dialect_shape import UNKNOWN, head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.tools import ToolSpec
    from workbench.scan.finding import Finding

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of writing calls."""

    shape: str
    findings: tuple[Finding, ...]

    @property
    def texts(self) -> list[tuple[str, Sequence[ToolSpec]]]:
        """The replies, each once, with the tools that were offered: what a format is drafted from."""
        found = {one.reply.text: one.reply.tools for one in self.findings if one.reply.text and one.reply.tools}
        return [(text, tools or ()) for text, tools in found.items()]

    def to_json(self) -> dict[str, Any]:
        """Return what `scan --json` prints."""
        return {
            "shape": self.shape, "count": len(self.findings),
            "tools": sorted({one.tool for one in self.findings}), "models": sorted({one.model for one in self.findings}),
            "places": [one.place for one in self.findings[:_SHOWN]],
            "samples": [one.raw[one.span.start : one.span.end] for one in self.findings[:_SHOWN]],
        }  # fmt: skip


def is_unknown(finding: Finding) -> bool:
    """Whether a finding is a call in markup that no format reads."""
    return finding.around.startswith(UNKNOWN)


def dialects_in(findings: Iterable[Finding]) -> tuple[Dialect, ...]:
    """Return the ways in which calls are written that no format reads, the most frequent first."""
    groups: dict[str, list[tuple[str, Finding]]] = {}
    for finding in findings:
        if is_unknown(finding):
            shape = finding.around.removeprefix(UNKNOWN).strip()
            groups.setdefault(head_of(shape), []).append((shape, finding))
    made = [
        Dialect(Counter(shape for shape, _ in found).most_common(1)[0][0], tuple(one for _, one in found))
        for found in groups.values()
    ]
    return tuple(sorted(made, key=lambda one: (-len(one.findings), one.shape)))
