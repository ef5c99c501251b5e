from __future__ import annotations

from pathlib import Path

from tests.kit.scanning import (
    CODEX_HEAD,
    LEAK,
    codex,
    codex_call,
    codex_nothing,
    codex_output,
    codex_text,
    document,
    found_in,
    kind_of,
    read,
    written,
)


def test_items_that_follow_each_other_are_one_reply(tmp_path: Path) -> None:
    usage = codex("token_usage_record", usage={"output_tokens": 20})
    path = written(
        tmp_path / "r.jsonl", *CODEX_HEAD, codex_text("Look.", "user"), codex_text("I look."), codex_call("run", '{"cmd": "ls"}'),
        usage, codex_output("a.txt"), codex_text("There is a.txt."), usage,
    )  # fmt: skip
    (first, second), troubles = read(path)
    assert (kind_of(path), troubles) == ("codex", [])
    assert (first.text, first.model, first.server, first.output_tokens) == ("I look.", "main-70b", "work", 20)
    assert (first.calls[0].result, second.text, second.before) == ("a.txt", "There is a.txt.", (first.calls[0],))
    assert [turn.text for turn in first.context] == ["Look."]


def test_planted_faults_are_found(tmp_path: Path) -> None:
    path = written(
        tmp_path / "r.jsonl", *CODEX_HEAD, codex_text("Go.", "user"),
        codex_call("run", '{"cmd": "ls"}', "c1"), codex_output("Chunk ID: aa01\nWall time: 0.1 seconds\nOutput: a", "c1"),
        codex_call("run", '{"cmd": "ls"}', "c2"), codex_output("Chunk ID: bb02\nWall time: 0.2 seconds\nOutput: a", "c2"),
        codex_call("frob", "{}", "c3"), codex_output("unsupported call: frob", "c3"),
        codex_call("run", '{"cmd": "ls"', "c4"), codex_output("failed to parse function arguments: EOF while parsing an object", "c4"),
        codex_call("run", '{"c": 1}', "c5"), codex_output("failed to parse function arguments: missing field `cmd` at line 1 column 8", "c5"),
        codex_text(f"Once more.\n{LEAK}"),
    )  # fmt: skip
    assert found_in(path) == [
        "repeated_call", "invented_tool", "malformed_arguments", "schema_violation", "tool_markup_in_content",
    ]  # fmt: skip


def test_reasoning_and_the_providers_own_tools_are_not_lost_output(tmp_path: Path) -> None:
    sealed = codex("response_item", type="reasoning", summary=[], encrypted_content="xyz")
    searched = codex("response_item", type="web_search_call", id="w1")
    usage = codex("token_usage_record", usage={"output_tokens": 500})
    assert (
        found_in(written(tmp_path / "r.jsonl", *CODEX_HEAD, sealed, usage, codex_text("x", "user"), searched, usage))
        == []
    )


def test_items_and_documents_of_old_versions(tmp_path: Path) -> None:
    items = [line["payload"] for line in (codex_text("Go.", "user"), codex_call("run", '{"c": 1}'))]
    items.append(codex_output("failed to parse function arguments: missing field `cmd` at line 1 column 8")["payload"])
    head = {"id": "u", "timestamp": "2025-07-01T10:00:00Z", "instructions": None}
    lines = written(tmp_path / "a.jsonl", head, {"record_type": "state"}, *items)
    whole = document(tmp_path / "b.json", {"session": head, "items": items})
    for path in (lines, whole, document(tmp_path / "c.json", items)):
        assert (kind_of(path), found_in(path)) == ("codex", ["schema_violation"])


def test_lines_of_old_versions_are_the_items_themselves(tmp_path: Path) -> None:
    old = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]}
    replies, _ = read(written(tmp_path / "r.jsonl", codex("session_meta"), old))
    assert [one.text for one in replies] == ["Hello."]


def test_one_line_tells_it(tmp_path: Path) -> None:
    words = {"type": "message", "content": [{"type": "output_text", "text": "Hello."}]}
    lines = ({"record_type": "state"}, codex_output("ok")["payload"], {**words, "role": "assistant"}, words)
    kinds = [kind_of(written(tmp_path / f"{at}.jsonl", line)) for at, line in enumerate(lines)]
    assert [kind == "codex" for kind in kinds] == [True, True, True, False]


def test_a_custom_tool_takes_free_text(tmp_path: Path) -> None:
    patch = codex("response_item", type="custom_tool_call", name="apply_patch", input="*** Begin </x>", call_id="c1")
    assert found_in(written(tmp_path / "r.jsonl", *CODEX_HEAD, patch, codex_output("ok"))) == []


def test_a_reply_of_which_nothing_came(tmp_path: Path) -> None:
    called = (codex_call("run", "{}"), codex("token_usage_record", usage={"output_tokens": 9}), codex_output("a.txt"))
    path = written(tmp_path / "r.jsonl", *CODEX_HEAD, codex_text("Go.", "user"), *called, *codex_nothing(tokens=77))
    (first, lost), _ = read(path)
    assert (first.output_tokens, lost.output_tokens, lost.model, lost.text) == (9, 77, "main-70b", "")
    assert found_in(path) == ["all_output_lost"]


def test_tokens_of_thoughts_and_of_summaries_are_not_lost_output(tmp_path: Path) -> None:
    end = codex("event_msg", type="task_complete", last_agent_message=None)
    thinking = codex("token_usage_record", usage={"output_tokens": 50, "reasoning_output_tokens": 50})
    spent = codex("token_usage_record", usage={"output_tokens": 50})
    said = codex("event_msg", type="task_complete", last_agent_message="Done.")
    for rows in ((thinking, end), (spent, codex("compacted", message="x"), end), (spent, said), (spent,)):
        assert found_in(written(tmp_path / "r.jsonl", *CODEX_HEAD, codex_text("Go.", "user"), *rows)) == []
