"""What the tools page tells of a set beside its tools: the cost in tokens, and what differs between versions. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from workbench.tools.lint import token_costs
from workbench.tools.set_diff import diff_sets
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from workbench.core.tools import ToolSetup
    from workbench.store.tool_sets import ToolSetVersion
    from workbench.ui.tools.edited_set import EditedSet

WIRES = ("openai_chat", "anthropic_messages", "gemini_generate")
FORMATS = ("qwen_xml", "react")
"""Of whom the cost is told: the three great wires, and two texts, a short and a long one."""
_LONGEST = 400


def costs_of(tools: Sequence[ToolSetup]) -> list[tuple[str, int]]:
    """Targets and tokens of these tools in every request, about."""
    return [(one.target, one.tokens) for one in token_costs([tool.spec for tool in tools], FORMATS, WIRES)]


class ChangeLine(NamedTuple):
    """One place that differs."""

    tool: str
    kind: str
    place: str
    before: str
    after: str


class SetVersion(NamedTuple):
    """One version that can be chosen."""

    title: str
    tools: tuple[ToolSetup, ...]


def change_lines(before: Sequence[ToolSetup], after: Sequence[ToolSetup]) -> list[ChangeLine]:
    """A line for each place; a tool that is new or gone is one line."""
    lines = []
    for change in diff_sets(before, after):
        lines += [
            ChangeLine(change.tool, change.kind, ".".join(map(str, one.path)), _short(one.before), _short(one.after))
            for one in change.fields
        ] or [ChangeLine(change.tool, change.kind, "", "", "")]
    return lines


def _short(value: Any) -> str:
    text = (
        "–"
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, default=str)
    )
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def versions_of(edited: EditedSet, versions: Sequence[ToolSetVersion]) -> list[SetVersion]:
    """The versions of a set, oldest first, and what was edited since."""
    known = [SetVersion(tr("version {version}", version=one.version), one.tools) for one in versions]
    return known + ([SetVersion(tr("as edited now"), tuple(edited.tools))] if edited.edited else [])
