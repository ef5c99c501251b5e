"""Dead and hostile endpoints through the command line: one clear message, exit code 3, and nothing lost."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.kit.command import Done, command, kill, start, wait_for_lines, workbench
from tests.kit.llama_server import free_port
from tests.kit.odd_server import odd_server
from tests.kit.waiting import LIMIT_S
from workbench.app.data_folder import DataFolder
from workbench.cli.run_json import event_json
from workbench.cli.text import json_text
from workbench.core.verdict import VerdictState

SECRET = "sk-very-secret-0123456789"


def ask(base_url: str, *argv: str, **environment: str) -> Done:
    return workbench("run", "--base-url", base_url, "--model", "m", "--json", *argv, "hello", **environment)


def stored() -> dict:
    """The one run there is, as it was recorded."""
    (row,) = workbench("history", "--json").json()
    return workbench("show", row["id"], "--json").json()


def assert_recorded(done: Done, kind: str, body: str = "") -> dict:
    """The command said it, and so does the record."""
    assert done.code == 3, done.err
    told = done.json()
    assert told["verdict"] == "error"
    assert told["error"]["kind"] == kind
    assert told["error"]["message"]
    assert "Traceback" not in done.err
    record = stored()
    assert record["verdict"] == "error"
    received = "".join(event["data"] for event in record["events"] if event["event"] == "chunk_received")
    assert body in received
    return told["error"]


def test_wrong_key(home: Path) -> None:
    body = {"error": {"message": f"Incorrect API key provided: {SECRET}", "code": "invalid_api_key"}}
    with odd_server(401, json.dumps(body).encode()) as base_url:
        done = ask(base_url, "--key-env", "ODD_KEY", ODD_KEY=SECRET)
    error = assert_recorded(done, "auth", "invalid_api_key")
    assert error["status"] == 401
    assert SECRET not in done.out + done.err
    assert not [path for path in home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_dead_endpoint() -> None:
    done = ask(f"http://127.0.0.1:{free_port()}/v1")
    assert_recorded(done, "connect")


def test_html_page_instead_of_json() -> None:
    page = b"<!doctype html><html><body><h1>Welcome to the router</h1></body></html>"
    with odd_server(200, page, "text/html") as base_url:
        done = ask(base_url)
    assert_recorded(done, "protocol", "Welcome to the router")


def test_cut_stream_keeps_received_text() -> None:
    piece = {"choices": [{"index": 0, "delta": {"content": "The beginning of"}, "finish_reason": None}]}
    with odd_server(200, f"data: {json.dumps(piece)}\n\n".encode(), "text/event-stream", cut=True) as base_url:
        done = ask(base_url)
    assert_recorded(done, "cut_off", "The beginning of")
    assert done.json()["steps"][0]["raw"] == "The beginning of"


@pytest.mark.parametrize(
    ("switch", "kinds"), [("html", {"protocol"}), ("half", {"cut_off"}), ("reset", {"cut_off", "connect"})]
)
def test_simulated_trouble(switch: str, kinds: set[str]) -> None:
    fast = '{"simulate": {"tokens_per_second": 0, "first_token_s": 0}}'
    done = workbench(
        "run", "--model", f"mistral-steady+{switch}", "--extra", fast, "--json", "-q", "Say a long sentence."
    )
    assert done.code == 3
    assert done.json()["error"]["kind"] in kinds


def test_text_output_names_the_trouble_once() -> None:
    with odd_server(401, b'{"error": {"message": "no such key"}}') as base_url:
        done = workbench("run", "--base-url", base_url, "--model", "m", "-q", "hello")
    assert done.code == 3
    assert done.err == ""
    assert done.out.count("no such key") == 1
    assert "▲ error" in done.out


def test_unknown_model_at_the_provider() -> None:
    done = workbench("run", "--model", "nobody", "-q", "hello")
    assert done.code == 3
    assert done.out.startswith("▲ not_found 404: There is no simulated model 'nobody'.")


SLOW = '{"simulate": {"tokens_per_second": 60, "first_token_s": 0, "tokens_per_delta": 1, "rates": {"*": 0}}}'
CHATTY = "Tell me in many words what you would do with a file, and do it slowly."
STREAMING = ("run", "--model", "qwen-hasty", "--extra", SLOW, "--events", "--repeat", "5", CHATTY)


@pytest.mark.parametrize("lines", [1, 3, 6, 9, 14, 22])
def test_printed_events_are_on_disk_after_a_kill(lines: int, tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    process = start(*STREAMING, out=out, err=err)
    try:
        wait_for_lines(out, lines, process)
    finally:
        kill(process)
    printed: dict[str, list[dict]] = {}
    for line in out.read_text(encoding="utf-8").split("\n")[:-1]:
        event = json.loads(line)
        printed.setdefault(event.pop("run"), []).append(event)
    assert sum(map(len, printed.values())) >= lines
    for run_id, events in printed.items():
        record = workbench("show", run_id, "--json").json()["events"]
        assert [plain(event) for event in record[: len(events)]] == [plain(event) for event in events]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("times", [2, pytest.param(4, marks=pytest.mark.long)])
def test_random_kills_lose_no_printed_event(times: int, tmp_path: Path) -> None:
    """Five programs at a time stream into one database and are killed one after the other."""
    chance = random.Random(2026)
    printed: dict[str, list[dict]] = {}
    for batch in range(times):
        outs = [tmp_path / f"{batch}-{number}" for number in range(5)]
        running = [start(*STREAMING, out=out, err=out.with_suffix(".err")) for out in outs]
        try:
            for out, process in zip(outs, running, strict=True):
                wait_for_lines(out, 1, process)
                time.sleep(chance.uniform(0, 0.6))
                assert kill(process) in (-signal.SIGKILL, 0)  # 0: it ended before its turn came
        finally:
            for process in running:
                process.kill()
                process.wait(LIMIT_S)
        for out in outs:
            for line in out.read_text(encoding="utf-8").split("\n")[:-1]:
                event = json.loads(line)
                printed.setdefault(event.pop("run"), []).append(plain(event))
    assert len(printed) >= times * 5
    with DataFolder.find() as folder:
        store = folder.store
        assert store.check().problems == ()
        for run_id, events in printed.items():
            stored = store.load(run_id)
            record = [plain(json.loads(json_text(event_json(event)))) for event in stored.events]
            assert record[: len(events)] == events
            assert stored.verdict.state is not VerdictState.RUNNING


def plain(event: dict) -> dict:
    """What of an event is stored: the text shown is made again from the bytes."""
    return {key: value for key, value in event.items() if key != "shown"}


@pytest.mark.parametrize("lines", [4, 12])
def test_interrupt_keeps_received_events(lines: int, tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    process = start("run", "--model", "qwen-hasty+slow", "--events", CHATTY, out=out, err=err)
    wait_for_lines(out, lines, process)
    assert kill(process, signal.SIGINT) == 130
    told = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert told[-1]["verdict"]["state"] == "cancelled"
    assert told[-2]["cancel"] == "user"
    assert "what has arrived is kept" in err.read_text(encoding="utf-8")
    assert "Traceback" not in err.read_text(encoding="utf-8")
    assert stored()["verdict"] == "cancelled"


def test_closed_output_pipe_does_not_end_the_run(tmp_path: Path) -> None:
    argv = command(["run", "--model", "mistral-steady", "--events", "hello"])
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 0
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert stored()["verdict"] in ("pass", "not_gradable")
