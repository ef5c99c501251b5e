"""llama.cpp's own server with the tiny model, in a process of its own.

with llama_server(folder) as server:
    server.base_url      # http://127.0.0.1:PORT/v1
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.kit.waiting import LIMIT_S

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather of a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 12}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
"""What the tiny model can be asked to call."""


class LlamaServer(NamedTuple):
    """A running server."""

    base_url: str
    process: subprocess.Popen[bytes]
    log: Path


@contextmanager
def llama_server(folder: Path, seed: int = 0, verbosity: int = 3) -> Iterator[LlamaServer]:
    """Make the model, serve it on a free port of this machine, and stop the server at the end; at 99 its log has all."""
    from tests.kit.tiny_gguf import write_model

    model = write_model(folder / "tiny.gguf", seed)
    port = free_port()
    with (folder / "server.log").open("wb") as log:
        command = [sys.executable, __file__, str(model), str(port), str(verbosity)]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        try:
            _wait_until_ready(port, process, folder / "server.log")
            yield LlamaServer(f"http://127.0.0.1:{port}/v1", process, folder / "server.log")
        finally:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    limit = time.monotonic() + LIMIT_S
    while time.monotonic() < limit:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}: {log.read_text(errors='replace')[-2000:]}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"the server was not ready after {LIMIT_S} s: {log.read_text(errors='replace')[-2000:]}")


def serve(model: str, port: int, verbosity: int = 3) -> None:
    """Serve until killed."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = model
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.verbosity = verbosity
    settings.n_ctx = 8192
    settings.n_parallel = 2
    settings.use_jinja = True
    settings.warmup = False
    settings.offline = True
    settings.cpuparams.n_threads = 1
    server = xllamacpp.Server(settings)
    assert server is not None
    threading.Event().wait()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
