"""18,000 more commands with a planted key: 120 for each shape and way, over files of other programs and with the key as a word.

What `test_planted_commands` does not call: logs, HAR files and curl lines that are read, scanned and imported, reports of a batch,
filters, local servers, presets and wires that are keys, a probe and its card.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.attack.test_planted_commands import PAIRS, RUN_FIELDS, Planted

ALWAYS = {("base64", "session field")}
FILES = ("curl.txt", "x.har", "vllm.log", "setup.env", "odd_tools.json", "policy.yaml")
MADE = (*FILES, "x.gguf", "table.csv")


def write(folder: Path, key: str, url: str) -> None:
    """What other programs wrote, with the key in it."""
    asked = {"model": "m", "messages": [{"role": "user", "content": key}]}
    replied = {"choices": [{"message": {"role": "assistant", "content": f'{key} <tool_call>{{"name":'}}]}
    sent = {
        "method": "POST",
        "url": f"{url}/chat/completions?api_key={key}",
        "headers": [{"name": "Authorization", "value": f"Bearer {key}"}],
        "postData": {"mimeType": "application/json", "text": json.dumps(asked)},
    }
    got: dict[str, Any] = {"status": 200, "headers": [{"name": "x-echo", "value": key.replace("\n", " ")}]}
    got["content"] = {"mimeType": "application/json", "text": json.dumps(replied)}
    har = {"log": {"version": "1.2", "entries": [{"request": sent, "response": got}]}}
    schema = {"type": "object", "properties": {key: {"type": "string", "default": key}}}
    texts = {
        "curl.txt": f"curl {url}/chat/completions -H 'Authorization: Bearer {key}' -d '{json.dumps(asked)}'",
        "x.har": json.dumps(har),
        "vllm.log": f"INFO 01-01 00:00:00 [x.py:1] Received request chatcmpl-1: prompt: '{key}'\nERROR token={key}\n",
        "setup.env": f"LLAMACPP_PRIMARY_MODEL=/x/{key.splitlines()[0]}.gguf\nLLAMACPP_PRIMARY_PORT=9\n",
        "odd_tools.json": json.dumps([{"name": key, "parameters": schema}]),
        "policy.yaml": f"limits: {{x: {json.dumps(key)}}}\n",
        "x.gguf": f"GGUF{key}",
        "table.csv": f"prompt,expected\n{json.dumps(key)},x\n",
    }
    assert {*texts} == {*MADE}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def commands(way: str, key: str, folder: Path, url: str) -> Iterator[tuple[str, ...]]:
    """The commands; what they were given to read is taken away in the end, as it holds the key."""
    fields = {"run field": {"access_token": key}, "session field": {"a": [{"sessionToken": key}]}}
    field = ("--extra", json.dumps(fields[way])) if way in fields else ()
    key = "nothing" if way in RUN_FIELDS else key
    write(folder, key, url)
    run = ("run", "--provider", "echo", "--model", "m", *field)
    yield from ((*run, "hello"), (*run, "--tools", str(folder / "odd_tools.json"), f"x {key}"))
    yield from reading(key, folder)
    yield from batches(key, folder)
    yield from tools_and_servers(key, folder)
    yield from records(key, folder, url)
    for name in MADE:
        (folder / name).unlink()


def reading(key: str, folder: Path) -> Iterator[tuple[str, ...]]:
    """Names, prompts, filters, and files that are read, scanned and imported."""
    yield from (("detect", key, "--provider", "echo"), ("detect", f"m-{key}", "--json"))
    prompt = ("prompt", "--format", "qwen_xml", "--tools", str(folder / "odd_tools.json"))
    yield from ((*prompt, *more) for more in ((), ("--json",)))
    yield from (("history", f"{field}{key}", "--json") for field in ("", "model:", "prompt:", "id:", "title:"))
    yield from (("history", *words) for words in (("--counts",), ("--counts", "--json"), ("--summary", "--json"), ("--before", key)))  # fmt: skip
    for name in FILES:
        path = str(folder / name)
        yield from (("read", path), ("read", path, "--json"), ("scan", path, "--json"), ("scan", path, "--record"))
    for name, more in (("x.har", ()), ("curl.txt", ("--suite", "c")), ("table.csv", ("--suite", "d"))):
        yield ("import", str(folder / name), *more)
    yield ("import", str(folder / "log.jsonl"), "--from", "replies", "--model", key)
    yield from (("case", *words) for words in (("show", f"mine/{key}"), ("list", "--tag", key), ("remove", key), ("restore", key)))  # fmt: skip


def batches(key: str, folder: Path) -> Iterator[tuple[str, ...]]:
    """Reports of a batch, targets and ids that are keys, verifications."""
    target, case = ("--target", "provider=echo,model=m"), str(folder / "case.json")
    kinds = (f"csv={folder / 'r.csv'}", f"markdown={folder / 'r.md'}")
    reports = (word for kind in kinds for word in ("--report", kind))
    yield ("suite", "run", case, *target, "--repeat", "1", *reports, "--markdown", str(folder / "m.md"))
    yield from (("suite", *words) for words in (("show", "last", "--json"), ("show", key), ("list", "--json"), ("run", key, *target)))  # fmt: skip
    for odd in (f"provider=echo,model=m-{key}", f"provider={key},model=m"):
        yield ("suite", "run", case, "--target", odd, "--repeat", "1")
    yield ("suite", "export", case, "--out", str(folder / "exported.jsonl"), "--json")
    ends = ("verify", "m", "--reference", "provider=echo", "--candidate")
    yield (*ends, "provider=echo", "--policy", str(folder / "policy.yaml"), "--budget", "2")
    yield (*ends, f"provider=echo,model=m-{key}", "--plan")
    yield from (("verify", *words) for words in (("--list",), ("--show", key), ("--check", str(folder / "evidence"))))


def tools_and_servers(key: str, folder: Path) -> Iterator[tuple[str, ...]]:
    """Tools and presets by names that are keys, local servers, a probe and its card."""
    yield ("tools", "hostility", "--target", "provider=echo,model=m", "--repeat", "1", "--json")
    yield ("tools", "import", "--from", "json", str(folder / "odd_tools.json"), "--set", "bad")
    for words in (("lint", "set:bad"), ("show", f"bad/{key}"), ("list", "--json"), ("call", key), ("writes",)):
        yield ("tools", *words)
    yield from (("tools", "call", "peek", "--arguments", given) for given in (key, json.dumps({"at": key})))
    written = json.dumps({"path": "w.txt", "content": "hello"})
    yield ("tools", "call", "write_file", "--workspace", str(folder), "--arguments", written)
    yield from (("server", "list", "--json"), ("server", "stop", key))
    yield ("server", "start", "--setup", str(folder / "setup.env"), "--show")
    yield ("server", "start", str(folder / "x.gguf"), "--show", "--alias", key)
    probe = ("providers", "probe", "echo", "--model", "m")
    yield from ((*probe, *more) for more in ((), ("--last", "--json", "--evidence")))
    yield from (("providers", what, "echo", "--json") for what in ("test", "models"))
    secret = quote(key, safe="")
    yield ("providers", "add", "z", "--base-url", f"https://u:{secret}@h.example/v1?k={secret}", "--no-key")
    yield from (("providers", "list", "--json"), ("providers", "remove", key))
    for more in (("--preset", key), ("--wire", key, "--base-url", "http://x"), ("--key-env", key, "--base-url", "http://x")):  # fmt: skip
        yield ("providers", "add", "y", *more)


def records(key: str, folder: Path, url: str) -> Iterator[tuple[str, ...]]:
    """What is done with records, by ids and kinds that are keys, and the gateway's and `send`'s own options."""
    yield from (("models", "export", str(folder / "models.yaml"), "--json"), ("formats", "--json"))
    yield ("verdict", "judge", "last", "--target", f"provider=echo,model={key}")
    yield from (("verdict", "show", "1", "--json"), ("verdict", "set", "1", key))
    yield from (("show", "1", "--wire", "--json"), ("show", "last", "--thinking"), ("show", "2"))
    yield from (("db", "check", "--json"), ("db", "path"), ("db", "trim", "--days", "0"), ("db", "rm", key, "--yes"))
    yield ("db", "backup", str(folder / "setup.env" / key.splitlines()[0] / "x.db"))
    yield ("db", "copy", f"postgresql://u:{quote(key, safe='')}@127.0.0.1:9/x", str(folder / "other.db"))
    replay = ("replay", "--mode", "parse")
    yield from ((*replay, *more) for more in (("--filter", f"prompt:{key}", "--json"), ("--suite", key)))
    yield ("replay", "--run", "1", "--mode", "live", "--json")
    fork = ("replay", "--run", "1", "--from-iteration", "1", "--set")
    yield from ((*fork, f"system={key}", "--json"), (*fork, f"{key}=1"))
    for kind in ("promptfoo", "inspect", "bfcl", "openai", "xml", "markdown", "csv", key):
        yield ("export", "--to", kind, "--out", str(folder / f"made_{len(kind)}"), "1")
    yield from (("gateway", *words) for words in (("--port", key), ("--hold", key), ("--token", key, "--hold-when", "x")))  # fmt: skip
    yield from (("diff", "1", key), ("minimise", "--run", key), ("report", key, "--for", "vllm"), ("report", "1", "--for", key))  # fmt: skip
    send = ("send", "--base-url", f"{url}/?token={quote(key, safe='')}", "--protocol")
    yield (*send, "openai_chat", "--batch", str(folder / "asked.jsonl"), "--json")
    yield (*send, "anthropic_messages", "--request", str(folder / "request.json"), "--key-env", key)


@pytest.mark.timeout(3600)  # commands that wait for servers that never come take minutes on a busy machine
@pytest.mark.parametrize(
    ("shape", "way"), [pytest.param(*pair, marks=[] if pair in ALWAYS else pytest.mark.long) for pair in PAIRS]
)
def test_no_further_command_tells_a_planted_key(
    shape: str, way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(Planted(shape, way, tmp_path, capsys).sweep(commands, monkeypatch)) == 120
