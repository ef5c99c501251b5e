"""The real application over simulated models, through the command line; then the records are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.command import workbench

FAST = '{"simulate": {"tokens_per_second": 0, "first_token_s": 0, "rates": {"*": 0}}}'
TOOLS = {
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "get_weather",
                "description": "Current weather of a city",
                "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            },
        }
    ],
    "mocks": {"get_weather": {"result": {"sky": "clear", "temperature": 19}}},
}
PROMPT = "How is the weather in Rome?"


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS))
    return str(path)


def run(*argv: str, **environment: str):
    return workbench("run", "--extra", FAST, *argv, **environment)


def test_one_run_from_prompt_to_history(tools: str) -> None:
    done = run("--model", "mistral-steady", "--tools", tools, "--seed", "1", "--json", PROMPT)
    assert done.code == 0, done.err
    told = done.json()
    assert told["verdict"] == "pass"
    assert told["simulated"] is True
    assert [(call["name"], call["arguments"]) for call in told["calls"]] == [("get_weather", {"city": "Rome"})]
    assert told["results"][0]["result"] == {"sky": "clear", "temperature": 19}
    assert told["answer"]
    assert "simulated" in done.err
    assert 'get_weather(city = "Rome")' in done.err

    rows = workbench("history", "--json").json()
    assert [row["id"] for row in rows] == [told["id"]]
    assert {"id", "started", "target", "verdict"} <= rows[0].keys()

    shown = workbench("show", str(told["number"]), "--json").json()
    kinds = [event["event"] for event in shown["events"]]
    assert kinds[0] == "run_started"
    assert kinds[-2:] == ["run_finished", "verdict_given"]
    assert "chunk_received" in kinds
    text = workbench("show", told["id"]).out
    assert PROMPT in text
    assert told["answer"] in text
    assert "● pass" in text


def test_a_text_format_tells_raw_output_calls_and_answer(tools: str) -> None:
    done = run("--model", "qwen-hasty", "--format", "qwen_xml", "--tools", tools, "--seed", "1", PROMPT)
    assert done.code == 0, done.err
    assert "<tool_call>" in done.err
    assert "<tool_call>" not in done.out
    assert "● pass" in done.out
    wire = workbench("show", "1", "--wire").out
    assert "POST http://127.0.0.1" in wire


def test_boost_mode_shows_its_loops(tools: str) -> None:
    done = run("--model", "mistral-steady", "--boost", "plain", "--tools", tools, "--seed", "3", "--json", PROMPT)
    assert done.code == 0, done.err
    told = done.json()
    assert told["loops"] >= 1
    assert {step["role"] for step in told["steps"]} >= {"planner"}
    assert "Loop 0" in done.err


def test_repeats_give_a_rate_only_from_three_runs_on(tools: str) -> None:
    argv = ("--model", "mistral-steady", "--tools", tools, "--seed", "1", "-q", PROMPT)
    two = run("--repeat", "2", *argv)
    assert "too few" in two.out
    assert "–" not in two.out
    three = run("--repeat", "3", "--parallel", "3", *argv)
    assert "3/3" in three.out
    assert "0.44 – 1.00" in three.out


def test_a_batch_gives_its_rows_in_order(tools: str, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "prompt": PROMPT},
        {"id": "b", "messages": [{"role": "user", "content": "How is the weather in Oslo?"}]},
        {"id": "c", "prompt": PROMPT, "target": "model=qwen-hasty,format=react"},
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(map(json.dumps, rows)))
    done = run("--batch", str(batch), "--model", "mistral-steady", "--tools", tools, "--json", "-q", "--parallel", "3")
    assert done.code == 0, done.err
    found = done.lines()
    assert [row["case"] for row in found] == ["a", "b", "c"]
    assert found[1]["calls"][0]["arguments"] == {"city": "Oslo"}
    assert found[2]["format"] == "react"


def test_a_tool_in_record_mode_ends_the_run(tools: str) -> None:
    done = run("--model", "mistral-steady", "--tools", tools, "--tool-mode", "record", "--json", "-q", PROMPT)
    assert done.json()["stop"] == "recorded"


def test_a_check_fails_with_one(tools: str) -> None:
    argv = ("--model", "mistral-steady", "--tools", tools, "--iterations", "1", "-q", "--check", PROMPT)
    done = run(*argv)
    assert done.code == 1
    assert "loop.iterations" in done.out


def test_events_are_the_record(tools: str) -> None:
    done = run("--model", "qwen-hasty", "--format", "qwen_xml", "--tools", tools, "--events", PROMPT)
    assert done.code == 0, done.err
    told = done.lines()
    (run_id,) = {line.pop("run") for line in told}
    stored = workbench("show", run_id, "--json").json()["events"]
    assert [comparable(event) for event in told] == [comparable(event) for event in stored]


def comparable(event: dict) -> dict:
    """What of an event is stored: the text shown is made again from the bytes."""
    return {key: value for key, value in event.items() if key != "shown"}


def test_replays_of_a_fresh_run_are_the_same(tools: str) -> None:
    run("--model", "qwen-hasty", "--format", "qwen_xml", "--tools", tools, "--seed", "4", "-q", PROMPT)
    for mode in ("parse", "offline", "live"):
        done = workbench("replay", "--run", "1", "--mode", mode, "--json")
        assert done.code == 0, done.err
        (found,) = done.json()
        assert (found["number"], found["verdict"], found["changes"]) == (1, "same", [])
    assert workbench("replay", "--all").out.strip().endswith("2 same")


def test_two_runs_compared(tools: str) -> None:
    for model in ("mistral-steady", "qwen-hasty"):
        run("--model", model, "--tools", tools, "-q", PROMPT)
    done = workbench("diff", "1", "2", "--json")
    paths = [change["path"] for change in done.json()["changes"]]
    assert "configuration.executor.model" in paths
    assert workbench("diff", "1", "1").out == "No difference.\n"


def test_the_database_is_checked_and_copied(tools: str, tmp_path: Path) -> None:
    run("--model", "mistral-steady", "--tools", tools, "-q", PROMPT)
    report = workbench("db", "check", "--json").json()
    assert report["runs"] == 1
    assert report["problems"] == []
    copy = tmp_path / "copy.db"
    assert workbench("db", "backup", str(copy)).code == 0
    assert copy.stat().st_size > 0
    again = workbench("db", "backup", str(copy))
    assert again.code == 2
    assert "exists already" in again.err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("show", "77"), "77"),
        (("history", "verdikt:fail"), "verdict"),
        (("run", "--provider", "Nowhere", "--model", "m", "x"), "Nowhere"),
        (("run", "--model", "mistral-steady", "--format", "qwen_xlm", "x"), "qwen_xml"),
        (("run", "--model", "mistral-steady", "--tools", "/no/such.json", "x"), "/no/such.json"),
        (("run", "--model", "mistral-steady", ""), "empty"),
        (("replay", "--run", "5"), "5"),
        (("replay", "--run", "1", "--mode", "sideways"), "sideways"),
        (("replay",), "Which runs"),
        (
            ("run", "--base-url", "http://127.0.0.1:9/v1", "--key-env", "NO_SUCH_KEY", "--model", "m", "x"),
            "NO_SUCH_KEY",
        ),
    ],
)
def test_wrong_use_is_one_clear_line(argv: tuple[str, ...], told: str) -> None:
    done = workbench(*argv)
    assert done.code == 2
    assert done.out == ""
    complaint = [line for line in done.err.splitlines() if line.startswith("workbench: ")]
    assert len(complaint) == 1
    assert told in complaint[0]
    assert "Traceback" not in done.err
