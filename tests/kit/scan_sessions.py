"""Sessions of Claude Code, Codex and opencode as these agents leave them, made up, each planted fault on a list.

Most are clean, and many of those talk about calls: in code, in quotes, in files that are written.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tests.kit.scanning import (
    CODEX_HEAD,
    claude_nothing,
    claude_reply,
    claude_result,
    claude_user,
    codex,
    codex_call,
    codex_nothing,
    codex_output,
    codex_text,
    said,
    thought,
    unparsed,
    used,
)
from workbench.scan.finding import Finding

NAMES = ("Read", "Write", "Edit", "Bash", "Grep", "Glob", "Task", "WebFetch")
PROSE = (
    "I read the module first, since the failure comes from the way in which it joins paths.",
    "The tests pass now. Two of them were wrong themselves: they expected the old message.",
    "Let me look at the callers before I change the signature.",
    "This is done in three steps: read the settings, merge the defaults, and write the file as a whole.",
    "You can run it with `python -m tool --read data.json`; Write access is not needed.",
    "Action items: 1) rename the field, 2) update the docs, 3) release.",
    "The function `read(path)` returns bytes; `write(path, data)` returns nothing.",
)  # fmt: skip
CODE = (
    "```python\ndef read(path):\n    with open(path) as file:\n        return json.load(file)\n\nprint(read('a.json')['name'])\n```",
    '```json\n{"name": "package", "version": "1.2.0", "scripts": {"test": "run"}, "arguments": []}\n```',
    '```html\n<div class="tool"><button onclick="call()">Call</button></div>\n```',
    "```ts\nconst tools: Tool[] = [{ name: 'search', parameters: { type: 'object' } }]\n```",
)
TALK = (
    'Qwen writes a call as `<tool_call>` with JSON inside:\n```\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "a"}}\n</tool_call>\n```\nThe parser cuts at the closing tag.',
    "The <tool_call> tag begins a call, and the </tool_call> tag ends it; the model's text stands before.",
    'For example: `[TOOL_CALLS][{"name": "Bash", "arguments": {"command": "ls"}}]` is what Mistral writes.',
    'ReAct uses labels such as "Action:" and "Action Input:", one a line.',
    'The server returned `{"name": "Read", "arguments": {}}` as content, which is the bug in question.',
)
FILES = (
    '<project><parameter name="a">1</parameter>\n<parameter name="b">2</parameter></project>',
    "TEMPLATE = '<tool_call>\\n{json}\\n</tool_call>'\n\ndef render(call):\n    return TEMPLATE.format(json=call)\n",
    "# Notes\n\nSee [the docs](https://example.org).\n\n" + "A line of notes that goes on for a while. " * 40,
    "def main() -> None:\n    print('hello')\n" * 60,
)


class Planted(NamedTuple):
    """A fault that was put into a session."""

    session: str
    """The file's name, or the database's with the session's id."""
    kind: str


class Corpus(NamedTuple):
    """What was made up."""

    folder: Path
    planted: list[Planted]
    units: int
    """Sessions, or records of a log."""
    size: int


