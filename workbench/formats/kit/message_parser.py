"""A parser for native formats: their text form is a whole message as JSON, so nothing is certain before its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.core.calls import CallRead, ParseResult, ProblemRead, ReasoningRead, Span, TextRead

if TYPE_CHECKING:
    from workbench.core.calls import ParseEvent
    from workbench.formats.kit.toolset import ToolSet

Reader = Callable[[str, "ToolSet", str | None], ParseResult]
"""Reads a message: its JSON text, the tools, the finish reason."""


class MessageParser:
    """Collects a message as JSON and judges it at the end."""

    def __init__(self, tools: ToolSet, read: Reader, format_id: str) -> None:
        self._tools, self._read = tools, read
        self._parts: list[str] = []
        self._result = ParseResult(format=format_id)
        self._done = False

    def feed(self, text: str) -> list[ParseEvent]:
        """Take more of the JSON text; nothing is certain before its end."""
        if not self._done:
            self._parts.append(text)
        return []

    def finish(self, reason: str | None = None) -> list[ParseEvent]:
        """Read the message."""
        if self._done:
            return []
        self._done = True
        self._result = self._read("".join(self._parts), self._tools, reason)
        return list(_events(self._result))

    def result(self) -> ParseResult:
        """Return the reading; empty before the end."""
        return self._result


def _events(result: ParseResult) -> list[ParseEvent]:
    events: list[ParseEvent] = []
    if result.reasoning:
        events.append(ReasoningRead(result.reasoning, Span(0, len(result.reasoning), "reasoning")))
    if result.text:
        events.append(TextRead(result.text, Span(0, len(result.text))))
    events.extend(CallRead(number, call) for number, call in enumerate(result.calls))
    events.extend(ProblemRead(problem) for problem in result.problems)
    return events
