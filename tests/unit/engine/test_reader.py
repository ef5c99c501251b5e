from __future__ import annotations

import itertools
import time
from dataclasses import replace

import pytest

from tests.kit.engine_run import CALL, NATIVE, QWEN, end, events_of, only
from tests.kit.fakes import REFUSED, FakeClient, Reply, plan
from workbench.core.calls import CallGrew, CallOpened, CallRead, ParseEvent, ReasoningRead, Span, TextRead
from workbench.core.events import StepFinished, StopReason, ToolStarted
from workbench.core.exchange import CallDelta, Delta, ReasoningDelta
from workbench.core.messages import NativeCall
from workbench.core.protocols import Format
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
    strict = events_of(plan(FakeClient([Reply(react)]), QWEN, target=replace(target, policy=Policy.STRICT)))
    assert [one.code for one in only(strict, StepFinished)[0].reply.result.lost] == ["unknown_format"]


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


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("a < b", True), ("[1]", True), ("{", True), ("`x`", True), ("f(x)", True), ("f (x)", False), ("(x)", False),
        ("&LT;tool&gt;", True), (">>> now", True), ("Functools", True), ("A Function Call", True),
        ("Action: now", True), ("action 1：now", True), ("ACTION -> now", True), ("Action plan follows", False), ("ａｃｔｉｏｎ", True),
        ("", False), ("It rains.", False),
    ],
)  # fmt: skip
def test_signs_that_a_text_may_hold_a_call(text: str, may: bool) -> None:
    assert may_call(text) is may


def reader_of(of: Format, policy: Policy = Policy.TOLERANT, *, tools: bool = True) -> StepReader:
    made = plan(FakeClient([]), of)
    return StepReader(made.executor, [setup.spec for setup in made.tools] if tools else [], policy)


ROME = NativeCall(0, "c", "get_weather", '{"city": "Rome"}')


@pytest.mark.parametrize(
    ("deltas", "read"),
    [
        ([CallDelta(1, "c", "", "{")], [CallGrew(1, "{")]),
        ([CallDelta(1, "c", "f", "")], [CallOpened(1, "f", Span(0, 0, "call:1"))]),
        ([CallDelta(1, "c", "f", ""), CallDelta(1, "", "f", "{")], [CallOpened(1, "f", Span(0, 0, "call:1")), CallGrew(1, "{")]),
        ([ReasoningDelta("hm")], [ReasoningRead("hm", Span(0, 0, "reasoning"))]),
        ([], []),
    ],
)  # fmt: skip
def test_structured_pieces_are_told_as_they_grow(deltas: list[Delta], read: list[ParseEvent]) -> None:
    assert reader_of(NATIVE).feed("", deltas) == (tuple(read), "")


def test_plain_text_is_placed_in_the_reply() -> None:
    reader = reader_of(NATIVE)
    assert reader.feed("Hel", ()) == ((TextRead("Hel", Span(0, 3)),), "Hel")
    assert reader.feed("lo", ()) == ((TextRead("lo", Span(3, 5)),), "lo")
    result, told, events, shown = reader.finish("Hello", (), "stop", complete=True)
    assert (result.text, result.calls, told, events, shown) == ("Hello", (), "Hello", (), "")


def test_a_native_call_is_told_as_read_at_the_end() -> None:
    reader = reader_of(NATIVE)
    reader.feed("I look.", ())
    result, told, events, shown = reader.finish("I look.", [ROME], "tool_calls", complete=True)
    (call,) = result.calls
    assert (call.name, call.arguments, call.id, told, shown) == ("get_weather", {"city": "Rome"}, "c", "I look.", "")
    assert events == (CallRead(0, call),)


def test_half_a_marker_at_the_end_is_no_text() -> None:
    reader = reader_of(NATIVE)
    shown = reader.feed("Hi <tool_", ())[1]
    _, told, _, rest = reader.finish("Hi <tool_", (), "stop", complete=True)
    assert (shown, rest, told) == ("Hi", "", "Hi")


