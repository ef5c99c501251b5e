"""What looks like somebody's key in a recorded run: in which text, where, of which kind. Known keys are stars by then.

A key that was masked as the user's setting says is found as well: its mask keeps the sign of its kind.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.key_shapes import find_keys, find_masked_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.core.run_summary import RunSummary
    from workbench.core.tools import ToolResult


class ForeignKey(NamedTuple):
    """One finding; it holds no part of the key."""

    kind: str
    place: str
    """Which text of the run."""
    start: int
    end: int
    masked: bool = False
    """Stars stand in the place of what was secret."""

    def __str__(self) -> str:
        masked = ", masked" if self.masked else ""
        return f"{self.kind} in {self.place}, characters {self.start} to {self.end}{masked}"


def foreign_keys(run: RunSummary) -> list[ForeignKey]:
    """All findings of a run, in the order of its texts."""
    return keys_in(_texts(run))


def keys_in(texts: Iterable[tuple[str, str]]) -> list[ForeignKey]:
    """All findings in texts, each given with what it is called."""
    return [
        ForeignKey(found.kind, place, found.start, found.end, found.masked)
        for place, text in texts
        for found in sorted([*find_keys(text), *find_masked_keys(text)], key=lambda one: one.start)
    ]


def _texts(run: RunSummary) -> Iterator[tuple[str, str]]:
    for number, message in enumerate(run.started.messages if run.started else (), 1):
        yield f"message {number} ({message.role})", message.text
    for step in run.steps.values():
        if step.reply is not None:
            yield f"the reply of step {step.number}", step.reply.text
            yield f"the reasoning of step {step.number}", step.reply.reasoning
            for call in step.reply.native_calls:
                yield f"the arguments of {call.name}, step {step.number}", call.arguments
    for done in run.results:
        yield f"the result of call {done.index + 1}, step {done.step}", result_text(done.result)


def result_text(result: ToolResult) -> str:
    """What a tool gave back, as one text."""
    return result.result if isinstance(result.result, str) else json.dumps(result.result, default=str)
