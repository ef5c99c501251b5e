"""6,000 commands with a planted key: 8 shapes × 18 ways in × 44 commands, and neither output nor file tells it.

The server that they talk to tells every key it may have been given, in five spellings and in pieces. The key stands in
prompts, cases, requests, tools and wrong words as well. Three pairs of shape and way run always, all of them with `--long`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.attack.spellings import CASES, spell, told
from tests.kit.wire_server import Request, Script, answer, head, served, sse
from workbench.cli.dispatch import dispatch

SHAPES: dict[str, str] = CASES["shapes"]
ECHOED = ("plain", "percent", "json_units", "entities", "base64")
WAYS = (
    "key", "header", "scheme", "cookie", "query", "path", "password", "user", "provider field", "model field",
    "run field", "environment", "proxy", "wrong setting", "session field", "own variable", "user before a word", "server of tools",
)  # fmt: skip
RUN_FIELDS = ("run field", "session field")
"""Ways of which no other command can know."""
KINDS = ("jsonl", "har", "vcr", "curl", "python", "pytest", "html")
VARIABLES = {"key": "env:PLANTED_KEY", "own variable": "env:PLANTED"}
TOOLS = '[{"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}}]'


def echo(key: str, *, asked: bool) -> Callable[[Request, int], Script]:
    """Tells the key in text, in a call's arguments, in a header and in the list of models; `asked`: to whom sends it."""
    forms = " ".join(spell(key, how) for how in ECHOED)

    def script(request: Request, number: int) -> Script:
        if asked and key.encode() not in request.body.replace(b"\\n", b"\n"):
            return answer(200, b'{"data": [{"id": "m"}]}')
        if "/models" in request.target:
            return answer(200, json.dumps({"data": [{"id": f"m-{key}"}, {"id": "m"}]}).encode())
        size = 1 + number % 9
        deltas: list[dict[str, Any]] = [{"content": forms[at : at + size]} for at in range(0, len(forms), size)]
        if b'"tool"' not in request.body and number % 2:
            function = {"name": "look", "arguments": json.dumps({"at": key})}
            deltas.append({"tool_calls": [{"index": 0, "id": f"call_{key[:40]}", "function": function}]})
        events = [json.dumps({"choices": [{"index": 0, "delta": delta}]}) for delta in deltas]
        end = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        return [head(extra=[("X-Echo", quote(key, safe=""))]) + sse(*events, end, "[DONE]")]

    return script


def settings(way: str, key: str, url: str) -> str:
    """A settings file in which the key stands at one place."""
    line, coded = key.replace("\n", " "), quote(key, safe="")
    host = url.removeprefix("http://")
    address = {
        "query": f"{url}?t={coded}", "path": f"http://{host.removesuffix('/v1')}/{coded}/v1",
        "password": f"http://me:{coded}@{host}", "user": f"http://{coded}@{host}",
        "user before a word": f"http://{coded}:x@{host}",
    }.get(way, url)  # fmt: skip
    headers = {
        "header": {"x-custom": line}, "scheme": {"x-sign-in": f"Token {line}"}, "cookie": {"cookie": f"s={line}; a=b"},
    }.get(way, {})  # fmt: skip
    lines = [
        "[providers.echo]",
        f"base_url = {json.dumps(address)}",
        f'key = "{VARIABLES.get(way, "none")}"',
    ]
    lines += [f"api_key = {json.dumps(key)}"] if way == "wrong setting" else []
    lines += [f"headers = {{ {name} = {json.dumps(value)} }}" for name, value in headers.items()]
    lines += [f"extra = {{ client_secret = {json.dumps(key)} }}"] if way == "provider field" else []
    lines += (
        ["[providers.echo.models.m]", f"extra = {{ access_token = {json.dumps(key)} }}"] if way == "model field" else []
    )
    return "\n".join(lines) + "\n"


def plant(key: str, folder: Path, home: Path, way: str) -> None:
    """Put the key into what a user writes: a case, a request, a tool of their own."""
    (folder / "tools.json").write_text(TOOLS)
    tools, asked = json.loads(TOOLS), [{"role": "user", "content": f"It is {key}."}]
    case = {"title": f"of {key}", "messages": asked, "tools": tools, "mocks": {"look": {"result": {"at": key}}}}
    (folder / "case.json").write_text(json.dumps(case))
    (folder / "wrong.json").write_text(json.dumps({**case, key: 1}))
    (folder / "request.json").write_text(json.dumps({"model": "m", "messages": asked, "extra": {"api_token": key}}))
    if way == "server of tools":
        server = {"command": "nowhere", "env": {"API_KEY": key}}
        (home / "mcp.json").write_text(json.dumps({"mcpServers": {"s": server}}))
    (home / "tools").mkdir()
    source = f'def peek(at: str = {key!r}) -> str:\n    """Peek with {key.splitlines()[0]}."""\n    raise ValueError({key!r})\n'
    (home / "tools" / "mine.py").write_text(source)