class Session:
    """Writes one session turn by turn, in the lines of one of the agents."""

    KINDS: tuple[str, ...] = ()
    """Faults that such a session can hold."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.lines, self.number = rng, list[Any](), 0

    def ask(self, text: str) -> None:
        raise NotImplementedError

    def prose(self) -> str:
        parts = [self.rng.choice(PROSE) for _ in range(self.rng.randint(1, 4))]
        if self.rng.random() < 0.25:
            parts.append(self.rng.choice(CODE))
        if self.rng.random() < 0.04:
            parts.append(self.rng.choice(TALK))
        return "\n\n".join(parts)

    def call(self) -> tuple[str, dict[str, Any]]:
        self.number += 1
        name = self.rng.choice(NAMES)
        place = f"src/module_{self.rng.randint(1, 400)}.py"
        arguments: dict[str, Any] = {
            "Read": {"file_path": place, "offset": self.number}, "Write": {"file_path": place, "content": self.rng.choice(FILES)},
            "Edit": {"file_path": place, "old_string": f"a{self.number}", "new_string": self.rng.choice(FILES)},
            "Bash": {"command": f"pytest -k test_{self.number}", "description": "Run the tests"},
        }.get(name, {"pattern": f"needle_{self.number}"})  # fmt: skip
        return name, arguments

    def result(self) -> str:
        return "\n".join(self.rng.choice((*PROSE, *CODE, *TALK)) for _ in range(self.rng.randint(4, 40)))

    def turn(self) -> None:
        raise NotImplementedError

    def plant(self, kind: str) -> None:
        raise NotImplementedError


class Claude(Session):
    KINDS = (
        "tool_markup_in_content", "tool_markup_in_reasoning", "invented_tool", "malformed_arguments", "schema_violation",
        "absorbed_parameter", "repeated_call", "all_output_lost",
    )  # fmt: skip

    def ask(self, text: str) -> None:
        self.lines.append(claude_user(text))

    def reply(self, *blocks: dict[str, Any], tokens: int = 90) -> None:
        self.lines += claude_reply(f"m{len(self.lines)}", *blocks, tokens=tokens)

    def turn(self) -> None:
        if self.rng.random() < 0.15:
            self.lines.append(claude_user(self.result()))
        name, arguments = self.call()
        ident = f"t{self.number}"
        thoughts = [thought(self.prose())] if self.rng.random() < 0.3 else []
        self.reply(*thoughts, said(self.prose()), used(name, arguments, ident))
        self.lines.append(claude_result(ident, self.result()))

    def plant(self, kind: str) -> None:
        ident = f"p{len(self.lines)}"
        match kind:
            case "tool_markup_in_content":
                self.reply(said(f"{self.prose()}\n{written_call(self.rng)}"))
            case "tool_markup_in_reasoning":
                self.reply(thought(f"{self.rng.choice(PROSE)}\n{written_call(self.rng)}"))
            case "invented_tool":
                self.reply(used("Frobnicate", {"x": 1}, ident))
                self.lines.append(
                    claude_result(
                        ident, "<tool_use_error>Error: No such tool available: Frobnicate</tool_use_error>", failed=True
                    )
                )
            case "malformed_arguments":
                self.reply(used("Read", unparsed('{"file_path": "a'), ident))
                told = "InputValidationError: Read was called with input that could not be parsed as JSON."
                self.lines.append(claude_result(ident, f"<tool_use_error>{told}</tool_use_error>", failed=True))
            case "schema_violation":
                self.reply(used("Read", {"path": "a"}, ident))
                self.lines.append(
                    claude_result(
                        ident,
                        "<tool_use_error>InputValidationError: Read failed: `file_path` is missing</tool_use_error>",
                        failed=True,
                    )
                )
            case "absorbed_parameter":
                self.reply(used("Write", {"file_path": 'a.txt</file_path>\n<parameter name="content">hello'}, ident))
                self.lines.append(
                    claude_result(
                        ident,
                        "<tool_use_error>InputValidationError: `content` is missing</tool_use_error>",
                        failed=True,
                    )
                )
            case "repeated_call":
                for at in range(2):
                    self.reply(used("Read", {"file_path": "same.py"}, f"{ident}{at}"))
                    self.lines.append(claude_result(f"{ident}{at}", "the very same"))
            case _ if self.rng.random() < 0.5:
                self.lines.append(claude_nothing())
            case _:
                self.reply(said(""), tokens=700)


class Codex(Session):
    KINDS = (
        "tool_markup_in_content", "invented_tool", "malformed_arguments", "schema_violation", "repeated_call", "all_output_lost",
    )  # fmt: skip

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.lines += CODEX_HEAD

    def ask(self, text: str) -> None:
        self.lines.append(codex_text(text, "user"))

    def turn(self) -> None:
        if self.rng.random() < 0.15:
            self.lines.append(codex_text(self.result(), "user"))
        name, arguments = self.call()
        ident = f"c{self.number}"
        self.lines += [
            codex_text(self.prose()),
            codex_call(name, json.dumps(arguments), ident),
            codex("token_usage_record", usage={"output_tokens": 90, "reasoning_output_tokens": 0}),
            codex_output(self.result(), ident),
        ]

    def plant(self, kind: str) -> None:
        ident = f"p{len(self.lines)}"
        told = {
            "invented_tool": ("frob", "{}", "unsupported call: frob"),
            "malformed_arguments": ("run", '{"cmd": "ls"', "failed to parse function arguments: EOF while parsing an object at line 1 column 12"),
            "schema_violation": ("run", '{"c": 1}', "failed to parse function arguments: missing field `cmd` at line 1 column 8"),
        }  # fmt: skip
        if kind == "tool_markup_in_content":
            self.lines.append(codex_text(f"{self.prose()}\n{written_call(self.rng)}"))
            return
        if kind == "all_output_lost":
            self.lines += codex_nothing()
            return
        for at in range(2 if kind == "repeated_call" else 1):
            name, arguments, output = told.get(kind, ("run", '{"cmd": "git status"}', "nothing to commit"))
            self.lines += [codex_call(name, arguments, f"{ident}{at}"), codex_output(output, f"{ident}{at}")]


class OpenCode(Session):
    """Its lines are messages with their parts, for the two tables of its database."""

    KINDS = (
        "tool_markup_in_content", "tool_markup_in_reasoning", "invented_tool", "malformed_arguments", "schema_violation", "repeated_call",
        "all_output_lost",
    )  # fmt: skip

    def ask(self, text: str) -> None:
        self.lines.append(({"role": "user"}, [{"type": "text", "text": text}]))

    def reply(self, *parts: dict[str, Any], finish: str = "stop", tokens: int = 90) -> None:
        message = {
            "role": "assistant", "modelID": "main-70b", "providerID": "work", "tokens": {"input": 900, "output": tokens},
            "finish": finish, "parentID": "p", "mode": "build",
        }  # fmt: skip
        self.lines.append((message, [{"type": "step-start"}, *parts, {"type": "step-finish", "reason": finish}]))

    def turn(self) -> None:
        if self.rng.random() < 0.15:
            self.ask(self.result())
        name, arguments = self.call()
        thoughts = [{"type": "reasoning", "text": self.prose()}] if self.rng.random() < 0.3 else []
        made = _tool(name.lower(), arguments, self.result())
        self.reply(*thoughts, {"type": "text", "text": self.prose()}, made, finish="tool-calls")

    def plant(self, kind: str) -> None:
        refused = {
            "invented_tool": {"tool": "frob", "error": "Model tried to call unavailable tool 'frob'. Available tools: read."},
            "malformed_arguments": {
                "tool": "read", "error": 'Invalid input for tool read: JSON parsing failed: Text: {"filePath": "a".\nError message: x',
            },
        }  # fmt: skip
        match kind:
            case "tool_markup_in_content":
                self.reply({"type": "text", "text": f"{self.prose()}\n{written_call(self.rng)}"})
            case "tool_markup_in_reasoning":
                self.reply({"type": "reasoning", "text": f"{self.rng.choice(PROSE)}\n{written_call(self.rng)}"})
            case "schema_violation":
                told = "The read tool was called with invalid arguments: filePath is missing"
                made = _tool("read", {"path": "a"}, "")
                made["state"] |= {"status": "error", "error": told}
                self.reply(made, finish="tool-calls")
            case "repeated_call":
                for _ in range(2):
                    self.reply(_tool("read", {"filePath": "same.py"}, "the very same"), finish="tool-calls")
            case "all_output_lost":
                self.reply(tokens=700)
            case _:
                self.reply(_tool("invalid", refused[kind], "refused"), finish="tool-calls")


def _tool(name: str, given: dict[str, Any], output: str) -> dict[str, Any]:
    return {
        "type": "tool", "tool": name, "callID": "c", "state": {"status": "completed", "input": given, "output": output},
    }  # fmt: skip


CALLS = (
    '<tool_call>\n{{"name": "{name}", "arguments": {{"file_path": "{path}"}}}}\n</tool_call>',
    "<tool_call>\n<function={name}>\n<parameter=file_path>\n{path}\n</parameter>\n</function>\n</tool_call>",
    '[TOOL_CALLS][{{"name": "{name}", "arguments": {{"file_path": "{path}"}}}}]',
    '<function_calls>\n<invoke name="{name}">\n<parameter name="file_path">{path}</parameter>\n</invoke>\n</function_calls>',
    "<tool_call>{name}<arg_key>file_path</arg_key><arg_value>{path}</arg_value></tool_call>",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{{"file_path": "{path}"}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    '<|tool_call>call:{name}{{file_path:<|"|>{path}<|"|>}}<tool_call|>',
    '<tool_call>\n{{"name": "{name}", "arguments": {{"file_path": "{path}"',
)


def written_call(rng: random.Random) -> str:
    """A call as some family writes it."""
    return rng.choice(CALLS).format(
        name=rng.choice(("Read", "Write", "search_orders")), path=f"a_{rng.randint(1, 99)}.txt"
    )


AGENTS: tuple[type[Session], ...] = (Claude, Codex, OpenCode)


def make_sessions(
    folder: Path, count: int, rng: random.Random, *, only: tuple[type[Session], str] | None = None
) -> Corpus:
    """Write sessions of the three agents in turn, every tenth with one fault; with `only`, of one agent, each with one kind."""
    planted: list[Planted] = []
    talks: list[tuple[str, Session]] = []
    size = 0
    for number in range(count):
        session = (only[0] if only else AGENTS[number % 3])(rng)
        kind = only[1] if only else rng.choice(session.KINDS) if rng.random() < 0.1 else ""
        turns = rng.randint(4, 40)
        where = rng.randrange(1, turns)
        session.ask("Please mend the tests.")
        for turn in range(turns):
            session.turn()
            if turn == where and kind:
                session.plant(kind)
        name = f"s{number}.jsonl"
        if isinstance(session, OpenCode):
            name = f"opencode.db:s{number}"
            talks.append((f"s{number}", session))
        else:
            path = folder / ("claude" if isinstance(session, Claude) else "codex") / f"{number // 500}" / name
            size += _write_lines(path, session)
        if kind:
            planted.append(Planted(name, kind))
        if len(talks) >= 200 or number == count - 1:
            size += _write_database(folder / "opencode" / "opencode.db", talks)
            talks.clear()
    return Corpus(folder, planted, count, size)


def _write_lines(path: Path, session: Session) -> int:
    """One JSON a line, with what else stands in such lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = None
    rows = []
    for number, line in enumerate(session.lines):
        if isinstance(session, Claude):
            own = {
                "uuid": f"u{number}",
                "parentUuid": before,
                "cwd": "/home/me/project",
                "version": "2.1.197",
                "gitBranch": "main",
            }
            before = own["uuid"]
            if number % 9 == 0:
                rows.append(
                    {
                        "type": "queue-operation",
                        "operation": "enqueue",
                        "sessionId": "s1",
                        "timestamp": "2026-11-20T10:00:00.000Z",
                    }
                )
        else:
            own = {"ordinal": number}
            if number % 9 == 0:
                rows.append(
                    codex("event_msg", type="token_count", info={"total_token_usage": {"input_tokens": number}})
                )
        rows.append({**line, **own})
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    return path.write_text(text, encoding="utf-8") and len(text.encode())


