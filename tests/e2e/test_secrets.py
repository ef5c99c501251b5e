"""Keys never reach disk, output, exports or the process list, wherever they come from and wherever they come back."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.command import Done, kill, start, wait_for_lines, workbench
from tests.kit.keychain import BACKEND
from tests.kit.wire_server import HANG, Request, Script, WireServer, answer, head, served, sse

KEY = "sk-proj-9fX2/aQ+uLw7ZrTq0VbN=="
HEADER = "org-token-5512-qTzW88"
PLAIN = re.compile(r"9fX2|uLw7ZrTq|org-token-5512")
"""Any telling part of a key."""
TOOLS = [{"name": "save_note", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}]


def piece(**delta: object) -> str:
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})


def echo(request: Request, number: int) -> Script:
    """Give the caller's key back in every way a careless server could, cut into small pieces."""
    key = request.headers["authorization"].removeprefix("Bearer ")
    extra = [("X-Echo", key), ("Set-Cookie", f"session={key}")]
    if number == 1:
        return answer(
            401, json.dumps({"error": {"message": f"Incorrect API key provided: {key}"}}).encode(), extra=extra
        )
    said = f"Your key is {key} and your prompt said so. "
    events = [piece(role="assistant", content=""), piece(reasoning_content=f"The key {key} is theirs.")]
    events += [piece(content=said[at : at + 3]) for at in range(0, len(said), 3)]
    call = json.dumps({"text": f"key={key}"})
    events.append(piece(tool_calls=[{"index": 0, "id": key, "function": {"name": "save_note", "arguments": ""}}]))
    events += [
        piece(tool_calls=[{"index": 0, "function": {"arguments": call[at : at + 5]}}]) for at in range(0, len(call), 5)
    ]
    events += [json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}), "[DONE]"]
    return [head(extra=extra) + b": " + key.encode() + b"\n\n" + sse(*events)]


def clean(text: str, what: str) -> None:
    found = PLAIN.search(text)
    assert found is None, f"{what}: …{text[max(0, found.start() - 60) : found.end() + 20]}…"


def clean_folder(folder: Path) -> None:
    """No file below holds a part of a key, as text in any usual encoding."""
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            clean(data.decode("latin-1"), str(path))
            clean(data.decode("utf-16-le", "replace"), str(path))


def from_environment(server: WireServer) -> dict[str, str]:
    assert workbench("providers", "add", "echo", "--base-url", server.url, "--key-env", "ECHO_KEY").code == 0
    return {"ECHO_KEY": KEY}


def from_keychain(server: WireServer) -> dict[str, str]:
    argv = ("providers", "add", "echo", "--base-url", server.url, "--key-stdin")
    added = workbench(*argv, stdin=KEY + "\n")
    assert added.code == 0, added.err
    assert "keyring" in added.out
    return {}


def tools_file(folder: Path) -> str:
    place = folder / "tools.json"
    place.write_text(json.dumps(TOOLS))
    return str(place)


def everything_told(out: Path) -> list[Done]:
    """What every command that reads records says of runs 1 to 3, exports in a folder of their own."""
    done = [workbench(*argv) for argv in (("history", "--json"), ("history",), ("db", "backup"), ("replay", "--all"))]
    for number in ("1", "2", "3"):
        done += [workbench("show", number), workbench("show", number, "--json")]
    for kind in ("pytest", "jsonl", "curl"):
        done.append(workbench("export", "--to", kind, "--out", str(out / kind), "1", "2", "3"))
        assert done[-1].code == 0, done[-1].err
    return done


@pytest.mark.parametrize("source", [from_environment, from_keychain])
def test_echoed_key_is_masked_everywhere(
    source: Callable[[WireServer], dict[str, str]], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", BACKEND)
    monkeypatch.setenv("TEST_KEYCHAIN", str(tmp_path / "keychain.json"))
    with served(echo) as server:
        keys = source(server)
        argv = ("run", "--provider", "echo", "--model", "m", "--tools", tools_file(tmp_path), "--iterations", "2")
        done = [workbench(*argv, *more, "hello", **keys) for more in (("--json", "-q"), ("--events",), ())]
        done += [workbench("providers", word, "echo", **keys) for word in ("test", "models")]
    assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"] * len(server.requests)
    assert len(server.requests) >= 6
    done += everything_told(tmp_path / "exports")
    for one in done:
        clean(one.out, "standard output")
        clean(one.err, "standard error")
    clean_folder(home)
    clean_folder(tmp_path / "exports")
    assert "Your key is ****" in workbench("show", "2").out


def test_a_key_in_the_prompt_is_masked_too(home: Path, tmp_path: Path) -> None:
    argv = ("--title", f"with {KEY}", "--system", f"The key: {KEY}", "--tools", tools_file(tmp_path), "-")
    with served(echo) as server:
        keys = from_environment(server)
        done = workbench("run", "--provider", "echo", "--model", "m", *argv, stdin=f"My key is {KEY}.", **keys)
    assert f"My key is {KEY}." in json.loads(server.requests[0].body)["messages"][1]["content"]
    clean(done.out + done.err, "the command")
    clean_folder(home)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_key_is_not_in_the_process_list(tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    with served([head() + sse(piece(content="waiting")), HANG]) as server:
        argv = ("run", "--base-url", server.url, "--model", "m", "--key-env", "ECHO_KEY", "--events", "hello")
        process = start(*argv, out=out, err=err, ECHO_KEY=KEY)
        try:
            wait_for_lines(out, 4, process)
            clean(Path(f"/proc/{process.pid}/cmdline").read_text(encoding="utf-8"), "the process list")
        finally:
            kill(process)
    clean(out.read_text(encoding="utf-8") + err.read_text(encoding="utf-8"), "output")


def test_send_tells_no_key(tmp_path: Path) -> None:
    request = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    with served(echo) as server:
        row = {"id": 1, "protocol": "openai_chat", "base_url": server.url, "key_env": "ECHO_KEY", "request": request}
        rows = "\n".join(json.dumps(row) for _ in range(2))
        done = workbench("send", "--batch", "-", "--parallel", "1", stdin=rows, ECHO_KEY=KEY)
    first, second = done.lines()
    assert "Your key is ****" in first["text"]
    assert second["error"]["kind"] == "auth"
    clean(done.out + done.err, "send")


def test_an_address_with_a_password_is_not_told(home: Path) -> None:
    with served(echo) as server:
        base_url = server.url.replace("http://", f"http://user:{HEADER}@")
        done = workbench("run", "--base-url", base_url, "--model", "m", "hello")
    clean(done.out + done.err, "output")
    clean_folder(home)
