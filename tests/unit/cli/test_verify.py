"""`workbench verify` with simulated vendors: what is asked for, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.history import Terminal

REFERENCE = ("--reference", "provider=simulator")
LEAK = ("--candidate", "provider=simulator,model=main-70b+leak")
SELF = ("--candidate", "provider=simulator")


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def test_a_document_of_the_promised_shape(terminal: Terminal) -> None:
    made = terminal.json("verify", "main-70b", *REFERENCE, *SELF, "--budget", "24", "--quiet")
    assert [one["target"] for one in made["candidates"]] == ["Simulator/main-70b"]
    names = {metric["name"] for metric in made["candidates"][0]["metrics"]}
    assert {"request_success", "trigger_f1", "leaked_as_text", "prompt_tokens"} <= names
    assert made["pairs"] == {"planned": 8, "complete": 8}
    assert made["reference"]["measured"] == 2


def test_a_plan_sends_nothing(terminal: Terminal) -> None:
    plan = terminal.json("verify", "main-70b", *REFERENCE, *LEAK, *SELF, "--plan")
    assert plan["requests"] == sum(row["requests"] for row in plan["plan"]) == 4 * plan["pairs"]
    assert "nothing was sent" in terminal("verify", "main-70b", *REFERENCE, *LEAK, "--plan")
    assert terminal.json("history") == []


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ((), "Which model?"),
        (("m",), "no reference"),
        (("main-70b", *REFERENCE), "no candidate"),
        (("main-70b", *REFERENCE, *REFERENCE, *SELF), "two references"),
        (("main-70b", "--reference", "provider=nope", *SELF), "no provider 'nope'"),
        (("main-70b", *REFERENCE, *SELF, "--budget", "2"), "less than one pair"),
        (("main-70b", *REFERENCE, *SELF, "--policy", "hard"), "no policy 'hard'"),
        (("main-70b", *REFERENCE, *SELF, "--requests", "none.jsonl"), "cannot be read"),
        (("main-70b", *REFERENCE, *SELF, "--streams", "maybe"), "no way 'maybe'"),
        (("main-70b", *REFERENCE, *SELF, "--until-decided"), "which budget"),
        (("main-70b", *REFERENCE, "--candidate", "results=x.jsonl"), "beside recorded ones only"),
        (("main-70b", "--reference", "results=x.jsonl", *SELF), "cannot be read"),
        (("main-70b", "--resume", "last"), "has its model"),
        (("--show", "last"), "no verification"),
        (("--resume", "last"), "no verification"),
        (("--check", "none"), "holds no manifest"),
    ],
)
def test_what_makes_no_sense_is_told(
    argv: tuple[str, ...], told: str, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    terminal("verify", *argv, code=2)
    assert told in terminal.err


def test_nothing_was_verified_yet(terminal: Terminal) -> None:
    assert "No verification" in terminal("verify", "--list")
    assert terminal.json("verify", "--list") == []
