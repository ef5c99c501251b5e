"""Calls in markup that no format reads, put together by how they are written: each way is one that a format can be made for.

<<call get_weather city :: Rome>>     <<call read_file path :: a.txt>>     →     <<call NAME … >>, twice
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.tools import ToolSpec
    from workbench.scan.finding import Finding

UNKNOWN = "unknown markup"
"""What `Finding.around` begins with; the way of writing follows."""
NAME = "NAME"
_HEAD, _SHOWN = 24, 5
_END = re.compile(r"(?:\[/|</?|\{[/%#]|\[\[/)[\w~:./ -]{1,24}[\]>}%]{1,2}\Z|[^\w\s\"'“”]{1,6}\Z")
_VALUE_ENDS = "}])"


def shape_of(text: str, tool: str) -> str:
    """Return how a call is written, without its values: what stands before the tool's name, and what ends the call."""
    inner = "".join(r"[_.\- ]" if char in "_-." else re.escape(char) for char in tool)
    found = re.search(rf"(?<![\w./]){inner}(?!\w)", text)
    if found is None:
        return ""
    before = " ".join(text[: found.start()].rsplit("\n", 1)[-1][-_HEAD:].split())
    blank = " " if text[: found.start()][-1:].isspace() else ""
    ends = _END.search(text.rstrip())
    end = ends[0] if ends is not None and ends.start() >= found.end() else ""
    end = end.lstrip(_VALUE_ENDS) or end
    return f"{before}{blank}{NAME} …{f' {end}' if end else ''}"


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


def head_of(shape: str) -> str:
    """How calls begin that are written in this way: what ends them may be one thing with text behind it and another alone."""
    return shape.partition(NAME)[0]