def test_a_text_formats_reading_is_that_of_its_parser_and_of_fields_beside_it() -> None:
    reader = reader_of(QWEN)
    events, shown = reader.feed(f"I look. {CALL}", ())
    assert ([type(event) for event in events][-1], shown) == (CallRead, "I look.")
    result, told, rest, _ = reader.finish(f"I look. {CALL}", [ROME], "stop", complete=True)
    assert [(call.name, call.repairs, str(call.outcome)) for call in result.calls] == [
        ("get_weather", (), "strict"),
        ("get_weather", ("wrong_family",), "recovered"),
    ]
    assert told.strip() == "I look."
    assert not [event for event in rest if isinstance(event, CallRead)]


@pytest.mark.parametrize(
    ("complete", "reason", "names"), [(True, "stop", ["get_weather"]), (False, "stop", []), (True, "length", [])]
)
def test_only_a_complete_reply_has_its_call_closed(complete: bool, reason: str, names: list[str]) -> None:
    half = CALL.partition("}\n</tool_call>")[0]
    reader = reader_of(QWEN)
    reader.feed(half, ())
    result, *_ = reader.finish(half, (), reason, complete=complete)
    assert [call.name for call in result.calls] == names


OTHER = 'Action: get_weather\nAction Input: {"city": "Rome"}'


@pytest.mark.parametrize(
    ("of", "policy", "tools", "codes"),
    [
        (QWEN, Policy.TOLERANT, True, ["wrong_family"]),
        (QWEN, Policy.TOLERANT, False, []),
        (NATIVE, Policy.TOLERANT, True, ["wrong_family"]),
    ],
)  # fmt: skip
def test_a_call_in_another_format_is_told_to_who_gave_tools(
    of: Format, policy: Policy, tools: bool, codes: list[str]
) -> None:
    reader = reader_of(of, policy, tools=tools)
    reader.feed(OTHER, ())
    result, *_ = reader.finish(OTHER, (), "stop", complete=True)
    assert ([problem.code for problem in result.problems], result.calls) == (codes, ())


def test_whose_fault_another_format_is_and_what_to_do() -> None:
    problems = []
    for of in (QWEN, NATIVE):
        reader = reader_of(of)
        reader.feed(OTHER, ())
        (problem,) = reader.finish(OTHER, (), "stop", complete=True)[0].problems
        problems.append((problem.message, problem.hint, problem.name, str(problem.outcome)))
    assert problems == [
        (
            "The model answered in react although qwen_xml was asked.",
            "Choose that format, or let other formats count (policy cross_format).",
            "get_weather",
            "reported",
        ),
        (
            "The server did not parse the call: it stands in the text as react.",
            "Give the server that format's tool parser, or let other formats count (policy cross_format).",
            "get_weather",
            "reported",
        ),
    ]


def test_time_of_reading_is_summed_up_in_microseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count(0, 2_500_000)
    monkeypatch.setattr(time, "perf_counter_ns", lambda: next(ticks))
    reader = reader_of(QWEN)
    assert reader.parser_us == 0
    reader.feed("a", ())
    assert reader.parser_us == 2500
    reader.finish("a", (), "stop", complete=True)
    assert reader.parser_us == 5000


@pytest.mark.parametrize(
    ("stops", "pieces", "passed", "fired", "behind"),
    [
        (["STOP"], ["aSTOPb"], "a", "STOP", "b"),
        (["STOP"], ["aST", "OPb"], "a", "STOP", "b"),
        (["STOP"], ["aST", "b"], "aSTb", "", ""),
        (["STOP"], ["STOP"], "", "STOP", ""),
        (["ab", "abc"], ["xabc"], "x", "ab", "c"),
        (["b", "abc"], ["xabc"], "xa", "b", "c"),
        (["long one", "x"], ["a lon", "g", " x"], "a long ", "x", ""),
        (["", "END"], ["aEND"], "a", "END", ""),
        ([""], ["anything"], "anything", "", ""),
        (["aab"], ["aaa", "b"], "a", "aab", ""),
    ],
)  # fmt: skip
def test_what_passes_before_a_stop_sequence(
    stops: list[str], pieces: list[str], passed: str, fired: str, behind: str
) -> None:
    cutter = StopCutter(stops)
    given = "".join(map(cutter.feed, pieces)) + cutter.finish()
    assert (given, cutter.fired, cutter.behind, cutter.finish()) == (passed, fired, behind, "")
