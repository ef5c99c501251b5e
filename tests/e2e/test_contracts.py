"""What other people's scripts rely on: commands, keys of their JSON, the order of rows, exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import Done, workbench
from tests.kit.llama_server import free_port
from tests.kit.wire_server import Request, Script, answer, head, served, sse

CALL = '<tool_call>{"name": "now", "arguments": {"zone": "é"}}</tool_call>'
TOOL = {"name": "now", "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}}}
OPENAI_TOOL = {"type": "function", "function": TOOL}
PARSED = {"id", "format", "calls", "text", "reasoning", "problems"}
PARSED_CALL = {"name", "arguments", "id", "outcome", "repairs", "span"}
SENT = {"id", "text", "reasoning", "tool_calls", "finish_reason", "usage"}


def document(done: Done) -> Any:
    """The one JSON document on standard output, to the letter of the standard."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    assert done.code == 0, done.err
    return json.loads(done.out, parse_constant=refuse)


# -- formats, detect -----------------------------------------------------------------------------------------------


def test_formats() -> None:
    rows = document(workbench("formats", "--json"))
    assert [row["id"] for row in rows][:5] == [
        "native_openai",
        "native_anthropic",
        "native_gemini",
        "react",
        "json_scaffold",
    ]
    for row in rows:
        assert {"id", "family", "models", "native"} <= set(row)
        assert isinstance(row["native"], bool)


def test_detect_answers_in_the_order_of_the_question() -> None:
    names = ["qwen3:8b", "no such model", "gpt-4.1", "gemma-3-27b-it", "no such model"]
    rows = document(workbench("detect", *names, "--json"))
    assert [row["name"] for row in rows] == names
    assert [row["format"] for row in rows] == ["qwen_xml", "react", "native_openai", "gemma_function", "react"]
    assert [row["guess"] for row in rows] == [False, True, False, False, True]
    for row in rows:
        assert {"name", "family", "format", "rule", "why", "guess"} <= set(row)


# -- parse ---------------------------------------------------------------------------------------------------------

ROWS: list[Any] = [
    {"id": "strict", "format": "qwen_xml", "raw": "Hi " + CALL},
    {"id": 2, "format": "qwen_xml", "chunks": [CALL[:7], CALL[7:20], CALL[20:]], "tools": [OPENAI_TOOL]},
    {"id": "recovered", "format": "qwen_xml", "raw": CALL[:-12]},
    {"id": "refused", "format": "qwen_xml", "raw": CALL[:-12], "policy": "strict"},
    {"id": "cut", "format": "qwen_xml", "raw": CALL[:-15], "finish_reason": "length"},
    {"id": "unknown", "format": "qwen_xml", "raw": CALL, "tools": []},
    {"id": "thought", "format": "qwen_xml", "raw": f"<think>{CALL}</think>Hello"},
    {"id": "native", "format": "native_openai", "raw": json.dumps({"tool_calls": [{"id": "c1", "function": {"name": "now", "arguments": "{}"}}]})},
    {"id": "crossed", "format": "react", "raw": CALL, "policy": "cross_format"},
    {"id": "auto", "format": "auto", "raw": CALL},
    {"id": "bad format", "format": "nope", "raw": "x"},
    {"id": "no text", "format": "react"},
    "not an object",
    {"id": "plain", "format": "react", "raw": ""},
]  # fmt: skip


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> dict[Any, dict[str, Any]]:
    """The answers to `ROWS` and to a line that is no JSON, by id."""
    place = tmp_path_factory.mktemp("batch") / "rows.jsonl"
    place.write_text("\n\n".join(json.dumps(row) for row in ROWS) + "\n{broken\n", encoding="utf-8")
    done = workbench("parse", "--batch", str(place))
    assert (done.code, done.err) == (0, "")
    rows = done.lines()
    wanted = [row["id"] if isinstance(row, dict) else None for row in ROWS]
    assert [row["id"] for row in rows] == [*wanted, None]
    return {row["id"]: row for row in rows}


