"""How several runs are shown: in order, with honest rates."""

from __future__ import annotations

import json
import sys

import pytest

from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from workbench.app import RunDraft
from workbench.cli.failures import OutputClosed
from workbench.cli.inputs import prompt_case
from workbench.cli.options import TargetOptions
from workbench.cli.run_job import Job
from workbench.cli.run_order import RunOrder
from workbench.cli.run_report import Reporter, joint_state, rate_interval
from workbench.core.events import VerdictGiven
from workbench.core.verdict import Basis, Verdict, VerdictState

CASE = prompt_case("hi", case_id="a")
GOOD = play(reply(CALL), reply("Done."))
BAD = play(reply(BROKEN_CALL, finish="length"), reply("Sorry."))


def reporter(output: str, runs: int = 1, **order: object) -> Reporter:
    return Reporter(RunOrder((CASE,), TargetOptions(), repeat=runs, output=output, **order))  # type: ignore[arg-type]


def job() -> Job:
    made = Job("a", 0, RunDraft(CASE.messages, TargetOptions(provider="P", model="m").resolve()))
    made.number = 4
    return made


def test_one_run_is_told_on_stderr_and_answered_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    shown, made = reporter("text"), job()
    shown.watcher(made)(GOOD)
    shown.ended(made)
    shown.close()
    seen = capsys.readouterr()
    assert "Executor  request" in seen.err
    assert seen.out.startswith("Done.\n● pass  Answered")


def test_quiet_and_parallel_runs_are_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    for order in ({"quiet": True}, {"parallel": 2}):
        reporter("text", **order).watcher(job())(GOOD)
    assert capsys.readouterr().err == ""


def test_json_is_one_document_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    shown = reporter("json", 2, quiet=True)
    for events in (GOOD, BAD):
        made = job()
        shown.watcher(made)(events)
        shown.ended(made)
    shown.close()
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["case"], row["verdict"]) for row in rows] == [("a", "pass"), ("a", "fail")]


def test_facts_are_printed_as_they_are_committed(capsys: pytest.CaptureFixture[str]) -> None:
    shown, made = reporter("events"), job()
    watch = shown.watcher(made)
    watch(GOOD[:2])
    first = capsys.readouterr().out.splitlines()
    watch(GOOD[2:])
    shown.ended(made)
    rest = capsys.readouterr().out.splitlines()
    assert (len(first), len(first) + len(rest)) == (2, len(GOOD))
    assert {json.loads(line)["run"] for line in (*first, *rest)} == {GOOD[0].run_id}


def test_closed_output_ends_only_printing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def write(self, text: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None:
            return

    shown, made = reporter("events"), job()
    monkeypatch.setattr(sys, "stdout", Gone())
    watch = shown.watcher(made)
    watch(GOOD)
    watch(GOOD)
    assert shown.closed
    with pytest.raises(OutputClosed):
        shown.close()


def test_sums_of_repeats(capsys: pytest.CaptureFixture[str]) -> None:
    shown = reporter("text", 4, quiet=True)
    for events in (GOOD, GOOD, BAD, GOOD):
        made = job()
        shown.watcher(made)(events)
        shown.ended(made)
    shown.close()
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("● pass  a ") for line in lines) == 3
    assert lines[-1].split() == ["a", "◐", "flaky", "3/4", "0.30", "–", "0.95"]


def test_ungraded_runs_are_no_errors(capsys: pytest.CaptureFixture[str]) -> None:
    shown = reporter("text", 2, quiet=True)
    for state in (VerdictState.NOT_GRADABLE, VerdictState.ERROR):
        made = job()
        given = VerdictGiven(Verdict(state, Basis.INTRINSIC, "so"))
        shown.watcher(made)([*(event for event in GOOD if not isinstance(event, VerdictGiven)), given])
        shown.ended(made)
    shown.close()
    last = capsys.readouterr().out.splitlines()[-1]
    assert "1 not gradable, 1 error" in last


def test_no_rate_under_three_runs() -> None:
    assert rate_interval(2, 2) == "too few"
    assert rate_interval(3, 3) == "0.44 – 1.00"


def test_several_runs_together() -> None:
    assert joint_state(["pass", "pass"]) == "too_few"
    assert joint_state(["pass", "pass", "error", "cancelled"]) == "too_few"
    assert joint_state(["pass", "pass", "pass", "error"]) == "pass"
    assert joint_state(["pass", "fail", "pass"]) == "flaky"
    assert joint_state(["fail"] * 3) == "fail"
    assert joint_state(["not_gradable"] * 5) == "not_gradable"
    assert joint_state(["error", "error"]) == "error"