def commands(way: str, key: str, folder: Path, url: str) -> Iterator[tuple[str, ...]]:
    """Forty-four commands over one history, some of them wrong."""
    fields = {"run field": {"access_token": key}, "session field": {"a": [{"sessionToken": key}]}}
    field = ("--extra", json.dumps(fields[way])) if way in fields else ()
    run = ("run", "--provider", "echo", "--model", "m", *field)
    key = "nothing" if way in RUN_FIELDS else key
    yield from ((*run, *more, "hello") for more in ((), ("--json", "-q"), ("--events",)))
    yield (*run, "--tools", str(folder / "tools.json"), "Look there.")
    yield from (
        ("providers", *words) for words in (("list",), ("list", "--json"), ("models", "echo"), ("test", "echo"))
    )
    yield from (
        ("show", "1"),
        ("show", "1", "--json"),
        ("show", "4", "--wire"),
        ("history", "--json"),
        ("diff", "1", "2"),
    )
    yield from (
        ("tools", *words) for words in (("list",), ("show", "peek"), ("show", "peek", "--json"), ("call", "peek"))
    )
    yield ("tools", "import", "--from", "python", str(folder.parent / "home" / "tools" / "mine.py"), "--set", "mine")
    yield (*run, "--tools", "set:mine", "--system", key, "--title", key, f"It is {key}.")
    suite = ("suite", "run", str(folder / "case.json"), "--target", "provider=echo,model=m", "--repeat", "1")
    yield (*suite, "--junit", str(folder / "junit.xml"), "--report", f"html={folder / 'report.html'}")
    yield from (("suite", "show", "last"), ("case", "keep", "1", "--expect", "none", "--tag", key))
    yield ("suite", "export", str(folder / "case.json"), "--out", str(folder / "again.yaml"))
    yield ("verdict", "set", "1", "pass", "--why", f"It told {key}.")
    send = ("send", "--protocol", "openai_chat", "--base-url", url)
    yield from ((*send, "--request", str(folder / "request.json"), *more) for more in ((), ("--json",)))
    yield from (("replay", "--all", "--mode", mode) for mode in ("parse", "offline"))
    yield from (
        ("suite", "run", str(folder / "wrong.json"), "--target", "provider=echo,model=m"),
        ("gateway", "--map", key, "--record", "never"), ("show", f"x{key}"), (f"x{key}",), (*run, "--format", key, "hello"),
        (*send, "--request", f"x{key}"), ("formats", f"x{key}"), ("run", "--target", key, "hello"),
    )  # fmt: skip
    yield ("db", "backup", str(folder / "backup.db"))
    yield from (("export", "--to", kind, "--out", str(folder / kind), "1", "4") for kind in KINDS)


def clean(data: bytes, key: str, what: str) -> None:
    """Fail where bytes tell the key."""
    for how in ECHOED:
        assert spell(key, how).rstrip("=").encode() not in data, f"{what} tells the key ({how})"


PAIRS = [(shape, way) for shape in SHAPES for way in WAYS]
ALWAYS = {(list(SHAPES)[number % len(SHAPES)], way) for number, way in enumerate(WAYS) if number % 7 == 0}


@pytest.mark.parametrize(
    ("shape", "way"), [pytest.param(*pair, marks=[] if pair in ALWAYS else pytest.mark.long) for pair in PAIRS]
)
def test_no_command_tells_a_planted_key(
    shape: str, way: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    key = (
        SHAPES[shape].replace("\n", " ")
        if way in ("key", "header", "scheme", "cookie", "own variable")
        else SHAPES[shape]
    )
    folder = tmp_path / "out"
    folder.mkdir()
    home.mkdir()
    if way == "environment" or way in VARIABLES:
        monkeypatch.setenv(VARIABLES.get(way, "env:DB_TOKEN").removeprefix("env:"), key)
    if way == "proxy":
        monkeypatch.setenv("UNUSED_PROXY_URL", f"http://me:{quote(key, safe='')}@h:1")
    elsewhere = "nothing" if way in RUN_FIELDS else key
    plant(elsewhere, folder, home, way)
    planted = {path: path.read_bytes() for path in (*folder.rglob("*"), *home.rglob("*")) if path.is_file()}
    with ExitStack() as stack:
        server = stack.enter_context(served(echo(key, asked=way in RUN_FIELDS)))
        (home / "settings.toml").write_text(settings(way, key, server.url), encoding="utf-8")
        done = 0
        for argv in commands(way, key, folder, server.url):
            code = dispatch(argv)
            out, err = capsys.readouterr()
            assert code in (0, 1, 2, 3), (argv[:2], err)
            assert "fault of the program" not in err, (argv, err)
            for text in (out, err):
                clean(text.encode("utf-8", "replace"), key, f"{argv[:2]}")
                assert not told(text[-4000:], key), (argv[:2], told(text[-4000:], key))
            done += 1
        assert done == 44
        assert server.requests
    for path in (*home.rglob("*"), *folder.rglob("*")):
        if path.is_file() and path.name != "settings.toml" and path not in planted:
            clean(path.read_bytes(), key, path.name)
