from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from workbench.core import whole_files
from workbench.core.errors import InvalidInput
from workbench.imports.items import Item, NewCase, NotCarried, ReadOptions
from workbench.imports.recorded import RecordedReply
from workbench.imports.requests import read_requests, whole_text
from workbench.imports.rows import BadRow

CHAT = {"model": "gpt", "messages": [{"role": "user", "content": "Weather in Rome?"}],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}], "temperature": 0.5}  # fmt: skip
REPLY = {"model": "gpt", "choices": [{"message": {"role": "assistant", "content": "Sunny."}, "finish_reason": "stop"}]}


def read(tmp_path: Path, text: str, name: str = "asked.txt", **options: Any) -> list[Item]:
    path = tmp_path / name
    path.write_text(text)
    return list(read_requests([path], ReadOptions(**options), lambda _: None))


def entry(
    body: Any = CHAT,
    status: int = 200,
    text: str = json.dumps(REPLY),
    url: str = "https://x/v1/chat/completions",
    **content: Any,
) -> dict[str, Any]:
    return {
        "request": {"url": url, "postData": {"text": json.dumps(body)}},
        "response": {"status": status, "content": {"text": text, **content}},
        "time": 120,
    }


def har(*entries: dict[str, Any]) -> str:
    return json.dumps({"log": {"entries": entries}})


def test_a_curl_command_is_a_case_without_its_key(tmp_path: Path) -> None:
    found = read(
        tmp_path, f"curl https://x/v1/chat/completions -H 'Authorization: Bearer sk-1' -d '{json.dumps(CHAT)}'"
    )

    assert isinstance(found[0], NewCase)
    case = found[0].case
    assert (case.id, case.title, case.messages[0].text, [setup.spec.name for setup in case.tools]) == (
        "asked-1", "Weather in Rome?", "Weather in Rome?", ["f"],
    )  # fmt: skip
    assert case.expectation is None
    assert found[1] == NotCarried("temperature of requests")


@pytest.mark.parametrize(
    "body",
    [
        CHAT,
        {
            "model": "claude",
            "max_tokens": 9,
            "system": "Be kind.",
            "messages": [{"role": "user", "content": "Weather in Rome?"}],
        },
        {"contents": [{"role": "user", "parts": [{"text": "Weather in Rome?"}]}]},
        {"model": "gpt", "input": "Weather in Rome?"},
    ],
)
def test_bodies_of_every_protocol(tmp_path: Path, body: dict[str, Any]) -> None:
    found = read(tmp_path, json.dumps(body))

    assert isinstance(found[0], NewCase)
    assert found[0].case.messages[-1].text == "Weather in Rome?"


def test_answers_of_a_har_are_replies(tmp_path: Path) -> None:
    coded = base64.b64encode(json.dumps(REPLY).encode()).decode()
    found = read(tmp_path, har(entry(), entry(text=coded, encoding="base64")))
    replies = [item for item in found if isinstance(item, RecordedReply)]

    assert [(one.model, one.text, one.duration_us, one.case.id) for one in replies] == [
        ("gpt", "Sunny.", 120_000, "asked-1"), ("gpt", "Sunny.", 120_000, "asked-2"),
    ]  # fmt: skip
    assert json.loads(replies[0].body) == REPLY


def test_what_is_no_answer_is_named(tmp_path: Path) -> None:
    found = read(tmp_path, har(
        entry(status=429), entry(text="<html>"), entry(text=""), entry(status=0), entry(body={"a": 1}, url="https://x/metrics"),
        entry(body={"model": "gpt", "messages": []}), entry(text="!", encoding="base64"),
    ))  # fmt: skip

    assert not [item for item in found if isinstance(item, RecordedReply)]
    left = {item.what for item in found if isinstance(item, NotCarried)}
    assert {
        "answers with status 429",
        "answers in no known protocol",
        "requests to /metrics that are no model's",
    } <= left
    assert [item.place for item in found if isinstance(item, BadRow)] == ["asked.txt, request 6"]


@pytest.mark.parametrize("text", ["{}", "{broken", "curl https://x -d '{broken'", har()])
def test_files_without_a_request_are_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidInput, match=r"asked\.txt"):
        read(tmp_path, text)


def test_files_that_cannot_be_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(b"a\xff")
    for path, message in ((tmp_path / "x", "byte 1"), (tmp_path / "no", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(InvalidInput, match=message):
            whole_text(path)
    monkeypatch.setattr(whole_files, "LARGEST", 1)
    with pytest.raises(InvalidInput, match="too large"):
        whole_text(tmp_path / "x")
