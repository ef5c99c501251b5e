"""Real coding agents at the gateway: each reads a file and answers with what is in it, cut off from every network.

    python packaging/try_agents.py [--agents claude,codex,opencode] [--targets native,emulated,boosted,repair,llama.cpp] [--folder DIR]

The agents are installed from npm into the folder (kept where it is given, so that a second try needs no network). Each try has a
network of its own in which only the loopback device is up, a home of its own, a gateway and simulated models. One line of JSON a
try on stdout; exit 1 if one did not succeed. Linux only, for `unshare`. llama.cpp is the engine itself with a model that is made
on the spot (agents_engine.py, needs `xllamacpp` and `gguf`): too small to read, so that its answer is a set sentence.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from agents_engine import ANSWER, grammar

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex", "opencode": "opencode-ai"}
WORD = "marzipan-4711"
PROMPT = 'Read the file "notes.txt" and tell me what is in it.'
TARGETS = {
    "native": ("route", "provider=Reader,model=reader"),
    "emulated": ("route", "provider=Reader,model=reader,format=qwen_xml"),
    "boosted": ("route", "provider=Reader,model=reader,boost=Reader/planner"),
    "repair": ("repair", "provider=Reader,model=leaky"),
    "llama.cpp": ("route", "provider=Reader,model=tiny,format=qwen_xml"),
}
ENGINE = "llama.cpp"
CALLS: dict[str, tuple[str, dict[str, str]]] = {
    "claude": ("Read", {"file_path": "{work}/notes.txt"}),
    "codex": ("exec_command", {"cmd": "cat notes.txt"}),
    "opencode": ("read", {"filePath": "{work}/notes.txt"}),
}
"""How each agent's own tool reads the file, for the engine's model."""
"""What answers: a simulated model that reads files, with native tools, taught in the text, planned for, or leaking its calls."""
LIMIT_S = 240


def tool_of(schemas: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """The agent's own way to read a file, by the schema of its tools: one named for reading, else a shell."""
    for schema in sorted(schemas, key=lambda one: one["name"].lower() not in ("read", "read_file")):
        fields = schema.get("parameters", {}).get("properties", {})
        path = next((name for name in ("file_path", "filePath", "path") if name in fields), "")
        if path and "read" in schema["name"].lower():
            return schema["name"], {path: str(Path.cwd() / "notes.txt")}
        shell = next((name for name in ("cmd", "command") if name in fields), "")
        if shell:
            words = "cat notes.txt"
            return schema["name"], {shell: ["bash", "-lc", words] if fields[shell].get("type") == "array" else words}
    raise LookupError(f"nothing reads a file: {[schema['name'] for schema in schemas]}")


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """The message of a model that reads the file first and then says what came back."""
    messages = body["messages"]
    text = "\n".join(
        part if isinstance(part, str) else json.dumps(part) for part in (one.get("content") or "" for one in messages)
    )
    if found := re.search(rf"[^\n]*{WORD}", text):
        said = f"The file says: {found[0].strip()}"
        return {"content": f"SUMMARY:\n{said}" if body["model"] == "planner" else said}
    if body["model"] == "planner":
        return {
            "content": "ANALYSIS:\nThe file has to be read.\n\nGUIDANCE:\n1. Read the file notes.txt with the tool for it."
        }
    native = [tool["function"] for tool in body.get("tools") or ()]
    taught = [json.loads(line)["function"] for line in text.split("\n") if line.startswith('{"type": "function"')]
    if not native and not taught:
        return {"content": "Notes"}
    name, arguments = tool_of(native or taught)
    if not native:
        return {"content": f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"}
    if body["model"] == "leaky":
        return {"content": f"[TOOL_CALLS]{json.dumps([{'name': name, 'arguments': arguments}])}"}
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {"content": None, "tool_calls": [{"index": 0, **call}]}


async def read_for_others() -> None:
    """Serve that model."""
    sys.path.insert(0, str(ROOT))
    from workbench.loopback import LoopbackRequest, LoopbackServer, Reply, StreamReply

    async def stream(message: dict[str, Any]) -> AsyncGenerator[bytes, None]:
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        for delta, end in (({"role": "assistant", **message}, None), ({}, reason)):
            choice = {"index": 0, "delta": delta, "finish_reason": end}
            event = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "reader", "choices": [choice]}
            yield b"data: " + json.dumps(event).encode() + b"\n\n"
        yield b"data: [DONE]\n\n"

    async def serve(request: LoopbackRequest) -> Reply | StreamReply:
        if request.method == "GET":
            return Reply(200, b'{"object": "list", "data": []}')
        return StreamReply(stream(answer(json.loads(request.body))))

    server = LoopbackServer(serve)
    await server.start()
    print(server.url, flush=True)
    await asyncio.Event().wait()


