from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.scanning import LEAK, chat_events, chat_reply, chat_request, found_in, kind_of, read, scanned, written
from workbench.scan.readers.http_dump import split_curl
from workbench.wires import get_server
from workbench.wires.kit.server import ReplyHead

CALL = json.dumps(chat_reply(None, [("get_weather", '{"city": "Ro')]))
ASKED = {
    "openai_chat": {"model": "m", "messages": [{"role": "user", "content": "x"}]},
    "openai_responses": {"model": "m", "input": "x"},
    "anthropic_messages": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]},
    "gemini_generate": {"contents": [{"role": "user", "parts": [{"text": "x"}]}]},
    "ollama_chat": {"model": "m", "messages": [{"role": "user", "content": "x"}]},
}


@pytest.mark.parametrize("wire", ASKED)
@pytest.mark.parametrize("stream", [False, True])
def test_replies_of_every_wire_are_known_by_what_they_hold(wire: str, stream: bool) -> None:
    from workbench.core.exchange import FinishDelta, TextDelta, Usage, UsageDelta

    server = get_server(wire)
    path = {"gemini_generate": "/v1beta/models/m:streamGenerateContent"}.get(wire, "")
    head = ReplyHead(server.read(json.dumps(ASKED[wire]).encode(), path), "abc", 1)
    deltas = [TextDelta(f"I look.\n{LEAK}"), UsageDelta(Usage(5, 9)), FinishDelta("stop")]
    body = server.whole(head, deltas)
    if stream:
        writer = server.stream(head)
        body = writer.start() + b"".join(map(writer.feed, deltas)) + writer.finish()
    text = body.decode()
    assert kind_of(text) == "http"
    (reply,), _ = read(text)
    assert reply.text == f"I look.\n{LEAK}"
    assert found_in(text) == ["tool_markup_in_content"]


def test_several_streams_in_one_dump() -> None:
    dump = f"> POST /v1/chat/completions\n< HTTP/1.1 200 OK\n{chat_events('One.')}\n{chat_events(LEAK)}"
    assert [reply.text for reply in read(dump)[0]] == ["One.", LEAK]


def test_a_list_and_a_pair_of_request_and_reply() -> None:
    assert found_in(json.dumps([chat_reply("Fine."), json.loads(CALL)], indent=1)) == ["malformed_arguments"]
    pair: dict[str, Any] = {"request": chat_request(), "response": chat_reply(None, [("toll_bell", "{}")])}
    assert (kind_of(json.dumps(pair)), found_in(json.dumps(pair))) == ("http", ["invented_tool"])


def test_an_error_answer_that_quotes_the_model() -> None:
    body = {"error": {"code": 500, "message": f"Failed to parse input at pos 3: {LEAK}", "type": "server_error"}}
    (reply,), _ = read(json.dumps(body))
    assert (reply.text, reply.channel.value, reply.error) == (LEAK, "lost", "Failed to parse input at pos 3.")
    assert found_in(json.dumps(body)) == ["tool_call_dropped"]


def test_a_reply_that_ends_early_is_read_as_far_as_it_goes() -> None:
    cut = json.dumps(chat_reply(f"I look. {LEAK} And more that is cut"))[:-90]
    (reply,), (trouble,) = read(cut)
    assert (reply.text.startswith("I look."), len(scanned(cut).findings)) == (True, 1)
    assert trouble.message == "The file ends early."


def test_curl_with_what_it_printed() -> None:
    command = f"curl http://127.0.0.1:8080/v1/chat/completions \\\n  -d '{json.dumps(chat_request())}'"
    text = f"$ {command}\n{json.dumps(chat_reply(None, [('toll_bell', '{}')]))}"
    assert (kind_of(text), found_in(text)) == ("http", ["invented_tool"])
    assert read(text)[0][0].server == "127.0.0.1:8080"
    assert (kind_of(command), read(command)) == ("http", ([], []))


def test_split_curl_keeps_line_ends_inside_quotes() -> None:
    assert split_curl("curl x -d '{\n1}'\n{\"a\": 1}") == ("curl x -d '{\n1}'", '{"a": 1}')


def test_other_json_is_left_alone() -> None:
    assert kind_of('{"name": "package", "version": "1.0"}', named=False) == ""


def test_completions_streamed_by_ollama_are_one_reply_each(tmp_path: Path) -> None:
    pieces = [{"model": "m", "response": LEAK[at : at + 7], "done": False} for at in range(0, len(LEAK), 7)]
    end = {"model": "m", "response": "", "done": True, "done_reason": "stop"}
    path = written(tmp_path / "a.ndjson", *pieces, end, {**end, "response": "Fine."})
    assert ([one.text for one in read(path)[0]], found_in(path)) == ([LEAK, "Fine."], ["tool_markup_in_content"])
