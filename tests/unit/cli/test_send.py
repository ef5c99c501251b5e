"""`workbench send`: one exchange or a batch; exit codes, order, and rows that fail."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from tests.kit.wire_server import RESET, Request, Script, answer, head, served, sse
from workbench.cli.failures import guarded
from workbench.cli.send import main

CHUNK = '{"choices":[{"index":0,"delta":%s,"finish_reason":%s}],"usage":{"prompt_tokens":3,"completion_tokens":2}}'


def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    return CHUNK % (json.dumps(delta), json.dumps(finish))


def call(arguments: str, finish: str = "tool_calls") -> list[Any]:
    delta = {"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "f", "arguments": arguments}}]}
    return [head() + sse(chunk(delta, finish), "[DONE]")]


def script(request: Request, number: int) -> Script:
    """What the model's name asks for."""
    model = json.loads(request.body)["model"]
    scripts: dict[str, Script] = {
        "hello": [0.03, head() + sse(chunk({"content": "Hé"}), chunk({"content": "llo"}, "stop"), "[DONE]")],
        "call": call('{"a": 1}'),
        "cut": call('{"a": ', "length"),
        "empty": call(""),
        "empty-cut": call("", "length"),
        "nan": call('{"a": NaN}'),
        "list": call("[1]"),
        "reset": [head(), sse(chunk({"content": "half"})), 0.02, RESET],
        "in-stream": [head() + sse(chunk({"content": "some"}), '{"error":{"code":502,"message":"died"}}')],
        "refused": answer(400, b'{"error":{"message":"no such thing"}}'),
        "whole": answer(
            200, json.dumps({"choices": [{"message": {"content": "w"}, "finish_reason": "stop"}]}).encode()
        ),
        "twice": answer(503, b"{}", extra=[("retry-after-ms", "1")]) if number == 0 else call("{}"),
    }
    return scripts[model]


def request(model: str, **more: Any) -> dict[str, Any]:
    return {"model": model, "messages": [{"role": "user", "content": "hi"}], **more}


def batch(
    rows: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, list[dict[str, Any]], str]:
    file = tmp_path / "rows.jsonl"
    with served(script) as server:
        lines = []
        for row in rows:
            if isinstance(row, dict) and row.get("base_url", "") is not None:
                row = {"protocol": "openai_chat", "base_url": server.url, **row}
            lines.append(row if isinstance(row, str) else json.dumps(row))
        file.write_text("\n".join(lines), encoding="utf-8")
        code = main(["--batch", str(file), *options])
    printed = capsys.readouterr()
    return code, [json.loads(line) for line in printed.out.splitlines()], printed.err


def error(kind: str, status: int, message: str, code: str | None = None) -> dict[str, Any]:
    """An error of a provider that says nothing more; the hint is ours."""
    return {"kind": kind, "status": status, "message": message, "code": code, "hint": ANY, "retry_after": None}


def test_batch_answers_every_row_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = ["hello", "call", "cut", "empty", "empty-cut", "nan", "list", "reset", "in-stream", "refused", "whole"]
    code, rows, errors = batch(
        [{"id": n, "request": request(m), "stream": m != "whole"} for n, m in enumerate(models)], tmp_path, capsys
    )
    assert code == 3
    assert [row["id"] for row in rows] == list(range(len(models)))
    by_model = dict(zip(models, rows, strict=True))
    assert by_model["hello"] == {
        "id": 0, "text": "Héllo", "reasoning": "", "tool_calls": [], "finish_reason": "stop", "usage": {"input": 3, "output": 2},
    }  # fmt: skip
    arguments = {model: by_model[model]["tool_calls"][0]["arguments"] for model in models[1:7]}
    assert arguments == {
        "call": {"a": 1},
        "cut": '{"a": ',
        "empty": {},
        "empty-cut": "",
        "nan": '{"a": NaN}',
        "list": "[1]",
    }
    assert by_model["call"]["tool_calls"] == [{"id": "c1", "name": "f", "arguments": {"a": 1}}]
    assert (by_model["reset"]["text"], by_model["reset"]["error"]["kind"]) == ("half", "cut_off")
    assert by_model["in-stream"]["error"] == error("server", 200, "died", "502")
    assert by_model["in-stream"]["text"] == "some"
    assert by_model["refused"]["error"] == error("bad_request", 400, "no such thing")
    assert by_model["whole"]["text"] == "w"
    assert "3 of the rows failed" in errors


