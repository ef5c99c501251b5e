from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.scanning import LEAK, document, found_in, kind_of, read, scanned

MESSAGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "msg_1": ({"role": "user"}, {"type": "text", "text": f"What is {LEAK}?"}),
    "msg_2": ({"role": "assistant", "modelID": "main-70b", "providerID": "work"}, {"type": "text", "text": LEAK}),
    "msg_3": (
        {"role": "assistant", "time": {"created": 1_795_168_800_000}},
        {"type": "tool", "tool": "invalid", "state": {"status": "completed", "input": {"tool": "frob", "error": "call unavailable tool"}}},
    ),
}  # fmt: skip


def storage(tmp_path: Path, *, old: bool) -> Path:
    root = tmp_path / "opencode" / "storage"
    session = root / "session" / ("info" if old else "global") / "ses_1.json"
    session.parent.mkdir(parents=True)
    for name, (message, part) in MESSAGES.items():
        inner = root / "session" if old else root
        parts = inner / "part" / "ses_1" / name if old else inner / "part" / name
        for folder in (inner / "message" / "ses_1", parts):
            folder.mkdir(parents=True, exist_ok=True)
        document(inner / "message" / "ses_1" / f"{name}.json", {"id": name, "sessionID": "ses_1", **message})
        document(parts / "prt_1.json", {"id": "prt_1", "messageID": name, **part})
    return document(session, {"id": "ses_1", "title": "t"})


@pytest.mark.parametrize("old", [False, True])
def test_a_session_is_read_with_its_messages_and_parts(tmp_path: Path, old: bool) -> None:
    path = storage(tmp_path, old=old)
    (first, second), troubles = read(path)
    assert (kind_of(path, named=False), troubles, first.model, first.context[0].role) == (
        "opencode-files",
        [],
        "main-70b",
        "user",
    )
    assert (second.calls[0].name, second.at_us, found_in(path)) == (
        "frob", 1_795_168_800_000_000, ["tool_markup_in_content", "invented_tool"],
    )  # fmt: skip
    whole = scanned(tmp_path)
    assert (len(whole.findings), whole.sources[0].skipped, whole.sources[0].replies) == (2, 0, 2)


def test_a_broken_message_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    path = storage(tmp_path, old=False)
    (tmp_path / "opencode/storage/message/ses_1/msg_2.json").write_text("{oops")
    replies, (trouble,) = read(path)
    assert (len(replies), trouble.place) == (1, "msg_2")


def test_files_of_such_names_elsewhere_are_not_taken(tmp_path: Path) -> None:
    assert kind_of(document(tmp_path / "ses_1.json", {"id": "ses_1"}), named=False) == ""