def test_parse_rows_have_these_keys(parsed: dict[Any, dict[str, Any]]) -> None:
    for row in parsed.values():
        assert set(row) - {"error"} == PARSED
        for call in row["calls"]:
            assert set(call) == PARSED_CALL
            assert call["outcome"] in ("strict", "recovered")
        for problem in row["problems"]:
            assert {"code", "span", "message"} <= set(problem) <= {"code", "outcome", "span", "message"}
            assert problem.get("outcome") in (None, "reported", "ignored")
    assert {name for name, row in parsed.items() if "error" in row} == {"bad format", "no text", None}


def test_a_strict_call_to_the_letter(parsed: dict[Any, dict[str, Any]]) -> None:
    call = {
        "name": "now",
        "arguments": {"zone": "é"},
        "id": "call_1",
        "outcome": "strict",
        "repairs": [],
    }
    assert parsed["strict"] == {
        "id": "strict", "format": "qwen_xml", "calls": [{**call, "span": [3, 3 + len(CALL)]}],
        "text": "Hi", "reasoning": "", "problems": [],
    }  # fmt: skip
    assert parsed[2]["calls"] == [{**call, "span": [0, len(CALL)]}]


def test_outcomes_of_attempts(parsed: dict[Any, dict[str, Any]]) -> None:
    (call,) = parsed["recovered"]["calls"]
    assert (call["outcome"], call["repairs"]) == ("recovered", ["missing_close_tag"])
    expected = {
        "refused": ("missing_close_tag", "reported"), "cut": ("truncated", "reported"),
        "unknown": ("unknown_tool", "reported"), "thought": ("mentioned", "ignored"),
    }  # fmt: skip
    for name, (code, outcome) in expected.items():
        row = parsed[name]
        assert row["calls"] == [], name
        if name != "thought":
            assert [problem["code"] for problem in row["problems"]] == [code], name
        assert [problem["outcome"] for problem in row["problems"]] == [outcome], name
    assert parsed["thought"]["text"] == "Hello"
    assert parsed["native"]["calls"][0]["id"] == "c1"
    (crossed,) = parsed["crossed"]["calls"]
    assert (parsed["crossed"]["format"], crossed["outcome"]) == ("react", "recovered")
    assert "wrong_family" in crossed["repairs"]
    assert parsed["auto"]["format"] == "qwen_xml"
    assert (parsed["plain"]["text"], parsed["plain"]["problems"]) == ("", [])


def test_one_reply_read_by_one_format_the_best_or_all() -> None:
    one = document(workbench("parse", "--format", "qwen_xml", "--chunk", "1", "--json", stdin=CALL))
    auto = document(workbench("parse", "--format", "auto", "--json", stdin=CALL))
    every = document(workbench("parse", "--format", "all", "--json", stdin=CALL))
    assert set(one) == PARSED
    assert one == auto
    assert one in every
    assert all(set(row) == PARSED for row in every)


# -- send ----------------------------------------------------------------------------------------------------------


def body(value: Any) -> Script:
    return answer(200, json.dumps(value).encode())


def chunk(finish: str | None = None, **delta: Any) -> str:
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


COUNTS = {"prompt_tokens": 12, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}}
FUNCTION = {"name": "now", "arguments": '{"zone": "é"}'}
REPLIES: dict[str, Script] = {
    "/v1/chat/completions": [head() + sse(
        chunk(role="assistant", content="", reasoning_content="Hm."), chunk(content="It is"),
        chunk(tool_calls=[{"index": 0, "id": "c1", "type": "function", "function": {**FUNCTION, "arguments": '{"zo'}}]),
        chunk(tool_calls=[{"index": 0, "function": {"arguments": 'ne": "é"}'}}]), chunk("tool_calls"),
        json.dumps({"choices": [], "usage": COUNTS}), "[DONE]",
    )],
    "/v1/messages": body({
        "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [{"type": "text", "text": "It is"}, {"type": "tool_use", "id": "c1", "name": "now", "input": {"zone": "é"}}],
        "usage": {"input_tokens": 1, "cache_read_input_tokens": 8, "cache_creation_input_tokens": 3, "output_tokens": 5},
    }),
    "/v1/responses": body({
        "status": "completed", "usage": {"input_tokens": 12, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 8}},
        "output": [
            {"type": "message", "content": [{"type": "output_text", "text": "It is"}]},
            {"type": "function_call", "call_id": "c1", **FUNCTION},
        ],
    }),
    "/v1/models/m:generateContent": body({
        "candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
            {"text": "It is"}, {"functionCall": {"name": "now", "args": {"zone": "é"}}},
        ]}}],
        "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 5, "cachedContentTokenCount": 8},
    }),
    "/api/chat": body({
        "model": "m", "done": True, "done_reason": "stop", "prompt_eval_count": 12, "eval_count": 5,
        "message": {"role": "assistant", "content": "It is", "tool_calls": [{"function": {"name": "now", "arguments": {"zone": "é"}}}]},
    }),
}  # fmt: skip
"""By path: one reply with a text, a call, and 12 tokens in of which 8 (or 11) come from a cache."""
FINISH = {
    "openai_chat": "tool_calls",
    "anthropic_messages": "tool_use",
    "openai_responses": "completed",
    "gemini_generate": "STOP",
    "ollama_chat": "stop",
}
"""What each provider itself says at the end."""


