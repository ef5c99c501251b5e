"""What is given out: marks on calls that are too many or have text around, invented results."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import CallRead, ProblemRead
from workbench.formats import get_format
from workbench.formats.kit.scanner import Scanner

SPECS = tuple(TOOLS.values())
CALL = '{"tool": "now", "arguments": {}}'


def test_calls_wait_to_know_whether_text_follows() -> None:
    parser = get_format("json_scaffold").parser(SPECS)
    assert not any(isinstance(event, CallRead) for event in parser.feed(CALL) + parser.feed("\n"))
    (event,) = [event for event in parser.feed("and so on") if isinstance(event, CallRead)]
    assert event.call.repairs == ("text_around",)


def test_more_calls_than_asked_for() -> None:
    result = get_format("json_scaffold").parse(f"{CALL}\n{CALL}", SPECS)
    assert [call.repairs for call in result.calls] == [(), ("extra_calls",)]


def test_invented_results_end_the_reading() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    parser.feed('<tool_call>{"name": "now", "arguments": {}}</tool_call>')
    (event,) = parser.feed("<tool_response>")
    assert isinstance(event, ProblemRead)
    assert event.problem.code == "hallucinated_result"
    assert parser.feed('noon</tool_response><tool_call>{"name": "now", "arguments": {}}</tool_call>') == []
    parser.finish()
    assert len(parser.result().calls) == 1


def test_a_result_marker_before_any_call_is_text() -> None:
    assert get_format("qwen_xml").parse("See <tool_response> there.", SPECS).text == "See <tool_response> there."


def test_while_a_fence_is_open_no_text_is_let_go() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    assert isinstance(parser, Scanner)
    parser.append("abc")
    assert (parser.slide(3, "d"), parser.text, parser.base) == (1, "cd", 2)
    parser.deferred = True
    assert (parser.slide(2, "e"), parser.text, parser.base) == (2, "cde", 2)
    assert (parser.slide(3, None), parser.text, parser.closed) == (3, "cde", True)
