"""`history`, `show` and `diff` over recorded runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import runs
from tests.kit.history import Terminal, record
from tests.kit.playback import BROKEN_CALL, CALL, play, reply

IDS = [f"01890000-0000-7000-8000-00000000000{number}" for number in range(1, 6)]


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    record(
        play(reply("I look. ", CALL), reply("It is clear."), run_id=IDS[0]),
        play(reply(BROKEN_CALL, finish="length"), reply("Sorry."), run_id=IDS[1]),
        play(reply("Hello.\x1b[2J"), run_id=IDS[2], format_id="react"),
    )
    return Terminal(capsys)


def test_the_newest_comes_first(terminal: Terminal) -> None:
    rows = terminal.json("history")
    assert [row["number"] for row in rows] == [3, 2, 1]
    assert {"id", "started", "target", "verdict"} <= rows[0].keys()
    assert rows[0]["started"].endswith("Z")
    text = terminal("history")
    assert "● pass" in text
    assert "✕ fail" in text


def test_filters_limits_and_pages(terminal: Terminal) -> None:
    assert [row["number"] for row in terminal.json("history", "verdict:fail")] == [2]
    assert [row["number"] for row in terminal.json("history", "verdict:pass", "format:react")] == [3]
    assert [row["number"] for row in terminal.json("history", "--limit", "2")] == [3, 2]
    assert [row["number"] for row in terminal.json("history", "--before", "2")] == [1]
    assert [row["number"] for row in terminal.json("history", "-verdict:fail", "-format:react")] == [1]
    assert terminal.json("history", "-origin:try", "since:1d") == []
    terminal("history", "--no-such-option", code=2)
    terminal("history", "colour:red", code=2)
    assert "colour" in terminal.err


def test_the_short_option_for_help_is_no_filter(terminal: Terminal) -> None:
    assert terminal("history", "-h").startswith("Usage: workbench history")
    assert len(terminal.json("history", "-hello")) == 2


def test_an_empty_list_says_why(terminal: Terminal, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal("history", "model:nobody").startswith("run ")
    assert "No run matches" in terminal.err
    monkeypatch.setenv("WORKBENCH_HOME", str(home / "new"))
    terminal("history")
    assert "Nothing is recorded yet" in terminal.err


def test_counts(terminal: Terminal) -> None:
    found = terminal.json("history", "--counts")
    assert found["verdict"] == {"pass": 2, "fail": 1}
    assert "parse.truncated" in terminal("history", "--counts")


def test_an_empty_history_is_an_empty_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert Terminal(capsys).json("history") == []


def test_a_run_is_told_whole(terminal: Terminal) -> None:
    text = terminal("show", "1")
    for part in ("run 1 ·", "user: How is the weather", "│ I look.", "→ get_weather", "shown: I look.", "● pass"):
        assert part in text
    assert "\x1b" not in terminal("show", "3", "--wire")
    assert "POST https://recorded.invalid/v1/chat/completions" in terminal("show", IDS[2], "--wire")


def test_a_run_whose_reply_was_edited_is_one_line_and_names_what_was_given(terminal: Terminal) -> None:
    record(runs.edit_of("given", IDS[0]))
    assert [(row["number"], row["edited"]) for row in terminal.json("history")] == [(3, None), (2, None), (1, 4)]
    assert "● pass, edited" in terminal("history")
    assert "the client got the reply of run 4" in terminal("show", "1")
    assert "sent once more with another reply: run " + IDS[0] in terminal("show", "4")
    assert [row["number"] for row in terminal.json("history", "is:edit")] == [4]


def test_a_run_as_json_has_all_events(terminal: Terminal) -> None:
    found = terminal.json("show", IDS[0])
    kinds = [event["event"] for event in found["events"]]
    assert kinds[0] == "run_started"
    assert kinds[-1] == "verdict_given"
    assert (
        "".join(event["data"] for event in found["events"] if event["event"] == "chunk_received").count("[DONE]") == 2
    )
    assert found["number"] == 1


def test_unknown_runs_are_named(terminal: Terminal) -> None:
    for argv in (("show", "99"), ("show", "zzz"), ("diff", "1", "99")):
        terminal(*argv, code=2)
        assert terminal.err.startswith("workbench: ")
        assert argv[-1] in terminal.err


def test_two_runs_compared(terminal: Terminal) -> None:
    assert terminal("diff", "1", "1") == "No difference.\n"
    paths = {change["path"] for change in terminal.json("diff", "1", "2")["changes"]}
    assert {"verdict", "answer", "calls[0]"} <= paths
    assert not {path for path in paths if path.startswith(("messages", "configuration"))}
    assert "configuration.format" in terminal("diff", "1", "3")


def test_a_summary_by_model_and_format(terminal: Terminal) -> None:
    qwen, react = terminal.json("history", "--summary")
    assert (qwen["provider"], qwen["model"], qwen["format"], qwen["runs"]) == ("Recorded", "m", "qwen_xml", 2)
    assert (qwen["tool_calls"]["executed"], qwen["tool_calls"]["tried"]) == (1, 2)
    assert qwen["first_token_us"]["runs"] == 2
    assert (react["format"], react["tool_calls"]["met"]) == ("react", None)
    (newest,) = terminal.json("history", "--summary", "--limit", "1")
    assert newest["format"] == "react"
    assert "Recorded/m · qwen_xml" in terminal("history", "--summary")
    assert terminal.json("history", "--summary", "model:nobody") == []
