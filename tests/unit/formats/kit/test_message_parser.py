"""Native formats are read at the end of their message."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import CallRead, ParseResult, ProblemRead, ReasoningRead, TextRead
from workbench.formats import get_format

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
