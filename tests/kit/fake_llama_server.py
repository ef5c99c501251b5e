"""A program that behaves like llama-server from outside: it answers --help, listens, loads for a while, and logs.

    path = fake_llama_server(folder, jinja="disabled", loads_s=0.2)

Its model list names the alias it was given; `GET /arguments` tells its command line and environment.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

HELP = """\
warning: no usable GPU found
----- common params -----

-h,    --help, --usage                  print usage and exit
-c,    --ctx-size N                     size of the prompt context (default: 4096, 0 = loaded from model)
                                        (env: LLAMA_ARG_CTX_SIZE)
{flash}
-ngl,  --gpu-layers, --n-gpu-layers N   number of layers to store in VRAM
-m,    --model FNAME                    model path
--verbose-prompt                        print a verbose prompt before generation

----- example-specific params -----

-np,   --parallel N                     number of parallel sequences to decode (default: 1)
-a,    --alias STRING                   set alias for model name (to be used by REST API)
--host HOST                             ip address to listen, or bind to an UNIX socket
--port PORT                             port to listen (default: 8080)
--api-key KEY                           API key to use for authentication (default: none)
{jinja}
--chat-template-file JINJA_TEMPLATE_FILE
                                        set custom jinja chat template file
"""
OLD_FLASH = "-fa,   --flash-attn                     enable Flash Attention (default: disabled)"
NEW_FLASH = "-fa,   --flash-attn [on|off|auto]       set Flash Attention use ('on', 'off', or 'auto', default: 'auto')"
OLD_JINJA = "--jinja                                 use jinja template for chat (default: disabled)"
NEW_JINJA = "--jinja, --no-jinja                     whether to use jinja template engine for chat (default: enabled)"

OLD_HELP = HELP.format(flash=OLD_FLASH, jinja=OLD_JINJA)
NEW_HELP = HELP.format(flash=NEW_FLASH, jinja=NEW_JINJA)

PROGRAM = """\
#!{python}
import json, os, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HELP = {help!r}
HELPS = {folder!r} + "/helps"
if "--help" in sys.argv:
    with open(HELPS, "a") as file:
        file.write("asked\\n")
    print(HELP)
    raise SystemExit(0)
given = dict(zip(sys.argv[1::1], sys.argv[2::1]))
print("loading", given["--model"], flush=True)
if {dies!r}:
    print("error: failed to load model", file=sys.stderr, flush=True)
    raise SystemExit(3)
begun = time.monotonic()

class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        loading = time.monotonic() - begun < {loads_s!r}
        if self.path == "/health":
            self.say(503 if loading else 200, {{"status": "loading" if loading else "ok"}})
        elif self.path == "/arguments":
            self.say(200, {{"arguments": sys.argv[1:], "environment": dict(os.environ)}})
        else:
            self.say(200, {{"data": [{{"id": given["--alias"]}}]}})
    def say(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, format, *values):
        print("request:", format % values, flush=True)

server = ThreadingHTTPServer((given["--host"], int(given["--port"])), Answers)
print("server is listening on", given["--port"], flush=True)
server.serve_forever()
"""


def fake_llama_server(folder: Path, *, help_text: str = NEW_HELP, loads_s: float = 0.0, dies: bool = False) -> Path:
    """Write the program into a folder as `llama-server`; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    text = PROGRAM.format(python=sys.executable, help=help_text, folder=str(folder), loads_s=loads_s, dies=dies)
    return executable(folder / "llama-server", text)


def executable(path: Path, text: str) -> Path:
    """Write a script that can be started."""
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def real_llama_server(folder: Path) -> Path:
    """A program with llama-server's manners over llama.cpp's own server from its Python package."""
    kit = Path(__file__).with_name("llama_server.py")
    root = kit.parent.parent.parent
    text = f"""\
#!{sys.executable}
import sys
sys.path.insert(0, {str(root)!r})
if "--help" in sys.argv:
    from tests.kit.fake_llama_server import NEW_HELP
    print(NEW_HELP)
    raise SystemExit(0)
from tests.kit.llama_server import serve
given = dict(zip(sys.argv[1::1], sys.argv[2::1]))
serve(given["--model"], int(given["--port"]))
"""
    folder.mkdir(parents=True, exist_ok=True)
    return executable(folder / "llama-server", text)


def alive(pid: int) -> bool:
    """Whether a process runs and is no zombie."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False
