from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from tests.kit.exports import exported
from tests.kit.fakes import Reply
from tests.kit.waiting import LIMIT_S
from tests.kit.wire_server import answer, head, served, sse
from workbench.core.events import ExchangeStarted
from workbench.core.exchange import WireRequest
from workbench.export.exported_run import ExportedRun
from workbench.export.files import write_export
from workbench.export.python_script import export_python


def to(url: str, body: bytes) -> ExportedRun:
    run = exported(Reply("x"))
    headers = (("Authorization", "Bearer *****"), ("Content-Type", "application/json"), ("X-Odd", 'it\'s "so"'))
    sent = WireRequest("POST", f"{url}/chat/completions?key=*****", headers, body)
    events = [replace(event, request=sent) if isinstance(event, ExchangeStarted) else event for event in run.events]
    return replace(run, events=tuple(events))


def run_script(run: ExportedRun, place: Path) -> subprocess.CompletedProcess[str]:
    write_export(export_python([run]), place / "again.py")
    environment = {"PATH": os.environ["PATH"], "API_KEY": "k-1"}
    command = [sys.executable, "-I", str(place / "again.py")]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=LIMIT_S)


def test_program_sends_what_was_sent_and_prints_what_comes(tmp_path: Path) -> None:
    body = {"model": "m", "stream": True, "text": "é 'a' \"b\"\n", "n": [1.5, None, True]}
    with served([head() + sse('{"a": 1}', "[DONE]")]) as server:
        done = run_script(to(server.url, json.dumps(body).encode()), tmp_path)
    (request,) = server.requests
    assert json.loads(request.body) == body
    assert request.target == "/v1/chat/completions?key=k-1"
    assert (request.headers["authorization"], request.headers["x-odd"]) == ("Bearer k-1", 'it\'s "so"')
    assert 'data: {"a": 1}' in done.stdout


def test_refusal_is_printed_and_other_bodies_are_sent_as_they_are(tmp_path: Path) -> None:
    with served(answer(429, b"slow down")) as server:
        done = run_script(to(server.url, b"\xffraw"), tmp_path)
    assert server.requests[0].body == b"\xffraw"
    assert done.stdout.startswith("429 X\nslow down")