def install(folder: Path, agents: list[str]) -> None:
    missing = [PACKAGES[name] for name in agents if not (folder / "node_modules" / ".bin" / name).exists()]
    if missing:
        subprocess.run(["npm", "install", "--prefix", str(folder), *missing], check=True, stdout=sys.stderr)


def claude(home: Path, work: Path, url: str) -> tuple[list[str], dict[str, str]]:
    del home, work
    quiet = (
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "DISABLE_TELEMETRY",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_AUTOUPDATER",
    )
    told = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "tok", **dict.fromkeys(quiet, "1")}
    return ["claude", "-p", PROMPT, "--model", "claude-opus-4"], told


def codex(home: Path, work: Path, url: str) -> tuple[list[str], dict[str, str]]:
    del work
    text = f'model = "gpt-x"\nmodel_provider = "wb"\n[model_providers.wb]\nname = "wb"\nbase_url = "{url}/v1"\n'
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        text + 'env_key = "OPENAI_API_KEY"\nwire_api = "responses"\n', encoding="utf-8"
    )
    free = ["--dangerously-bypass-approvals-and-sandbox"]  # it has a network and a folder of its own here
    return ["codex", "exec", "--skip-git-repo-check", *free, PROMPT], {"OPENAI_API_KEY": "tok"}


def opencode(home: Path, work: Path, url: str) -> tuple[list[str], dict[str, str]]:
    del home
    options = {"baseURL": f"{url}/v1", "apiKey": "tok"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "wb", "options": options, "models": {"any": {}}}
    document = {"provider": {"wb": provider}, "autoupdate": False, "share": "disabled"}
    (work / "opencode.json").write_text(json.dumps(document), encoding="utf-8")
    return ["opencode", "run", "-m", "wb/any", PROMPT], {}


AGENTS = {"claude": claude, "codex": codex, "opencode": opencode}


