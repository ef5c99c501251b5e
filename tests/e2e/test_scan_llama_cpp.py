"""The log of a real llama.cpp server under `workbench scan`: what it leaked and swallowed is found, the rest is left alone."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import workbench
from tests.kit.llama_server import LlamaServer, llama_server
from tests.kit.waiting import wait_until

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 12}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
XML = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
MISTRAL = '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Rome"}}]'
PROSE = "The sky over Rome is clear today, and it stays so."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    with llama_server(tmp_path_factory.mktemp("llama"), verbosity=99) as running:
        yield running


def send(server: LlamaServer, **more: Any) -> None:
    """Have one reply made."""
    asked = [{"role": "user", "content": "How is the weather in Rome?"}]
    body = json.dumps({"model": "tiny", "messages": asked, "max_tokens": 120, "seed": 1, **more}).encode()
    request = urllib.request.Request(f"{server.base_url}/chat/completions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 200
        answer.read()


def only_this(text: str) -> dict[str, str]:
    """A grammar of one text."""
    return {"grammar": f"root ::= {json.dumps(text)}"}


def parsed(log: Path) -> int:
    """Replies that stand in the log as a whole: the server writes it behind its answers."""
    parts = log.read_bytes().split(b"Parsed message:")[1:]
    return sum(b"\n" in part for part in parts)


def test_the_log_is_read_as_it_is(server: LlamaServer, tmp_path: Path) -> None:
    send(server, tools=[TOOL], tool_choice="required", stream=True)
    send(server, **only_this(PROSE))
    send(server, **only_this(XML))
    send(server, tools=[TOOL], tool_choice="required", max_tokens=20)
    send(server, **only_this(MISTRAL), stream=True)
    send(server, **only_this(XML[:-30]))
    assert wait_until(lambda: parsed(server.log) == 6)
    log = tmp_path / "server.log"
    log.write_bytes(server.log.read_bytes())
    found = workbench("scan", str(log), "--json").json()
    assert found["sources"][0]["kind"] == "log"
    assert found["read"] == 6
    told = [(one["kind"], one["format"], one["raw"][one["span"][0] : one["span"][1]]) for one in found["findings"]]
    leaked, swallowed = "tool_markup_in_content", told.pop(1)
    assert swallowed[:2] == ("tool_call_dropped", "qwen_xml")
    assert re.fullmatch(r'<tool_call>\s*\{\s*"name"\s*:\s*"get_w\w*', swallowed[2])
    assert told[0] == (leaked, "qwen_xml", XML)
    assert [(one[0], one[2]) for one in told[1:]] == [(leaked, MISTRAL), (leaked, XML[:-30])]
    assert {(one["model"], one["server"]) for one in found["findings"]} == {("tiny", "llama.cpp")}
