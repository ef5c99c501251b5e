"""12,000 commands with a planted key: 8 shapes × 19 ways in × 83 commands, and neither output nor file tells it.

The server that they talk to tells every key it may have been given, in five spellings and in pieces. The key stands in
prompts, cases, requests, tools, logs, samples and wrong words as well. A few pairs of shape and way run always, all with `--long`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
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
    "name of a setting",
)  # fmt: skip
RUN_FIELDS = ("run field", "session field")
"""Ways of which no other command can know."""
KINDS = ("jsonl", "har", "vcr", "curl", "python", "pytest", "html")
VARIABLES = {"key": "env:PLANTED_KEY", "own variable": "env:PLANTED"}
TOOLS = '[{"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}}]'


def echo(key: str, *, asked: bool) -> Callable[[Request, int], Script]:
    """Tells the key in text, in a call's arguments, in a header and in the list of models; `asked`: to whom sends it."""
    forms = " ".join(spell(key, how) for how in ECHOED)

    call = json.dumps({"name": "look", "arguments": {"at": key}})

    def script(request: Request, number: int) -> Script:
        if asked and key.encode() not in request.body.replace(b"\\n", b"\n"):
            return answer(200, b'{"data": [{"id": "m"}]}')
        if "/models" in request.target:
            return answer(200, json.dumps({"data": [{"id": f"m-{key}"}, {"id": "m"}]}).encode())
        if b"Break off." in request.body:
            return [
                head()
                + sse(
                    json.dumps({"choices": [{"index": 0, "delta": {"content": f"<tool_call>{call[:-2]}"}}]}), "[DONE]"
                )
            ]
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
    lines += [f"{json.dumps(key)} = 1"] if way == "name of a setting" else []
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
    case["expect"] = {"calls": [{"name": "look"}]}
    (folder / "case.json").write_text(json.dumps(case))
    (folder / "wrong.json").write_text(json.dumps({**case, key: 1}))
    (folder / "request.json").write_text(json.dumps({"model": "m", "messages": asked, "extra": {"api_token": key}}))
    if way == "server of tools":
        server = {"command": "nowhere", "env": {"API_KEY": key}}
        (home / "mcp.json").write_text(json.dumps({"mcpServers": {"s": server}}))
    (folder / "cases").mkdir()
    (folder / "cases" / "one.json").write_text(json.dumps(case))
    (folder / "broken.txt").write_text('<tool_call>{"name": "look", "arguments": {"at": ' + json.dumps(key))
    sample = f"«act look»{json.dumps({'at': key})}«/act»"
    (folder / "sample.txt").write_text(f"I look.\n{sample}\n")
    (folder / "log.jsonl").write_text(
        json.dumps({"messages": [*asked, {"role": "assistant", "content": sample}], "tools": tools})
    )
    (folder / "asked.jsonl").write_text(json.dumps({"messages": asked, "tools": tools, "model": "m"}))
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


