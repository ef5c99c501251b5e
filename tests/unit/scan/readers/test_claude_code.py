from __future__ import annotations

from pathlib import Path

from tests.kit.scanning import (
    LEAK,
    claude_nothing,
    claude_reply,
    claude_result,
    claude_user,
    document,
    found_in,
    kind_of,
    read,
    said,
    thought,
    unparsed,
    used,
    written,
)
from workbench.scan.reply import Refused


def session(tmp_path: Path, *rows: object) -> Path:
    return written(tmp_path / "s1.jsonl", claude_user("What does it say?"), *rows)


def test_lines_of_one_message_are_one_reply(tmp_path: Path) -> None:
    lines = claude_reply("m1", thought("Hm."), said("I look."), used("Read", {"file_path": "a"}), stop="tool_use")
    path = session(tmp_path, *lines, claude_result("t1", "hello"), *claude_reply("m2", said("It says hello.")))
    (first, second), troubles = read(path)
    assert (kind_of(path), troubles) == ("claude-code", [])
    assert (first.text, first.reasoning, first.model, first.place) == ("I look.", "Hm.", "main-70b", "2")
    assert [(call.name, call.arguments, call.result) for call in first.calls] == [("Read", {"file_path": "a"}, "hello")]
    assert [turn.text for turn in (*first.context, *first.after)] == ["What does it say?", "It says hello."]
    assert [call.name for call in second.before] == ["Read"]


def test_a_clean_session_has_no_findings(tmp_path: Path) -> None:
    lines = claude_reply("m1", used("Write", {"file_path": "a.html", "content": "<p>x</p>\n<tool_call>{}</tool_call>"}))
    quoted = "The file holds `<tool_call>` tags:\n```\n" + LEAK + "\n```\nNobody calls anything."
    path = session(tmp_path, *lines, claude_result("t1", LEAK), *claude_reply("m2", said(quoted)))
    assert found_in(path) == []


def test_markup_of_users_and_tools_is_no_finding(tmp_path: Path) -> None:
    path = session(tmp_path, claude_user(LEAK), claude_result("t9", LEAK), *claude_reply("m1", said("I see.")))
    assert found_in(path) == []


def test_planted_faults_are_found(tmp_path: Path) -> None:
    again = used("Read", {"file_path": "a"}, "t2")
    path = session(
        tmp_path,
        *claude_reply("m1", used("Read", {"file_path": "a"})), claude_result("t1", "hello"),
        *claude_reply("m2", again), claude_result("t2", "Wasted call: file unchanged since your last Read."),
        *claude_reply("m3", used("Frob", {"x": 1}, "t3")),
        claude_result("t3", "<tool_use_error>Error: No such tool available: Frob</tool_use_error>", failed=True),
        *claude_reply("m4", used("Read", {"path": "a"}, "t4")),
        claude_result("t4", "<tool_use_error>InputValidationError: `file_path` is missing</tool_use_error>", failed=True),
        *claude_reply("m5", used("Write", {"file_path": 'b</file_path>\n<parameter name="content">hi'}, "t5")),
        claude_result("t5", "<tool_use_error>InputValidationError: `content` is missing</tool_use_error>", failed=True),
        *claude_reply("m6", thought(f"Now. {LEAK}")),
        *claude_reply("m7", said(f"I look.\n{LEAK}")),
        *claude_reply("m8", said(""), tokens=300),
    )  # fmt: skip
    assert found_in(path) == [
        "repeated_call", "invented_tool", "schema_violation", "absorbed_parameter", "tool_markup_in_reasoning",
        "tool_markup_in_content", "all_output_lost",
    ]  # fmt: skip


def test_sealed_reasoning_is_not_lost_output(tmp_path: Path) -> None:
    sealed = {"type": "redacted_thinking", "data": "xyz"}
    assert found_in(session(tmp_path, *claude_reply("m1", sealed, tokens=900))) == []
    assert found_in(session(tmp_path, *claude_reply("m1", thought(""), tokens=900))) == []


def test_broken_lines_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = session(
        tmp_path, '{"type": "assist', *claude_reply("m1", said("Fine.")), '{"type": "progress", "sessionId": 5}'
    )
    replies, troubles = read(path)
    assert ([one.text for one in replies], [one.place for one in troubles]) == (["Fine."], ["2"])


def test_sidechains_are_conversations_of_their_own(tmp_path: Path) -> None:
    aside = [{**line, "isSidechain": True} for line in claude_reply("m2", said("Aside."))]
    path = session(tmp_path, *claude_reply("m1", used("Read", {"a": 1})), *aside, claude_result("t1", "late"))
    replies, _ = read(path)
    assert [(one.text, [call.result for call in one.calls]) for one in replies] == [("", ["late"]), ("Aside.", [])]


def test_a_refused_call_tells_why(tmp_path: Path) -> None:
    told = "<tool_use_error>Error: No such tool available: Frob</tool_use_error>"
    path = session(tmp_path, *claude_reply("m1", used("Frob", {})), claude_result("t1", told, failed=True))
    (call,) = read(path)[0][0].calls
    assert (call.refused, call.why, call.failed) == (Refused.UNKNOWN_TOOL, "Error: No such tool available: Frob", True)


def test_arguments_that_are_no_json_are_told_as_they_came(tmp_path: Path) -> None:
    raw = '{"file_path": "/tmp/no'
    told = "<tool_use_error>InputValidationError: Read was called with input that could not be parsed as JSON.\nYou sent: x"
    path = session(tmp_path, *claude_reply("m1", used("Read", unparsed(raw))), claude_result("t1", told, failed=True))
    (reply,), _ = read(path)
    assert (reply.calls[0].text, reply.calls[0].refused) == (raw, Refused.JSON)
    assert found_in(path) == ["malformed_arguments"]


def test_a_reply_of_which_nothing_came(tmp_path: Path) -> None:
    calling = claude_reply("m1", used("Read", {"file_path": "a"}))
    path = session(tmp_path, *calling, claude_result("t1", "hello"), claude_nothing(), *claude_reply("m2", said("Oh.")))
    (_, lost, _), _ = read(path)
    assert (lost.model, lost.place, lost.text) == ("main-70b", "4", "")
    assert found_in(path) == ["all_output_lost"]


def test_a_reply_of_thoughts_alone_is_not_lost(tmp_path: Path) -> None:
    path = session(tmp_path, *claude_reply("m1", thought("Nothing to say.")), claude_nothing())
    assert found_in(path) == []
    assert len(read(path)[0]) == 1


def test_what_the_command_prints_is_read_too(tmp_path: Path) -> None:
    begin = {"type": "system", "subtype": "init", "session_id": "s", "tools": ["Read"]}
    turns = [*claude_reply("m1", used("Frob", {"x": 1})), claude_result("t1", "<tool_use_error>Error: No such tool available: Frob</tool_use_error>", failed=True)]  # fmt: skip
    bare = [{"type": line["type"], "message": line["message"], "session_id": "s"} for line in turns]
    for path in (written(tmp_path / "a.jsonl", begin, *bare), document(tmp_path / "b.json", [begin, *bare])):
        assert (kind_of(path), found_in(path)) == ("claude-code", ["invented_tool"])
