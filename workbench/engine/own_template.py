"""A text format where the server's own chat template renders the tools and the conversation.

The request keeps its tools and turns in fields, as for a native format, so that the server's template writes them; the reply
comes back as the model's own text, and is read as the format says. So nothing but who reads it differs from the server's chat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats import get_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import FieldSpan, ParsedCall, ParseResult, Region
    from workbench.core.messages import Message, NativeCall, ToolChoice
    from workbench.core.protocols import Format, StreamParser
    from workbench.core.tools import ToolResult, ToolSpec

_FIELDS = "native_openai"


class OwnTemplate:
    """Meets `core.protocols.Format`: reads as the text format, writes turns as fields."""

    native = False
    stop_sequences: tuple[str, ...] = ()
    """The server's template knows where a turn ends."""

    def __init__(self, text: Format) -> None:
        self._text, self._fields = text, get_format(_FIELDS)
        self.id, self.family, self.models = text.id, text.family, text.models

    def parser(
        self, tools: Sequence[ToolSpec] | None = None, *, think_open: bool = False, calls_in_reasoning: bool = False
    ) -> StreamParser:
        """The text format's."""
        return self._text.parser(tools, think_open=think_open, calls_in_reasoning=calls_in_reasoning)

    def parse(self, text: str, tools: Sequence[ToolSpec] | None = None, reason: str | None = None) -> ParseResult:
        """The text format's."""
        return self._text.parse(text, tools, reason)

    def read_native(
        self, text: str, calls: Sequence[NativeCall], tools: Sequence[ToolSpec] | None, reason: str | None = None
    ) -> ParseResult:
        """The text format's."""
        return self._text.read_native(text, calls, tools, reason)

    def prompt(self, tools: Sequence[ToolSpec], tool_choice: ToolChoice = None) -> str:  # noqa: ARG002
        """Nothing: the template writes the tools."""
        return ""

    def render_call(self, call: ParsedCall) -> str:
        """As the model writes it."""
        return self._text.render_call(call)

    def render_turn(self, text: str, calls: Sequence[ParsedCall]) -> Message:
        """A turn with its calls in fields, for the template."""
        return self._fields.render_turn(text, calls)

    def render_result(self, call: ParsedCall, result: ToolResult) -> str:
        """The result in the field's way."""
        return self._fields.render_result(call, result)

    def result_messages(self, results: Sequence[tuple[ParsedCall, ToolResult]]) -> tuple[Message, ...]:
        """One message of role `tool` for each result, for the template."""
        return self._fields.result_messages(results)

    def argument_spans(self, source: str, call: ParsedCall) -> tuple[FieldSpan, ...]:
        """The text format's."""
        return self._text.argument_spans(source, call)

    def regions(self, text: str, result: ParseResult) -> tuple[Region, ...]:
        """The text format's."""
        return self._text.regions(text, result)
