"""A run told as text: raw output as it streams, calls, problems, results, loops."""

from __future__ import annotations

import io

import pytest

from tests.kit.hostile import poisoned
from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from tests.kit.runs import call, problem, started
from workbench.cli.run_text import (
    Narrator,
    aside_lines,
    call_text,
    ending_text,
    error_text,
    outcome_text,
    problem_text,
    result_text,
    write_ending,
)
from workbench.core.calls import Outcome, Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ChunkReceived, RunEvent
from workbench.core.exchange import CallDelta, NoticeDelta, ReasoningDelta, TextDelta
from workbench.core.run_summary import summarize
from workbench.core.tools import ToolMode, ToolResult
from workbench.replay.recorded import RecordedStep, RecordedTry


def told(events: list[RunEvent]) -> list[str]:
    stream = io.StringIO()
    Narrator(stream)(events)
    return stream.getvalue().splitlines()


def test_a_run_with_a_call() -> None:
    lines = told(play(reply("I look.\n", CALL), reply("It is clear.")))
    assert lines[0] == "Recorded/m · qwen_xml"
    assert lines[1].startswith("  Executor  request, 1 tool as qwen_xml")
    assert lines[2:6] == ["    │ I look.", "    │ <tool_call>", '    │ {"name": "get_weather", "arguments": {"city": "Rome"}}', "    │ </tool_call>"]  # fmt: skip
    assert '    → get_weather(city = "Rome")  [strict]' in lines
    assert "    shown: I look." in lines
    assert "    ↳ get_weather (mock)" in lines
    assert '      {"sky": "clear"}' in lines
    assert lines[-1] == "    │ It is clear."


def test_problems_are_told_with_place_and_hint() -> None:
    lines = told(play(reply(BROKEN_CALL, finish="length"), reply("Sorry.")))
    assert any(line.startswith("    ✕ truncated (reported), character 0: ") for line in lines)
    assert "  Executor  + parse error told" in lines


def test_boost_is_told_loop_by_loop() -> None:
    lines = told(play(reply(CALL), reply("Done."), planner=[reply("Hm."), reply("GUIDANCE:\n1. get_weather Rome")]))
    assert lines[0].endswith("· boost Recorded/p")
    assert lines.count("Loop 0") == lines.count("Loop 1") == 1
    assert any(line.startswith("    OTHER: ") for line in lines)
    assert any("guidance 1. get_weather Rome — followed" in line for line in lines)
    assert any(line.startswith("  = planner replied OTHER") for line in lines)


def test_direct_runs_are_told_without_loops() -> None:
    assert not [line for line in told(play(reply("Hello."))) if line.startswith(("Loop", "  ="))]


def test_kinds_of_raw_output_are_kept_apart_however_they_are_cut() -> None:
    deltas = [ReasoningDelta("thin"), ReasoningDelta("k\nmore"), TextDelta("a"), TextDelta("b\n\nc"), CallDelta(0, "i", "f", ""), CallDelta(0, "", "", '{"x"')]  # fmt: skip
    whole = [ChunkReceived(0, 0, 0, b"", 0, tuple(deltas))]
    cut = [ChunkReceived(0, 0, index, b"", 0, (delta,)) for index, delta in enumerate(deltas)]
    assert told(whole) == told(cut)
    assert told(whole) == [
        "    reasoning", "    │ think", "    │ more", "    │ ab", "    │ ", "    │ c", "    call 0", '    │ f {"x"',
    ]  # fmt: skip


def test_model_output_escapes_terminal_controls() -> None:
    assert told([ChunkReceived(0, 0, 0, b"", 0, (TextDelta("\x1b]0;title\x07"),))]) == ["    │ ␛]0;title␇"]


def test_no_name_or_text_of_a_run_steers_the_terminal() -> None:
    stream = io.StringIO()
    Narrator(stream)([poisoned(one) for one in play(reply("I look.\n", CALL), reply("It is clear."))])
    said = stream.getvalue()
    assert "␛[2J" in said
    assert not [sign for sign in "\x1b\x00\x07\x9b\u202e\u2066" if sign in said]


def test_notices_of_the_wire_stand_under_the_reply() -> None:
    notices = (NoticeDelta("price", "The reply cost 2 coins."), NoticeDelta("send_back", "x"))
    events = play(reply("Hi."))
    place = next(number for number, event in enumerate(events) if isinstance(event, ChunkReceived))
    lines = told([*events[:place], ChunkReceived(0, 0, 0, b"", 0, notices), *events[place:]])
    assert lines[-1] == "    note: The reply cost 2 coins."


def test_small_texts() -> None:
    assert call_text(call("f", {"a": 1, "b": ["x"]})) == 'f(a = 1, b = ["x"])'
    assert outcome_text(call()) == "strict"
    assert outcome_text(call("f", None, "fenced", "comment")) == "recovered: fenced, comment"
    noted = problem("bad_json", Outcome.REPORTED, Span(7, 9, "call:2"))
    assert problem_text(noted).startswith("bad_json (reported), call:2 7: ")
    assert result_text(ToolResult(False, None, "no\nway")) == "failed: no way"
    assert result_text(ToolResult(True, "plain", None, ToolMode.MOCK)) == "plain"
    aside = ToolResult(False, None, "gone", trace="one\n\ntwo\n", notes=("The tool\nhas changed.",))
    assert aside_lines(aside) == ["note: The tool has changed.", "│ one", "│ two"]
    info = ErrorInfo(ErrorKind.AUTH, "Bad key.", "POST http://x", "Check it.", 401)
    assert error_text(info) == "auth 401: Bad key. Check it. (POST http://x)"


def test_an_error_stands_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    failed = RecordedStep((RecordedTry(error=ErrorInfo(ErrorKind.CONNECT, "Refused.", hint="Start it.")),))
    write_ending(summarize(play(failed)), 3)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "▲ connect: Refused. Start it."
    assert lines[1].startswith("▲ error  transport.connect")
    assert "run 3" in lines[1]


def test_unfinished_run_names_the_asked_model() -> None:
    assert ending_text(summarize([started()]), None) == "simulated"
