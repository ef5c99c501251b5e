from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.engine_run import CALL, NATIVE, QWEN, end, events_of, only
from tests.kit.fakes import REFUSED, FakeClient, Reply, plan
from workbench.core.calls import CallGrew, CallOpened, Span, TextRead
from workbench.core.events import StepFinished, StopReason, ToolStarted
from workbench.core.exchange import CallDelta
from workbench.core.target import ModelRef, Policy, Target
from workbench.engine.reader import StepReader, StopCutter, may_call
from workbench.formats import get_format, list_formats


def test_another_formats_call_is_named_and_counts_only_if_asked() -> None:
    react = 'Thought: look\nAction: get_weather\nAction Input: {"city": "Rome"}'
    events = events_of(plan(FakeClient([Reply(react), Reply(react)]), QWEN))
    problem = only(events, StepFinished)[0].reply.result.lost[0]
    assert problem.code == "wrong_family"
    assert "react" in problem.message
    assert "server" not in problem.message  # it has no part in formats of text
    target = Target(ModelRef("fake", "m"), "qwen_xml", policy=Policy.CROSS_FORMAT)
    crossed = events_of(plan(FakeClient([Reply(react), Reply("Sunny.")]), QWEN, target=target))
    assert [event.name for event in only(crossed, ToolStarted)] == ["get_weather"]
    assert end(crossed).stop is StopReason.ANSWER


@pytest.mark.parametrize(("end", "told"), [("}}", "as qwen_xml."), (",}}", "with flaws (trailing_comma).")])
def test_a_call_that_a_server_leaves_in_the_text_is_the_servers(end: str, told: str) -> None:
    raw = f'<tool_call>\n{{"name": "get_weather", "arguments": {{"city": "Rome"{end}\n</tool_call>'
    events = events_of(plan(FakeClient([Reply(raw), Reply("Sunny.")]), NATIVE))
    (problem,) = only(events, StepFinished)[0].reply.result.lost
    assert (problem.code, problem.name) == ("wrong_family", "get_weather")
    assert problem.message.startswith("The server did not parse the call")
    assert problem.message.endswith(told)
    assert "parser" in problem.hint


def test_a_lost_call_in_the_text_is_no_answer() -> None:
    raw = "It may rain.\n\n<<get_weather city='Rome'>>"
    for of in (QWEN, NATIVE):
        step, *_ = only(events_of(plan(FakeClient([Reply(raw), Reply("Sunny.")]), of)), StepFinished)
        assert [problem.code for problem in step.reply.result.lost] == ["unknown_format"]
        assert step.reply.sanitized.strip() == "It may rain."


def test_a_reader_anew_tells_no_structured_call_twice() -> None:
    made = plan(FakeClient([]), NATIVE)
    reader = StepReader(made.executor, [setup.spec for setup in made.tools], Policy.TOLERANT)
    read, _ = reader.feed("I look.", [CallDelta(0, "c", "get_weather", "{")])
    assert [type(event) for event in read] == [TextRead, CallOpened, CallGrew]
    again = reader.anew()
    assert again.feed("I look.", ()) == ((TextRead("I look.", Span(0, 7)),), "I look.")
    assert [type(event) for event in again.feed("", [CallDelta(0, "c", "get_weather", "}")])[0]] == [CallGrew]


def test_without_tools_a_reply_is_plain_text() -> None:
    events = events_of(replace(plan(FakeClient([Reply("Rome <b>is</b> nice.")]), QWEN), tools=()))
    assert end(events).answer == "Rome <b>is</b> nice."


def test_unrequested_structured_calls_are_accepted() -> None:
    client = FakeClient([Reply("I look.", [("c1", "get_weather", '{"city": "Rome"}')], "tool_calls"), Reply("Sunny.")])
    events = events_of(plan(client, QWEN))
    (call,) = only(events, StepFinished)[0].reply.result.calls
    assert (call.name, call.repairs) == ("get_weather", ("wrong_family",))
    assert end(events).answer == "Sunny."


def test_a_stop_sequence_is_found_however_it_is_cut() -> None:
    text, stop = "abc\nObservation: x", "\nObservation:"
    for cut in range(len(text) + 1):
        cutter = StopCutter([stop, "\nObservation", "never"])
        passed = cutter.feed(text[:cut])
        passed += cutter.feed(text[cut:]) if not cutter.fired else ""
        assert (passed, cutter.fired) == ("abc", "\nObservation")
    assert StopCutter([]).feed(text) == text


def test_incomplete_stop_sequence_at_the_end_is_text() -> None:
    cutter = StopCutter(["\nObservation:"])
    passed = "".join(map(cutter.feed, "done\nObs\nObserv"))
    assert passed == "done\nObs"
    assert passed + cutter.finish() == "done\nObs\nObserv"
    assert (cutter.fired, cutter.behind) == ("", "")


def test_prose_has_no_sign_of_a_call_and_every_call_has_one() -> None:
    assert not may_call("It is sunny in Rome, 22 degrees.")
    for fmt in list_formats():
        if not fmt.native:
            call = get_format("qwen_xml").parse(CALL).calls[0]
            assert may_call(fmt.render_call(call)), fmt.id


def test_only_a_reply_that_came_whole_gets_its_closing_tag() -> None:
    half = CALL.partition("\n</tool_call>")[0]
    whole = events_of(plan(FakeClient([Reply(half), Reply("Sunny.")]), QWEN))
    assert [call.repairs for call in only(whole, StepFinished)[0].reply.result.calls] == [("missing_close_tag",)]
    cut = events_of(plan(FakeClient([Reply(half[:-1], error=REFUSED)]), QWEN))
    assert only(cut, StepFinished)[0].reply.result.calls == ()
