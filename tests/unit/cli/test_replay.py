"""`workbench replay`: which runs, in which mode, with which exit code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.history import Terminal, record
from tests.kit.playback import CALL, play, reply
from workbench.cli import replaying
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.core.events import RunEvent, StepFinished, VerdictGiven
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.replay.difference import compare_json
from workbench.replay.parity import Cutting, Parity

LOST = ParseProblem("truncated", Span(0, 9), "cut", Outcome.REPORTED)
PHANTOM = ParsedCall("get_weather", {}, "call_1", Outcome.STRICT, (), Span(0, 5), Span(0, 1), Span(1, 5), "qwen_xml")


def as_read_before(events: list[RunEvent], result: ParseResult, state: VerdictState) -> list[RunEvent]:
    """The run with another reading of its first reply, and the verdict of that day."""
    verdict = VerdictGiven(Verdict(state, Basis.INTRINSIC, "then"))
    return [
        verdict
        if isinstance(event, VerdictGiven)
        else replace(event, reply=replace(event.reply, result=result))
        if isinstance(event, StepFinished) and event.step == 0
        else event
        for event in events
    ]


def run(number: int) -> list[RunEvent]:
    return play(reply(CALL), reply("Done."), run_id=f"01890000-0000-7000-8000-00000000000{number}")


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.mark.parametrize("mode", ["parse", "offline"])
def test_unchanged_runs(terminal: Terminal, mode: str) -> None:
    record(run(1), run(2))
    assert terminal("replay", "--all", "--mode", mode) == "2 same\n"
    found = terminal.json("replay", "--run", "1", "2", "--mode", mode)
    assert [(item["number"], item["mode"], item["verdict"]) for item in found] == [(1, mode, "same"), (2, mode, "same")]
    assert "= same  run 1" in terminal("replay", "--run", "1", "--mode", mode)


def test_a_fix_is_listed_with_its_difference(terminal: Terminal) -> None:
    lost = ParseResult((), "", "", (LOST,), "qwen_xml")
    record(run(1), as_read_before(run(2), lost, VerdictState.FAIL))
    text = terminal("replay", "--all")
    assert "▲ fixed  run 2 · fail → pass" in text
    assert "step 0 (qwen_xml) calls[0]" in text
    assert text.endswith("1 same, 1 fixed\n")
    (found,) = terminal.json("replay", "--filter", "verdict:fail")
    assert (found["before"], found["after"]) == ("fail", "pass")
    assert found["changes"][0]["path"] == "step 0 (qwen_xml) calls[0]"


def test_a_regression_ends_with_one(terminal: Terminal) -> None:
    phantom = ParseResult((PHANTOM,), "", "", (), "qwen_xml")
    record(as_read_before(play(reply("Nothing.")), phantom, VerdictState.PASS), run(2))
    text = terminal("replay", "--all", code=1)
    assert "▼ regressed  run 1" in text
    (first, second) = terminal.json("replay", "--all", code=1)
    assert (first["verdict"], second["verdict"]) == ("regressed", "same")


def test_parity_over_all_cuttings(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    record(run(1), play(reply("Hello."), format_id="native_openai", run_id="01890000-0000-7000-8000-000000000002"))
    assert terminal("replay", "--all", "--mode", "parity").endswith("1 same, 1 not comparable\n")
    (found,) = terminal.json("replay", "--run", "1", "--mode", "parity")
    assert "ways of cutting" in found["note"]
    different = Parity(1, (Cutting("cut at 3", ("a", "b"), compare_json({"text": "a"}, {"text": "b"})),))
    monkeypatch.setattr(replaying, "check_parity", lambda item: different)
    assert "step 0, cut at 3: text" in terminal("replay", "--run", "1", "--mode", "parity", code=1)


def test_a_run_without_replies_is_not_comparable(terminal: Terminal) -> None:
    record([event for event in run(1) if not isinstance(event, StepFinished)])
    (found,) = terminal.json("replay", "--run", "1")
    assert found["verdict"] == "not_comparable"


def test_nothing_recorded_is_nothing_to_do(terminal: Terminal) -> None:
    assert terminal("replay", "--all") == "no runs\n"
    assert terminal.json("replay", "--all", "--mode", "offline") == []


@pytest.mark.parametrize("argv", [(), ("--run", "1", "--all"), ("--all", "--filter", "x")])
def test_which_runs_must_be_said_once(terminal: Terminal, argv: tuple[str, ...]) -> None:
    terminal("replay", *argv, code=2)
    assert "Which runs" in terminal.err


def test_unknown_modes_and_runs(terminal: Terminal) -> None:
    terminal("replay", "--all", "--mode", "sideways", code=2)
    assert "replay mode 'sideways'" in terminal.err
    terminal("replay", "--run", "9", code=2)
    assert "9" in terminal.err
