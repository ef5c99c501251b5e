"""Servers are started, watched and stopped, and none outlives the program that started it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.fake_llama_server import alive, executable, fake_llama_server
from tests.kit.waiting import LIMIT_S, wait_until
from workbench.core.errors import InvalidInput, MissingLibrary
from workbench.localserver import process
from workbench.localserver.binary import find_binary
from workbench.localserver.flags import ServerWish, propose
from workbench.localserver.gguf import GgufFile
from workbench.localserver.process import LocalServer, ServerPlan, ServerState, check_port, free_port, start_server
from workbench.localserver.records import read_records, sweep


def get(port: int, path: str = "/health") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def health(port: int) -> int | None:
    try:
        return get(port)[0]
    except OSError:
        return None


def plan(program: Path, folder: Path, port: int = 0) -> ServerPlan:
    binary = find_binary(str(program), {})
    model = GgufFile(folder / "m.gguf", 1, 3, 1, templates={"default": "tools"})
    return ServerPlan(binary, propose(binary, model, "qwen3", ServerWish()), model.path, "qwen3", port=port)


def start(made: ServerPlan, folder: Path, **more: object) -> LocalServer:
    return start_server(made, folder=folder / "servers", logs=folder / "logs", health=health, **more)  # type: ignore[arg-type]


def until(server: LocalServer, enough: Callable[[LocalServer], bool]) -> list[ServerState]:
    seen = [server.state]

    def look() -> bool:
        server.look()
        seen.append(server.state)
        return enough(server)

    assert enough(server) or wait_until(look), (seen[-1], server.lines)
    return list(dict.fromkeys(seen))


def test_several_at_once_with_health_log_and_a_clean_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "planted-key-77")
    program = fake_llama_server(tmp_path / "bin", loads_s=1.0)
    servers = [start(plan(program, tmp_path), tmp_path) for _ in range(2)]
    assert len({server.record.port for server in servers}) == 2
    states = [until(server, lambda one: one.state is ServerState.READY) for server in servers]
    assert states[0][-2:] == [ServerState.LOADING, ServerState.READY]
    assert {record.pid for record in read_records(tmp_path / "servers")} == {one.record.pid for one in servers}
    for server in servers:
        assert f"server is listening on {server.record.port}" in server.lines
        told = json.loads(get(server.record.port, "/arguments")[1])
        assert tuple(told["arguments"]) == server.record.arguments
        assert "planted-key-77" not in json.dumps(told)
        server.stop()
        assert (server.state, alive(server.record.pid)) == (ServerState.STOPPED, False)
        assert health(server.record.port) is None
        assert "loading" in Path(server.record.log).read_text()
        assert server.look() == []
        server.stop()
    assert read_records(tmp_path / "servers") == ()


def test_a_ready_one_is_asked_rarely_and_may_fall_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[int | None] = [200]
    asked: list[int] = []

    def ask(port: int) -> int | None:
        asked.append(port)
        return answers[-1]

    made = plan(fake_llama_server(tmp_path / "bin"), tmp_path)
    server = start_server(made, folder=tmp_path / "servers", logs=tmp_path / "logs", health=ask)
    try:
        for _ in range(5):
            server.look()
        assert (server.state, len(asked)) == (ServerState.READY, 1)
        monkeypatch.setattr(process, "HEALTH_EVERY_S", -1)
        answers.append(None)
        server.look()
        assert server.state is ServerState.SILENT
        answers.append(200)
        server.look()
        assert server.state is ServerState.READY
    finally:
        server.stop()


def test_look_during_stop_keeps_the_stopped_state(tmp_path: Path) -> None:
    asked, answer = threading.Event(), threading.Event()

    def ask(_port: int) -> int:
        asked.set()
        assert answer.wait(LIMIT_S)
        return 200

    made = plan(fake_llama_server(tmp_path / "bin"), tmp_path)
    server = start_server(made, folder=tmp_path / "servers", logs=tmp_path / "logs", health=ask)
    looking = threading.Thread(target=server.look)
    looking.start()
    assert asked.wait(LIMIT_S)
    server.stop()
    answer.set()
    looking.join(LIMIT_S)
    assert server.state is ServerState.STOPPED


def test_ended_server_has_a_reason(tmp_path: Path) -> None:
    server = start(plan(fake_llama_server(tmp_path / "bin", dies=True), tmp_path), tmp_path)
    until(server, lambda one: one.state is ServerState.ENDED)
    assert server.exit_code == 3
    assert server.lines[-1] == "error: failed to load model"
    assert read_records(tmp_path / "servers") == ()
    server.stop()
    assert server.state is ServerState.ENDED


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInput, match=f"Port {port} cannot be used"):
            start(plan(fake_llama_server(tmp_path / "bin"), tmp_path, port), tmp_path)
    for wrong in (-1, 65536):
        with pytest.raises(InvalidInput, match="is no port"):
            check_port(wrong)
    wanted = free_port()
    server = start(plan(fake_llama_server(tmp_path / "bin"), tmp_path, wanted), tmp_path)
    try:
        assert server.record.port == wanted
    finally:
        server.stop()


def test_unstartable_program(tmp_path: Path) -> None:
    program = fake_llama_server(tmp_path / "bin")
    made = plan(program, tmp_path)
    program.unlink()
    with pytest.raises(MissingLibrary, match="cannot be started"):
        start(made, tmp_path, detach=True)
    assert read_records(tmp_path / "servers") == ()


def test_old_logs_go(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(30):
        (logs / f"server-{number:02}.log").touch()
        os.utime(logs / f"server-{number:02}.log", (number, number))
    server = start(plan(fake_llama_server(tmp_path / "bin"), tmp_path), tmp_path)
    server.stop()
    assert len(list(logs.iterdir())) == 20
    assert (logs / "server-29.log").exists()


STARTER = """\
import sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.unit.localserver.test_process import health, plan, start
server = start(plan(Path({program!r}), Path({folder!r})), Path({folder!r}), detach={detach!r})
print(server.record.pid, server.record.port, flush=True)
time.sleep(60)
"""


def killed_starter(tmp_path: Path, program: Path, *, detach: bool = False) -> tuple[int, int]:
    """Start a server from another process, kill that process hard; return the server's process and port."""
    root = str(Path(__file__).resolve().parents[3])
    code = STARTER.format(root=root, program=str(program), folder=str(tmp_path), detach=detach)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid, port = map(int, starter.stdout.readline().split())
        assert wait_until(lambda: health(port) == 200)
        starter.send_signal(signal.SIGKILL)
    return pid, port


