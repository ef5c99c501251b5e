"""Whole verifications from the command line: a leak is found, stopped ones go on, evidence that was altered is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.history import Terminal
from tests.unit.cli.test_verify import LEAK, REFERENCE, SELF
from tests.unit.verify.test_k2_files import GOOD, row

ALWAYS = ("--candidate", "provider=simulator,model=main-70b+template")


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def test_a_failure_exits_with_1_and_leaves_evidence(terminal: Terminal, tmp_path: Path) -> None:
    folder, report = tmp_path / "ev", tmp_path / "r.md"
    text = terminal(
        "verify", "main-70b", *REFERENCE, *ALWAYS, "--budget", "36", "--evidence", str(folder), "--markdown", str(report), code=1
    )  # fmt: skip
    assert "✕ FAIL" in text
    assert "Prompt tokens: A counts other prompt tokens" in text
    assert report.read_text("utf-8").startswith("# Verification of main-70b")
    assert "Evidence in" in terminal.err

    assert terminal("verify", "--check", str(folder)).startswith("unaltered: 36 records")
    lines = (folder / "exchanges.jsonl").read_text("utf-8").splitlines(keepends=True)
    lines[6] = lines[6].replace('"status":200', '"status":201')
    (folder / "exchanges.jsonl").write_text("".join(lines), "utf-8", newline="\n")
    told = terminal("verify", "--check", str(folder), code=1)
    assert "exchanges.jsonl, line 7 (pair 3" in told
    assert terminal.json("verify", "--check", str(folder), code=1)["unaltered"] is False


def test_other_files_are_seen_before_anything_is_sent(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    terminal("verify", "main-70b", *REFERENCE, *SELF, "--budget", "9", "--evidence", str(tmp_path), code=2)
    assert "holds other files" in terminal.err
    assert terminal.json("history") == []


def test_a_verification_is_shown_and_extended(terminal: Terminal) -> None:
    terminal("verify", "main-70b", *REFERENCE, *SELF, "--budget", "9")
    (listed,) = terminal.json("verify", "--list")
    assert (listed["model"], listed["done"], listed["endpoints"]) == ("main-70b", 9, 2)
    assert terminal.json("verify", "--show", "last")["verification"] == listed["id"]
    assert terminal.json("verify", "--resume", listed["id"], "--budget", "15")["pairs"]["complete"] == 5
    terminal("verify", "--resume", "last", code=2)
    assert "complete" in terminal.err


def test_it_goes_on_until_nothing_is_open_or_the_budget_is_spent(terminal: Terminal, tmp_path: Path) -> None:
    requests = tmp_path / "samples.jsonl"
    body = {"messages": [{"role": "user", "content": "Weather in Rome?"}], "tools": [
        {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]}  # fmt: skip
    requests.write_text("".join(json.dumps(body) + "\n" for _ in range(4)), "utf-8")
    common = ("verify", "main-70b", *REFERENCE, *SELF, "--requests", str(requests), "--budget", "36", "--until-decided")
    made = terminal.json(*common)
    assert made["pairs"]["complete"] in (8, 12)
    assert made["looks"] == made["pairs"]["complete"] // 4
    assert "going on" in terminal.err


def test_an_endpoint_that_never_answers_is_a_providers_error(terminal: Terminal) -> None:
    silent = ("--candidate", "provider=simulator,model=main-70b+500")
    terminal("verify", "main-70b", *REFERENCE, *silent, "--budget", "9", code=3)
    assert "answered none of 3 requests: server" in terminal.err


def test_recorded_results_are_verified_without_a_request(terminal: Terminal, tmp_path: Path) -> None:
    def write(name: str, rows: list[dict]) -> str:
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
        return f"results={path}"

    official = write("official", [row(at, "tool_calls", GOOD) for at in range(1, 41)])
    vendor = write(
        "vendor", [row(at, "stop" if at % 2 else "tool_calls", *([] if at % 2 else [GOOD])) for at in range(1, 41)]
    )
    common = ("verify", "k2", "--reference", official, "--candidate", vendor, "--policy", "kimi-k2-0905")
    made = terminal.json(*common, code=1)
    assert made["candidates"][0]["k2"]["tool_call_f1"] == pytest.approx(2 / 3)
    assert made["candidates"][0]["k2"]["counts"] == {"TP": 20, "FP": 0, "FN": 20, "requests": 40}
    text = terminal(*common, code=1)
    assert "tool_call_f1 0.6667 (precision 1.0000, recall 0.5000; TP 20, FP 0, FN 20), schema_accuracy 1.0000." in text
    assert "Nothing was found that they do not see." in text
    terminal(*common, "--evidence", str(tmp_path / "ev"), code=2)
    assert "own evidence" in terminal.err
    assert "Leave out --evidence." in terminal.err
    terminal(*common, "--k2", str(tmp_path / "k2"), code=1)
    whole = {path.parent.name: json.loads(path.read_text()) for path in (tmp_path / "k2").glob("*/summary.json")}
    assert {name: one["finish_tool_calls"] for name, one in whole.items()} == {"reference": 40, "A": 20}
    assert terminal.json("history") == []


def test_k2_files_go_out(terminal: Terminal, tmp_path: Path) -> None:
    terminal("verify", "main-70b", *REFERENCE, *LEAK, "--budget", "9", "--k2", str(tmp_path / "k2"))
    assert sorted(path.name for path in (tmp_path / "k2").iterdir()) == ["A", "reference"]
