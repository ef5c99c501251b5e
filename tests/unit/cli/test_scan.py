from __future__ import annotations

import json
import signal
from pathlib import Path

from tests.kit.command import start, workbench
from tests.kit.new_dialects import unknown_calls
from tests.kit.scanning import LEAK, claude_reply, claude_user, said, written
from tests.kit.waiting import LIMIT_S, wait_until


def run(tmp_path: Path, *argv: str, stdin: str = ""):
    return workbench("scan", *argv, stdin=stdin, WORKBENCH_HOME=str(tmp_path / "home"), HOME=str(tmp_path))


def session(tmp_path: Path, name: str = "s1.jsonl", text: str = LEAK) -> Path:
    return written(tmp_path / "in" / name, claude_user("x"), *claude_reply("m", said(text)))


def test_a_table_of_findings(tmp_path: Path) -> None:
    session(tmp_path)
    session(tmp_path, "s2.jsonl", "Fine.")
    done = run(tmp_path, str(tmp_path / "in"))
    assert done.code == 0, done.err
    assert "main-70b · Claude Code" in done.out
    assert "tool_markup_in_content" in done.out
    assert "s1.jsonl:2" in done.out
    assert "1 finding in 2 replies" in done.out


def test_the_json_document(tmp_path: Path) -> None:
    told = run(tmp_path, "--json", str(session(tmp_path))).json()
    (finding,) = told["findings"]
    assert (finding["kind"], finding["tool"], finding["format"], finding["model"]) == (
        "tool_markup_in_content",
        "get_weather",
        "qwen_xml",
        "main-70b",
    )
    assert finding["raw"][slice(*finding["span"])] == LEAK
    assert told["counts"] == {"tool_markup_in_content": 1}
    assert told["sources"][0]["kind"] == "claude-code"


def test_calls_in_unknown_markup_lead_to_a_format(tmp_path: Path) -> None:
    path = unknown_calls(tmp_path / "calls.jsonl")
    (dialect,) = run(tmp_path, "--json", str(path)).json()["dialects"]
    assert (dialect["shape"], dialect["count"]) == ("<<call NAME … >>", 3)
    told = run(tmp_path, str(path)).out
    assert "Calls in markup that no format reads, 3 times: <<call NAME … >>" in told
    assert f"workbench formats draft {path}" in told


def test_more_findings_than_allowed_fail_the_command(tmp_path: Path) -> None:
    path = str(session(tmp_path))
    assert [run(tmp_path, path, "--max-findings", limit).code for limit in ("0", "1")] == [1, 0]


def test_findings_become_runs(tmp_path: Path) -> None:
    (finding,) = run(tmp_path, str(session(tmp_path)), "--record", "--json").json()["findings"]
    (row,) = workbench("history", "origin:scan", "--json", WORKBENCH_HOME=str(tmp_path / "home")).json()
    assert row["id"] == finding["run"]


def test_a_text_on_standard_input(tmp_path: Path) -> None:
    done = run(tmp_path, "-", "--json", stdin=f"I look.\n{LEAK}")
    assert done.json()["sources"][0]["kind"] == "text"


def test_what_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Just a sentence.")
    for argv, told in (
        (["/nowhere"], "There is nothing at '/nowhere'"),
        ([str(tmp_path / "a.txt")], "is not known. Tried: "),
        (["--from", "haar", str(tmp_path / "a.txt")], "Did you mean 'har'"),
        ([], "No sessions of agents were found"),
    ):
        done = run(tmp_path, *argv)
        assert (done.code, done.out) == (2, "")
        assert told in done.err
        assert len(done.err.strip().splitlines()) == 1


def test_an_interrupt_keeps_what_was_found(tmp_path: Path) -> None:
    rows = [json.dumps({"text": LEAK if number % 1000 == 0 else "Fine. " * 50}) for number in range(200_000)]
    (tmp_path / "long.jsonl").write_text("\n".join(rows))
    out, err = tmp_path / "out", tmp_path / "err"
    process = start(
        "scan", "--json", str(tmp_path / "long.jsonl"), out=out, err=err, WORKBENCH_HOME=str(tmp_path / "home")
    )
    handled = Path(f"/proc/{process.pid}/io")
    wait_until(
        lambda: process.poll() is not None or int(handled.read_text().split("rchar: ")[1].split()[0]) > 20_000_000
    )
    process.send_signal(signal.SIGINT)
    assert process.wait(LIMIT_S) == 130, err.read_text()
    told = json.loads(out.read_text())
    assert told["partial"] is True
    assert 0 < told["read"] < 200_000


def test_a_file_without_a_reply_is_said_so(tmp_path: Path) -> None:
    result = run(tmp_path, str(session(tmp_path)), "--from", "har")
    assert "no reply of a model stands in it, read as: HTTP archive" in result.err
    assert "nothing found in 0 replies" in result.out