def further(way: str, key: str, folder: Path, url: str) -> Iterator[tuple[str, ...]]:
    """Thirty-nine commands that need something to work on: a lost call, batches of a suite, samples, versions of tools."""
    fields = {"run field": {"access_token": key}, "session field": {"a": [{"sessionToken": key}]}}
    field = ("--extra", json.dumps(fields[way])) if way in fields else ()
    key = "nothing" if way in RUN_FIELDS else key
    home, target = folder.parent / "home", ("--target", "provider=echo,model=m")
    run = ("run", "--provider", "echo", "--model", "m", "--format", "qwen_xml", "--tools", str(folder / "tools.json"))
    yield (*run, *field, "Break off.")
    yield from (("minimise", "--run", "1", *more) for more in ((), ("--json",), ("--live", "2")))
    report = ("report", "1", "--for", "vllm")
    yield from ((*report, *more) for more in ((), ("--json",), ("--out", str(folder / "report.md"), "--whole")))
    yield from (("read", str(folder / name)) for name in ("broken.txt", "log.jsonl"))
    yield from (("scan", str(folder / "log.jsonl"), *more) for more in ((), ("--json",), ("--record",)))
    drafted = ("--tools", str(folder / "tools.json"), "--out", str(folder / "drafted"))
    yield ("formats", "draft", str(folder / "sample.txt"), *drafted)
    yield ("import", str(folder / "log.jsonl"), "--suite", "mine")
    yield from (("case", "list", *more) for more in ((), ("--json",)))
    yield from (("suite", "run", str(folder / "cases"), *target, "--repeat", "1") for _ in range(2))
    first, second = batches(home)
    yield ("suite", "diff", first, second)
    for act in (("pin", "cases", "--note", key), ("move", "cases", first, "--note", key), ("show", "cases")):
        yield ("suite", "baseline", *act)
    yield from (("verdict", "judge", "last", *target, *more) for more in ((), ("--json",)))
    yield from (("verdict", "agreement", "last"), ("verdict", "show", "2"))
    ends = ("--reference", "provider=echo", "--candidate", "provider=echo", "--markdown", str(folder / "verify.md"))
    asked = ("--requests", str(folder / "asked.jsonl"), "--budget", "3", "--evidence", str(folder / "evidence"))
    yield ("verify", "m", *ends, *asked)
    yield ("verify", "--show", "last", "--json")
    yield ("models", "export", str(folder / "models.yaml"))
    yield from (("models", "import", str(folder / "models.yaml"), *more) for more in (("--dry-run",), ()))
    yield from (("tools", "import", "--from", "python", str(home / "tools" / "mine.py"), "--set", "mine") for _ in "12")
    for words in (("lint", "set:mine"), ("mode", "mine", "peek", "mock"), ("diff", "mine@1", "mine@1")):
        yield ("tools", *words)
    yield ("replay", "--run", "1", "--from-iteration", "1", "--set", f"prompt=It is {key}.")
    yield ("db", "size", "--json")
    yield ("db", "copy", str(home / "workbench.db"), str(folder / "copy.db"))


def names(key: str, folder: Path) -> Iterator[tuple[str, ...]]:
    """Nine commands that call a file or a folder of the data folder by a word."""
    yield from (
        ("run", "--provider", "echo", "--model", "m", "hello"),
        ("case", "keep", "1", "--suite", key, "--expect", "none"),
    )
    yield from (("import", str(folder / "case.json"), *more) for more in (("--suite", key), ("--suite", f"of {key}")))
    drafted = ("--tools", str(folder / "tools.json"), "--id")
    yield from (("formats", "draft", str(folder / "sample.txt"), *drafted, name) for name in (key, f"own_{key}"))
    yield ("providers", "add", key, "--base-url", "http://127.0.0.1:9/v1", "--no-key")
    yield ("providers", "models", "echo")
    yield ("providers", "probe", "echo", "--model", f"m-{key}")


def batches(home: Path) -> list[str]:
    """Ids of the batches that ran, the earliest first."""
    with closing(sqlite3.connect(home / "workbench.db")) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM batches ORDER BY created_us")]


def clean(data: bytes, key: str, what: str) -> None:
    """Fail where bytes tell the key."""
    for how in ECHOED:
        assert spell(key, how).rstrip("=").encode() not in data, f"{what} tells the key ({how})"


PAIRS = [(shape, way) for shape in SHAPES for way in WAYS]
OTHERS = {("github", "header"), ("uuid", "own variable")}
ALWAYS = {(list(SHAPES)[number % len(SHAPES)], way) for number, way in enumerate(WAYS) if number % 7 == 0}


EACH = pytest.mark.parametrize(
    ("shape", "way"), [pytest.param(*pair, marks=[] if pair in ALWAYS else pytest.mark.long) for pair in PAIRS]
)
SOMETIMES = pytest.mark.parametrize(
    ("shape", "way"), [pytest.param(*pair, marks=[] if pair in OTHERS else pytest.mark.long) for pair in PAIRS]
)
Table = Callable[[str, str, Path, str], Iterator[tuple[str, ...]]]


