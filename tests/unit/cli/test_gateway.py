from __future__ import annotations

import json
import signal
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
    ],
)
def test_wrong_use_is_one_line(tmp_path: Path, options: list[str], said: str) -> None:
    done = workbench("gateway", *options, WORKBENCH_HOME=str(tmp_path))
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
