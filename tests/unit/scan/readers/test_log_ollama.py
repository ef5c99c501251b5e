from __future__ import annotations

import json

import pytest

from tests.kit.scanning import LEAK, logged
from workbench.scan.readers.log_records import read_record
from workbench.scan.readers.log_state import LogState
from workbench.scan.reply import Channel

GEMMA = r"call:grep{include:<|\"|>*.py<|\"|>,pattern:\'x\'}"


@pytest.mark.parametrize(
    "record",
    [
        f'level=WARN source=gemma4.go:293 msg="gemma4 tool call parsing failed" error="invalid character" content="{GEMMA}"',
        'level=ERROR msg="error parsing tool call: raw=\'{\\"city\\": \\"Rome\\" x}\', err=invalid character \'x\'"',
    ],
)
def test_ollama(record: str) -> None:
    lost = logged(record)
    assert (lost.server, lost.channel, "invalid character" in lost.error) == ("Ollama", Channel.LOST, True)
    assert lost.text.startswith(('call:grep{include:<|"|>*.py', '{"city": "Rome" x}'))


SAID = '{"path": "a.txt", "content": "hello "world"\\n"}'
REFUSED = f"error parsing tool call: raw='{SAID}', err=invalid character 'w' after object key:value pair"
BODY = json.dumps({"error": REFUSED})


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        f'Error: {{"status": 500}} {BODY}',
        f"level=ERROR msg=refused {BODY}",
        json.dumps({"error": {"message": REFUSED}}),
    ],
)
def test_refusals_as_clients_get_them(text: str) -> None:
    reply = logged(text)
    assert reply.text == SAID
    assert reply.error == "Ollama could not read a call: invalid character 'w' after object key:value pair."


@pytest.mark.parametrize(
    "text",
    [
        '{"error parsing tool call": "invalid character \'c\' looking for beginning of value"}',
        "ollama._types.ResponseError: error parsing tool call: invalid character 'c' looking for beginning of value",
    ],
)
def test_a_refusal_without_the_text(text: str) -> None:
    state = LogState("x.log")
    assert read_record(text, state) == []
    (found,) = state.finish()
    assert (found.text, found.channel) == ("", Channel.LOST)
    assert "invalid character 'c' looking for beginning of value." in found.error


def test_ollama_writes_replies_piece_by_piece() -> None:
    state = LogState("x.log")
    head = "time=2026-11-20T10:00:00.000Z level=TRACE source=routes.go:1 msg="
    for piece in ('content="<tool"', "content=_call>", 'content=" \\"x\\"\\n"', 'content=""'):
        assert read_record(f'{head}"builtin parser input" parser=coder {piece}', state) == []
    reply = logged('[GIN] 2026/11/20 - 10:00:01 | 200 | 1.2s | 127.0.0.1 | POST     "/api/chat"', state)
    assert (reply.text, reply.server, reply.channel) == ('<tool_call> "x"\n', "Ollama", Channel.RAW)
    read_record(f'{head}"builtin parser input" parser=coder content=Hi', state)
    assert [one.text for one in state.finish()] == ["Hi"]


def test_pieces_of_ollama_that_are_mixed_are_said_so() -> None:
    state = LogState("x.log")
    gin = '[GIN] 2026/11/20 - 10:00:00 | 200 | 1.0s | 127.0.0.1 | POST     "/api/chat"'
    records = [gin, 'msg="chat request"', 'msg="chat request"']
    for at in range(0, len(LEAK), 8):
        records += [f'msg="builtin parser input" parser=qwen content={json.dumps(LEAK[at : at + 8])}'] * 2
    assert [read_record(record, state) for record in (*records, gin)][-1] == []
    (trouble,) = state.told(7)
    assert trouble.place == "7"
    assert "2 replies were written at the same time" in trouble.message
    assert list(state.told(8)) == []