def test_bad_rows_do_not_end_the_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = [
        "not json", "[1]", '"x"', "[" * 5000, "", {"id": 5}, {"id": 6, "request": {"model": "m"}}, {"id": 7, "protocol": "telepathy", "request": request("call")},
        {"id": 8, "request": request("call"), "retries": "many"}, {"id": 9, "request": request("call", stop=5)},
        {"id": 10, "base_url": "nowhere", "request": request("call")}, {"id": 11, "request": request("call"), "key_env": "NOT_SET_X"},
        {"id": 12, "request": request("call"), "headers": 5}, {"id": 13, "request": request("call", tools=7)},
        {"id": 14, "request": request("call")},
    ]  # fmt: skip
    code, rows, _ = batch(bad, tmp_path, capsys, "--parallel", "2")
    assert code == 2
    assert [row["id"] for row in rows] == [None] * 4 + list(range(5, 15))
    assert {row["error"]["kind"] for row in rows[:-1]} == {"invalid_input"}
    assert "openai_chat" in rows[6]["error"]["hint"]
    assert "error" not in rows[-1]


def test_rows_may_retry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, (row,), _ = batch([{"id": 1, "request": request("twice"), "retries": 1}], tmp_path, capsys)
    assert row["tool_calls"][0]["arguments"] == {}
    _, (row,), _ = batch([{"id": 1, "request": request("twice")}], tmp_path, capsys)
    assert row["error"]["status"] == 503
    assert 0 < row["error"]["retry_after"] < 0.1


def single(model: str, tmp_path: Path, *options: str) -> int:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request(model)), encoding="utf-8")
    with served(script) as server:
        return main(["--protocol", "openai_chat", "--base-url", server.url, "--request", str(file), *options])


def test_single(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert single("hello", tmp_path) == 0
    assert capsys.readouterr().out == "Héllo\n"
    assert single("call", tmp_path) == 0
    assert capsys.readouterr().out == 'f({"a": 1})\n'
    assert single("hello", tmp_path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["text"] == "Héllo"


def test_single_failing_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert single("reset", tmp_path) == 3
    printed = capsys.readouterr()
    assert printed.out == "half\n"
    assert "middle of the reply" in printed.err
    assert single("refused", tmp_path, "--json", "--no-stream") == 3
    assert json.loads(capsys.readouterr().out)["error"]["status"] == 400


def test_tools_over_a_protocol_without_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    says = 'Sure. {"function_calls": [{"name": "f", "arguments": {"a": 1}}]}'
    inner = {
        "choices": [{"message": {"content": says}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    reply = {"success": True, "data": {"completions": {"m": {"completion": inner}}}}
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]
    file = tmp_path / "rows.jsonl"
    with served(answer(201, json.dumps(reply).encode())) as server:
        rows = [{"id": 1, "request": request("m", tools=tools)}, {"id": 2, "request": request("m")}]
        file.write_text("\n".join(json.dumps({"protocol": "straico", "base_url": server.url, **row}) for row in rows))
        assert main(["--batch", str(file), "--parallel", "1"]) == 0
        asked = json.loads(server.requests[0].body)
    with_tools, without = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert '"name": "f"' in asked["message"]
    assert "tools" not in asked
    assert (with_tools["text"], with_tools["tool_calls"]) == (
        "Sure.",
        [{"id": "call_1", "name": "f", "arguments": {"a": 1}}],
    )
    assert (without["text"], without["tool_calls"]) == (says, [])


def test_key_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-0123456789")
    file = tmp_path / "r.json"
    file.write_text(json.dumps(request("call")), encoding="utf-8")
    with served(script) as server:
        assert (
            main(["--protocol", "openai_chat", "--base-url", server.url, "--request", str(file), "--key-env", "MY_KEY"])
            == 0
        )
        assert server.requests[0].headers["authorization"] == "Bearer sk-0123456789"
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "--protocol"),
        (
            ["--protocol", "openai_chat", "--base-url", "http://127.0.0.1:9/v1", "--request", "missing.json"],
            "missing.json",
        ),
        (["--protocol", "openai_cat", "--base-url", "http://127.0.0.1:9/v1", "--request", "{file}"], "openai_chat"),
        (["--protocol", "openai_chat", "--base-url", "nowhere", "--request", "{file}"], "Base URL"),
        (
            ["--protocol", "openai_chat", "--base-url", "http://h", "--request", "{file}", "--key-env", "UNSET_X"],
            "UNSET_X",
        ),
        (["--protocol", "openai_chat", "--base-url", "http://h", "--request", "{file}", "--timeout", "0"], "--timeout"),
        (["--batch", "missing.jsonl"], "missing.jsonl"),
        (["--batch", "{file}", "--timeout", "-1"], "--timeout"),
    ],
)
def test_wrong_use(options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(request("call")), encoding="utf-8")
    assert main([str(file) if option == "{file}" else option for option in options]) == 2
    assert words in capsys.readouterr().err


def test_request_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("{not json"))
    assert main(["--protocol", "openai_chat", "--base-url", "http://h", "--request", "-"]) == 2
    assert "not JSON" in capsys.readouterr().err


