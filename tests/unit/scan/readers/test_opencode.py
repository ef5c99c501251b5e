from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.scanning import LEAK, found_in, judged, kind_of, read
from workbench.scan.readers import opencode
from workbench.scan.reply import Trouble


def database(path: Path, *messages: tuple[dict[str, Any], list[dict[str, Any]]]) -> Path:
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE message (id text, session_id text, time_created integer, data text)")
        made.execute("CREATE TABLE part (id text, message_id text, session_id text, data text)")
        made.execute("CREATE TABLE credential (id text, secret text)")
        made.execute("INSERT INTO credential VALUES ('a', 'sk-very-secret')")
        for number, (message, parts) in enumerate(messages):
            made.execute(
                "INSERT INTO message VALUES (?, 's', ?, ?)",
                (f"m{number}", 1_790_000_000_000 + number, json.dumps(message)),
            )
            for at, part in enumerate(parts):
                made.execute(
                    "INSERT INTO part VALUES (?, ?, 's', ?)", (f"p{number}{at}", f"m{number}", json.dumps(part))
                )
        made.commit()
    return path


ASSISTANT = {
    "role": "assistant",
    "modelID": "coder-7b",
    "providerID": "local",
    "tokens": {"output": 20},
    "finish": "tool-calls",
}
STOPPED = {**ASSISTANT, "finish": "stop"}
ASKED = ({"role": "user"}, [{"type": "text", "text": "What is in it?"}])


def tool(name: str, given: dict[str, Any], output: str = "ok", **state: Any) -> dict[str, Any]:
    return {
        "type": "tool",
        "tool": name,
        "callID": "c",
        "state": {"status": "completed", "input": given, "output": output, **state},
    }


def test_messages_and_parts_are_replies(tmp_path: Path) -> None:
    made = tool("read", {"filePath": "a"}, "hello")
    path = database(tmp_path / "opencode.db", ASKED, (ASSISTANT, [{"type": "text", "text": "I look."}, made]))
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("opencode", [])
    assert (reply.text, reply.model, reply.server, reply.finish) == ("I look.", "coder-7b", "local", "tool_calls")
    assert (reply.calls[0].result, reply.context[0].text, reply.output_tokens) == ("hello", "What is in it?", 20)


def test_planted_faults_are_found(tmp_path: Path) -> None:
    gone = {"tool": "frob", "error": "Model tried to call unavailable tool 'frob'. Available tools: read."}
    cut = {
        "tool": "read",
        "error": 'Invalid input for tool read: JSON parsing failed: Text: {"filePath": "a".\nError message: x',
    }
    wrong = tool("read", {"path": "a"}, status="error", error="The read tool was called with invalid arguments: x")
    path = database(
        tmp_path / "opencode.db", ASKED, (ASSISTANT, [tool("read", {"filePath": "a"})]), (ASSISTANT, [tool("read", {"filePath": "a"})]),
        (ASSISTANT, [tool("invalid", gone)]), (ASSISTANT, [tool("invalid", cut)]), (ASSISTANT, [wrong]),
        (STOPPED, [{"type": "reasoning", "text": LEAK}]), (STOPPED, [{"type": "text", "text": LEAK}]),
    )  # fmt: skip
    assert found_in(path) == [
        "repeated_call", "invented_tool", "malformed_arguments", "schema_violation", "tool_markup_in_reasoning",
        "tool_markup_in_content",
    ]  # fmt: skip
    assert [one.raw for one in judged(read(path)[0])][2] == '{"filePath": "a"'


def test_other_tables_are_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", ASKED)
    with closing(opencode._connect(path)) as connection, pytest.raises(sqlite3.DatabaseError, match="prohibited"):
        connection.execute("SELECT secret FROM credential").fetchall()


def test_nothing_is_written(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", ASKED, (STOPPED, [{"type": "text", "text": "Hi."}]))
    before = (path.read_bytes(), sorted(tmp_path.iterdir()))
    read(path)
    assert (path.read_bytes(), sorted(tmp_path.iterdir())) == before


def test_what_is_not_merged_yet_is_read(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", ASKED)
    with closing(sqlite3.connect(path)) as open_elsewhere:
        open_elsewhere.execute("PRAGMA journal_mode = WAL")
        open_elsewhere.execute("INSERT INTO message VALUES ('m9', 's', 1790000009000, ?)", (json.dumps(STOPPED),))
        open_elsewhere.commit()
        assert [one.place for one in read(path)[0]] == ["m9"]


def test_a_broken_message_is_named(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", (STOPPED, [{"type": "text", "text": "Hi."}]))
    with closing(sqlite3.connect(path)) as made:
        made.execute("INSERT INTO message VALUES ('bad', 's', 1, '{')")
        made.commit()
    replies, troubles = read(path)
    assert ([one.text for one in replies], troubles) == (["Hi."], [Trouble("bad", "This message is no JSON.")])


def test_other_databases_are_not_taken(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as made:
        made.execute("CREATE TABLE message (id text)")
        made.commit()
    assert kind_of(tmp_path / "x.db") == ""
