"""A finished run as one document and as closing lines."""

from __future__ import annotations

import json

import pytest

from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from tests.kit.runs import started
from workbench.cli.outcome import Outcome, outcomes_state
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.replay.recorded import RecordedStep, RecordedTry


def test_the_document_of_a_good_run() -> None:
    found = Outcome(play(reply("I look. ", CALL), reply("It is clear.")), 7).document()
    assert json.loads(json.dumps(found)) == found
    assert (found["number"], found["verdict"], found["basis"], found["stop"]) == (7, "pass", "intrinsic", "answer")
    assert found["answer"] == "It is clear."
    (made,) = found["calls"]
    assert (made["step"], made["name"], made["arguments"], made["outcome"]) == (
        0,
        "get_weather",
        {"city": "Rome"},
        "strict",
    )
    assert found["results"] == [
        {"step": 0, "index": 0, "call_id": made["id"], "success": True, "result": {"sky": "clear"}, "error": None}
    ]
    assert [step["raw"] for step in found["steps"]] == [f"I look. {CALL}", "It is clear."]
    assert found["error"] is None
    assert found["loops"] == 1


def test_problems_have_their_step() -> None:
    found = Outcome(play(reply(BROKEN_CALL, finish="length"), reply("Sorry.")), 1).document()
    assert [(item["step"], item["code"], item["outcome"]) for item in found["problems"]] == [
        (0, "truncated", "reported")
    ]
    assert found["verdict"] == "fail"


def test_errors_are_in_the_document_and_in_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    failed = RecordedStep((RecordedTry(error=ErrorInfo(ErrorKind.CONNECT, "Refused.", hint="Start it.")),))
    outcome = Outcome(play(failed), 3)
    assert outcome.document()["error"]["kind"] == "connect"
    outcome.write()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "▲ connect: Refused. Start it."
    assert lines[1].startswith("▲ error  transport.connect")
    assert "run 3" in lines[1]


def test_a_run_that_is_not_over_has_a_document_too() -> None:
    outcome = Outcome([started()], None)
    assert outcome.state == "running"
    assert outcome.document()["answer"] == ""
    assert outcome.summary() == "simulated"
    assert Outcome([], None).document()["id"] is None


def test_several_runs_together() -> None:
    assert outcomes_state(["pass", "pass"]) == "too_few"
    assert outcomes_state(["pass", "pass", "error", "cancelled"]) == "too_few"
    assert outcomes_state(["pass", "pass", "pass", "error"]) == "pass"
    assert outcomes_state(["pass", "fail", "pass"]) == "flaky"
    assert outcomes_state(["fail"] * 3) == "fail"
    assert outcomes_state(["not_gradable"] * 5) == "not_gradable"
    assert outcomes_state(["error", "error"]) == "error"
