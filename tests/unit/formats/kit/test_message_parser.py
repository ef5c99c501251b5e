"""Native formats are read at the end of their message."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import CallRead, ParseResult, ProblemRead, ReasoningRead, Span, TextRead
from workbench.formats import get_format
from workbench.formats.kit.message_parser import MessageParser
from workbench.formats.kit.toolset import prepared

SPECS = tuple(TOOLS.values())


def test_nothing_before_the_end_and_everything_then() -> None:
    parser = get_format("native_openai").parser(SPECS)
    raw = (
        '{"content": "Hi", "reasoning_content": "Hm", "tool_calls": ['
        '{"id": "a", "function": {"name": "now", "arguments": "{}"}}, {"id": "b", "function": {"name": "nope", "arguments": "{}"}}]}'
    )
    assert parser.feed(raw[:40]) == parser.feed(raw[40:]) == []
    assert not parser.result().calls
    kinds = [type(event) for event in parser.finish()]
    assert kinds == [ReasoningRead, TextRead, CallRead, ProblemRead]
    assert parser.finish() == []
    assert parser.feed("more") == []


def test_nothing_is_known_before_the_end() -> None:
    parser = get_format("native_openai").parser()
    parser.feed('{"content": "x"')
    assert parser.result() == ParseResult(format="native_openai")


def test_the_events_of_a_message_come_at_its_end() -> None:
    read = ParseResult(text="ab", reasoning="abc", format="x")
    parser = MessageParser(prepared(None), lambda text, tools, reason: read, "x")
    assert parser.feed("message") == []
    assert parser.finish("stop") == [
        ReasoningRead("abc", Span(0, 3, "reasoning")), TextRead("ab", Span(0, 2)),
    ]  # fmt: skip
    assert parser.finish("stop") == []
    assert parser.result() is read


@pytest.mark.parametrize(
    ("text", "reasoning", "kinds"), [("", "", []), ("a", "", [TextRead]), ("", "b", [ReasoningRead])]
)
def test_nothing_is_told_of_what_a_message_lacks(text: str, reasoning: str, kinds: list[type]) -> None:
    parser = MessageParser(prepared(None), lambda *_: ParseResult(text=text, reasoning=reasoning, format="x"), "x")
    parser.feed("message")
    assert [type(event) for event in parser.finish()] == kinds
