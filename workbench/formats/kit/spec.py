"""A format as a frozen value: literals and habits as fields, behaviour as small functions it is built from.

What a parse does not need (prompts, messages, places of arguments) is imported where it is used: the command line starts fast.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.given_tools import result_of, specs
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.toolset import prepared
from workbench.formats.kit.window import CUT_SHORT

if TYPE_CHECKING:
    from workbench.core.calls import FieldSpan, ParsedCall, ParseResult, Region
    from workbench.core.messages import Message, NativeCall, ToolChoice
    from workbench.core.protocols import StreamParser
    from workbench.core.tools import ToolResult, ToolSpec
    from workbench.formats.kit.given_tools import GivenTools
    from workbench.formats.kit.grammar import Grammar
    from workbench.formats.kit.markers import MarkerShape
    from workbench.formats.kit.prompt import Teaching


def compact(value: Any) -> str:
    """Return JSON as models are shown it: one line, blanks after separators, no escapes that are not needed."""
    return json.dumps(value, ensure_ascii=False)


def result_json(result: ToolResult) -> str:
    """Return the three fields of a result as JSON text."""
    return json.dumps(result.to_json(), ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class FormatSpec:
    """One format. Implements `core.protocols.Format`."""

    id: str
    family: str
    models: str
    """For whom, in a few words."""
    grammar: Grammar
    write_call: Callable[[ParsedCall], str]
    """One call as the model would write it, complete by itself."""
    teach: Teaching | None = None
    """Prompt text; None: the tools and an example in the format's shape."""
    write_calls: Callable[[Sequence[ParsedCall]], str] | None = None
    """Several calls of one turn; None: one after the other, a newline between them."""
    write_result: Callable[[ParsedCall, ToolResult], str] = lambda call, result: result_json(result)  # noqa: ARG005
    stop_sequences: tuple[str, ...] = ()
    write_turn: Callable[[str, str], str] | None = None
    """A turn from its text and its written calls; None: one below the other."""
    native: bool = False
    markers: tuple[tuple[str, str], ...] = ()
    """Pairs of opener and closer, beside those that the grammar looks for; either may be empty."""
    marker_shapes: Callable[[], Sequence[MarkerShape]] | None = None
    """Markers with holes and labels; made when the sanitizer is first used."""
    tags: tuple[str, ...] = ()
    """Words of tags that are markers in every spelling, with attributes too: `arg_key` for `<arg_key>`, `</ns:arg-key x="1">`."""
    special_tokens: bool = False
    """It is made of special tokens, which a chat endpoint hides or refuses: a model that takes tools natively gets them so."""

    def parser(
        self, tools: GivenTools | None = None, *, think_open: bool = False, calls_in_reasoning: bool = False
    ) -> StreamParser:
        """Return a parser for one reply; tools may be given as JSON objects too."""
        return Scanner(self.grammar, prepared(tools), think_open=think_open, calls_in_reasoning=calls_in_reasoning)

    def parse(self, text: str, tools: GivenTools | None = None, reason: str | None = None) -> ParseResult:
        """Read a whole reply."""
        parser = self.parser(tools)
        if isinstance(parser, Scanner):
            parser.whole = reason not in CUT_SHORT
            parser.hush()
        parser.feed(text)
        parser.finish(reason)
        return parser.result()

    def read_native(
        self, text: str, calls: Sequence[NativeCall], tools: Sequence[ToolSpec] | None, reason: str | None = None
    ) -> ParseResult:
        """Judge structured calls; without any, read the text in this format."""
        if not calls and not self.native:
            return self.parse(text, tools, reason)
        from workbench.formats.kit.native import read_native

        return read_native(text, calls, prepared(tools), reason, self.id)

    def prompt(self, tools: GivenTools, tool_choice: ToolChoice = None) -> str:
        """Return system text that teaches the format with the user's own tools; empty without tools or for `none`."""
        read = specs(tools)
        if self.native or not read or tool_choice == "none":
            return ""
        from workbench.formats.kit.prompt import choice_sentence

        sentence = choice_sentence(tool_choice)
        text = self.teach(read) if self.teach is not None else self._shown(read)
        return f"{text}\n\n{sentence}" if sentence else text

    def render_call(self, call: ParsedCall) -> str:
        """Write one call."""
        return self.write_call(call)

    def render_turn(self, text: str, calls: Sequence[ParsedCall]) -> Message:
        """Write an assistant's turn."""
        from workbench.core.messages import Message

        if not calls:
            return Message("assistant", text)
        body = self._written(calls)
        if self.write_turn is not None:
            return Message("assistant", self.write_turn(text.strip(), body))
        return Message("assistant", f"{text.rstrip()}\n{body}" if text.strip() else body)

    def _written(self, calls: Sequence[ParsedCall]) -> str:
        if self.write_calls is not None:
            return self.write_calls(calls)
        return "\n".join(self.write_call(call) for call in calls)

    def _shown(self, tools: Sequence[ToolSpec]) -> str:
        """Teach the format by its shape: an example made from a real tool."""
        from workbench.formats.kit.prompt import sample_call, shown

        return shown(tools, self._written([sample_call(tools[0])]), several=not self.grammar.single)

    def render_result(self, call: ParsedCall, result: ToolResult | object) -> str:
        """Write one result; any other value than a `ToolResult` is what a tool gave back that succeeded."""
        return self.write_result(call, result_of(result))

    def result_messages(self, results: Sequence[tuple[ParsedCall, ToolResult]]) -> tuple[Message, ...]:
        """Return the user's turn that carries the results back."""
        if not results:
            return ()
        from workbench.core.messages import Message

        body = "\n".join(self.write_result(call, result) for call, result in results)
        return (Message("user", body),)

    def argument_spans(self, source: str, call: ParsedCall) -> tuple[FieldSpan, ...]:
        """Locate the arguments' values in the raw text."""
        from workbench.formats.kit.argument_spans import fields

        return fields(source, call)

    def regions(self, text: str, result: ParseResult) -> tuple[Region, ...]:
        """Return roles for colouring."""
        from workbench.formats.kit.regions import regions

        return regions(text, result, self.grammar.reasoning, self.grammar.literals())