def reply(request: Request, number: int) -> Script:
    return REPLIES.get(request.target.partition("?")[0], answer(404, b'{"error": {"message": "no such path"}}'))


def ask(**more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": [OPENAI_TOOL], **more}


def test_send_rows_come_in_order_and_a_bad_one_ends_nothing() -> None:
    with served(reply) as server:
        rows: list[Any] = [
            {"id": wire, "protocol": wire, "base_url": server.url, "request": ask(), "stream": wire == "openai_chat"}
            for wire in FINISH
        ]
        rows[1:1] = [{"id": "bad"}, ["no object"]]
        rows.append(
            {
                "id": "dead",
                "protocol": "openai_chat",
                "base_url": f"http://127.0.0.1:{free_port()}/v1",
                "request": ask(),
            }
        )
        rows.append(
            {"id": "missing", "protocol": "openai_chat", "base_url": server.url + "/elsewhere", "request": ask()}
        )
        done = workbench("send", "--batch", "-", stdin="\n".join([*map(json.dumps, rows), "{broken"]))
    assert done.code == 3
    found = done.lines()
    assert [row["id"] for row in found] == ["openai_chat", "bad", None, *list(FINISH)[1:], "dead", "missing", None]
    for row in found:
        assert set(row) - {"error"} == SENT
        assert set(row["usage"]) == {"input", "output"}
        if "error" in row:
            assert set(row["error"]) == {"kind", "status", "message", "code", "hint", "retry_after"}
    good = {row["id"]: row for row in found if row["id"] in FINISH}
    for wire, row in good.items():
        assert "error" not in row, row
        assert row["text"] == "It is", wire
        assert row["finish_reason"] == FINISH[wire]
        assert row["usage"] == {"input": 12, "output": 5}, wire
        (call,) = row["tool_calls"]
        assert {key: call[key] for key in ("name", "arguments")} == {"name": "now", "arguments": {"zone": "é"}}
        assert set(call) == {"id", "name", "arguments"}
        assert call["id"] == ("call_1" if wire in ("gemini_generate", "ollama_chat") else "c1")
    assert good["openai_chat"]["reasoning"] == "Hm."
    errors = [row["error"] for row in found if "error" in row]
    assert [error["kind"] for error in errors] == [
        "invalid_input",
        "invalid_input",
        "connect",
        "not_found",
        "invalid_input",
    ]
    assert [error["status"] for error in errors] == [None, None, None, 404, None]


@pytest.mark.parametrize(
    ("arguments", "finish", "expected"),
    [("", "tool_calls", {}), ("", "length", ""), ('{"a": ', "length", '{"a": '), ("[1]", "stop", "[1]"), ("NaN", "stop", "NaN")],
)  # fmt: skip
def test_send_returns_arguments_as_object_or_raw_text(
    arguments: str, finish: str, expected: Any, tmp_path: Path
) -> None:
    place = tmp_path / "request.json"
    place.write_text(json.dumps(ask()))
    call = {"id": "c", "type": "function", "function": {"name": "now", "arguments": arguments}}
    message = {"content": None, "tool_calls": [call]}
    with served(body({"choices": [{"index": 0, "message": message, "finish_reason": finish}]})) as server:
        argv = ("send", "--protocol", "openai_chat", "--base-url", server.url, "--request", str(place), "--json")
        row = document(workbench(*argv))
    assert row["tool_calls"] == [{"id": "c", "name": "now", "arguments": expected}]
    assert row["finish_reason"] == finish
    assert row["usage"] == {"input": None, "output": None}


def test_send_tries_once_unless_asked() -> None:
    with served(answer(503, b'{"error": {"message": "busy"}}', extra=[("Retry-After", "0")])) as server:
        row = {"id": 1, "protocol": "openai_chat", "base_url": server.url, "request": ask()}
        lines = [json.dumps(row), json.dumps({**row, "id": 2, "retries": 2})]
        found = workbench("send", "--batch", "-", "--parallel", "1", stdin="\n".join(lines)).lines()
        assert len(server.requests) == 1 + 3
    assert [row["error"]["status"] for row in found] == [503, 503]


# -- records -------------------------------------------------------------------------------------------------------

FAST = '{"simulate": {"tokens_per_second": 0, "first_token_s": 0, "rates": {"*": 0}}}'
STARTED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def test_history_and_show_of_recorded_runs(tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([OPENAI_TOOL]))
    argv = ("run", "--model", "qwen-hasty", "--extra", FAST, "--tools", str(tools), "--repeat", "2", "--json", "-q")
    told = workbench(*argv, "What time is it in Rome?")
    assert told.code == 0
    first, second = told.lines()

    rows = document(workbench("history", "--json"))
    assert [row["id"] for row in rows] == [second["id"], first["id"]]
    assert [row["number"] for row in rows] == [2, 1]
    for row in rows:
        assert {"id", "started", "target", "verdict"} <= set(row)
        assert STARTED.fullmatch(row["started"])
        assert row["verdict"] == first["verdict"]
        assert row["simulated"] is True
    assert document(workbench("history", "model:nobody", "--json")) == []

    shown = document(workbench("show", first["id"], "--json"))
    assert set(rows[0]) <= set(shown)
    assert shown["events"][0]["event"] == "run_started"
    assert document(workbench("diff", "1", "1", "--json"))["changes"] == []
    replayed = document(workbench("replay", "--all", "--mode", "parse", "--json"))
    assert [row["verdict"] for row in replayed] == ["same", "same"]
    assert document(workbench("db", "check", "--json"))["problems"] == []
    assert isinstance(document(workbench("providers", "list", "--json")), list)


# -- exit codes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("formats",), 0),
        (("nonsense",), 2),
        (("parse", "--format", "nope"), 2),
        (("parse", "--batch", "/no/such/file"), 2),
        (("parse", "--nonsense"), 2),
        (("detect",), 2),
        (("prompt", "--format", "react", "--tools", "/no/such/file"), 2),
        (("send", "--protocol", "openai_chat"), 2),
        (("run", "--model", "qwen-hasty", "--format", "nope", "hi"), 2),
        (("run", "--model", "nobody", "hi"), 3),
        (("run", "--model", "qwen-cut", "--extra", FAST, "--check", "-q", "hi"), 1),
        (("show", "77"), 2),
        (("history", "verdict:odd"), 2),
        (("replay", "--run", "77"), 2),
        (("providers", "test", "nobody"), 2),
        (("export", "--to", "nope", "--out", "x", "1"), 2),
        (("import", "/no/such/file"), 2),
    ],
)  # fmt: skip
def test_exit_codes(argv: tuple[str, ...], code: int) -> None:
    done = workbench(*argv)
    assert done.code == code, done.err
    assert "Traceback" not in done.err + done.out
    assert "fault of the program" not in done.err
    if code == 2:
        assert done.out == ""
        assert done.err.strip()


def test_a_dead_provider_is_code_3(tmp_path: Path) -> None:
    place = tmp_path / "request.json"
    place.write_text(json.dumps(ask()))
    base_url = f"http://127.0.0.1:{free_port()}/v1"
    sent = workbench("send", "--protocol", "openai_chat", "--base-url", base_url, "--request", str(place), "--json")
    assert sent.code == 3
    assert json.loads(sent.out)["error"]["kind"] == "connect"
    assert workbench("run", "--base-url", base_url, "--model", "m", "-q", "hi").code == 3
