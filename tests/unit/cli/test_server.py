"""`workbench server`: start with a live log, list and stop across processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.kit.command import start as start_command
from tests.kit.command import wait_for_lines
from tests.kit.fake_llama_server import alive, fake_llama_server
from tests.kit.history import Terminal
from tests.kit.tiny_gguf import write_model
from tests.kit.waiting import LIMIT_S
from workbench.localserver.process import free_port


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLAMACPP_SERVER", str(fake_llama_server(tmp_path / "bin")))
    return write_model(tmp_path / "Qwen2.5-tiny.gguf")


@pytest.fixture
def foreground(model: Path, tmp_path: Path):
    """`server start` as a process of its own, ready."""
    out, err = tmp_path / "out", tmp_path / "err"
    process = start_command("server", "start", str(model), "--json", out=out, err=err)
    try:
        wait_for_lines(out, 1, process)
        yield process, json.loads(out.read_text()), err
    finally:
        process.kill()
        process.wait()


def test_detach_list_stop(terminal: Terminal, model: Path) -> None:
    row = terminal.json("server", "start", str(model), "--alias", "mine", "--detach")
    try:
        assert (row["model"], row["state"], row["owner"], row["family"]) == ("mine", "ready", "detached", "qwen25")
        assert "server is listening" in terminal.err
        (listed,) = terminal.json("server", "list")
        assert listed == row
        assert "mine" in terminal("server", "list")
        assert "is stopped (mine)" in terminal("server", "stop", "mine")
        assert not alive(row["process"])
        assert terminal.json("server", "list") == []
        terminal("server", "stop", "mine", code=2)
        assert "no running server 'mine'" in terminal.err
    finally:
        if alive(row["process"]):
            os.killpg(row["process"], signal.SIGKILL)


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_the_end_of_the_command_is_the_end_of_the_server(
    foreground: tuple[subprocess.Popen[bytes], dict[str, int], Path], how: signal.Signals, code: int
) -> None:
    process, row, err = foreground
    assert alive(row["process"])
    process.send_signal(how)
    assert process.wait(LIMIT_S) == code
    assert not alive(row["process"])
    assert "loading" in err.read_text()
    assert "Traceback" not in err.read_text()


def test_a_foreground_server_is_stopped_from_elsewhere(
    foreground: tuple[subprocess.Popen[bytes], dict[str, int], Path], terminal: Terminal
) -> None:
    process, row, err = foreground
    (stopped,) = terminal.json("server", "stop", "--all")
    assert (stopped["port"], stopped["state"], stopped["owner"]) == (row["port"], "stopped", f"process {process.pid}")
    assert process.wait(LIMIT_S) == 3
    assert "ended with" in err.read_text()


def test_a_run_in_another_process_finds_the_server(terminal: Terminal, model: Path) -> None:
    row = terminal.json("server", "start", str(model), "--detach")
    try:
        assert [item["id"] for item in terminal.json("providers", "models", row["provider"])] == ["Qwen2.5-tiny"]
    finally:
        terminal("server", "stop", str(row["port"]))


def test_model_load_failure_exits_with_three(
    terminal: Terminal, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLAMACPP_SERVER", str(fake_llama_server(tmp_path / "other", dies=True)))
    terminal("server", "start", str(model), code=3)
    assert "failed to load model" in terminal.err
    assert "ended with 3" in terminal.err
    assert terminal.json("server", "list") == []


def test_show_starts_nothing(terminal: Terminal, model: Path) -> None:
    (shown,) = terminal.json("server", "start", str(model), "--show", "--flag", "-ngl 99", "--port", "9123")
    assert shown["command"][-2:] == ["-ngl", "99"]
    assert (shown["family"], shown["context"], shown["file_type"], shown["port"]) == ("qwen25", 8192, "F32", 9123)
    assert "--model" in terminal("server", "start", str(model), "--show")
    assert "tiny.gguf: llama, F32, 8192 tokens" in terminal.err
    assert "family qwen25, format" in terminal.err
    assert terminal.json("server", "list") == []


def test_setups_of_several_ports(
    terminal: Terminal, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = free_port(), free_port()
    lines = [
        f"LLAMACPP_PRIMARY_MODEL={model}\nLLAMACPP_PRIMARY_ALIAS={alias}\nLLAMACPP_PORT={port}\n"
        for alias, port in (("a", one), ("b", two))
    ]
    file = tmp_path / "setups.env"
    file.write_text("\n".join(lines))
    told = terminal("server", "start", "--setup", str(file), "--detach")
    try:
        assert f"llama.cpp :{one} is ready" in told
        assert f"llama.cpp :{two} is ready" in told
        assert f":{two} server is listening on {two}" in terminal.err
    finally:
        terminal("server", "stop", "--all")
    monkeypatch.setenv("LLAMACPP_PRIMARY_MODEL", str(model))
    monkeypatch.setenv("LLAMACPP_PORT", str(one))
    (row,) = terminal.json("server", "list")
    assert (row["port"], row["state"], row["owner"]) == (
        one, "not running", "LLAMACPP_PRIMARY_MODEL, LLAMACPP_PORT",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("start",), "Which model?"),
        (("start", "absent.gguf"), "cannot be read"),
        (("start", "x.gguf", "--setup", "y"), "exclude each other"),
        (("start", "MODEL", "--flag", "--no-such"), "knows no flag"),
        (("start", "MODEL", "--port", "70000"), "70000 is no port"),
        (("stop",), "Which server?"),
    ],
)
def test_wrong_use_is_told_in_one_line(terminal: Terminal, model: Path, argv: tuple[str, ...], told: str) -> None:
    terminal("server", *(str(model) if word == "MODEL" else word for word in argv), code=2)
    assert told in terminal.err.splitlines()[-1]


def test_without_the_program(terminal: Terminal, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LLAMACPP_SERVER")
    monkeypatch.setenv("PATH", str(tmp_path))
    started = time.monotonic()
    terminal("server", "start", str(model), code=2)
    assert "llama-server was not found in PATH" in terminal.err
    assert time.monotonic() - started < 20