class Planted:
    """A key at one place of a data folder, and what a user wrote with it in a folder beside that."""

    def __init__(self, shape: str, way: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        one_line = way in ("key", "header", "scheme", "cookie", "own variable")
        self.key, self.way = SHAPES[shape].replace("\n", " ") if one_line else SHAPES[shape], way
        self.home, self.folder, self._capsys = place / "home", place / "out", capsys
        self._held: set[str] = set()
        """What the program has had in hand: each command is one of its own, and knows nothing of the others' keys."""

    def sweep(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[str, ...], int, str]]:
        """Run the commands, look at outputs and files, and return each with its exit code and its complaints."""
        key, way = self.key, self.way
        monkeypatch.setattr("workbench.settings.secrets._held", self._held)
        self.folder.mkdir()
        self.home.mkdir()
        if way == "environment" or way in VARIABLES:
            monkeypatch.setenv(VARIABLES.get(way, "env:DB_TOKEN").removeprefix("env:"), key)
        if way == "proxy":
            monkeypatch.setenv("UNUSED_PROXY_URL", f"http://me:{quote(key, safe='')}@h:1")
        plant("nothing" if way in RUN_FIELDS else key, self.folder, self.home, way)
        planted = {path: path.read_bytes() for path in self._files()}
        with served(echo(key, asked=way in RUN_FIELDS)) as server:
            (self.home / "settings.toml").write_text(settings(way, key, server.url), encoding="utf-8")
            done = [self._ran(argv) for argv in table(way, key, self.folder, server.url)]
            assert server.requests
        for path in self._files():
            if path.name != "settings.toml" and path not in planted:
                clean(path.read_bytes(), key, path.name)
            if self.home in path.parents:
                clean(str(path.relative_to(self.home)).encode("utf-8", "replace"), key, "a name")
        return done

    def _files(self) -> list[Path]:
        return [path for folder in (self.home, self.folder) for path in folder.rglob("*") if path.is_file()]

    def _ran(self, argv: tuple[str, ...]) -> tuple[tuple[str, ...], int, str]:
        self._held.clear()
        code = dispatch(argv)
        out, err = self._capsys.readouterr()
        assert code in (0, 1, 2, 3), (argv[:2], err)
        assert "fault of the program" not in err, (argv, err)
        for text in (out, err):
            clean(text.encode("utf-8", "replace"), self.key, f"{argv[:2]}")
            assert not told(text[-4000:], self.key), (argv[:2], told(text[-4000:], self.key))
        return argv, code, err


@EACH
def test_no_command_tells_a_planted_key(
    shape: str, way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(Planted(shape, way, tmp_path, capsys).sweep(commands, monkeypatch)) == 44


@SOMETIMES
def test_no_command_that_works_on_something_tells_a_planted_key(
    shape: str, way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = Planted(shape, way, tmp_path, capsys).sweep(further, monkeypatch)
    assert len(done) == 39
    again = (
        ("--live", "judge") if way in RUN_FIELDS else ()
    )  # without the field, the server answers nothing that serves them
    refused = [(argv[:3], err) for argv, code, err in done if code == 2 and not {*again} & {*argv}]
    assert not refused  # a command that is refused tests nothing


@pytest.mark.parametrize(
    "shape",
    [pytest.param(shape, marks=[] if number % 7 == 0 else pytest.mark.long) for number, shape in enumerate(SHAPES)],
)
def test_no_file_is_named_by_a_planted_key(
    shape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = Planted(shape, "key", tmp_path, capsys)
    done = planted.sweep(lambda _way, key, folder, _url: names(key, folder), monkeypatch)
    named = [argv for argv, _, _ in done if planted.key in " ".join(argv) and "probe" not in argv]
    assert [argv for argv, code, _ in done if code == 2 and "named" not in argv] == named
