"""Made-up sessions, a log and a dump with every kind of finding, for pictures of the page Scan."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from tests.kit.scanning import (
    CODEX_HEAD,
    TOOL,
    claude_reply,
    claude_result,
    claude_user,
    codex_call,
    codex_output,
    codex_text,
    said,
    thought,
    used,
    written,
)

if TYPE_CHECKING:
    from pathlib import Path

CALLS = (
    '<tool_call>\n{{"name": "{name}", "arguments": {{"status": "open", "since": "2026-11-0{day}"}}}}\n</tool_call>',
    "<tool_call>\n<function={name}>\n<parameter=status>\nopen\n</parameter>\n</function>\n</tool_call>",
    '[TOOL_CALLS][{{"name": "{name}", "arguments": {{"status": "open"}}}}]',
)
NAMES = ("search_orders", "read_file", "list_directory", "create_event")
WORDS = ("I look the orders up.", "One moment, I read the file.", "Let me see which of them are open.")


def write_samples(folder: Path, seed: int = 5) -> list[Path]:
    """Write the files; return what is to be scanned."""
    rng = random.Random(seed)
    for number in range(24):
        written(folder / "claude-sessions" / f"s{number}.jsonl", *_claude(rng, number))
        written(folder / "codex-sessions" / f"rollout-{number}.jsonl", *_codex(rng, number))
    log = folder / "server-a.log"
    log.write_text("".join(_log_lines(rng)), encoding="utf-8")
    dump = written(folder / "replies.jsonl", *(_exchange(rng) for _ in range(120)))
    (folder / "old.log").write_text("", encoding="utf-8")
    return [folder / "claude-sessions", folder / "codex-sessions", log, dump, folder / "old.log"]


def _call(rng: random.Random) -> str:
    return rng.choice(CALLS).format(name=rng.choice(NAMES), day=rng.randint(1, 9))


def _claude(rng: random.Random, number: int) -> list[Any]:
    rows: list[Any] = [claude_user("Which orders are still open since 1 November?")]
    for turn in range(10):
        rows += claude_reply(
            f"m{turn}", said(rng.choice(WORDS)), used("Read", {"file_path": f"a{turn}.md"}, f"t{turn}")
        )
        rows.append(claude_result(f"t{turn}", f"order {turn}: open"))
    match number % 6:
        case 0:
            rows += claude_reply("l", said(f"{rng.choice(WORDS)}\n{_call(rng)}"))
        case 1:
            rows += claude_reply("l", thought(f"I should search.\n{_call(rng)}"))
        case 2:
            rows += claude_reply("l", used("Frobnicate", {"x": 1}, "f"))
            rows.append(claude_result("f", "Error: No such tool available: Frobnicate", failed=True))
        case 3:
            swallowed = {"file_path": 'a.txt</file_path>\n<parameter name="content">hello'}
            rows += claude_reply("l", used("Write", swallowed, "w"))
            refusal = "<tool_use_error>InputValidationError: `content` is missing</tool_use_error>"
            rows.append(claude_result("w", refusal, failed=True))
        case _:
            pass
    rows.append(claude_user("And the others?"))
    return rows


def _codex(rng: random.Random, number: int) -> list[Any]:
    rows: list[Any] = [*CODEX_HEAD, codex_text("Please mend the tests.", "user")]
    for turn in range(8):
        rows += [codex_text(rng.choice(WORDS)), codex_call("run", json.dumps({"cmd": f"pytest {turn}"}), f"c{turn}")]
        rows.append(codex_output("2 passed", f"c{turn}"))
    if number % 4 == 0:
        rows += [
            codex_call("run", '{"cmd": "ls"', "bad"),
            codex_output("failed to parse function arguments: EOF", "bad"),
        ]
    if number % 5 == 0:
        for at in range(2):
            rows += [codex_call("run", '{"cmd": "git status"}', f"r{at}"), codex_output("nothing to commit", f"r{at}")]
    return rows


def _log_lines(rng: random.Random) -> list[str]:
    lines = ["INFO 11-20 09:00:00 [api_server.py:1] args: served_model_name=['coder-7b']\n"]
    for number in range(600):
        stamp = f"INFO 11-{14 + number // 80:02} 10:{number // 60 % 60:02}:{number % 60:02}"
        text = rng.choice(WORDS)
        if rng.random() < 0.12:
            text = f"{text}\n{_call(rng)}"
        lines.append(
            f"{stamp} [logger.py:71] Generated response chatcmpl-{number}: output: {text!r}, output_token_ids: None, finish_reason: stop\n"
        )
    return lines


def _exchange(rng: random.Random) -> dict[str, Any]:
    text = rng.choice(WORDS)
    calls: list[Any] = []
    lot = rng.random()
    if lot < 0.1:
        text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
    elif lot < 0.2:
        arguments = '{"town": 5}' if lot < 0.15 else '{"city": "Ro'
        calls = [{"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": arguments}}]
    message = {"role": "assistant", "content": None if calls else text, **({"tool_calls": calls} if calls else {})}
    finish = "tool_calls" if calls else "stop"
    reply = {"object": "chat.completion", "model": "main-70b", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}  # fmt: skip
    return {"request": {"model": "main-70b", "messages": [{"role": "user", "content": "Rome?"}], "tools": [TOOL]}, "response": reply}  # fmt: skip