def test_batch_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with served(script) as server:
        row = {"id": "x", "protocol": "openai_chat", "base_url": server.url, "request": request("call")}
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(row).encode())))
        assert main(["--batch", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "x"


def test_closed_output_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    file = tmp_path / "rows.jsonl"
    file.write_text("nonsense\n" * 50, encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.raises(BrokenPipeError):
        main(["--batch", str(file)])


def test_rows_take_defaults_from_the_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    rows: list[dict[str, Any]] = [
        {"id": 1, "request": request("twice")},
        {"id": 2, "request": request("hello"), "protocol": None, "stream": None},
        {"id": 3, "request": request("hello"), "protocol": "no-such"},
        {"id": 4, "request": request("hello"), "stream": "no"},
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    monkeypatch.setenv("A_KEY", "sk-of-the-options")
    with served(script) as server:
        options = ["--protocol", "openai_chat", "--base-url", server.url, "--key-env", "A_KEY", "--retries", "1"]
        assert main(["--batch", str(file), "--parallel", "1", *options]) == 2, "two rows could not be read"
        headers = [dict(seen.headers) for seen in server.requests]
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.get("error", {}).get("kind") for row in found] == [None, None, "invalid_input", "invalid_input"]
    assert all(sent["authorization"] == "Bearer sk-of-the-options" for sent in headers)


@pytest.mark.parametrize("form", ["--request", "--batch"])
def test_unwritable_output_is_reported(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    file = tmp_path / "r.json"
    monkeypatch.setattr(sys, "stdout", Full())
    with served(script) as server:
        row = {"protocol": "openai_chat", "base_url": server.url, "request": request("hello")}
        file.write_text(json.dumps(row if form == "--batch" else row["request"]), encoding="utf-8")
        options = [form, str(file), "--protocol", "openai_chat", "--base-url", server.url]
        assert guarded(lambda: main(options)) == 2


def test_no_answer_tells_what_else_is_secret(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTHER_TOKEN", "tok-0123456789abcdef")
    home.mkdir()
    (home / "settings.toml").write_text('[providers.A]\nheaders = {x-custom = "hdr-0123456789abcdef"}\n')
    asked = {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "extra": {"api_key": "fld-0123456789abcdef"},
    }
    (tmp_path / "r.json").write_text(json.dumps(asked), encoding="utf-8")
    told = "a tok-0123456789abcdef b fld-0123456789abcdef c hdr-0123456789abcdef"
    reply = {"choices": [{"index": 0, "message": {"content": told}, "finish_reason": "stop"}]}
    with served(lambda *_: answer(200, json.dumps(reply).encode())) as server:
        row = {"protocol": "openai_chat", "base_url": server.url, "request": asked}
        (tmp_path / "b.jsonl").write_text(json.dumps(row), encoding="utf-8")
        assert main(["--batch", str(tmp_path / "b.jsonl")]) == 0
        assert main(["--protocol", "openai_chat", "--base-url", server.url, "--request", str(tmp_path / "r.json")]) == 0
        assert json.loads(server.requests[0].body)["api_key"] == "fld-0123456789abcdef"
    out = capsys.readouterr().out
    assert out.count(f"a {'*' * 20} b {'*' * 20} c {'*' * 20}") == 2
