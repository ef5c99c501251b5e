from __future__ import annotations

import base64
import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from tests.kit.scanning import (
    LEAK,
    chat_events,
    chat_reply,
    chat_request,
    document,
    found_in,
    judged,
    kind_of,
    read,
    scanned,
)


def entry(answer: str, *, request: Any = None, status: int = 200, packed: bool = False) -> dict[str, Any]:
    content = {"mimeType": "application/json", "text": answer}
    if packed:
        content |= {"text": base64.b64encode(answer.encode()).decode(), "encoding": "base64"}
    return {
        "startedDateTime": "2026-11-20T10:00:00.000Z",
        "request": {
            "method": "POST", "url": "http://user:pw@127.0.0.1:8080/v1/chat/completions",
            "postData": {"text": json.dumps(chat_request() if request is None else request)},
        },
        "response": {"status": status, "headers": [{"name": "Content-Type", "value": "application/json"}], "content": content},
    }  # fmt: skip


def packed_entry(answer: str, coding: str, data: bytes) -> dict[str, Any]:
    made = entry(answer)
    made["response"]["headers"].append({"name": "Content-Encoding", "value": coding})
    made["response"]["content"] |= {"text": base64.b64encode(data).decode(), "encoding": "base64"}
    return made


def archive(path: Path, *entries: Any) -> Path:
    return document(path, {"log": {"version": "1.2", "creator": {"name": "x"}, "entries": list(entries)}})


def test_entries_are_exchanges_with_their_tools(tmp_path: Path) -> None:
    page = {"request": {"url": "https://example.org/"}, "response": {"status": 200, "content": {"text": "<html>"}}}
    path = archive(tmp_path / "a.har", page, entry(json.dumps(chat_reply("Hello."))))
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("har", [])
    assert (reply.text, reply.model, reply.server, reply.place) == ("Hello.", "coder-7b", "127.0.0.1:8080", "entry 2")
    assert reply.tools is not None
    assert ([tool.name for tool in reply.tools], reply.context[0].text) == (["get_weather"], "Weather in Rome?")
    assert reply.at_us == 1_795_168_800_000_000


def test_faults_in_whole_and_streamed_replies_are_found(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "a.har",
        entry(json.dumps(chat_reply(LEAK))), entry(chat_events(LEAK), packed=True),
        entry(json.dumps(chat_reply(None, [("get_weather", '{"city": 5}')]))),
        entry(json.dumps(chat_reply(None, [("get_weather", '{"city": "Ro')]))),
        entry(json.dumps(chat_reply(None, [("toll_bell", "{}")]))),
        entry('{"error": {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "<function=x>"}}', status=400),
    )  # fmt: skip
    assert found_in(path) == [
        "tool_markup_in_content", "tool_markup_in_content", "schema_violation", "malformed_arguments", "invented_tool",
        "tool_call_dropped",
    ]  # fmt: skip


def test_a_client_that_writes_calls_as_text_itself_is_no_finding(tmp_path: Path) -> None:
    assert (
        found_in(archive(tmp_path / "a.har", entry(json.dumps(chat_reply(LEAK)), request=chat_request(tools=[])))) == []
    )


def test_the_same_call_as_in_the_turn_before(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Rome"}'}}
    request = chat_request()
    request["messages"] += [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
    ]
    answer = json.dumps(chat_reply(None, [("get_weather", '{"city":"Rome"}')]))
    assert found_in(archive(tmp_path / "a.har", entry(answer, request=request))) == ["repeated_call"]


@pytest.mark.parametrize("left", [3, 60])
def test_an_archive_that_ends_early_is_read_as_far_as_it_goes(tmp_path: Path, left: int) -> None:
    text = json.dumps({"log": {"version": "1.2", "entries": [entry(json.dumps(chat_reply(LEAK))) for _ in range(3)]}})
    (tmp_path / "a.har").write_text(text[:-left])
    _, troubles = read(tmp_path / "a.har")
    assert len(scanned(tmp_path / "a.har").findings) == 3
    assert [trouble.message for trouble in troubles] == ["This entry is broken: the file ends early."]


def test_a_broken_entry_is_named_and_the_next_are_read(tmp_path: Path) -> None:
    good = json.dumps(entry(json.dumps(chat_reply("Hello."))))
    text = '{"log": {"entries": [' + good + ', {"request": {"url": oops}}, ' + good + "]}}"
    (tmp_path / "a.har").write_text(text)
    replies, troubles = read(tmp_path / "a.har")
    assert (len(replies), [one.place for one in troubles]) == (2, ["entry 2"])


def test_bodies_as_they_came_over_the_wire(tmp_path: Path) -> None:
    body = json.dumps(chat_reply(LEAK))
    path = archive(
        tmp_path / "a.har",
        packed_entry(body, "gzip", gzip.compress(body.encode())),
        packed_entry(body, "br", pyarrow.compress(body.encode(), codec="brotli", asbytes=True)),
        packed_entry(chat_events(LEAK), "deflate", zlib.compress(chat_events(LEAK).encode())),
        packed_entry(body, "br", b"\xff\xfe\x00broken"),
    )
    replies, troubles = read(path)
    assert [one.kind for one in judged(replies)] == ["tool_markup_in_content"] * 3
    assert [(one.place, one.message[:26]) for one in troubles] == [("entry 4", "The body cannot be unpacke")]
    picture = packed_entry("", "br", b"\xff\xfe\x00")
    picture["request"] = {"url": "https://example.org/a.png"}
    picture["response"]["content"]["mimeType"] = "image/png"
    assert read(archive(tmp_path / "b.har", picture)) == ([], [])
