from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.kit.scanning import LEAK, document, found_in, kind_of, read, written


def item(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "item.completed", "item": {"id": "i1", "type": kind, **more}}


def test_items_that_codex_prints(tmp_path: Path) -> None:
    run = {"command": "cat a.txt", "aggregated_output": "hello", "exit_code": 1}
    path = written(
        tmp_path / "a.jsonl", {"type": "thread.started", "thread_id": "t"}, item("error", message="No metadata."), {"type": "turn.started"},
        item("reasoning", text="Hm."), item("agent_message", text="I look."), {"type": "item.started", "item": {"type": "command_execution"}},
        item("command_execution", **run), item("agent_message", text=LEAK), item("mcp_tool_call", server="s", tool="t", arguments={"a": 1}),
        item("file_change", changes=[]), {"type": "turn.completed", "usage": {"output_tokens": 5}},
    )  # fmt: skip
    (thought, first, second), troubles = read(path)
    assert (kind_of(path, named=False), troubles) == ("codex-exec", [])
    assert (thought.reasoning, first.text, first.calls[0].result, first.calls[0].failed) == (
        "Hm.",
        "I look.",
        "hello",
        True,
    )
    assert (second.calls[0].name, second.hidden, found_in(path)) == ("s.t", True, ["tool_markup_in_content"])


def test_a_command_that_is_run_twice_is_a_repeated_call(tmp_path: Path) -> None:
    run = {"command": "cat a.txt", "aggregated_output": "hello", "exit_code": 0}
    path = written(tmp_path / "a.jsonl", item("agent_message", text="I look."), *[item("command_execution", **run)] * 2)
    assert (len(read(path)[0]), found_in(path)) == (2, ["repeated_call"])


def test_messages_that_older_ones_print(tmp_path: Path) -> None:
    rows = [
        {"id": "0", "msg": {"type": "task_started"}},
        {"id": "0", "msg": {"type": "agent_message", "message": LEAK}},
    ]
    path = written(tmp_path / "a.jsonl", {"model": "main-70b", "provider": "x"}, *rows)
    (reply,), _ = read(path)
    assert (kind_of(path), reply.model, reply.text, found_in(path)) == (
        "codex-exec",
        "main-70b",
        LEAK,
        ["tool_markup_in_content"],
    )


ASKED = {"info": {"id": "m1", "role": "user"}, "parts": [{"type": "text", "text": "Find it."}]}


def said(*parts: dict[str, Any]) -> dict[str, Any]:
    info = {
        "id": "m2",
        "role": "assistant",
        "modelID": "main-70b",
        "providerID": "work",
        "time": {"created": 1_795_168_800_000},
    }
    return {"info": info, "parts": list(parts)}


def test_a_session_that_opencode_exports(tmp_path: Path) -> None:
    wrong = {
        "status": "error",
        "input": {"path": "a"},
        "error": "The read tool was called with invalid arguments: filePath",
    }
    value = {
        "info": {"id": "s1"},
        "messages": [
            ASKED,
            said({"type": "text", "text": LEAK}),
            said({"type": "tool", "tool": "read", "state": wrong}),
        ],
    }
    path = document(tmp_path / "a.json", value)
    (first, second), troubles = read(path)
    assert (kind_of(path), troubles, first.context[0].text) == ("opencode-export", [], "Find it.")
    assert (first.model, first.server, first.at_us, second.calls[0].name) == (
        "main-70b",
        "work",
        1_795_168_800_000_000,
        "read",
    )
    assert found_in(path) == ["tool_markup_in_content", "schema_violation"]


def test_parts_that_opencode_prints(tmp_path: Path) -> None:
    def line(message: str, part: dict[str, Any]) -> dict[str, Any]:
        return {"type": part["type"], "sessionID": "s1", "part": {"messageID": message, **part}}

    path = written(
        tmp_path / "a.jsonl", line("m1", {"type": "step-start"}), line("m1", {"type": "text", "text": "I look."}),
        line("m2", {"type": "text", "text": LEAK}), "{broken",
    )  # fmt: skip
    replies, (trouble,) = read(path)
    assert (kind_of(path), [one.text for one in replies], trouble.place) == ("opencode-export", ["I look.", LEAK], "4")


def test_an_export_that_ends_early_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = document(tmp_path / "a.json", {"info": {}, "messages": [ASKED, said({"type": "text", "text": LEAK})]})
    path.write_text(path.read_text()[:-14])
    (reply,), (trouble,) = read(path)
    assert (reply.text, "ends early" in trouble.message) == (LEAK, True)