def _write_database(path: Path, talks: list[tuple[str, Session]]) -> int:
    """Add sessions to the one database that opencode has; return the bytes that were added."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.stat().st_size if path.exists() else 0
    with closing(sqlite3.connect(path)) as made:
        for table in ("session (id text primary key, data text)", "credential (id text, secret text)"):
            made.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        made.execute(
            "CREATE TABLE IF NOT EXISTS message (id text primary key, session_id text, time_created integer, data text)"
        )
        made.execute(
            "CREATE TABLE IF NOT EXISTS part (id text primary key, message_id text, session_id text, data text)"
        )
        made.execute("CREATE INDEX IF NOT EXISTS part_message ON part (message_id)")
        for name, session in talks:
            made.execute("INSERT INTO session VALUES (?, '{}')", (name,))
            for at, (message, parts) in enumerate(session.lines):
                ident = f"{name}-m{at:04}"
                moment = 1_790_000_000_000 + at * 1_000
                made.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (ident, name, moment, json.dumps(message)))
                rows = [(f"{ident}-{number}", ident, name, json.dumps(part)) for number, part in enumerate(parts)]
                made.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", rows)
        made.commit()
    return path.stat().st_size - before


def session_of(place: str) -> str:
    """Return the session that a finding's place is in."""
    file, _, rest = place.partition(":")
    return f"{file}:{rest.partition('-')[0]}" if file.endswith(".db") else file


class Score(NamedTuple):
    """What a scan found of what was planted."""

    planted: int
    found: int
    missed: Counter[Planted]
    false: Counter[Planted]
    """In sessions, or records of a log, where nothing was planted."""
    clean: int
    """How many of those there are."""


def score(corpus: Corpus, findings: Iterable[Finding]) -> Score:
    """Hold findings against what was planted."""
    wanted = Counter(corpus.planted)
    got = Counter(Planted(session_of(one.place), one.kind) for one in findings)
    faulty = {one.session for one in corpus.planted} if corpus.folder.is_dir() else set()
    false = Counter({one: count for one, count in (got - wanted).items() if one.session not in faulty})
    return Score(
        wanted.total(), (wanted & got).total(), wanted - got, false, corpus.units - (len(faulty) or wanted.total())
    )