def inside(folder: Path, agent: str, target: str) -> dict[str, Any]:
    """One try, where the network is the loopback device alone."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    mode, route = TARGETS[target]
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        home, work = place / "home", place / "work"
        home.mkdir()
        work.mkdir()
        (work / "notes.txt").write_text(f"The word of the day is {WORD}.\n", encoding="utf-8")
        model = [str(ROOT / "packaging" / "agents_engine.py")] if target == ENGINE else [__file__, "--reader"]
        with (place / "model.log").open("w", encoding="utf-8") as log:
            reader = subprocess.Popen([sys.executable, *model], cwd=work, stdout=subprocess.PIPE, stderr=log, text=True)
        assert reader.stdout is not None
        (place / "data").mkdir()
        settings = (
            f'[providers.Reader]\nbase_url = "{reader.stdout.readline().strip()}/v1"\nkey = "none"\ntools = "native"\n'
        )
        if target == ENGINE:
            tool, arguments = CALLS[agent]
            choice = grammar(tool, {key: value.format(work=work) for key, value in arguments.items()})
            settings += f"[providers.Reader.extra]\ngrammar = {json.dumps(choice)}\n"
        (place / "data" / "settings.toml").write_text(settings, encoding="utf-8")
        workbench = [sys.executable, "-m", "workbench", "--home", str(place / "data")]
        command = [*workbench, "gateway", "--port", "0", "--token", "tok", "--mode", mode, "--map", f"*={route}"]
        with (place / "gateway.log").open("w", encoding="utf-8") as log:
            gateway = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            url = listening(place / "gateway.log", gateway)
            argv, told = AGENTS[agent](home, work, url)
            argv[0] = str(folder / "node_modules" / ".bin" / argv[0])
            kept = {key: os.environ[key] for key in ("PATH", "LANG", "TERM") if key in os.environ}
            begun = time.monotonic()
            done = run(argv, work, {**kept, "HOME": str(home), **told})
            seconds = time.monotonic() - begun
        finally:
            gateway.send_signal(signal.SIGINT)
            gateway.wait(30)
            reader.kill()
            reader.wait()
        log_text = (place / "gateway.log").read_text(encoding="utf-8")
        listed = subprocess.run(
            [*workbench, "history", "origin:gateway", "--json"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        runs = json.loads(listed.stdout)
        engine_log = (place / "model.log").read_text(encoding="utf-8")
        read = WORD in done.stdout if target != ENGINE else ANSWER in done.stdout and came_back(workbench, runs)
    called = sorted({tool for run in runs for tool in run["tools"]})
    return {
        "agent": agent, "target": target, "ok": read and bool(called), "called": called, "exchanges": len(runs),
        "seconds": round(seconds, 1), "answer": done.stdout.strip()[-300:],
        **({} if read else {"errors": done.stderr[-1500:], "gateway": log_text[-3000:], "model": engine_log[-1500:]}),
    }  # fmt: skip


def came_back(workbench: list[str], runs: list[dict[str, Any]]) -> bool:
    """Whether the agent has sent what stands in the file to the engine."""
    shown = (
        subprocess.run([*workbench, "show", one["id"], "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
        for one in runs
    )
    return any(WORD in one.stdout for one in shown)


def run(argv: list[str], work: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            argv,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        out, err = ((part or b"").decode(errors="replace") for part in (late.stdout, late.stderr))
        return subprocess.CompletedProcess(argv, 124, out, f"{err}\nno end within {LIMIT_S} s")


def listening(log: Path, gateway: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until and gateway.poll() is None:
        if found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text(encoding="utf-8")):
            return found[0]
        time.sleep(0.05)
    raise SystemExit(f"the gateway did not start: {log.read_text(encoding='utf-8')}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Let real agents read a file through the gateway.")
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--folder", type=Path, help="where the agents are installed; kept")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--reader", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.reader:
        asyncio.run(read_for_others())
        return 0
    agents, targets = options.agents.split(","), options.targets.split(",")
    if options.inside:
        print(json.dumps(inside(options.folder, agents[0], targets[0])), flush=True)
        return 0
    if shutil.which("unshare") is None or shutil.which("npm") is None:
        raise SystemExit("This needs npm, and unshare of util-linux.")
    folder = options.folder or Path(tempfile.mkdtemp(prefix="agents-"))
    try:
        install(folder, agents)
        went_well = [one_try(folder, agent, target) for agent in agents for target in targets]
        return 0 if all(went_well) else 1
    finally:
        if options.folder is None:
            shutil.rmtree(folder, ignore_errors=True)


def one_try(folder: Path, agent: str, target: str) -> bool:
    alone = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    again = [sys.executable, __file__, "--inside", "--folder", str(folder), "--agents", agent, "--targets", target]
    done = subprocess.run(["unshare", *alone, "--net", *again], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="", flush=True)
    return done.returncode == 0 and bool(json.loads(done.stdout)["ok"])


if __name__ == "__main__":
    sys.exit(main())
