"""Sessions of opencode: SQLite, `~/.local/share/opencode/opencode.db` (seen of version 1.18).

    message(id, session_id, time_created, data)      data: {"role", "modelID", "providerID", "tokens": {"output"}, "finish", …}
    part(id, message_id, session_id, data)           data: {"type": "text" | "reasoning" | "tool" | "step-start" | …}
        a tool: {"tool", "callID", "state": {"status", "input", "output" | "error"}}; `invalid` stands for a call that was refused

The file holds accounts and keys too: the database refuses us every other table, and nothing is written.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.json_text import UNREADABLE
from workbench.core.whole_files import true_path
from workbench.scan.json_values import json_value
from workbench.scan.readers.session import TurnSequence, microseconds
from workbench.scan.reply import FoundReply, Refused, SeenCall, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from workbench.scan.opened import Opened

SERVER = "opencode"
_MAGIC = b"SQLite format 3\0"
_TABLES = frozenset({"message", "part", "sqlite_master"})
_MESSAGES = """
SELECT m.session_id, m.id, m.time_created, m.data, p.data FROM message m LEFT JOIN part p ON p.message_id = m.id
ORDER BY m.session_id, m.time_created, m.id, p.id
"""


def recognise(file: Opened) -> bool:
    """A database with their two tables."""
    if not file.head.startswith(_MAGIC) or file.path is None:
        return False
    try:
        with closing(_connect(file.path)) as connection:
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return False
    return {"message", "part"} <= names


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies, session by session."""
    if file.path is None:
        return
    try:
        with closing(_connect(file.path)) as connection:
            rows = connection.execute(_MESSAGES)
            for _, session in groupby(rows, key=lambda row: row[0]):
                yield from _session(session)
    except sqlite3.Error as error:
        raise InvalidInput(f"{file.name} cannot be read: {error}.", hint="Close opencode and try again.") from error
    finally:
        file.told(file.size)


def _connect(path: Path) -> sqlite3.Connection:
    """Open for reading alone; what was not yet merged into the file is read too, where there is something."""
    log = path.with_name(f"{path.name}-wal")
    way = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    address = true_path(path).as_uri()
    connection = sqlite3.connect(f"{address}?{way}", uri=True, timeout=1.0, check_same_thread=False)
    connection.set_authorizer(_only_messages)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _only_messages(action: int, table: str | None, *_: object) -> int:
    if action == sqlite3.SQLITE_READ:
        return sqlite3.SQLITE_OK if table in _TABLES else sqlite3.SQLITE_DENY
    allowed = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_TRANSACTION)
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY


def _session(rows: Iterator[tuple[Any, ...]]) -> Iterator[FoundReply | Trouble]:
    told = TurnSequence()
    for (name, created, data), parts in groupby(rows, key=lambda row: row[1:4]):
        message = json_value(data)
        found = [json_value(part) for *_, part in parts if part is not None]
        if not isinstance(message, dict) or UNREADABLE in found:
            yield Trouble(str(name), "This message is no JSON.")
            continue
        read_parts = [part for part in found if isinstance(part, dict)]
        if message.get("role") == "user":
            told.user("".join(str(part.get("text") or "") for part in read_parts if part.get("type") == "text"))
        elif message.get("role") == "assistant":
            done = told.begin(reply_of(str(name), created, message, read_parts))
            if done is not None:
                yield done
    yield from told.finish()


def reply_of(name: str, created: Any, message: dict[str, Any], parts: list[dict[str, Any]]) -> FoundReply:
    """Return the reply of a message with its parts."""
    tokens = message.get("tokens")
    output = tokens.get("output") if isinstance(tokens, dict) else None
    reply = FoundReply(
        name, model=str(message.get("modelID") or ""), server=str(message.get("providerID") or SERVER),
        at_us=microseconds(created), finish=str(message.get("finish") or "").replace("tool-calls", "tool_calls"),
        output_tokens=output if isinstance(output, int) else None,
        hidden=bool(message.get("error") or message.get("summary")),
    )  # fmt: skip
    for part in parts:
        match part:
            case {"type": "text", "text": str(text)}:
                reply.text += text
            case {"type": "reasoning", "text": str(text)}:
                reply.reasoning += text
                reply.hidden = reply.hidden or not text
            case {"type": "tool", "tool": str(tool)}:
                reply.calls.append(_call(tool, part))
            case _:
                pass
    return reply


def _call(tool: str, part: dict[str, Any]) -> SeenCall:
    state = part.get("state") if isinstance(part.get("state"), dict) else {}
    assert isinstance(state, dict)
    given = state.get("input")
    arguments = given if isinstance(given, dict) else {}
    failed = state.get("status") == "error"
    result = str(state.get("error") if failed else state.get("output") or "")
    call = SeenCall(tool, arguments, str(part.get("callID") or ""), result, failed)
    if tool == "invalid":
        _refused(call, arguments)
    elif failed and "called with invalid arguments" in result:
        call.refused, call.why = Refused.SCHEMA, result
    return call


def _refused(call: SeenCall, told: dict[str, Any]) -> None:
    """A call that could not be executed: what is left of it stands in the refusal."""
    why = str(told.get("error") or "")
    call.name = str(told.get("tool") or "invalid")
    call.failed, call.why, call.refused = True, why, Refused.UNKNOWN_TOOL
    call.arguments = ""
    if "JSON parsing failed" in why:
        call.refused = Refused.JSON
        call.arguments = why.partition("Text: ")[2].partition(".\nError message:")[0]
    elif "unavailable tool" not in why:
        call.refused = Refused.SCHEMA