def gone(pid: int) -> bool:
    return wait_until(lambda: not alive(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its starter")
def test_server_dies_with_its_starter(tmp_path: Path) -> None:
    pid, port = killed_starter(tmp_path, fake_llama_server(tmp_path / "bin"))
    assert gone(pid)
    assert health(port) is None
    assert sweep(tmp_path / "servers") == ()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are listed in /proc on Linux only")
def test_script_started_server_is_swept(tmp_path: Path) -> None:
    fake = fake_llama_server(tmp_path / "real")
    script = executable(tmp_path / "llama-server", f'#!/bin/sh\n"{fake}" "$@"\n')
    pid, port = killed_starter(tmp_path, script)
    assert gone(pid)
    assert health(port) == 200, "the script is dead, the server is not"
    assert sweep(tmp_path / "servers") == ()
    assert health(port) is None


def test_detached_server_survives_its_starter(tmp_path: Path) -> None:
    pid, port = killed_starter(tmp_path, fake_llama_server(tmp_path / "bin"), detach=True)
    (record,) = sweep(tmp_path / "servers")
    try:
        assert (record.pid, record.port, health(port)) == (pid, port, 200)
    finally:
        os.killpg(pid, signal.SIGKILL)
    assert gone(pid)
    assert sweep(tmp_path / "servers") == ()
