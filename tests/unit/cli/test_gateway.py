from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.kit.command import start, workbench
from tests.kit.gateway import ASK
from tests.kit.waiting import LIMIT_S, wait_until


def serve(tmp_path: Path, *options: str) -> tuple:
    """A gateway process, its output and its address."""
    out = tmp_path / "out"
    process = start(
        "gateway",
        "--port",
        "0",
        "--json",
        *options,
        out=out,
        err=tmp_path / "err",
        WORKBENCH_HOME=str(tmp_path / "home"),
    )
    wait_until(lambda: (out.exists() and "\n" in out.read_text()) or process.poll() is not None)
    return process, out, json.loads(out.read_text().splitlines()[0])


def test_gateway_prints_exchanges_until_interrupted(tmp_path: Path) -> None:
    process, out, listening = serve(tmp_path, "--map", "*=Simulator/mistral-steady")
    try:
        headers = {"x-api-key": listening["token"]}
        reply = httpx.post(f"{listening['url']}/v1/chat/completions", json=ASK, headers=headers, timeout=LIMIT_S)
        assert reply.json()["choices"][0]["finish_reason"] == "tool_calls"
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT_S) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["listening", "exchange", "ended"]
    assert lines[1]["target"].startswith("Simulator/mistral-steady")
    assert lines[2]["exchanges"] == 1
    assert workbench("history", "--json", WORKBENCH_HOME=str(tmp_path / "home")).json()[0]["id"] == lines[1]["run"]


def test_findings_above_the_limit_fail_the_command(tmp_path: Path) -> None:
    process, _, listening = serve(tmp_path, "--no-token", "--max-findings", "0", "--map", "*=Simulator/qwen-cut")
    try:
        for seed in range(3):
            body = {**ASK, "seed": seed, "simulate": {"rates": {"cut at the limit": 1}, "tokens_per_second": 0}}
            httpx.post(f"{listening['url']}/v1/chat/completions", json=body, timeout=LIMIT_S)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--mode", "magic"], "--mode 'magic' is not known"),
        (["--map", "nonsense"], "is not PATTERN=TARGET"),
        (["--token", "x", "--no-token"], "exclude each other"),
        (["--record", "some"], "--record 'some' is not known"),
        (["--hold", "all"], "--hold 'all' is not known"),
    ],
)
def test_wrong_use_is_one_line(tmp_path: Path, options: list[str], said: str) -> None:
    done = workbench("gateway", *options, WORKBENCH_HOME=str(tmp_path))
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_held_request_is_decided_about_on_stdin(tmp_path: Path) -> None:
    """The process reads its decisions from a pipe."""
    command = [sys.executable, "-m", "workbench", "gateway", "--port", "0", "--json", "--no-token", "--hold", "request",
               "--hold-seconds", "100", "--map", "*=Simulator/mistral-steady", "--record", "nothing"]  # fmt: skip
    environment = {**os.environ, "WORKBENCH_HOME": str(tmp_path / "home")}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        try:
            with ThreadPoolExecutor(1) as pool:
                asking = pool.submit(httpx.post, f"{url}/v1/chat/completions", json=ASK, timeout=LIMIT_S)
                told = json.loads(process.stdout.readline())
                assert (told["event"], told["document"]["model"]) == ("held", "m")
                process.stdin.write(f"refuse {told['number']}\n")
                process.stdin.flush()
                assert asking.result(LIMIT_S).status_code == 503
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(LIMIT_S) == 0
    assert workbench("history", "--json", WORKBENCH_HOME=str(tmp_path / "home")).json() == []
