from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.history import Terminal
from tests.unit.cli.test_suite import TARGET, WEATHER


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def run(terminal: Terminal, home: Path) -> str:
    """A run that the machine fails, as the case is wrong."""
    folder = home / "suites" / "mine"
    folder.mkdir(parents=True)
    (folder / "weather.yaml").write_text(WEATHER % "Paris")
    made = terminal.json("suite", "run", "mine", "--target", TARGET, "--repeat", "2", "--min-rate", "0", code=0)
    return str(made["cases"][0]["cells"][0]["runs"][0])


def test_a_verdict_is_set_and_taken_back_beside_the_machines(terminal: Terminal, run: str, tmp_path: Path) -> None:
    made = terminal.json("verdict", "set", run, "pass", "--why", "Rome was asked for", "--by", "me")
    assert (made["machine"], made["by_hand"]) == ("fail", "pass")

    shown = terminal.json("suite", "show")
    assert shown["targets"][0]["passed"] == 0
    assert shown["by_hand"] == [{"target": 0, "set": 1, "changed": 1, "machine": [0, 2], "by_hand": [1, 2]}]
    assert "1 verdict set by hand, counted apart: A 1/2 instead of 0/2 (1 changed)." in terminal("suite", "show")
    terminal("suite", "show", "--report", f"html={tmp_path / 'r.html'}")
    assert "1 verdict set by hand, counted apart: A 1/2 instead of 0/2" in (tmp_path / "r.html").read_text()
    assert "hand and machine agree on 0 of 1 runs" in terminal("verdict", "agreement")

    told = terminal("show", run)
    assert "by hand: pass · me, 2" in told
    assert ": Rome was asked for\npass by hand holds; the machine says fail\n" in told
    document = terminal.json("show", run)
    assert (document["by_hand"], [one["state"] for one in document["said"]]) == ("pass", ["pass"])
    assert "✕ fail, by hand pass" in terminal("history")
    assert [(row["id"], row["by_hand"]) for row in terminal.json("history", "is:by_hand")] == [(run, "pass")]
    assert run not in [row["id"] for row in terminal.json("history", "-is:by_hand")]

    made = terminal.json("verdict", "clear", run, "--by", "me", "--why", "the case was meant so")
    assert made["by_hand"] is None
    assert [(one["state"], one["why"]) for one in made["said"]] == [
        ("pass", "Rome was asked for"), (None, "the case was meant so"),
    ]  # fmt: skip
    assert "taken back" in terminal("verdict", "show", run)
    assert terminal.json("suite", "show")["by_hand"] == []
    assert "by hand: taken back" in terminal("show", run)
    assert "holds" not in terminal("show", run)
    assert terminal.json("history", "is:by_hand") == []


def test_a_judge_stands_beside_and_its_agreement_is_told(terminal: Terminal, run: str) -> None:
    made = terminal.json("verdict", "judge", "last", "--target", TARGET, "--quiet")
    assert [one["kind"] for one in made["judged"]] == ["judge", "judge"]
    assert all(one["transcript"] for one in made["judged"])
    assert terminal.json("suite", "show")["by_hand"] == []
    found = terminal.json("verdict", "agreement")
    assert (found["pairs"][0]["first"], found["pairs"][0]["second"]) == ("hand", "judge")
    assert "before trusting a judge" in terminal("verdict", "agreement")


def test_wrong_use(terminal: Terminal, run: str) -> None:
    for argv in (
        ("set", run, "maybe", "--why", "x"), ("set", run, "pass"), ("set", "none", "pass", "--why", "x"),
        ("clear", run), ("agreement", "none"), ("judge", "none", "--target", TARGET),
    ):  # fmt: skip
        terminal("verdict", *argv, code=2)
